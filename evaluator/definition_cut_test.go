package evaluator

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"toposearch/evaluator/metric"
)

// cuts looks for a balanced cut below the certified bound, by swaps from many starts, and for one
// that shows a figure without slack to be too high.
func (c *check) cuts(rng *rand.Rand) {
	w := c.w
	m := c.r.Metrics[metric.Bisection]
	if !c.r.Have[metric.Bisection] || w.net.Unidirectional || c.w.server > 0 {
		return // swaps know neither servers, which stay whole, nor channels one way: small ones are in TestSplits
	}
	c.compared++
	best := math.Inf(1)
	for start := range 8 {
		order := rng.Perm(w.n)
		if start < 6 {
			// Neighbours by number together, from anywhere; then the nearest of some endpoint.
			first := order[0]
			slices.Sort(order)
			if start < 3 || c.dist == nil {
				order = append(order[first:], order[:first]...)
			} else {
				slices.SortStableFunc(order, func(a, b int) int { return c.dist[first][a] - c.dist[first][b] })
			}
		}
		best = math.Min(best, w.improve(order[:w.n/2]))
	}
	best = math.Min(best/(float64(w.n/2)*w.bw), 1)
	if best < m.Lo*(1-1e-9) || m.Lo == m.Hi && best < m.Value*(1-1e-9) {
		c.Errorf("%s: bisection = %.12g [%.12g, %.12g], but a cut has %.12g (%s)", c.d, m.Value, m.Lo, m.Hi, best, m.Method)
	}
}

// improve swaps endpoints between the halves while that makes the cut smaller, switches standing
// where most of their links lead, and gives the smallest cut.
func (w *twin) improve(half []int) float64 {
	side := make([]bool, len(w.out))
	for _, e := range half {
		side[w.switches+e] = true
	}
	// gain is what the cut loses if a vertex changes sides.
	gain := func(v int) (g float64) {
		for _, i := range w.out[v] {
			a := &w.arcs[i]
			rate := a.rate
			if a.links == 0 {
				rate = 1e9 // an endpoint and its embedded switch stay together
			}
			if side[a.to] != side[v] {
				g += rate
			} else {
				g -= rate
			}
		}
		return g
	}
	best := math.Inf(1)
	for range 8 {
		for settled := false; !settled; {
			settled = true
			for v := range w.switches {
				if gain(v) > 1e-6 {
					side[v], settled = !side[v], false
				}
			}
		}
		cut, internal := 0.0, false
		for i := range w.arcs {
			if a := &w.arcs[i]; side[a.from] && !side[a.to] {
				cut += a.rate
				internal = internal || a.links == 0
			}
		}
		if internal || cut >= best-1e-6 && best < math.Inf(1) {
			break
		}
		best = cut
		w.swap(side, gain)
	}
	return best
}

// swap exchanges the endpoints that gain most, one of each side, each with its embedded switch.
func (w *twin) swap(side []bool, gain func(int) float64) {
	worth := func(e int) float64 {
		if p := w.arcs[w.out[w.switches+e][0]]; p.links == 0 {
			return gain(p.to) + 2e9 // its internal link moves along
		}
		return gain(w.switches + e)
	}
	move := func(e int) {
		v := w.switches + e
		side[v] = !side[v]
		if p := w.arcs[w.out[v][0]]; p.links == 0 {
			side[p.to] = side[v]
		}
	}
	var sides [2][]int
	for e := range w.n {
		if side[w.switches+e] {
			sides[1] = append(sides[1], e)
		} else {
			sides[0] = append(sides[0], e)
		}
	}
	for i := range sides {
		slices.SortStableFunc(sides[i], func(a, b int) int { return cmp.Compare(worth(b), worth(a)) })
	}
	for i := 0; i < len(sides[0]) && i < len(sides[1]); i++ {
		if a, b := sides[0][i], sides[1][i]; worth(a)+worth(b) > 1e-6 {
			move(a)
			move(b)
		}
	}
}

// disjoint: the most paths of a pair no two of which share a link, one augmenting path after the
// other. Endpoints with a single link stand for their switches, and pairs on one are left out.
func (c *check) disjoint() {
	w := c.w
	if !c.r.Have[metric.DisjointPaths] || w.net.Unidirectional || w.n > 14 {
		return
	}
	ends := make([]int, w.n)
	for e := range ends {
		ends[e] = w.switches + e
		if len(w.out[ends[e]]) == 1 {
			ends[e] = w.arcs[w.out[ends[e]][0]].to
		}
	}
	sum, pairs := 0, 0
	for _, a := range ends {
		for _, b := range ends {
			if a != b {
				sum, pairs = sum+w.flow(a, b), pairs+1
			}
		}
	}
	if pairs > 0 {
		c.is(metric.DisjointPaths, float64(sum)/float64(pairs))
	}
}

// flow is the largest number of link-disjoint paths between two vertices (Ford and Fulkerson).
func (w *twin) flow(from, to int) int {
	used := make([]bool, len(w.arcs))
	for n := 0; ; n++ {
		seen := make([]bool, len(w.out))
		var find func(v int) bool
		find = func(v int) bool {
			if v == to {
				return true
			}
			if seen[v] || v >= w.switches && v != from {
				return false
			}
			seen[v] = true
			for _, i := range w.out[v] {
				if !used[i] {
					if used[i] = true; find(w.arcs[i].to) {
						return true
					}
					used[i] = false
				}
			}
			for _, i := range w.in[v] {
				if used[i] {
					if used[i] = false; find(w.arcs[i].from) {
						return true
					}
					used[i] = true
				}
			}
			return false
		}
		if !find(from) {
			return n
		}
	}
}
