package placed

import (
	"math"
	"testing"

	"toposearch/internal/stream"
)

// TestGridFew: links that are kept one by one, and runs of messages, carry what messages one by one put on links of which all are kept, with and without detours: of any messages, whose
// switches send and receive much alike or not, and again with the memory of those before.
func TestGridFew(t *testing.T) {
	rng, idle, gone := stream.New(10, "few links"), 0, 0
	for trial := range 400 {
		g := &Grid{Dims: []int{2 + rng.IntN(20), 1 + rng.IntN(12), 1 + rng.IntN(4)}, PerSwitch: 1 + rng.IntN(4), Carry: []float64{1, 0.5, 0.3}}
		if trial%4 == 0 { // cubes of several switches along each dimension, each numbered by itself
			g.Dims[0], g.Dims[1] = g.Dims[0]*2, g.Dims[1]*3
			g.Digits = []Digit{{0, 2}, {1, 3}, {0, g.Dims[0] / 2}, {1, g.Dims[1] / 3}, {2, g.Dims[2]}}
		}
		ends := product(g.Dims) * g.PerSwitch
		for again := range 2 {
			few, all := g.loadsOf(0), g.loads().(*gridLoads)
			if few.few == nil || again == 1 && g.spare != nil {
				t.Fatalf("%+v: all links are kept, or the memory of a pattern before is not used", g)
			}
			for range rng.IntN(40) * (1 + trial%2*10) {
				from, to, n := rng.IntN(ends), rng.IntN(ends), 1+rng.IntN(10)
				n = min(n, ends-from, ends-to)
				if trial%5 == 0 { // much that differs
					share := float64(1 + rng.IntN(1000))
					few.add(from, to, share)
					all.add(from, to, share)
					continue
				}
				few.run(from, to, n)
				for i := range n {
					all.add(from+i, to+i, 1)
				}
			}
			a, b := few.levels(), all.levels()
			for d := range a {
				if a[d] != b[d] {
					t.Fatalf("%+v: few links carry %v, all %v", g, a, b)
				}
			}
			if len(few.out) < 3 {
				continue
			}
			w, v := few.ways(), all.ways()
			for d, list := range v {
				for _, x := range list {
					if !w[d].covers(x) {
						t.Fatalf("%+v: of dimension %d a link carries %+v, of few %+v", g, d, x, w[d])
					}
				}
				for _, x := range w[d] {
					if !list.covers(x) {
						t.Fatalf("%+v: of dimension %d a link of few carries %+v, of all %+v", g, d, x, list)
					}
					if x.direct == 0 {
						idle++
					}
				}
				if _, classes := classesOf(few.out); classes > mostClasses {
					gone++
				}
			}
			if x, y := g.split(w), g.split(v); x != y && !(math.IsInf(x, 1) && math.IsInf(y, 1)) {
				t.Fatalf("%+v: %g with detours, of all links %g", g, x, y)
			}
			g.again(few)
		}
	}
	if idle < 200 || gone < 20 {
		t.Errorf("links without messages told only %d times, gone through %d times", idle, gone)
	}
}
