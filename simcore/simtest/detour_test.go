package simtest_test

import (
	"context"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
)

// accepted simulates a routing under a traffic at one load.
func accepted(t *testing.T, n network, name, text string, load float64) simcore.Point {
	t.Helper()
	ctx := context.Background()
	tr, err := traffic.ByName(text, traffic.Options{Network: n.Network, Blocks: n.blocks})
	if err != nil {
		t.Fatal(err)
	}
	opt := n.opt
	opt.VCs = 10
	r, err := route.ByName(ctx, name, n.Network, opt)
	if err != nil {
		t.Fatal(err)
	}
	cfg := flit.DefaultConfig()
	cfg.VCs, cfg.BufferFlits, cfg.InternalSpeedup = opt.VCs, 16, 2
	cfg.Warmup, cfg.Measure = 2000, 4000
	s, err := flit.New(n.Network, r, tr, cfg)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Run(ctx, load)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Kim et al., ISCA 2008: when every group of a Dragonfly sends to the next one, the a*p endpoints
// of a group share one global link on minimal routes, 1/8 here, and detours spread them over
// all; when traffic is uniform, Valiant takes two legs of routes where one would do, and the
// adaptive routings find the better of the two without being told.
func TestDetoursOfDragonfly(t *testing.T) {
	if testing.Short() || racing.On {
		t.Skip("simulates a Dragonfly under five routings and two traffics")
	}
	n := build(t, "dragonfly(p=2,a=4,h=2)")
	minimal := accepted(t, n, "natural", "group_adversarial", 0.4)
	if minimal.Accepted > 0.126 || minimal.Accepted < 0.115 {
		t.Errorf("natural, adversarial: accepted = %v, want 1/8", minimal.Accepted)
	}
	direct := accepted(t, n, "natural", "uniform", 0.3)
	for _, name := range []string{"valiant+group", "ugal_l+group", "ugal_g+group", "par+group"} {
		bad, good := accepted(t, n, name, "group_adversarial", 0.3), accepted(t, n, name, "uniform", 0.3)
		t.Logf("%s: adversarial %.3f (%.2f hops), uniform %.3f (%.2f hops, minimal %.2f)", name, bad.Accepted, bad.Hops.Mean, good.Accepted, good.Hops.Mean, direct.Hops.Mean)
		if bad.Accepted < 2*minimal.Accepted {
			t.Errorf("%s, adversarial: accepted = %v, want twice the %v of minimal routes", name, bad.Accepted, minimal.Accepted)
		}
		longer := good.Hops.Mean / direct.Hops.Mean
		if name == "valiant+group" && longer < 1.4 || name != "valiant+group" && longer > 1.15 {
			t.Errorf("%s, uniform: %v hops, minimal routes have %v", name, good.Hops.Mean, direct.Hops.Mean)
		}
	}
}
