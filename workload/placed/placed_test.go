package placed

import (
	"context"
	"math"
	"strings"
	"testing"

	"toposearch/routing"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// on is a design with as many ranks as endpoints, in their order; 100 GB/s and 5 us.
func on(t *testing.T, design string, domain int) *Network {
	t.Helper()
	net, rule := familytest.Network(t, design)
	r, err := routing.New(net, rule)
	if err != nil {
		t.Fatal(err)
	}
	n := &Network{Router: r, Link: collective.Link{Alpha: 5e-6, BytesPerS: 100e9}, Domain: domain, Scaleup: collective.Link{Alpha: 1e-6, BytesPerS: 400e9}}
	for e := range net.Endpoints() {
		n.Endpoint = append(n.Endpoint, topology.EndpointID(e))
	}
	if err := n.Check(); err != nil {
		t.Fatal(err)
	}
	return n
}

// shares is what a stage list takes of S over the network and inside domains.
func shares(t *testing.T, n *Network, g workload.Group, k collective.Kind, a collective.Algorithm) (far, inside float64, steps int) {
	t.Helper()
	s, err := a.Schedule(k)
	if err != nil {
		t.Fatal(err)
	}
	stages, err := n.stages(context.Background(), g, s, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, st := range stages {
		far, inside, steps = far+st.far, inside+st.inside, steps+st.steps
	}
	return far, inside, steps
}

// TestShares by hand. On a ring of eight with links of an endpoint's rate a ring loads each link once. Halving and
// doubling sends a half to the antipode, four hops both ways: 8 x 4/16 = 2 of it on each link; a quarter two
// hops, pairs overlapping on one link: 2; an eighth to the neighbour. In an all-to-all an endpoint's messages of an
// eighth cross 16 hops together, over two links each: 1. Six endpoints of a leaf with two uplinks, all of which
// send to the next leaf, have a third of their rate.
func TestShares(t *testing.T) {
	ring, taper := "ring(n=8)", "fattree(k=8,l=2,d=6)"
	for _, c := range []struct {
		design      string
		domain      int
		g           workload.Group
		kind        collective.Kind
		a           collective.Algorithm
		far, inside float64
		steps       int
	}{
		{ring, 1, workload.Group{Stride: 1, Size: 8}, collective.AllReduce, collective.Ring{N: 8}, 1.75, 0, 14},
		{ring, 1, workload.Group{Stride: 1, Size: 8}, collective.ReduceScatter, collective.HalvingDoubling{N: 8}, 1 + 0.5 + 0.125, 0, 3},
		{ring, 1, workload.Group{Stride: 1, Size: 8}, collective.AllToAll, collective.Direct{N: 8}, 1, 0, 7},
		{ring, 1, workload.Group{Stride: 4, Size: 2}, collective.AllGather, collective.Ring{N: 2}, 1, 0, 1},
		{ring, 1, workload.Group{Stride: 1, Size: 2}, collective.AllGather, collective.Ring{N: 2}, 0.5, 0, 1},
		{ring, 2, workload.Group{Stride: 1, Size: 2}, collective.AllGather, collective.Ring{N: 2}, 0, 0.5, 1},
		{taper, 1, workload.Group{Stride: 1, Size: 6}, collective.AllReduce, collective.Ring{N: 6}, 2 * 5.0 / 6, 0, 10},
		{taper, 1, workload.Group{Stride: 6, Size: 8}, collective.ReduceScatter, collective.Ring{N: 8}, 3 * 7.0 / 8, 0, 7},
		// Inside the leaf as far as can be: 5/6 there, and a sixth of 7/8 three times over.
		{taper, 6, workload.Group{Stride: 1, Size: 48}, collective.ReduceScatter, collective.Hierarchical{Inner: 6, Outer: 8}, 3 * 7.0 / 8 / 6, 5.0 / 6, 12},
	} {
		far, inside, steps := shares(t, on(t, c.design, c.domain), c.g, c.kind, c.a)
		if math.Abs(far-c.far) > 1e-12 || math.Abs(inside-c.inside) > 1e-12 || steps != c.steps {
			t.Errorf("%s, domain %d, %v %s by %s: %g of S far, %g inside, %d steps, want %g, %g, %d",
				c.design, c.domain, c.g, c.kind, c.a.Name(), far, inside, steps, c.far, c.inside, c.steps)
		}
	}
}

// TestIdeal: a tree that blocks nothing takes what the ideal network does.
func TestIdeal(t *testing.T) {
	n := on(t, "fattree(k=8,l=2)", 4)
	ideal := workload.System{Domain: 4, Link: [collective.Levels]collective.Link{n.Scaleup, n.Link}}
	for _, g := range []workload.Group{{Stride: 1, Size: 4}, {Stride: 1, Size: 32}, {Stride: 4, Size: 8}, {Stride: 2, Size: 8}, {Stride: 16, Size: 2}} {
		for _, k := range []collective.Kind{collective.AllReduce, collective.ReduceScatter, collective.AllGather, collective.Exchange} {
			c := workload.Communication{Kind: k, Group: g, Bytes: 1e9, Count: 1}
			got, name, err := n.Collective(context.Background(), c)
			if err != nil {
				t.Fatal(err)
			}
			want, as, err := ideal.Collective(c)
			if err != nil {
				t.Fatal(err)
			}
			if inner, outer := g.Within(4); k == collective.Exchange && inner > 1 && outer > 1 {
				continue // the ideal network has all messages leave the domain
			}
			if got > want*(1+1e-9) || got < want*0.9 {
				t.Errorf("%s of %v: %g s by %s, ideally %g by %s", k, g, got, name, want, as)
			}
		}
	}
}

// TestLowerBoundOfMeshes: in a full mesh of eight every rank sends its part to the seven others at once, over a link each, which is no faster than the bound.
func TestLowerBoundOfMeshes(t *testing.T) {
	n := &Network{Link: collective.Link{BytesPerS: 1}, Domain: 8, Scaleup: collective.Link{BytesPerS: 10}, Mesh: true, Endpoint: make([]topology.EndpointID, 8)}
	for i := range n.Endpoint {
		n.Endpoint[i] = topology.EndpointID(i)
	}
	const bytes = 80
	c := workload.Communication{Kind: collective.AllGather, Group: workload.Group{Stride: 1, Size: 8}, Bytes: bytes}
	if lo, takes := n.LowerBound(c), bytes/8/n.Scaleup.BytesPerS; lo > takes || lo < 0.9*takes { // 1/71 of 7/8 of the bytes: 0.986 s
		t.Errorf("bound %g s; messages over all links at once take %g s", lo, takes)
	}
}

// TestLowerBound: nothing is faster, on any network, for any group; and a step's parts are those of its
// communications.
func TestLowerBound(t *testing.T) {
	for _, design := range []string{"ring(n=8)", "torus(k1=4,k2=4)", "fattree(k=8,l=2,d=6)", "dragonfly(p=2,a=4,h=2)", "bcube(n=4,l=2)", "hypercube(n=4)"} {
		for _, domain := range []int{1, 2, 4} {
			n := on(t, design, domain)
			ranks := len(n.Endpoint)
			for size := 2; size <= ranks; size++ {
				for stride := 1; stride*size <= ranks; stride++ {
					if ranks%(stride*size) != 0 {
						continue
					}
					for _, k := range []collective.Kind{collective.AllReduce, collective.AllGather, collective.AllToAll, collective.Exchange} {
						c := workload.Communication{Kind: k, Group: workload.Group{Stride: stride, Size: size}, Bytes: 1e8, Count: 1}
						got, name, err := n.Collective(context.Background(), c)
						if err != nil {
							t.Fatal(err)
						}
						if lo := n.LowerBound(c); got < lo*(1-1e-9) {
							t.Errorf("%s, domain %d: %s takes %g s by %s, less than the bound %g", design, domain, c, got, name, lo)
						}
						c.Bytes *= 3
						if kept, anew := n.LowerBound(c), n.On(n.Endpoint).LowerBound(c); kept != anew {
							t.Errorf("%s, domain %d: the bound of %s is %g, asked for the first time %g", design, domain, c, kept, anew)
						}
					}
				}
			}
		}
	}
}

// TestStepOn: a tapered tree takes longer than a full one for the same step, and the difference is in what goes
// over the network.
func TestStepOn(t *testing.T) {
	m, err := workload.Model("gpt3-22b")
	if err != nil {
		t.Fatal(err)
	}
	x := &workload.Training{Model: m, Sequence: 2048, Batch: 96, Parallelism: workload.Parallelism{TP: 4, CP: 1, PP: 2, DP: 4, EP: 1, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 1}}
	s := workload.System{FLOPS: 312e12, Efficiency: 0.5, Memory: 80e9, Domain: 4}
	full, taper := on(t, "fattree(k=8,l=2)", 4), on(t, "fattree(k=16,l=2,d=12,pods=8)", 4)
	taper.Endpoint = taper.Endpoint[:32]
	s.Link = [collective.Levels]collective.Link{full.Scaleup, full.Link}
	var total [2]float64
	for i, n := range []*Network{full, taper} {
		got, err := x.TimeOn(s, n.Fabric(context.Background()))
		if err != nil {
			t.Fatal(err)
		}
		total[i] = got.Total
	}
	ideal, err := x.Time(s)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(total[0]/ideal.Total-1) > 0.01 || total[1] <= total[0] {
		t.Errorf("%g s on the full tree, %g on the tapered one, ideally %g", total[0], total[1], ideal.Total)
	}
}

// TestFaults: switches that nothing connects, ranks that do not divide, endpoints that are not there.
func TestFaults(t *testing.T) {
	n := on(t, "ring(n=8)", 1)
	b := topology.NewBuilder([]topology.SwitchClass{{Name: "switch"}}, []topology.LinkClass{{Name: "nic"}, {Name: "local"}})
	b.Switch(0, 2)
	b.Endpoints(4, []topology.SwitchID{0})
	b.Endpoints(4, []topology.SwitchID{1})
	apart, err := b.Build("two switches")
	if err != nil {
		t.Fatal(err)
	}
	if n.Router, err = routing.New(apart, topology.Minimal()); err != nil {
		t.Fatal(err)
	}
	c := workload.Communication{Kind: collective.AllReduce, Group: workload.Group{Stride: 4, Size: 2}, Bytes: 1e6, Count: 1}
	if _, _, err := n.Collective(context.Background(), c); err == nil || !strings.Contains(err.Error(), "no route") {
		t.Errorf("between switches: %v", err)
	}
	c.Stride = 1
	n = n.On(n.Endpoint)
	n.Domain = 4
	if _, _, err := n.Collective(context.Background(), c); err != nil {
		t.Errorf("inside domains: %v", err)
	}
	c.Size = 7
	if _, _, err := n.Collective(context.Background(), c); err == nil || !strings.Contains(err.Error(), "left over") {
		t.Errorf("seven ranks: %v", err)
	}
	n.Endpoint[3], n.Endpoint[4] = 1<<20, 5
	if err := n.Check(); err == nil || !strings.Contains(err.Error(), "rank 3 is on endpoint 1048576") || !strings.Contains(err.Error(), "ranks 4 and 5 are both on endpoint 5") {
		t.Errorf("%v", err)
	}
}
