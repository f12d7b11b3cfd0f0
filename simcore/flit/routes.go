package flit

import (
	"fmt"

	"toposearch/topology"
)

// headIn starts a packet whose head is at the front of an idle VC. With look-ahead its route is
// known, and it waits for a VC from this cycle on if it has just arrived, from the next on if it
// stood behind a tail.
func (s *Sim) headIn(iv int32, f uint32, arrived bool) {
	st := &s.vc[iv]
	if s.cfg.RoutingDelay == 0 {
		s.setRoute(iv, st, s.routedAt(int32(f>>2)))
		if arrived {
			s.setWait(iv)
		} else {
			s.waitNext(iv)
		}
		return
	}
	if !arrived { // routed in the next cycle
		st.state = vcRouting
		s.routeNext = append(s.routeNext, iv)
		return
	}
	s.routeHead(iv, st, f)
}

// routeHead computes the route of a head in the cycle in which it is at the front; it waits for a
// VC RoutingDelay cycles later.
func (s *Sim) routeHead(iv int32, st *vcState, f uint32) {
	if s.full != nil && s.full.batch != nil {
		st.state = vcRouting
		s.full.batch.join(iv, s.in[iv>>(s.vs&31)].sw)
		return
	}
	if s.computeRoute(iv, st, f) {
		s.waitNext(iv)
	}
}

// computeRoute asks the routing where the head of an input VC goes; false: nowhere.
func (s *Sim) computeRoute(iv int32, st *vcState, f uint32) bool {
	p := s.packet(int32(f >> 2))
	p.VC = uint8(iv & s.vmask)
	sw := s.in[iv>>(s.vs&31)].sw
	if s.marks != nil {
		s.marks[iv] = s.kept.Enter(topology.SwitchID(sw), &p.Packet, &s.view)
	}
	h := s.routePort(sw, &p.Packet, &s.view)
	p.Hops++
	if h.Port == noPort {
		s.strand(iv, st, f)
		return false
	}
	if int(h.Hi) >= s.vcs || h.Lo > h.Hi {
		s.badVCs(h.Lo, h.Hi)
	}
	first := s.outStart[sw]
	st.op, st.lo, st.hi = first+h.Port, h.Lo, h.Hi
	if h.HasAlt || s.alts != nil {
		a := route{op: -1}
		if h.HasAlt {
			a = route{first + h.AltPort, h.AltLo, h.AltHi}
		}
		s.setAlt(iv, a)
	}
	return true
}

func (s *Sim) routeAt(sw int32, p *packet, c *choice) {
	h := s.routePort(sw, &p.Packet, &s.view)
	p.Hops++
	if int(h.Hi) >= s.vcs || h.Lo > h.Hi {
		s.badVCs(h.Lo, h.Hi)
	}
	*c = newChoice(s.outStart[sw], h)
}

func newChoice(first int32, h PortHop) choice {
	c := choice{route{first + h.Port, h.Lo, h.Hi}, route{op: -1}}
	if h.HasAlt {
		c.alt = route{first + h.AltPort, h.AltLo, h.AltHi}
	}
	return c
}

func (s *Sim) badVCs(lo, hi uint8) {
	panic(fmt.Sprintf("simcore: routing %s allows VCs %d to %d of %d", s.routingName, lo, hi, s.vcs))
}

func (s *Sim) setRoute(iv int32, st *vcState, c *choice) {
	st.op, st.lo, st.hi = c.op, c.lo, c.hi
	if c.alt.op >= 0 || s.alts != nil {
		s.setAlt(iv, c.alt)
	}
}

// setAlt notes the second choice of a head, or that it has none.
func (s *Sim) setAlt(iv int32, a route) {
	if s.alts == nil {
		s.makeAlts()
	}
	s.alts[iv] = a
}

func (s *Sim) makeAlts() {
	s.alts = make([]route, len(s.vc))
	for i := range s.alts {
		s.alts[i].op = -1
	}
}

// routeAgain routes the heads that came to the front of their VC in the last cycle.
func (s *Sim) routeAgain() {
	for _, iv := range s.routeNext {
		st := &s.vc[iv]
		s.routeHead(iv, st, s.front(iv))
	}
	s.routeNext = s.routeNext[:0]
}

// routeAhead computes the routes of the packets that left in this cycle at the switches that
// they are sent to.
func (s *Sim) routeAhead() {
	for i, p := range s.ahead {
		s.routeAt(s.aheadAt[i], s.packet(p), s.routedAt(p))
	}
	s.ahead, s.aheadAt = s.ahead[:0], s.aheadAt[:0]
}
