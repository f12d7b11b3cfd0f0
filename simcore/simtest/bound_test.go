package simtest_test

import (
	"context"
	"testing"

	"toposearch/internal/racing"
	"toposearch/routing"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
)

// What the simulator accepts at full load stays below what channel loads allow, sampling noise
// aside, and a router with a speedup of 2 comes near it: the two share the fields, not the way
// from there. The tail of a backlog is not in the window, so the bound is the busiest channel's.
func TestAcceptedBelowLoads(t *testing.T) {
	if testing.Short() || racing.On {
		t.Skip("simulates six networks at full load")
	}
	ctx := context.Background()
	for _, c := range []struct {
		design, traffic string
		least           float64 // share of the bound that is accepted
	}{
		{"fullmesh(d1=4,d2=4)", "uniform", 0.97},
		{"zcube(n=3,k=3)", "uniform", 0.97},
		{"bcube(n=4,l=2)", "uniform", 0.97},
		{"dragonfly(p=4,a=4,h=2)", "uniform", 0.97},
		{"dragonfly(p=2,a=4,h=2)", "worst", 0.97},
		{"fullmesh(d1=4,d2=4)", "worst", 0.97},
	} {
		n := build(t, c.design)
		tr, err := traffic.ByName(c.traffic, traffic.Options{Network: n.Network})
		if err != nil {
			t.Fatal(err)
		}
		r, err := routing.New(n.Network, n.opt.Natural)
		if err != nil {
			t.Fatal(err)
		}
		l, err := r.UniformLoads(ctx, routing.LoadOptions{})
		if to := tr.Permutation(); to != nil {
			l, err = r.FlowLoads(ctx, r.Flows(to), routing.LoadOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
		bound := l.Throughput(n.Network).Throughput
		opt := n.opt
		opt.VCs = 8
		nat, err := route.ByName(ctx, "natural", n.Network, opt)
		if err != nil {
			t.Fatal(err)
		}
		cfg := flit.DefaultConfig()
		cfg.VCs, cfg.BufferFlits, cfg.InternalSpeedup = 8, 32, 2
		cfg.Warmup, cfg.Measure = 3000, 6000
		s, err := flit.New(n.Network, nat, tr, cfg)
		if err != nil {
			t.Fatal(err)
		}
		p, err := s.Run(ctx, min(1, bound))
		if err != nil {
			t.Fatal(err)
		}
		limit := min(1, bound)
		t.Logf("%s, %s: accepted %.4f, bound %.4f", c.design, c.traffic, p.Accepted, bound)
		if p.Accepted > limit*1.02 || p.Accepted < c.least*limit {
			t.Errorf("%s, %s: accepted = %v, want %v to 1 times %v", c.design, c.traffic, p.Accepted, c.least, limit)
		}
	}
}
