package flit

import (
	"fmt"
	"math/bits"
)

func (s *Sim) verify() {
	if checking {
		if err := s.check(); err != nil {
			panic(fmt.Sprintf("simcore: cycle %d: %v", s.now, err))
		}
	}
}

// cycle: what arrives now; injection; all switches; what starts in the next cycle. Switches only
// meet through arrivals of later cycles, so their order does not matter.
func (s *Sim) cycle() {
	if s.kept != nil {
		s.remember()
	}
	if len(s.lanes) > 1 {
		s.cycleLanes()
		return
	}
	s.enter(s.takeCredits())
	s.work()
	s.routeAhead()
	s.now++
}

// takeCredits applies the credits of this cycle. They alone change what routings see of switches
// before the switches work.
func (s *Sim) takeCredits() []bucket {
	due := s.due()
	switch {
	case s.lean:
		for i := range due {
			s.creditsLean(&s.lanes[0], due[i].credits)
		}
	case s.cfg.RouteAtInjection:
		s.creditAll(due[1].credits)
		s.inject()
		s.creditAll(due[0].credits)
	default:
		s.creditAll(due[0].credits)
		s.creditAll(due[1].credits)
	}
	return due
}

func (s *Sim) creditAll(credits []int32) {
	for _, c := range credits {
		s.credit(c)
	}
}

// enter injects, takes the flits that arrive, and routes the heads that have come to the front.
func (s *Sim) enter(due []bucket) {
	if !s.cfg.RouteAtInjection {
		s.inject()
	}
	if s.lean {
		s.allocEarly(&s.lanes[0])
		s.routeAgainLean(&s.lanes[0])
		s.arriveLean(&s.lanes[0], due[0].flits)
	} else {
		s.routeAgain()
		s.drainStranded()
		for _, e := range due[0].flits {
			iv, f, ok := int32(e>>32), uint32(e), true
			if s.failing != nil {
				f, ok = s.passes(iv, f)
			}
			if ok {
				s.arrive(iv, f)
			}
		}
	}
	ejected := due[1].flits
	if s.failing != nil {
		ejected = s.swallowLost(ejected)
	}
	s.eject(ejected)
	for i := range due {
		s.spare.giveBack(&due[i])
	}
}

// work lets every switch with work allocate and send.
func (s *Sim) work() {
	switch {
	case s.lean:
		s.workLean(&s.lanes[0], s.stepsLean())
	case s.full != nil:
		s.full.cycle(s)
	default:
		s.switchesPlain()
		s.endOfStep()
	}
}

func (s *Sim) switchesPlain() {
	s.forgetAllAsked()
	for w, m := range s.active {
		for ; m != 0; m &= m - 1 {
			sw := w<<6 + bits.TrailingZeros64(m)
			d := &s.dims[sw]
			s.noteAllAsked(d)
			s.allocVCs(d)
			s.routeLosers(d)
			s.allocSwitch(d)
			if s.quick {
				s.settle(d)
			}
			s.dropIfIdle(sw)
		}
	}
}

// arrive takes a flit from a line to a switch.
func (s *Sim) arrive(iv int32, f uint32) {
	st := &s.vc[iv]
	at := int32(st.head) + int32(st.n)
	if at >= s.depth {
		at -= s.depth
	}
	*s.slot(iv, st, at) = f
	st.n++
	if s.full != nil {
		s.full.arrived(s, iv, f)
	}
	switch {
	case st.state == vcIdle:
		s.headIn(iv, f, true)
	case st.state == vcActive && st.n == 1:
		if s.out[st.op].full>>(st.ovc&31)&1 == 0 {
			s.setReady(iv)
		}
	}
}
