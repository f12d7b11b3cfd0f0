package simtest_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simcore/simtest"
	"toposearch/simcore/traffic"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// Both models lose the share of packets that routes lead over what has failed, before tables are repaired, and carry
// what is left: known from the routes alone, and the same whatever a packet is made of.
func TestModelsLoseTheSame(t *testing.T) {
	const from, repair, until, end = 10_000, 10_000, 30_000, 45_000
	for _, c := range []struct {
		design, routing string
		what            func(n *topology.Network) topology.Failures
		share           float64 // of packets that cross it
		load            float64
		moved           string // when tables know
	}{
		// A ring of 6 has 6*9/5 packet-hops for each packet of every endpoint, on 12 channels of which two fail.
		{"ring(n=6)", "minimal", func(n *topology.Network) topology.Failures { return simtest.Link(n, 0, 1) }, 2.0 / 12 * 9 / 5, 0.3, ""},
		// Six of seven destinations are on another leaf, and of the two spines one fails.
		{"fattree(k=4,l=2)", "natural", func(*topology.Network) topology.Failures { return simtest.Down(4) }, 6.0 / 7 / 2, 0.3, ""},
		// Of 12 endpoints on a complete graph of 6, 4 of 12*11 pairs use a link, and 4 the other way.
		{"dragonfly(p=2,a=1,h=5)", "minimal", func(n *topology.Network) topology.Failures { return simtest.Link(n, 0, 1) }, 8.0 / (12 * 11), 0.3, ""},
		// Of 8*7 pairs of a rack of 2 by 4 NPUs, 14 end or begin at the NPU that fails, and it is on one of two ways of the 6 between its only
		// neighbour in one dimension and its three in the other. Once tables know, the spare has its traffic, and all that is offered is carried.
		{"ubmesh(x=2,y=4,z=1,w=1,spare=1)", "natural", func(n *topology.Network) topology.Failures {
			_, _, ports := n.Group(n.GroupOf(5))
			return simtest.Down(ports[0])
		}, (14.0 + 6/2) / 56, 0.05, "5 to spare[0]"},
	} {
		d, n := familytest.Build(t, c.design)
		rule := familytest.Natural(d)
		list := []route.Outage{simtest.During(c.what(n), from, until)}
		tr, err := traffic.ByName("uniform", traffic.Options{Network: n})
		if err != nil {
			t.Fatal(err)
		}
		var reports [2]*simcore.FailureReport
		fc := flit.SwitchConfig()
		fc.VCs, fc.PacketFlits, fc.Warmup, fc.Measure = 6, 4, 1000, end
		fp := simtest.FailingPlan(t, n, rule, c.routing, fc.VCs, repair, list)
		fc.Failures = fp.Stages
		f, err := flit.New(fp.Network, fc.Failures[0].Routing, tr, fc)
		if err != nil {
			t.Fatal(err)
		}
		p, err := f.Run(context.Background(), c.load)
		if err != nil {
			t.Fatal(err)
		}
		reports[0] = p.Failures
		cc := cutthrough.DefaultConfig()
		cc.VCs, cc.MTUBytes, cc.WarmupNs, cc.MeasureNs, cc.BandwidthGbps = 6, 200, 10_000, end, 400 // 4 ns of a port
		cp := simtest.FailingPlan(t, n, rule, c.routing, cc.VCs, repair, list)
		cc.Failures = cp.Stages
		for range n.LinkClasses {
			cc.ClassGbps, cc.ClassCableNs = append(cc.ClassGbps, 400), append(cc.ClassCableNs, 10)
		}
		s, err := cutthrough.New(cp.Network, cc.Failures[0].Routing, tr, cc)
		if err != nil {
			t.Fatal(err)
		}
		q, err := s.Run(context.Background(), c.load)
		if err != nil {
			t.Fatal(err)
		}
		reports[1] = q.Failures
		for i, want := range []string{"", "", c.moved, c.moved, ""} {
			got := ""
			for _, m := range fp.Known[i].Moved {
				got += fmt.Sprintf("%d to %s", m.Endpoint, n.SwitchName(m.To))
			}
			if got != want {
				t.Errorf("%s, phase %d: moved %q, want %q", c.design, i, got, want)
			}
		}
		for k, r := range reports {
			if len(r.Phases) != 5 {
				t.Fatalf("%s, model %d: %d phases", c.design, k, len(r.Phases))
			}
			stale := r.Phases[1]
			lost, made := float64(stale.Lost.Packets), float64(stale.Generated)
			if sigma := math.Sqrt(c.share * (1 - c.share) / made); math.Abs(lost/made-c.share) > 4*sigma+0.01 {
				t.Errorf("%s, model %d: %.4f of the packets are lost, want %.4f", c.design, k, lost/made, c.share)
			}
			for i, x := range r.Phases {
				want := c.load
				if i == 1 {
					want *= 1 - c.share
				}
				if math.Abs(x.Accepted-want) > (4/math.Sqrt(float64(x.Generated))+0.01)*want { // what sources happen to send, and the ends of the phase
					t.Errorf("%s, model %d: phase %d accepts %.4f, want %.4f", c.design, k, i, x.Accepted, want)
				}
				if i != 1 && x.Lost.Packets > 40 { // what was under way as tables changed
					t.Errorf("%s, model %d: phase %d loses %+v", c.design, k, i, x.Lost)
				}
			}
		}
	}
}

// Detours over what is left of a Slim Fly have a hop more, and what is left of a HyperX a layer more: with the VCs that the first routing says that it
// needs both models run to the end, and account for every packet.
func TestFailingWithTheVCsSaid(t *testing.T) {
	for _, c := range []struct{ design, routing string }{{"slimfly(q=5)", "ugal_l"}, {"hyperx(s1=4,s2=4,t=2)", "lash"}} {
		d, n := familytest.Build(t, c.design)
		list := []route.Outage{simtest.During(simtest.Link(n, 0, n.Neighbors(0)[0]), 500, 2000), simtest.During(simtest.Down(1), 1000, 1500)}
		tr, err := traffic.ByName("uniform", traffic.Options{Network: n})
		if err != nil {
			t.Fatal(err)
		}
		p := simtest.FailingPlan(t, n, familytest.Natural(d), c.routing, 0, 200, list)
		r := p.Stages[0].Routing
		fc := flit.SwitchConfig()
		fc.VCs, fc.PacketFlits, fc.Warmup, fc.Measure, fc.Failures = r.VCs(), 4, 500, 3000, p.Stages
		f, err := flit.New(p.Network, r, tr, fc)
		if err != nil {
			t.Fatal(err)
		}
		cc := cutthrough.DefaultConfig()
		cc.VCs, cc.MTUBytes, cc.WarmupNs, cc.MeasureNs, cc.BandwidthGbps, cc.Failures = r.VCs(), 200, 1000, 3000, 400, p.Stages
		for range n.LinkClasses {
			cc.ClassGbps, cc.ClassCableNs = append(cc.ClassGbps, 400), append(cc.ClassCableNs, 10)
		}
		s, err := cutthrough.New(p.Network, r, tr, cc)
		if err != nil {
			t.Fatal(err)
		}
		x, err := f.Run(context.Background(), 0.3)
		if err != nil {
			t.Fatal(err)
		}
		y, err := s.Run(context.Background(), 0.3)
		if err != nil {
			t.Fatal(err)
		}
		for i, z := range []*simcore.FailureReport{x.Failures, y.Failures} {
			if z.Lost.Packets == 0 || z.Generated != z.Delivered+z.Lost.Packets+z.UnderWay {
				t.Errorf("%s, %s, model %d: %d packets made, %d delivered, %d lost, %d under way", c.design, c.routing, i, z.Generated, z.Delivered, z.Lost.Packets, z.UnderWay)
			}
		}
	}
}
