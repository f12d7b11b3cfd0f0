package routing

import (
	"math/bits"

	"toposearch/topology"
)

// wideBits is the number of destinations that are searched from at a time.
const wideBits = 64

// wide searches backwards from up to wideBits destinations at a time: a bit of a word for each (Then et al.,
// The More the Merrier, PVLDB 8(4), 2014). One per goroutine.
type wide struct {
	r        *Router
	rows     rows
	back     []uint64 // [kind*rows+row]: the rows from which the kind leads to one
	leads    []uint64 // by kind: the rows that it leads to
	seen     []uint64 // by switch and row: the destinations that it reaches,
	last     []uint64 // those that it reaches in as many hops as the last level has,
	fresh    []uint64 // and one more
	frontier []topology.SwitchID
	ahead    []topology.SwitchID // switches of the level that is being made
	listed   []bool              // by switch: it is in ahead
}

func newWide(r *Router, rows rows) *wide {
	switches, n := r.Net.Switches(), r.Net.Switches()*rows.n()
	words := make([]uint64, 3*n)
	s := &wide{r: r, rows: rows, back: make([]uint64, len(r.Kinds)*rows.n()), leads: make([]uint64, len(r.Kinds)),
		seen: words[:n], last: words[n : 2*n], fresh: words[2*n:], listed: make([]bool, switches)}
	r.eachStep(func(k, from, to, _ int) {
		s.back[k*rows.n()+int(rows.of[to])] |= 1 << rows.of[from]
		s.leads[k] |= 1 << rows.of[to]
	})
	return s
}

// fill writes the distances to destinations: that of row x, counted over switches, to the i-th at dist[x*stride+i*apart]. It
// leaves what has no route as it is. false: a route has Far hops or more.
func (s *wide) fill(dsts [][]Port, dist []uint8, stride, apart int) bool {
	S := s.rows.n()
	return s.search(dsts, func(d uint8) {
		for _, w := range s.ahead {
			for x := int(w) * S; x < int(w+1)*S; x++ {
				at := x * stride
				for m := s.fresh[x]; m != 0; m &= m - 1 {
					dist[at+bits.TrailingZeros64(m)*apart] = d
				}
			}
		}
	})
}

// search calls level once for each number of hops d. By then ahead has the switches from which destinations are d hops away, fresh these
// destinations by switch and row, and last those that are d-1 hops away. false: a route has Far hops or more.
func (s *wide) search(dsts [][]Port, level func(d uint8)) bool {
	S := s.rows.n()
	clear(s.seen)
	s.ahead = s.ahead[:0]
	for i, ports := range dsts {
		for _, p := range ports {
			for x := int(p.Switch) * S; x < int(p.Switch+1)*S; x++ {
				s.fresh[x] |= 1 << i
			}
			s.join(p.Switch)
		}
	}
	level(0)
	s.advance()
	for d := 1; len(s.frontier) > 0; d++ {
		for _, v := range s.frontier {
			s.pull(v)
		}
		far := d >= Far && len(s.ahead) > 0
		if !far {
			level(uint8(d))
		}
		for _, v := range s.frontier {
			clear(s.last[int(v)*S : int(v+1)*S])
		}
		if far {
			for _, w := range s.ahead {
				clear(s.fresh[int(w)*S : int(w+1)*S])
				s.listed[w] = false
			}
			return false
		}
		s.advance()
	}
	return true
}

// join lists a switch for the next level.
func (s *wide) join(w topology.SwitchID) {
	if !s.listed[w] {
		s.listed[w] = true
		s.ahead = append(s.ahead, w)
	}
}

// pull finds what reaches destinations by way of a switch of the last level.
func (s *wide) pull(v topology.SwitchID) {
	r, S := s.r, s.rows.n()
	if r.free {
		last := s.last[v]
		for _, w := range r.inFrom[r.inStart[v]:r.inStart[v+1]] {
			if m := last &^ s.seen[w]; m != 0 {
				s.fresh[w] |= m
				s.join(w)
			}
		}
		return
	}
	last := s.last[int(v)*S : int(v+1)*S]
	states := uint64(0)
	for t, m := range last {
		if m != 0 {
			states |= 1 << t
		}
	}
	for i := r.inStart[v]; i < r.inStart[v+1]; i++ {
		k := int(r.inKind[i])
		came := states & s.leads[k]
		if came == 0 {
			continue
		}
		w := r.inFrom[i]
		base := int(w) * S
		back := s.back[k*S:]
		any := uint64(0)
		for b := came; b != 0; b &= b - 1 {
			t := bits.TrailingZeros64(b)
			for f := back[t]; f != 0; f &= f - 1 {
				x := base + bits.TrailingZeros64(f)
				m := last[t] &^ s.seen[x]
				s.fresh[x] |= m
				any |= m
			}
		}
		if any != 0 {
			s.join(w)
		}
	}
}

// advance makes the level that was found the last one.
func (s *wide) advance() {
	S := s.rows.n()
	for _, w := range s.ahead {
		s.listed[w] = false
		for x := int(w) * S; x < int(w+1)*S; x++ {
			s.seen[x] |= s.fresh[x]
		}
	}
	s.last, s.fresh = s.fresh, s.last
	s.frontier, s.ahead = s.ahead, s.frontier[:0]
}
