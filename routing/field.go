package routing

import (
	"math/bits"

	"toposearch/topology"
)

// Field holds the distances of every (switch, state) to one destination set: the least number
// of channels on a legal route that ends at any of its switches, in any state.
type Field struct {
	// Dist is indexed by switch*States()+state; Unreachable where no legal route exists.
	Dist []uint16
	// order lists the reached nodes by non-decreasing distance.
	order []int32
}

// search is the scratch space of breadth-first searches; one per goroutine.
type search struct {
	r        *Router
	field    Field
	seen     []uint64 // per switch: states reached
	fresh    []uint64 // per switch: states reached in the level being made
	frontier []topology.SwitchID
	ahead    []topology.SwitchID
	mask     []uint64 // per switch: states of the frontier
	source   []bool   // switches on which endpoints hang
	sources  int
	full     bool // search on after every source is reached
}

func newSearch(r *Router) *search {
	n := r.Net.Switches()
	s := &search{r: r, seen: make([]uint64, n), fresh: make([]uint64, n), mask: make([]uint64, n), source: make([]bool, n)}
	s.field.Dist = make([]uint16, n*r.states)
	for i := range s.field.Dist {
		s.field.Dist[i] = Unreachable
	}
	for i := range r.Sets {
		for _, p := range r.Sets[i].Ports {
			if !s.source[p.Switch] {
				s.source[p.Switch] = true
				s.sources++
			}
		}
	}
	return s
}

// Field computes the field of a destination set. Time and memory are those of a breadth-first
// search of the product graph.
func (r *Router) Field(set int) *Field {
	s := newSearch(r)
	s.full = true
	s.run(set)
	f := s.field
	return &f
}

// run searches backwards from a set until every switch with endpoints is reached in state 0;
// what is more distant is left Unreachable, since no packet comes there. The field is valid until the
// next run.
func (s *search) run(set int) *Field { return s.runTo(s.r.Sets[set].Ports) }

// runTo is run for any switches.
func (s *search) runTo(dst []Port) *Field {
	r, S := s.r, s.r.states
	f := &s.field
	for _, x := range f.order {
		f.Dist[x] = Unreachable
		s.seen[int(x)/S] = 0
	}
	f.order = f.order[:0]
	s.frontier = s.frontier[:0]
	left := s.sources
	all := uint64(1)<<S - 1
	if S == MaxStates {
		all = ^uint64(0)
	}
	for _, p := range dst {
		s.seen[p.Switch], s.mask[p.Switch] = all, all
		s.frontier = append(s.frontier, p.Switch)
		for t := range S {
			f.Dist[int(p.Switch)*S+t] = 0
			f.order = append(f.order, int32(int(p.Switch)*S+t))
		}
		if s.source[p.Switch] {
			left--
		}
	}
	for d := uint16(1); len(s.frontier) > 0 && (left > 0 || s.full) && d < Unreachable; d++ {
		s.ahead = s.ahead[:0]
		if r.free {
			s.levelFree()
		} else {
			s.level()
		}
		for _, w := range s.ahead {
			m := s.fresh[w]
			s.fresh[w] = 0
			s.seen[w] |= m
			s.mask[w] = m
			if m&1 != 0 && s.source[w] {
				left--
			}
			for ; m != 0; m &= m - 1 {
				x := int(w)*S + bits.TrailingZeros64(m)
				f.Dist[x] = d
				f.order = append(f.order, int32(x))
			}
		}
		s.frontier, s.ahead = s.ahead, s.frontier
	}
	return f
}

// level finds what reaches the frontier in one step.
func (s *search) level() {
	r, S := s.r, s.r.states
	for _, v := range s.frontier {
		states := s.mask[v]
		for i := r.inStart[v]; i < r.inStart[v+1]; i++ {
			w := r.inFrom[i]
			back := r.back[int(r.inKind[i])*S:]
			var m uint64
			for b := states; b != 0; b &= b - 1 {
				m |= back[bits.TrailingZeros64(b)]
			}
			if m &^= s.seen[w] | s.fresh[w]; m != 0 {
				if s.fresh[w] == 0 {
					s.ahead = append(s.ahead, w)
				}
				s.fresh[w] |= m
			}
		}
	}
}

// levelFree is level for rules that allow everything in one state.
func (s *search) levelFree() {
	r := s.r
	for _, v := range s.frontier {
		for _, w := range r.inFrom[r.inStart[v]:r.inStart[v+1]] {
			if s.seen[w]|s.fresh[w] == 0 {
				s.fresh[w] = 1
				s.ahead = append(s.ahead, w)
			}
		}
	}
}

// Next appends to buf the hops that a packet at (sw, state) may take, by channel, then state;
// all are one step nearer. It is empty at the destination, where the packet is ejected, and
// where there is no route. With Rule.HopVCs the VC is 0: the caller counts hops.
func (r *Router) Next(f *Field, sw topology.SwitchID, state uint8, buf []Hop) []Hop {
	S := r.states
	d := f.Dist[int(sw)*S+int(state)]
	if d == 0 || d == Unreachable {
		return buf
	}
	first, end := r.Net.Out(sw)
	for c := first; c < end; c++ {
		at := int(r.kind[c])*S + int(state)
		base := int(r.Net.To(c)) * S
		for m := r.next[at]; m != 0; m &= m - 1 {
			t := bits.TrailingZeros64(m)
			if f.Dist[base+t] != d-1 {
				continue
			}
			h := Hop{Channel: c, VC: r.vc[at*S+t], State: uint8(t)}
			h.Top = h.VC
			if u := r.rest[t]; m>>u&1 != 0 && f.Dist[base+int(u)] == d-1 {
				h.Top++
				m &^= 1 << u
			}
			buf = append(buf, h)
		}
	}
	return buf
}

// Inject appends to buf the indices into Sets[src].Ports at which a packet may enter, which are
// those with the fewest hops to go, and gives that number, Unreachable if there is no route.
func (r *Router) Inject(f *Field, src int, buf []int) ([]int, uint16) {
	best := uint16(Unreachable)
	at := len(buf)
	for i, p := range r.Sets[src].Ports {
		switch d := f.Dist[int(p.Switch)*r.states]; {
		case d < best:
			best = d
			buf = append(buf[:at], i)
		case d == best && d != Unreachable:
			buf = append(buf, i)
		}
	}
	return buf, best
}
