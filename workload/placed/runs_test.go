package placed

import (
	"math"
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// TestInRuns: what ranks of a switch in a row send together loads grids, rings and trees as messages do one by one, to the last digit, with detours and without.
func TestInRuns(t *testing.T) {
	rng, compared := stream.New(12, "runs"), 0
	for range 300 {
		dims := []int{2 + rng.IntN(4), 1 + rng.IntN(4)}
		g := &Grid{Dims: dims, PerSwitch: 1 + rng.IntN(6), Carry: []float64{1, 0.5}, Rings: []int{0, 0}, Apart: []int{1, 1}}
		if dims[0] > 2 && rng.IntN(2) == 0 {
			g.Rings[0] = dims[0]
		}
		leaf := 1 + rng.IntN(6)
		for _, s := range []Shape{g, Tree{{Endpoints: leaf, Carry: 0.5}, {Endpoints: 3 * leaf, Carry: 0.75}}} {
			size, stride := 2+rng.IntN(5), 1+rng.IntN(7)
			ranks := product(dims) * g.PerSwitch
			if _, tree := s.(Tree); tree { // of which some begin where others do
				ranks *= 1 + rng.IntN(8)
			}
			if ranks -= ranks % (size * stride); ranks == 0 {
				continue
			}
			n := &Network{Link: collective.Link{BytesPerS: 1}, Domain: 1, Shape: s, Detours: new(Detours)}
			for e := range ranks {
				n.Endpoint = append(n.Endpoint, topology.EndpointID(e))
			}
			of := workload.Group{Stride: stride, Size: size}
			st := collective.Step{Repeat: 1, Lanes: []collective.Lane{{Perm: collective.Perm{Stride: 1, Size: size, Shift: 1 + rng.IntN(size-1)}, Share: 1}}}
			if rng.IntN(4) == 0 {
				st = collective.Step{Repeat: size - 1, Lanes: []collective.Lane{{Perm: collective.Perm{Stride: 1, Size: size, Shift: 1, Grow: 1}, Share: 1}}}
			}
			k, ok := normal(of, st)
			if !ok {
				continue
			}
			got := n.inRuns(k)
			one := n.sent(of, size, st, true)
			one.each()
			want := one.loaded()
			same := got.own == want.own && len(got.levels) == len(want.levels) && (got.ways == nil) == (want.ways == nil) && n.carries(got) == n.carries(want)
			for i := range want.levels {
				same = same && got.levels[i] == want.levels[i]
			}
			if want.ways != nil {
				same = same && math.Abs(s.split(got.ways)-s.split(want.ways)) == 0
			}
			if compared++; !same {
				t.Fatalf("%T %+v, %d ranks, %+v by %+v: %+v, one by one %+v", s, s, ranks, of, k.pattern, got, want)
			}
		}
	}
	if compared < 200 {
		t.Errorf("only %d patterns were compared", compared)
	}
}
