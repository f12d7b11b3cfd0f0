package placed

import (
	"context"
	"math"
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// TestFolded: the steps of halving and doubling among ranks that are no power of two take what their messages do, counted one by one, of one group and of several, on each shape with and without detours.
func TestFolded(t *testing.T) {
	rng, compared, divided := stream.New(5, "folded"), 0, 0
	for trial := range 300 {
		per := 1 + rng.IntN(4)
		rings := &Grid{Dims: []int{3 + rng.IntN(5), 3 + rng.IntN(4), 1 + rng.IntN(3)}, PerSwitch: per, Carry: []float64{1, 0.5, 2}, Rings: []int{0, 0, 0}, Apart: []int{1, 1, 1}, Open: []bool{trial%2 == 0, false, false}}
		for d, s := range rings.Dims {
			if s > 2 && rng.IntN(3) > 0 {
				rings.Rings[d] = s
			}
		}
		joined := &Grid{Dims: []int{2 + rng.IntN(5), 1 + rng.IntN(4), 2}, PerSwitch: per, Carry: []float64{0.3, 0.5, 0.2}, Stars: []bool{false, trial%3 == 0, false}}
		cells := &Grid{Dims: []int{6, 4, 2}, PerSwitch: 1, Carry: []float64{0.5, 1, 1}, Digits: []Digit{{1, 2}, {0, 3}, {2, 2}, {0, 2}, {1, 2}}}
		spines := &Groups{Count: 2 + rng.IntN(3), Each: 3, PerSwitch: per, Mids: 0, Local: 0.5, Global: 0.4, Turned: true}
		spines.Links = func(group int, emit func(from, to int)) {
			for far := 1; far < spines.Count; far++ {
				emit(group*3+far%3, (group+far)%spines.Count*3+(spines.Count-far)%3)
			}
		}
		tree := Tree{{Endpoints: per + 1, Carry: 0.5}, {Endpoints: 4 * (per + 1), Carry: 0.75}}
		for _, s := range []Shape{rings, joined, cells, spines, tree, NewCubes(3, 3, 3), &Cells{Size: 4, Port: 1, Link: 0.5}} {
			ends := 20 // of cells
			switch x := s.(type) {
			case *Grid:
				ends = product(x.Dims) * x.PerSwitch
			case *Groups:
				ends = x.Count * x.Each * x.PerSwitch
			case Tree:
				ends = 12 * (per + 1)
			case *Cubes:
				x.Carry = []float64{1, 0.7, 0.4}
				ends = 27
			}
			size := 3 + rng.IntN(ends-2)
			if size&(size-1) == 0 {
				continue
			}
			g := workload.Group{Stride: 1 + rng.IntN(ends/size), Size: size}
			ranks := g.Stride * size
			n := &Network{Link: collective.Link{BytesPerS: 1}, Domain: 1, Shape: s, Endpoint: make([]topology.EndpointID, ranks)}
			for e := range n.Endpoint {
				n.Endpoint[e] = topology.EndpointID(e)
			}
			if trial%2 == 0 {
				n.Detours = new(Detours)
			}
			schedule, err := (collective.HalvingDoubling{N: size}).Schedule(collective.AllReduce)
			if err != nil {
				t.Fatal(err)
			}
			for _, st := range schedule.Steps {
				want, err := n.count(context.Background(), g, size, st, false)
				if err != nil {
					t.Fatal(err)
				}
				got, ok, err := n.folded(context.Background(), g, st)
				if err != nil || !ok || math.Abs(got.far/want.far-1) > 1e-12 || got.inside != 0 {
					t.Fatalf("%T %+v, %+v of %d ranks, %+v: %+v, one by one %+v, error %v", s, s, g, ranks, st.Lanes[0].Folded, got, want, err)
				}
				compared++
				if n.Detours != nil && got.far > st.Lanes[0].Share {
					divided++
				}
			}
		}
	}
	if compared < 5000 || divided < 500 {
		t.Errorf("%d steps compared, %d of them where links are busier than ranks and packets make detours", compared, divided)
	}
}
