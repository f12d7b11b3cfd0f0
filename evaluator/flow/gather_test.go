package flow

import (
	"math"
	"testing"

	"toposearch/internal/stream"
)

// everyCut is the twin: the ratio by all cuts.
func everyCut(weight []int64, arcs []Arc) (most float64) {
	all := int64(0)
	for _, w := range weight {
		all += w
	}
	for set := range 1 << len(weight) {
		n, out := int64(0), 0.0
		for v, w := range weight {
			if set>>v&1 > 0 {
				n += w
			}
		}
		for _, a := range arcs {
			if set>>a.From&1 > 0 && set>>a.To&1 == 0 {
				out += a.Cap
			}
		}
		if n > 0 && n < all {
			most = max(most, float64(n)/out)
		}
	}
	return most
}

// TestBottleneck: all cuts of random networks of up to ten vertices, some of them one way, agree, and the cut is one of that ratio. By hand: a ring of n
// needs n-1 parts through two links of 1; two rings of three joined by a link of a half have to get three through it; in ForestColl's
// figure 1 (two boxes of four GPUs, 10 to the switch of a box and 1 between boxes for each) the boxes are the bottleneck: 4/4 of one.
func TestBottleneck(t *testing.T) {
	both := func(arcs []Arc, a, b int32, c float64) []Arc { return append(arcs, Arc{a, b, c}, Arc{b, a, c}) }
	var ring, two, boxes []Arc
	for v := range int32(7) {
		ring = both(ring, v, (v+1)%7, 1)
	}
	for v := range int32(3) {
		two = both(both(two, v, (v+1)%3, 1), 3+v, 3+(v+1)%3, 1)
	}
	two = both(two, 0, 3, 0.5)
	for v := range int32(8) {
		boxes = both(both(boxes, v, 8+v/4, 10), v, 10, 1)
	}
	ones := func(n, switches int) []int64 {
		w := make([]int64, n+switches)
		for i := range n {
			w[i] = 1
		}
		return w
	}
	for _, c := range []struct {
		weight []int64
		arcs   []Arc
		want   float64
	}{{ones(7, 0), ring, 3}, {ones(6, 0), two, 6}, {ones(8, 3), boxes, 1}, {ones(2, 0), nil, math.Inf(1)}} {
		if got, _ := Bottleneck(c.weight, c.arcs); got != c.want {
			t.Errorf("%v: %g, want %g", c.weight, got, c.want)
		}
	}
	rng := stream.New(4, "bottlenecks")
	for range 400 {
		weight := make([]int64, 2+rng.IntN(9))
		for v := range weight {
			weight[v] = int64(rng.IntN(4))
		}
		weight[0], weight[1] = 1, 1
		var arcs []Arc
		for v := 1; v < len(weight); v++ {
			arcs = both(arcs, int32(rng.IntN(v)), int32(v), 1+float64(rng.IntN(8))/4)
		}
		for range rng.IntN(2 * len(weight)) {
			if a, b := int32(rng.IntN(len(weight))), int32(rng.IntN(len(weight))); a != b {
				arcs = append(arcs, Arc{a, b, rng.Float64()})
			}
		}
		got, cut := Bottleneck(weight, arcs)
		if want := everyCut(weight, arcs); math.Abs(got-want) > 1e-9*want || len(cut) != len(weight) {
			t.Fatalf("%v %v: %g by %v, by all cuts %g", weight, arcs, got, cut, want)
		}
	}
}
