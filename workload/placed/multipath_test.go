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
			_, got, err := v.loads(ctx, flows, nil)
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

// TestBlockDetours: on dragonflies of all arrangements what blocks carry with detours is no more than what links of the network do, and is that where groups are
// switches; what is remembered for all capacities is what all links in turn come to.
func TestBlockDetours(t *testing.T) {
	ctx, closer, compared := context.Background(), 0, 0
	for _, c := range []struct {
		design                string
		blocks, switches, per int
		links                 float64 // of two blocks, at most
	}{
		{"dragonfly(p=4,a=1,h=7)", 8, 1, 4, 1}, {"dragonfly(p=2,a=4,h=2)", 9, 4, 2, 1}, {"dragonfly(p=3,a=4,h=3,g=4,arrangement=relative)", 4, 4, 3, 4},
		{"dragonfly(p=2,a=6,h=2,g=6,arrangement=circulant)", 6, 6, 2, 3}, {"dragonfly(p=1,a=3,h=2,g=4)", 4, 3, 1, 2},
	} {
		routed := on(t, c.design, 1)
		routed.Detours = BySwitches(routed.Router, nil, routing.OwnCapacity(routed.Router.Net), false, 1)
		b := Blocks{Outer: Grid{Dims: []int{c.blocks}, PerSwitch: c.switches * c.per, Carry: []float64{c.links}}}
		if c.switches > 1 {
			b.Inner = Grid{Dims: []int{c.switches}, PerSwitch: c.per, Carry: []float64{1}}
		}
		bounded := *routed
		bounded.Router, bounded.Shape, bounded.Detours, bounded.Counts = nil, b, new(Detours), new(Stages)
		ranks := len(routed.Endpoint)
		for size := 2; size <= ranks; size++ {
			for stride := 1; stride*size <= ranks; stride++ {
				for _, shift := range []int{1, size / 2} {
					if ranks%(stride*size) != 0 {
						continue
					}
					g := workload.Group{Stride: stride, Size: size}
					st := collective.Step{Repeat: 1, Lanes: []collective.Lane{{Perm: collective.Perm{Stride: 1, Size: size, Shift: shift}, Share: 1}}}
					want, err := routed.count(ctx, g, size, st, true)
					if err != nil {
						t.Fatal(err)
					}
					got, err := bounded.stage(ctx, g, size, st, nil)
					if err != nil || got.far > want.far*(1+1e-9) || c.switches == 1 && math.Abs(got.far-want.far) > 1e-9 {
						t.Fatalf("%s, %+v shifted by %d: at least %g of S, %g on the network (%v)", c.design, g, shift, got.far, want.far, err)
					}
					if compared++; got.far > 1 {
						closer++
					}
				}
			}
		}
	}
	if closer*4 < compared {
		t.Errorf("%d of %d patterns are bounded by more than what endpoints send", closer, compared)
	}
}

// TestWays: the links that are kept of a grid are as good as all of them, whatever they carry.
func TestWays(t *testing.T) {
	rng := stream.New(9, "ways")
	for range 200 {
		g := &Grid{Dims: []int{2 + rng.IntN(4), 2 + rng.IntN(4)}, PerSwitch: 1 + rng.IntN(3), Carry: []float64{0.5 + rng.Float64(), 0.5 + rng.Float64()}, Rings: []int{0, 0}, Apart: []int{1, 1}}
		if g.Dims[0] > 2 && rng.IntN(2) == 0 {
			g.Rings[0] = g.Dims[0]
		}
		m := product(g.Dims)
		l := g.loads().(*gridLoads)
		for range 3 * m {
			l.add(rng.IntN(m*g.PerSwitch), rng.IntN(m*g.PerSwitch), float64(1+rng.IntN(3)))
		}
		var direct, detours []float64
		legs := l.legs()
		for d := range g.Dims {
			at := len(direct)
			l.links(d, func(x float64) { direct = append(direct, x/g.Carry[d]) })
			legs.links(d, func(x float64) {
				detours = append(detours, (x/g.Carry[d]-2*direct[at])/float64(m-2))
				at++
			})
		}
		want := 1 / routing.BestSplit(direct, detours).Throughput
		if got := g.split(l.ways()); math.Abs(got-want) > 1e-12*want {
			t.Fatalf("%+v: %g by the links that are kept, %g by all", g, got, want)
		}
	}
}

// TestBusiest: what the busiest link takes with the best share of detours is what Split says, exactly, or no more than was asked for, whatever traffics were asked for before: legs
// that are known, those of all switches, and those of the traffic itself tell the same.
func TestBusiest(t *testing.T) {
	rng, ctx := stream.New(6, "busiest"), context.Background()
	above, below := 0, 0
	for _, design := range []string{"hyperx(s1=4,s2=3,t=2)", "dragonfly(p=2,a=4,h=2)", "slimfly(q=5)", "fullmesh(d1=4,d2=3)", "torus(k1=4,k2=4)", "bundlefly(q=3,s=5,p=2)"} {
		r := on(t, design, 1).Router
		tracer, err := r.NewTracer(ctx)
		if err != nil {
			t.Fatal(err)
		}
		sets, capacity := len(r.Sets), routing.OwnCapacity(r.Net)
		d := BySwitches(r, tracer, capacity, false, 1)
		for trial := range 24 {
			var flows []routing.Flow
			for dst := range sets {
				if trial%4 > 1 && rng.IntN(3) == 0 { // the rest send nothing there
					continue
				}
				flows = append(flows, routing.Flow{Src: (dst + 1 + trial%3) % sets, Dst: dst, Rate: 1 + float64(trial%2)*rng.Float64()})
			}
			plain, err := BySwitches(r, nil, capacity, false, 1).Split(ctx, flows, nil, -1)
			if err != nil {
				t.Fatal(err)
			}
			want := 1 / plain.Throughput
			enough := want * (0.8 + 0.4*rng.Float64())
			tracer.Begin()
			for _, f := range flows {
				tracer.Add(f.Dst, []routing.Flow{f})
			}
			got, err := d.Busiest(ctx, flows, tracer.Loads(), enough)
			if err != nil {
				t.Fatal(err)
			}
			if got != enough {
				above++
			} else {
				below++
			}
			if math.Abs(got-want) > 1e-9*want && (got != enough || want > enough) {
				t.Errorf("%s, traffic %d: the busiest link takes %g, want %g, or %g if it is less", design, trial, got, want, enough)
			}
		}
	}
	if above == 0 || below == 0 {
		t.Errorf("%d traffics took more than was enough, or were told exactly, %d were not", above, below)
	}
}
