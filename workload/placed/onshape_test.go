package placed

import (
	"math"
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// TestOnto: in whatever order kinds of parallelism are placed, patterns of their ranks take what their messages do one by one, as groups of endpoints; and ranks of which two are
// exchanged are none.
func TestOnto(t *testing.T) {
	rng, lying, scattered := stream.New(5, "onto"), 0, 0
	for range 200 {
		p := workload.Parallelism{TP: 1 + rng.IntN(4), CP: 1 + rng.IntN(2), PP: 1 + rng.IntN(4), DP: 1 + rng.IntN(6)}
		ranks := p.Ranks()
		if ranks < 4 {
			continue
		}
		per := 1 + rng.IntN(4)
		switches := (ranks + per - 1) / per
		cubes := NewCubes(3, 3, 3)
		cubes.Carry = []float64{0.5, 0.4, 0.3}
		shapes := []Shape{&Grid{Dims: []int{(switches + 1) / 2, 2}, PerSwitch: per, Carry: []float64{0.5, 0.25}}, Tree{{Endpoints: per, Carry: 0.5}}}
		if ranks <= 27 {
			shapes = append(shapes, cubes)
		}
		for _, s := range shapes {
			n := &Network{Link: collective.Link{BytesPerS: 1}, Domain: 1, Shape: s, Known: new(Stages), Counts: new(Stages)}
			list := make([]topology.EndpointID, ranks)
			for e := range list {
				list[e] = topology.EndpointID(e)
			}
			for _, o := range Orders(p) {
				on := n.On(o.Place(p, list))
				apart := n.On(Swap(on.Endpoint, 1, rng))
				stride := 1
				for _, size := range degrees(p) {
					of := workload.Group{Stride: stride, Size: size}
					if stride *= size; size < 2 {
						continue
					}
					st := collective.Step{Repeat: 1, Lanes: []collective.Lane{{Perm: collective.Perm{Stride: 1, Size: size, Shift: 1 + rng.IntN(size-1)}, Share: 1}}}
					for _, x := range []*Network{on, apart} {
						k, ok := normal(of, st)
						if !ok {
							continue
						}
						if x.onto(k).scattered {
							scattered++
						} else {
							lying++
						}
						got, err := x.stage(t.Context(), of, size, st, nil)
						if err != nil {
							t.Fatal(err)
						}
						want, err := x.count(t.Context(), of, size, st, true)
						if err != nil {
							t.Fatal(err)
						}
						if math.Abs(got.far/want.far-1) > 1e-12 {
							t.Fatalf("%T %v, %v placed by %v: %+v by %+v takes %g of S, one by one %g", s, s, p, o, of, st.Lanes[0].Perm, got.far, want.far)
						}
					}
				}
			}
		}
	}
	if lying < 1000 || scattered < 300 {
		t.Errorf("only %d patterns of groups of endpoints were compared, and %d of others", lying, scattered)
	}
}
