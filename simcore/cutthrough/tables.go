package cutthrough

import (
	"slices"

	"toposearch/simcore"
	"toposearch/topology"
)

// changeTables puts the routing of a stage in force everywhere at once.
func (s *Sim) changeTables(stage *simcore.Stage) {
	s.routing = stage.Routing
	if !stage.Carry {
		s.discard()
	}
	for e := range s.src {
		s.enterAgain(int32(e))
	}
}

// discard loses all packets in the network, as Autonet does when it changes its routes (Schroeder et al., IEEE JSAC 9(8),
// 1991): those that came by the old routes could wait for those of the new in a circle.
func (s *Sim) discard() {
	s.loseArrivals(simcore.LostDiscarded, func(int32) bool { return true })
	for sw := range s.switches {
		s.loseQueues(int32(sw), s.outStart[sw], s.outStart[sw+1], simcore.LostDiscarded)
	}
}

// enterAgain routes the packets that wait at an endpoint anew, in the order in which they were made.
func (s *Sim) enterAgain(e int32) {
	ties := s.epTie[s.epStart[e]:s.epStart[e+1]]
	if len(ties) == 0 {
		return
	}
	var waiting []int32
	for _, k := range ties {
		x := &s.nic[k]
		for i := x.head; i >= 0; i = s.at(i).next {
			waiting = append(waiting, i)
		}
		x.head, x.tail, x.n, x.bytes = -1, -1, 0, 0
	}
	slices.SortStableFunc(waiting, func(a, b int32) int { return int(s.at(a).created - s.at(b).created) })
	for _, i := range waiting {
		if k := s.entry(e, i); k >= 0 {
			x := &s.nic[k]
			x.n++
			x.bytes += s.bytes[s.at(i).size]
			x.append(s, i)
		}
	}
	if x := &s.src[e]; x.pend >= 0 && s.entry(e, x.pend) < 0 {
		x.pend = -1
	}
	for _, k := range ties {
		if x := &s.nic[k]; x.head >= 0 {
			at := max(x.free, s.now)
			if x.wake != at {
				x.wake = at
				s.standAt(x.sw).push(at, kindNICWake, x.in-s.inStart[x.sw], x.sw, 0)
			}
		}
	}
}

// entry asks the routing again by which of its ports an endpoint sends a packet, and gives the tie; -1: it is lost.
func (s *Sim) entry(e, i int32) int32 {
	w, p := s.standAt(s.nic[s.epTie[s.epStart[e]]].sw), s.at(i)
	q := &w.query
	*q = simcore.Packet{Src: topology.EndpointID(p.src), Dst: topology.EndpointID(p.dst), Mid: -1, Rand: p.rand}
	en := s.routing.Inject(q, &w.view)
	cause := simcore.LostNoRoute
	if en.Port != simcore.NoPort {
		k := s.epTie[s.epStart[e]+int32(en.Port)]
		p.mid, p.aux, p.rand, p.state, p.phase, p.port = q.Mid, q.Aux, q.Rand, q.State, phaseOf(q), uint8(en.Port)
		p.sibling = s.entryVCs(en)
		if s.nic[k].fault&faultDown == 0 {
			return k
		}
		cause = simcore.LostAtPort
	}
	w.inNet++ // it never was
	w.lose(i, p, cause, w.now)
	return -1
}
