package routing

import (
	"context"
	"math"
	"testing"

	"toposearch/topology"
)

func uniform(t testing.TB, n *topology.Network, rule topology.Rule, opt LoadOptions) *Loads {
	t.Helper()
	l, err := UniformLoads(context.Background(), n, rule, opt)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(a), math.Abs(b)) }

func TestUniformThroughput(t *testing.T) {
	for _, c := range []struct {
		name string
		n    *topology.Network
		rule topology.Rule
		want float64 // throughput
		hops float64
	}{
		// Each of the 4 channels of a node carries 1/4 of its 63 * 4.0634920 hops / 63.
		{"torus 8x8", torus(t, true, 8, 8), topology.Minimal(), 4 / (256.0 / 63), 256.0 / 63},
		{"torus 5x5", torus(t, true, 5, 5), topology.Minimal(), 4 / 2.5, 2.5},
		// Both directions of a ring tie at distance 4: still even. DOR loads the same.
		{"torus 8x8 dor", torus(t, true, 8, 8), torusDOR(2), 4 / (256.0 / 63), 256.0 / 63},
		// The middle channel of a mesh row of 8 carries 4*4*8 of 63 pairs' worth per row.
		{"mesh 8x8 dor", torus(t, false, 8, 8), torusDOR(2), 63.0 / (4 * 4 * 8), 5.333333333333333},
		// 8x8 with 8 endpoints: a channel carries its pair's 8*8*8 routes of 511.
		{"hyperx 8x8 t=8", hyperx(t, 8, 8, 8), dor(2), 511.0 / (8 * 8 * 8), 896.0 / 511},
		// Routes are unique. A local channel r>q carries, of the 8 other groups, 2 reached through q
		// and 2 coming in through r, 2*8 pairs each way for all of them, and its own 2*2 pairs: 68.
		// The one global channel of a pair of groups carries 8*8 pairs.
		{"dragonfly(2,4,2) lgl", dragonfly(t, 2, 4, 2), lgl(), 71.0 / 68, 0},
	} {
		l := uniform(t, c.n, c.rule, LoadOptions{})
		if got := l.Throughput(c.n).Throughput; !near(got, c.want) {
			t.Errorf("%s: throughput = %v, want %v", c.name, got, c.want)
		}
		if c.hops != 0 && !near(l.MeanHops, c.hops) {
			t.Errorf("%s: mean hops = %v, want %v", c.name, l.MeanHops, c.hops)
		}
	}
}

// On the Petersen graph the routes are unique: each channel carries 5 of the pairs.
func TestPetersen(t *testing.T) {
	b := topology.NewBuilder(oneSwitch, twoLinks)
	b.Switch(0, 10)
	for i := range topology.SwitchID(5) {
		b.Link(1, i, (i+1)%5)
		b.Link(1, i, i+5)
		b.Link(1, i+5, (i+2)%5+5)
	}
	for i := range topology.SwitchID(10) {
		b.Endpoints(1, []topology.SwitchID{i})
	}
	n := built(t, b, "petersen")
	l := uniform(t, n, topology.Minimal(), LoadOptions{Routes: true})
	for c, x := range l.Channel {
		if !near(x*9, 5) {
			t.Errorf("channel %d carries %v pairs, want 5", c, x*9)
		}
	}
	if l.Routes != 1 || !near(l.MeanHops, 5.0/3) {
		t.Errorf("routes = %v, mean hops = %v, want 1, 5/3", l.Routes, l.MeanHops)
	}
}

// Routes per dimension-corner: a hypercube has d! routes at distance d, so the mean over the 7
// others of the 3-cube is (3*1 + 3*2 + 1*6)/7.
func TestRouteCount(t *testing.T) {
	n := hyperx(t, 1, 2, 2, 2)
	if got := uniform(t, n, topology.Minimal(), LoadOptions{Routes: true}).Routes; !near(got, 15.0/7) {
		t.Errorf("routes = %v, want 15/7", got)
	}
	if got := uniform(t, n, dor(3), LoadOptions{Routes: true}).Routes; got != 1 {
		t.Errorf("dor: routes = %v, want 1", got)
	}
}

// ZCube(4,2): 16 endpoints, APL 2.6 links with two nic links: 0.6 hops. By symmetry every of the
// 32 channels carries 16*0.6/32, every port half of what an endpoint sends. In lanes an endpoint
// has 2, so a channel allows 1/(0.3*2), a port 1/(0.5*2).
func TestZCube(t *testing.T) {
	n := zcube(t, 4, 2)
	l := uniform(t, n, monotone(2), LoadOptions{})
	if !near(l.MeanHops, 0.6) {
		t.Errorf("mean hops = %v, want 0.6", l.MeanHops)
	}
	for c, x := range l.Channel {
		if !near(x, 0.3) {
			t.Errorf("channel %d: load %v, want 0.3", c, x)
		}
	}
	for p := range l.In {
		if !near(l.In[p], 0.5) || !near(l.Out[p], 0.5) {
			t.Errorf("port %d: loads %v, %v, want 0.5", p, l.In[p], l.Out[p])
		}
	}
	if got := l.Throughput(n); got.Throughput != 1 || got.Kind != -1 {
		t.Errorf("throughput = %+v, want 1 by ports", got)
	}
	n3 := zcube(t, 3, 3)
	if got := uniform(t, n3, monotone(3), LoadOptions{}).MeanHops; math.Abs(got-1.02564) > 5e-6 {
		t.Errorf("zcube(3,3): mean hops = %v, want 1.02564 (APL 3.02564)", got)
	}
}

func TestUnreachable(t *testing.T) {
	b := topology.NewBuilder(oneSwitch, twoLinks)
	b.Switch(0, 4)
	b.Link(1, 0, 1)
	b.Link(1, 2, 3)
	for i := range topology.SwitchID(4) {
		b.Endpoints(2, []topology.SwitchID{i})
	}
	n := built(t, b, "two planes")
	l := uniform(t, n, topology.Minimal(), LoadOptions{})
	if l.UnreachablePairs != 32 || l.Pairs != 56 {
		t.Errorf("pairs = %v, unreachable = %v, want 56, 32", l.Pairs, l.UnreachablePairs)
	}
	if got := l.Throughput(n); got.Throughput != 0 || got.None {
		t.Errorf("throughput = %+v, want 0", got)
	}
}

func TestWorkersAgree(t *testing.T) {
	n := dragonfly(t, 2, 4, 2)
	one := uniform(t, n, topology.Minimal(), LoadOptions{Workers: 1, Routes: true})
	for _, w := range []int{2, 3, 8} {
		many := uniform(t, n, topology.Minimal(), LoadOptions{Workers: w, Routes: true})
		for c := range one.Channel {
			if one.Channel[c] != many.Channel[c] {
				t.Fatalf("%d workers: channel %d: %v, 1 worker %v", w, c, many.Channel[c], one.Channel[c])
			}
		}
		if one.MeanHops != many.MeanHops || one.Routes != many.Routes {
			t.Errorf("%d workers: %v, %v, 1 worker %v, %v", w, many.MeanHops, many.Routes, one.MeanHops, one.Routes)
		}
	}
}

// By orbits the torus needs one destination.
func TestOrbits(t *testing.T) {
	n := torus(t, true, 6, 6)
	all := uniform(t, n, torusDOR(2), LoadOptions{})
	one := uniform(t, n, torusDOR(2), LoadOptions{Orbits: []topology.Orbit{{Rep: 7, Count: 36}}})
	if all.Throughput(n).Throughput > one.Throughput(n).Throughput*(1+1e-12) || one.Exact {
		t.Errorf("orbits: throughput %v below the exact %v, exact = %v", one.Throughput(n), all.Throughput(n), one.Exact)
	}
	for i := range all.Kinds {
		if !near(all.Kinds[i].Total, one.Kinds[i].Total) {
			t.Errorf("kind %d: total = %v by orbits, want %v", i, one.Kinds[i].Total, all.Kinds[i].Total)
		}
	}
	if one.Pairs != all.Pairs || !near(one.MeanHops, all.MeanHops) {
		t.Errorf("orbits: pairs %v, hops %v, want %v, %v", one.Pairs, one.MeanHops, all.Pairs, all.MeanHops)
	}
	z := zcube(t, 4, 2)
	o := uniform(t, z, monotone(2), LoadOptions{Even: true, Orbits: []topology.Orbit{{Rep: 3, Count: 16}}})
	if got := o.Throughput(z); got.Throughput != 1 || !o.Exact {
		t.Errorf("zcube by orbits: %+v, exact %v, want 1, true", got, o.Exact)
	}
}

// A sample keeps means within its noise and refuses to know maxima.
func TestSample(t *testing.T) {
	n := dragonfly(t, 2, 4, 2)
	all := uniform(t, n, lgl(), LoadOptions{})
	some := uniform(t, n, lgl(), LoadOptions{Sample: 12})
	if some.Exact || some.Channel != nil || !near(some.Pairs, all.Pairs) {
		t.Errorf("sample: exact %v, channels %d, pairs %v, want false, 0, %v", some.Exact, len(some.Channel), some.Pairs, all.Pairs)
	}
	if math.Abs(some.MeanHops-all.MeanHops) > 0.05*all.MeanHops {
		t.Errorf("sample: mean hops = %v, want about %v", some.MeanHops, all.MeanHops)
	}
	for i := range all.Kinds {
		if math.Abs(some.Kinds[i].Mean()-all.Kinds[i].Mean()) > 0.1*all.Kinds[i].Mean() {
			t.Errorf("sample: kind %d has mean %v, want about %v", i, some.Kinds[i].Mean(), all.Kinds[i].Mean())
		}
	}
	if whole := uniform(t, n, lgl(), LoadOptions{Sample: 36}); !whole.Exact {
		t.Error("a sample of all destinations is not exact")
	}
}

// Twice the lanes on every class: twice the throughput. Half the lanes of an endpoint: twice too.
func TestLanes(t *testing.T) {
	n := hyperx(t, 4, 4, 3)
	l := uniform(t, n, dor(2), LoadOptions{})
	one := l.Throughput(n)
	for i := range n.Lanes {
		n.Lanes[i] *= 2
	}
	if got := l.Throughput(n); got.Throughput != 2*one.Throughput || got.Channel != one.Channel {
		t.Errorf("double lanes: %+v, single: %+v", got, one)
	}
	n.EndpointLanes = 2
	if got := l.Throughput(n).Throughput; got != one.Throughput {
		t.Errorf("double lanes everywhere: %v, want %v", got, one.Throughput)
	}
}
