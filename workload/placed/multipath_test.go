package placed

import (
	"context"
	"math"
	"strings"
	"testing"

	"toposearch/internal/stream"
	"toposearch/routing"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// TestDetours by hand, on 8 switches with 8 endpoints each, all joined by one link at an endpoint's rate, in groups of two switches: without detours a link carries
// 8 x 8/16 of S. Of four parts one stays on it; of the others each of six ways takes an eighth, over the link to the switch between and, as those of the other
// groups, over that from it: 4 x 6/8 / 6, from each end, is another share of one. All links carry 1.
func TestDetours(t *testing.T) {
	g := &Grid{Dims: []int{8}, PerSwitch: 8, Carry: []float64{1}}
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
	if s, name := time(nil); math.Abs(s-4) > 1e-12 || strings.HasPrefix(name, collective.MultiPathName) {
		t.Errorf("without detours %g s by %s, want 4", s, name)
	}
	if s, name := time(new(Detours)); math.Abs(s-1) > 1e-12 || name != "multi-path, 25 % directly" {
		t.Errorf("with detours %g s by %s, want 1", s, name)
	}
	if lo := n.LowerBound(c); lo > 1 || lo <= 0 {
		t.Errorf("bound %g s", lo)
	}
}

// TestDetoursCounted adds up both legs of every flow by way of each switch between, on random flows: all alike, and not.
func TestDetoursCounted(t *testing.T) {
	rng, ctx := stream.New(5, "detours"), context.Background()
	for _, design := range []string{"hyperx(s1=4,s2=3,t=2)", "dragonfly(p=2,a=4,h=2)", "slimfly(q=5)", "fullmesh(d1=4,d2=3)", "torus(k1=4,k2=4)"} {
		r := on(t, design, 1).Router
		sets := len(r.Sets)
		for trial := range 4 {
			var flows []routing.Flow
			for s := range sets {
				if trial%2 == 0 { // a permutation of sets
					flows = append(flows, routing.Flow{Src: s, Dst: (s + 1 + trial) % sets, Rate: 2})
				} else if rng.IntN(2) == 0 {
					flows = append(flows, routing.Flow{Src: s, Dst: rng.IntN(sets), Rate: rng.Float64()})
				}
			}
			var legs []routing.Flow
			for _, f := range flows {
				for m := range sets {
					if f.Src != f.Dst && m != f.Src && m != f.Dst {
						part := f.Rate / float64(sets-2)
						legs = append(legs, routing.Flow{Src: f.Src, Dst: m, Rate: part}, routing.Flow{Src: m, Dst: f.Dst, Rate: part})
					}
				}
			}
			v := &valiant{r: r, capacity: routing.OwnCapacity(r.Net), opt: routing.LoadOptions{Workers: 1}}
			_, got, err := v.loads(ctx, flows)
			if err != nil {
				t.Fatal(err)
			}
			want, err := v.relative(ctx, legs)
			if err != nil {
				t.Fatal(err)
			}
			for c := range want {
				if math.Abs(got[c]-want[c]) > 1e-9 {
					t.Fatalf("%s, flows %d: channel %d carries %g, counted %g", design, trial, c, got[c], want[c])
				}
			}
		}
	}
}

// TestBySwitches: on grids of several shapes what is known without the network is what routes and detours on it load.
func TestBySwitches(t *testing.T) {
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
		n.Detours = BySwitches(n.Router, nil, routing.OwnCapacity(n.Router.Net), false, 1)
		plain := *n
		plain.Router, plain.Shape, plain.Detours = nil, &c.grid, new(Detours)
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
			n.Detours, plain.Detours = BySwitches(n.Router, nil, routing.OwnCapacity(n.Router.Net), false, 1), new(Detours)
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

// TestShiftDetours: m switches joined to each other, t endpoints each, of which all send to the same place on the next switch. Of f of it directly that link carries
// f t, and each other one two legs of m-2 ways, 2 (1-f) t / (m-2): the same with f = 2/m, which leaves 2 t / m of t.
func TestShiftDetours(t *testing.T) {
	const m, per, s, rate = 8, 12, 1e6, 1e9
	n := &Network{Shape: &Grid{Dims: []int{m}, PerSwitch: per, Carry: []float64{1}}, Endpoint: first(m * per), Link: collective.Link{BytesPerS: rate}, Domain: 1}
	c := workload.Communication{Kind: collective.Exchange, Group: workload.Group{Stride: per, Size: m}, Bytes: s, Count: 1}
	for _, want := range []float64{per, 2. * per / m} {
		got, _, err := n.Collective(context.Background(), c)
		if err != nil || math.Abs(got*rate/s/want-1) > 1e-9 {
			t.Errorf("%g of S at an endpoint's rate, want %g (%v)", got*rate/s, want, err)
		}
		n = n.On(n.Endpoint)
		n.Detours = new(Detours)
	}
}
