package routing

import (
	"math/rand/v2"
	"slices"
	"testing"

	"toposearch/internal/racing"
)

// TestWays: how far nodes are from switches is what a search from each says, and hops that lead nearer are those to what is a hop nearer by it, in designs of all families; also where
// they are found by the order of a node's hops.
func TestWays(t *testing.T) {
	racing.Figures(t)
	ordered, last := 0, 0
	eachTracer(t, 5, 6, 400, func(name string, rng *rand.Rand, r *Router, tr *Tracer) {
		w := tr.ways
		s, dist, buf := newWide(r, w.rows), make([]uint8, w.nodes), make([]int32, len(tr.next))
		if w.inOrder {
			ordered++
		}
		for range 4 {
			ports := r.Sets[rng.IntN(len(r.Sets))].Ports
			to := tr.targets[ports[rng.IntN(len(ports))].Switch]
			for x := range dist {
				dist[x] = Far
			}
			if !s.fill([][]Port{{{to.at, 1}}}, dist, 1, 1) {
				t.Fatalf("%s: a route of %d hops", name, Far)
			}
			for x, d := range dist {
				if got := w.from(int32(x), to); got != d {
					t.Fatalf("%s: node %d is %d hops from switch %d, want %d", name, x, got, to.at, d)
				}
				if d == 0 || d == Far {
					continue
				}
				first, end := w.start[x], w.start[x+1]
				var want []int32
				for i, a := range w.hops[first:end] {
					if dist[a.node] == d-1 {
						want = append(want, int32(i))
					}
				}
				if r.spare {
					want = w.once(int(first), want)
				}
				if got := w.next(int32(x), []target{to}, d, buf); !slices.Equal(got, want) {
					t.Fatalf("%s: from node %d, %d hops from switch %d, hops %d lead nearer, want %d", name, x, d, to.at, got, want)
				}
				if w.inOrder && d == 1 && end-first > fewHops {
					last++
				}
			}
		}
	})
	if ordered == 0 || last < 500 {
		t.Errorf("hops of %d networks are in order, and %d last ones were searched", ordered, last)
	}
}
