package placed

import (
	"context"
	"math"
	"testing"

	"toposearch/internal/stream"
	"toposearch/routing"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
	"toposearch/workload"
)

// TestByMessage: what messages load by the closed form of a family is, on the busiest channel of each class and on ports, what they load over routes that are searched for on the network; of patterns of groups, and of messages at random.
func TestByMessage(t *testing.T) {
	rng := stream.New(5, "messages")
	for _, name := range []string{
		"hammingmesh(a=2,b=2,x=3,y=2,k=16)", "hammingmesh(a=4,b=3,x=2,y=3,k=8)", "hammingmesh(a=1,b=5,x=4,y=2,k=8)", "hammingmesh(a=3,b=1,x=1,y=4,k=4)", "hammingmesh(a=5,b=6,x=4,y=2,k=4)",
		"hammingmesh(a=8,b=2,x=8,y=4,k=8)", "hammingmesh(a=1,b=1,x=4,y=4,k=4)", "hammingmesh(a=7,b=7,x=1,y=1,k=2)", "zcube_partial(n=2)", "zcube_partial(n=4)", "zcube_partial(n=6)", "zcube_rect(n=24,m=8)", "zcube_rect(n=24,m=4)", "zcube_rect(n=15,m=5)", "zcube_rect(n=12,m=12)",
		"omega(k=2,n=5)", "omega(k=3,n=3)", "omega(k=6,n=1)", "omega(k=5,n=2)", "butterfly(k=2,n=5)", "butterfly(k=3,n=3)", "butterfly(k=6,n=1)", "butterfly(k=4,n=2)",
		"clos(m=3,n=5,r=4)", "clos(m=1,n=4,r=3)", "clos(m=4,n=7,r=1)", "clos(m=8,n=4,r=3)", "bus(n=9)",
	} {
		d := familytest.Parse(t, name)
		net, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		r, err := routing.New(net, d.Family.Natural(d.V))
		if err != nil {
			t.Fatal(err)
		}
		m := d.Family.Messages(d.V)
		c := &Channels{Load: m.Load}
		for _, l := range m.Levels {
			c.Levels = append(c.Levels, Bundles{l.Bundles, float64(l.Each)})
		}
		n := &Network{Router: r, Domain: 1, Endpoint: make([]topology.EndpointID, net.Endpoints())}
		for e := range n.Endpoint {
			n.Endpoint[e] = topology.EndpointID(e)
		}
		if n.Tracer, err = r.NewTracer(context.Background()); err != nil {
			t.Fatal(err)
		}
		for trial := range 40 {
			l, p := c.loads(), n.newPairs(workload.Group{Stride: 1, Size: len(n.Endpoint)})
			ports := newSharedPorts(r, n.Tracer)
			at := &portLoads{ports, n.hangs(), make([][]float64, len(n.Endpoint)), make([][]float64, len(n.Endpoint))}
			for e := range n.Endpoint {
				to := rng.IntN(len(n.Endpoint))
				if trial < len(n.Endpoint) && trial%2 == 0 {
					to = (e + 1 + trial/2) % len(n.Endpoint)
				}
				if to == e {
					continue
				}
				l.add(e, to, 0.5)
				a, b := n.set(e), n.set(to)
				k := [2]int32{a, b}
				if p.rate[k] == 0 {
					p.order = append(p.order, k)
				}
				p.rate[k] += 0.5
				if ports.tracer != nil {
					at.message(e, to, 0.5)
				}
			}
			loads, err := n.loads(context.Background(), p.flows())
			if err != nil {
				t.Fatal(err)
			}
			want := map[int]float64{}
			for _, k := range loads.Kinds {
				want[int(k.Kind.Link)] = max(want[int(k.Kind.Link)], k.Max)
			}
			if net.LinkClasses[0].Name != topology.ClassInternal {
				if loads.Kinds = nil; ports.tracer != nil {
					loads.BusierPort(at.most())
				}
				want[0] = float64(net.Lanes[0]) / float64(net.EndpointLanes) / loads.Throughput(net).Throughput
			}
			got := map[int]float64{}
			for i, x := range l.levels() {
				got[m.Levels[i].Class] = max(got[m.Levels[i].Class], x/c.Levels[i].Carry)
			}
			for class, x := range got {
				if math.Abs(x-want[class]) > 1e-12 {
					t.Fatalf("%s, trial %d: messages load %s with %v, routes with %v", name, trial, net.LinkClasses[class].Name, x, want[class])
				}
			}
		}
	}
}
