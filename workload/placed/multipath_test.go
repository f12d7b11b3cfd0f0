package placed

import (
	"context"
	"math"
	"testing"

	"toposearch/internal/stream"
	"toposearch/routing"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// TestLineDetours by hand, on 8 x 8 switches with an endpoint each, all joined along both dimensions at a 14th of the endpoint's rate, in groups of 8 x 2:
// to the other rows a rank sends half of S over a single link, and 2/16 over each along the row. Of what goes to the other row a part of 7/8 by way of the
// other seven, an equal part over each link, loads all links of a column alike: a quarter of the half.
func TestLineDetours(t *testing.T) {
	g := &Grid{Dims: []int{8, 8}, PerSwitch: 1, Carry: []float64{1. / 14, 1. / 14}}
	n := &Network{Shape: g, Endpoint: first(64), Domain: 1, Link: collective.Link{BytesPerS: 1}}
	c := workload.Communication{Kind: collective.AllToAll, Group: workload.Group{Stride: 1, Size: 16}, Bytes: 1, Count: 1}
	time := func(d *Detours) (float64, string) {
		n.Detours = d
		s, name, err := n.Collective(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		return s, name
	}
	if s, name := time(nil); math.Abs(s-7) > 1e-12 || name == (MultiPath{}).Name() {
		t.Errorf("without detours %g s by %s, want 7", s, name)
	}
	if s, name := time(&Detours{Lines: true}); math.Abs(s-14./8) > 1e-12 || name != (MultiPath{}).Name() {
		t.Errorf("by way of third switches %g s by %s, want 1.75", s, name)
	}
	if lo := n.LowerBound(c); lo > 14./8 || lo <= 0 {
		t.Errorf("bound %g s", lo)
	}
}

// TestLineDetoursCounted adds up every message of every group, over each of the switches between, for random grids and groups.
func TestLineDetoursCounted(t *testing.T) {
	rng, compared := stream.New(5, "detours"), 0
	for range 200 {
		g := &Grid{Dims: []int{2 + rng.IntN(5), 1 + rng.IntN(4)}, PerSwitch: 1 + rng.IntN(3), Carry: []float64{1, 0.25}}
		ranks := g.PerSwitch * g.Dims[0] * g.Dims[1]
		size := 2 + rng.IntN(ranks-1)
		stride := 1 + rng.IntN(4)
		of := workload.Group{Stride: stride, Size: size}
		if ranks%(stride*size) != 0 {
			continue
		}
		got, ok := g.multiPath(of, &Detours{Lines: true})
		if !ok {
			continue
		}
		compared++
		want := 0.0
		for d, k := range g.Dims {
			// Whatever the order of dimensions is, a message moves once along d, between the lines of a symmetric grid: here of its source.
			direct, detour := make([]float64, ranks*k*k), make([]float64, ranks*k*k)
			step := 1
			for _, s := range g.Dims[:d] {
				step *= s
			}
			for a := range ranks {
				for i := range size {
					b := a + (i-a/stride%size)*stride
					from, to := a/g.PerSwitch, b/g.PerSwitch
					x, y := from/step%k, to/step%k
					if x == y {
						continue
					}
					line := (from - x*step) * k * k
					direct[line+x*k+y] += 1 / g.Carry[d]
					for m := range k {
						if m != x {
							detour[line+x*k+m] += 1 / g.Carry[d] / float64(k-1)
						}
						if m != x && m != y {
							detour[line+m*k+y] += 1 / g.Carry[d] / float64(k-1)
						}
					}
				}
			}
			if best := routing.BestSplit(direct, detour); !math.IsInf(best.Throughput, 1) {
				want = max(want, 1/best.Throughput)
			}
		}
		if math.Abs(got-want) > 1e-9*want {
			t.Errorf("%+v, %+v: %g, counted %g", g, of, got, want)
		}
	}
	if compared < 20 {
		t.Errorf("only %d grids were compared", compared)
	}
}

// TestAnyEndpoint: on grids of several shapes what is known without the network is what routes and detours on it load.
func TestAnyEndpoint(t *testing.T) {
	faster := 0
	for _, c := range []struct {
		design string
		grid   Grid
	}{
		{"hyperx(s1=4,s2=4,t=2)", Grid{Dims: []int{4, 4}, PerSwitch: 2, Carry: []float64{1, 1}}},
		{"hyperx(s1=6,s2=2,s3=2,t=1)", Grid{Dims: []int{6, 2, 2}, PerSwitch: 1, Carry: []float64{1, 1, 1}}},
		{"torus(k1=8,k2=4)", Grid{Dims: []int{8, 4}, PerSwitch: 1, Carry: []float64{1, 1}, Rings: []int{8, 4}, Apart: []int{1, 1}}},
	} {
		n := on(t, c.design, 1)
		n.Detours = AnyEndpoint(n.Router, routing.OwnCapacity(n.Router.Net), false, 1)
		plain := *n
		plain.Router, plain.Shape, plain.Detours = nil, &c.grid, &Detours{Endpoints: true}
		for _, g := range []workload.Group{{Stride: 1, Size: 4}, {Stride: 4, Size: 4}, {Stride: 8, Size: 2}, {Stride: 2, Size: 4}, {Stride: 1, Size: len(n.Endpoint)}} {
			x := workload.Communication{Kind: collective.AllToAll, Group: g, Bytes: 1e9, Count: 1}
			if len(n.Endpoint)%(g.Stride*g.Size) != 0 {
				continue
			}
			_, got, ok, err := n.multiPath(context.Background(), x, math.Inf(1))
			_, want, lies, err2 := plain.multiPath(context.Background(), x, math.Inf(1))
			if err != nil || err2 != nil || !ok {
				t.Fatalf("%s, %+v: %v %v %v", c.design, g, ok, err, err2)
			}
			if lies && math.Abs(got[0].far-want[0].far) > 1e-9*want[0].far {
				t.Errorf("%s, %+v: %g on the network, %g without it", c.design, g, got[0].far, want[0].far)
			}
			direct, _, err := n.Collective(context.Background(), x)
			if err != nil {
				t.Fatal(err)
			}
			n.Detours, plain.Detours = nil, nil
			alone, _, err := n.Collective(context.Background(), x)
			if err != nil || direct > alone*(1+1e-9) || direct < n.LowerBound(x) {
				t.Errorf("%s, %+v: %g s over several paths, %g over one, bound %g, %v", c.design, g, direct, alone, n.LowerBound(x), err)
			}
			if direct < alone*(1-1e-9) {
				faster++
			}
			n.Detours, plain.Detours = AnyEndpoint(n.Router, routing.OwnCapacity(n.Router.Net), false, 1), &Detours{Endpoints: true}
		}
	}
	if faster == 0 {
		t.Error("no group is faster over several paths")
	}
}

func first(n int) []topology.EndpointID {
	out := make([]topology.EndpointID, n)
	for e := range out {
		out[e] = topology.EndpointID(e)
	}
	return out
}
