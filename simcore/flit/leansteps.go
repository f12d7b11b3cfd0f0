package flit

import "toposearch/simcore"

// A crossbar with internal speedup, in the lean cycle: several steps of allocation a cycle, and queues behind its
// outputs from which one flit leaves a cycle. It does what full_cycle.go does for all configurations;
// TestPlainAgreesWithGeneral holds it to that. Queues are first in, first out, so that the cycle in which a flit leaves is
// known as soon as it is granted: no queue is kept, and a flit goes on its line at once, from that cycle on. The same is
// true of credits, of which one leaves an input in a cycle.

func newLeanSteps(s *Sim) *leanSteps {
	return &leanSteps{shut: make([]simcore.Cycle, s.nOut), quiet: make([]simcore.Cycle, s.nIn)}
}

// part is the state of another part: shared by port.
func (x *leanSteps) part() *leanSteps {
	if x == nil {
		return nil
	}
	q := *x
	return &q
}

// reset empties the queues.
func (x *leanSteps) reset() {
	if x == nil {
		return
	}
	x.due = 0
	clear(x.shut)
	clear(x.quiet)
}

// behindLean queues a flit behind an output, and the credit of its slot behind its input: the cycles in which they leave, each when
// those before it are gone.
func (s *Sim) behindLean(op, ip int32) (flit, credit simcore.Cycle) {
	x := s.steps
	flit = max(x.line, x.shut[op])
	if s.slow != nil {
		flit = s.slow[op].take(flit)
	}
	credit = max(s.now, x.quiet[ip])
	x.shut[op], x.quiet[ip] = flit+1, credit+1
	return flit, credit
}

// take is when a line can take a flit that has left the crossbar, from a cycle on: canSend and launch.
func (l *slowOut) take(at simcore.Cycle) simcore.Cycle {
	if l.num > 0 {
		at = max(at, simcore.Cycle(l.free/l.num))
		l.free = max(l.free, int64(at)*l.num) + l.den
	}
	return at
}

// slowBehind is how much longer flits can stand behind the crossbar where lines are slow than behind others, cycles: each
// of them has a slot of the next buffer.
func (s *Sim) slowBehind() int {
	if s.steps == nil {
		return 0
	}
	flit := int64(1)
	for i := range s.slow {
		if l := &s.slow[i]; l.num > 0 {
			flit = max(flit, (l.den+l.num-1)/l.num)
		}
	}
	return s.vcs * int(s.depth) * int(flit-1)
}

// countBehind adds the flits that have been granted and wait behind the crossbar to those sent on the lines, times
// sign: they are counted when they are granted, and a window has those that leave in it.
func (s *Sim) countBehind(sign int32) {
	if s.steps == nil {
		return
	}
	for i := range s.wheel {
		ahead := (simcore.Cycle(i>>s.laneBits) - s.now) & s.wheelMask // until it arrives
		for _, e := range s.wheel[i].flits {
			op := s.in[int32(e>>32)>>s.vs].up
			if op < s.nOut && ahead >= s.out[op].lag.delay() {
				s.sent[op] += uint32(sign)
			}
		}
	}
}
