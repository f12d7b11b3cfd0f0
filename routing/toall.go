package routing

import "math/bits"

// mostHopsKept bounds the hops of shortest routes of all pairs that a Tracer keeps for traffic of all to all, of 8 bytes each.
const mostHopsKept = 8 << 20

// ToAll is a traffic in which each set sends so much to every other, and receives so much from every other besides: of endpoints with one port that all reach one another; false: some
// do not, or there are too many routes to be kept. Only its Channel loads count.
func (t *Tracer) ToAll(out, in []float64) bool {
	if !t.keeps() {
		return false
	}
	t.Begin()
	for d := range t.toward {
		for s, x := range t.sources {
			t.flow[x] = out[s] + in[d]
		}
		to := &t.toward[d]
		for i := len(to.nodes) - 1; i >= 0; i-- {
			x := to.nodes[i]
			amount := t.flow[x]
			if amount == 0 {
				continue
			}
			t.flow[x] = 0
			hops := to.hops[to.first[i]:to.first[i+1]]
			amount /= float64(len(hops))
			for _, h := range hops {
				t.sum.channel[h.channel] += amount
				t.flow[h.node] += amount
			}
		}
		at := int32(t.r.Sets[d].Ports[0].Switch) * int32(t.ways.rows.n())
		clear(t.flow[at : at+int32(t.ways.rows.n())])
	}
	return true
}

// keeps finds the routes once they are asked for.
func (t *Tracer) keeps() bool {
	if t.kept == 0 {
		t.kept = -1
		if t.keep() {
			t.kept = 1
		} else {
			t.toward = nil
		}
	}
	return t.kept > 0
}

func (t *Tracer) keep() bool {
	w := t.ways
	if t.r.spare || w.on == nil {
		return false
	}
	total := 0
	for _, m := range w.on {
		total += bits.OnesCount64(m)
	}
	if total > mostHopsKept {
		return false
	}
	dsts := make([][]Port, len(t.r.Sets))
	for i := range t.r.Sets {
		if dsts[i] = t.r.Sets[i].Ports; len(dsts[i]) != 1 || dsts[i][0].Count != 1 {
			return false
		}
	}
	t.toward = make([]toward, len(dsts))
	s := newWide(t.r, w.rows)
	for first := 0; first < len(dsts); first += wideBits {
		some := t.toward[first:min(first+wideBits, len(dsts))]
		for i := range some {
			some[i] = toward{make([]int32, 0, w.nodes), make([]int32, 1, w.nodes+1), make([]leads, 0, total/len(dsts)*5/4)}
		}
		s.search(dsts[first:first+len(some)], func(d uint8) {
			if d > 0 {
				t.approach(s, some)
			}
		})
	}
	return t.meet()
}

// approach adds the nodes of a level to the routes to some destinations.
func (t *Tracer) approach(s *wide, some []toward) {
	w, S := t.ways, t.ways.rows.n()
	for _, v := range s.ahead {
		for x := int(v) * S; x < int(v+1)*S; x++ {
			m := s.fresh[x]
			if m == 0 {
				continue
			}
			for _, h := range w.hops[w.start[x]:w.start[x+1]] {
				for on := m & s.last[h.node]; on != 0; on &= on - 1 {
					to := &some[bits.TrailingZeros64(on)]
					to.hops = append(to.hops, leads{h.channel, h.node})
				}
			}
			for ; m != 0; m &= m - 1 {
				to := &some[bits.TrailingZeros64(m)]
				to.nodes, to.first = append(to.nodes, int32(x)), append(to.first, int32(len(to.hops)))
			}
		}
	}
}

// meet finds the nodes of sets, and tells whether all reach all.
func (t *Tracer) meet() bool {
	sources := make([]bool, t.ways.nodes)
	t.sources = make([]int32, len(t.r.Sets))
	for i := range t.sources {
		t.sources[i] = t.node(t.r.Sets[i].Ports[0].Switch)
		sources[t.sources[i]] = true
	}
	for d := range t.toward {
		n := 1
		for _, x := range t.toward[d].nodes {
			if sources[x] {
				n++
			}
		}
		if n < len(t.toward) {
			return false
		}
	}
	return true
}
