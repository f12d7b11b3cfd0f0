package flit

import (
	"cmp"
	"slices"

	"toposearch/simcore"
)

// changeTables puts the routing of a stage in force everywhere at once.
func (s *Sim) changeTables(stage *simcore.Stage) {
	s.routing.(*nativeRouting).r = stage.Routing
	if !stage.Carry {
		s.discardAll()
	}
	for e := range int32(s.endpoints) {
		s.enterAgain(e)
	}
}

// discardAll loses all packets in the network and makes its links anew, as Autonet does when it changes its routes
// (Schroeder et al., IEEE JSAC 9(8), 1991): those that came by the old routes could wait for those of the new in a circle.
func (s *Sim) discardAll() {
	var gone []int32
	add := func(flit uint32) { gone = append(gone, int32(flit>>2)) }
	s.eachFlitIn(func(_ int32, flit uint32) { add(flit) })
	for i := range s.wheel {
		for _, e := range s.wheel[i].flits {
			add(uint32(e))
		}
	}
	for k := range s.src {
		sp := &s.src[k]
		if sp.cur >= 0 && sp.sent > 0 {
			gone = append(gone, sp.cur)
			sp.cur = -1
		}
		sp.vc = -1
	}
	for i := range s.failing.lost { // those of which a part is nowhere just now
		gone = append(gone, i)
	}
	slices.Sort(gone)
	for _, i := range slices.Compact(gone) {
		s.mark(i, simcore.LostDiscarded)
		s.forget(i)
	}
	s.failing.mode, s.failing.drains = map[int32]uint8{}, s.failing.drains[:0]
	s.emptyNetwork()
}

// enterAgain routes the packets that wait at an endpoint anew, in the order in which they were made.
func (s *Sim) enterAgain(e int32) {
	var waiting []int32
	for k := s.srcStart[e]; k < s.srcStart[e+1]; k++ {
		sp := &s.src[k]
		if sp.cur >= 0 && sp.sent == 0 {
			if sp.vc >= 0 {
				s.out[s.nOut+k].inUse &^= 1 << sp.vc
			}
			waiting = append(waiting, sp.cur)
			sp.cur, sp.vc = -1, -1
		}
		for i := sp.head; i >= 0; i = s.packet(i).next {
			waiting = append(waiting, i)
		}
		sp.head, sp.tail, sp.queued = -1, -1, 0
	}
	slices.SortFunc(waiting, func(a, b int32) int { return cmp.Compare(s.packet(a).order(), s.packet(b).order()) })
	for _, i := range waiting {
		if s.routeEntry(i) {
			sp := &s.src[s.portOf(e, i)]
			s.append(sp, i)
		}
	}
	if x := &s.srcOf[e]; x.pend >= 0 && !s.routeEntry(x.pend) {
		x.pend = -1
	}
}

// routeEntry asks the routing again how a packet leaves its source; false: it cannot, and is lost.
func (s *Sim) routeEntry(i int32) bool {
	p := s.packet(i)
	p.Packet = simcore.Packet{Src: p.Src, Dst: p.Dst, Mid: -1, Rand: p.Rand}
	en := s.routing.InjectPort(&p.Packet, &s.view)
	if p.next = -1; en.Port == simcore.NoPort {
		s.mark(i, simcore.LostNoRoute)
		s.forget(i)
		return false
	}
	p.Port, p.lo, p.hi = uint8(en.Port), en.Lo, en.Hi
	return true
}
