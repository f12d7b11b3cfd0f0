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

// byDefault simulates a routing under a traffic with the VCs, buffers, packets and speedup that simulate has by default.
func byDefault(t *testing.T, n network, name, text string, load float64) simcore.Point {
	t.Helper()
	ctx := context.Background()
	tr := adverse(t, n, text)
	cfg := flit.SwitchConfig()
	opt := n.opt
	opt.Want = cfg.VCs
	r, err := route.ByName(ctx, name, n.Network, opt)
	if err != nil {
		t.Fatal(err)
	}
	cfg.VCs = max(cfg.VCs, r.VCs())
	cfg.PacketFlits, cfg.Warmup, cfg.Measure, cfg.DrainLimit = 4, 1500, 2000, 1
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

// adverse is a traffic, of which "worst" is that of natural routes.
func adverse(t *testing.T, n network, text string) simcore.Traffic {
	t.Helper()
	router, err := route.RouterFor("natural", n.Network, n.opt.Natural)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := traffic.ByName(text, traffic.Options{Network: n.Network, Router: router, Blocks: n.blocks, Context: t.Context()})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// holdPar holds par to the same where everything is offered.
func holdPar(t *testing.T, n network, design, adverse string) {
	t.Helper()
	for _, x := range []struct {
		traffic, than string
		share         float64
	}{{adverse, "valiant", 0.9}, {"uniform", "natural", 0.97}} {
		want := byDefault(t, n, x.than, x.traffic, 1).Accepted * x.share
		const sampling = 0.005
		if p := byDefault(t, n, "par", x.traffic, 1); p.Accepted < want-sampling || p.Deadlocked {
			t.Errorf("%s, %s: par accepts %.3f of 1, which is to be %.3f, %g of what %s does; deadlocked: %t", design, x.traffic, p.Accepted, want, x.share, x.than, p.Deadlocked)
		} else {
			t.Logf("%s, %s: par %.3f of 1, %s %.3f", design, x.traffic, p.Accepted, x.than, want/x.share)
		}
	}
}

// Packets of one flit, of which many fit into what keeps direct packets off the VCs of detours, and long links, on which many flits are under
// way: adaptive routing carries what Valiant's does there, too. So it does where direct ways share a channel inside the group with many detours,
// and where buffers are so deep that direct packets do not fill them.
func TestAdaptiveStalls(t *testing.T) {
	if testing.Short() || racing.On {
		t.Skip("simulates networks of up to 272 endpoints")
	}
	for _, x := range []struct {
		design   string
		settings []setting
	}{
		{"dragonflyplus(l=4,m=4,p=4,h=4)", []setting{{packet: 1}, {latency: 20}}},
		{"dragonfly(p=2,a=8,h=4,g=9)", []setting{{packet: 1}, {latency: 20}, {packet: 1, latency: 20}}},
		{"dragonflyplus(l=4,m=3,p=3,h=3)", []setting{{packet: 1}, {latency: 20}, {buffer: 32}}},
	} {
		n := build(t, x.design)
		for _, c := range x.settings {
			if want, got := c.accept(t, n, "valiant", "group_shift"), c.accept(t, n, "ugal_l", "group_shift"); got < 0.9*want {
				t.Errorf("%s, %s: ugal_l accepts %.3f, valiant %.3f", x.design, c, got, want)
			}
		}
	}
}

// On a Dragonfly+ with three spines a group a quarter of the detours begin at the spine of the direct link. By hand, group_shift, load x: 12 endpoints a
// group send 12x, of which the direct link carries 1. Detours by the two other spines alone divide over six links; four of these
// carry second legs, too, and are full at (12x - 1) / 6 = 1/2, x = 1/3; by all eight links, which carry both legs, at (12x - 1) / 8 = 1/2, x = 5/12.
func TestAdaptiveBehindTheDirectSpine(t *testing.T) {
	if testing.Short() || racing.On {
		t.Skip("simulates a Dragonfly+ of 120 endpoints to saturation")
	}
	n := build(t, "dragonflyplus(l=4,m=3,p=3,h=3)")
	for _, name := range []string{"ugal_l", "par"} {
		if got := byDefault(t, n, name, "group_shift", 1).Accepted; got < 1.05/3 {
			t.Errorf("%s accepts %.3f, no more than detours by other spines carry", name, got)
		}
	}
}

// Queues in deep buffers differ by chance by many packets: a routing that knows them all makes no detours of uniform traffic for that.
func TestAdaptiveDeepBuffers(t *testing.T) {
	if testing.Short() || racing.On {
		t.Skip("simulates a dragonfly and a hyperx to saturation")
	}
	for _, x := range []struct {
		design, adverse string
		c               setting
	}{{"dragonfly(p=3,a=4,h=3)", "group_shift", setting{buffer: 128}}, {"hyperx(s1=4,s2=4,t=4)", "worst", setting{buffer: 128}},
		{"dragonfly(p=2,a=4,h=2)", "group_shift", setting{cut: true}}} {
		n := build(t, x.design)
		for _, y := range []struct {
			traffic, than string
			share         float64
		}{{x.adverse, "valiant", 0.9}, {"uniform", "natural", 0.97}} {
			want, got := x.c.accept(t, n, y.than, y.traffic), x.c.accept(t, n, "ugal_g", y.traffic)
			t.Logf("%s, %s, %s: ugal_g %.3f, %s %.3f", x.design, x.c, y.traffic, got, y.than, want)
			if got < y.share*want {
				t.Errorf("%s, %s, %s: ugal_g accepts %.3f, %s %.3f", x.design, x.c, y.traffic, got, y.than, want)
			}
		}
	}
}

// What adaptive routing is for: where traffic is against minimal routes it carries what Valiant's does, within 10 %, and
// where traffic is uniform what minimal routing does, within 3 %. Both when everything is offered, which
// shows what a network does beyond saturation, and just below those limits, where it still has to
// accept all but 3 % of the load: that is what saturation means here.
func TestAdaptiveRouting(t *testing.T) {
	if racing.On {
		t.Skip("nothing in it runs in parallel")
	}
	const sampling = 0.005 // of the load: the standard error of 2,000 cycles of the smallest network
	for i, c := range []struct{ design, adverse string }{
		{"dragonfly(p=2,a=4,h=2)", "group_shift"},
		{"hyperx(s1=4,s2=4,t=4)", "worst"},
		{"slimfly(q=4)", "worst"},
		{"dragonflyplus(l=3,m=3,p=3,h=3)", "group_shift"},
		{"dragonfly(p=2,a=4,h=2)", "group_adversarial"},
		{"dragonfly(p=3,a=6,h=3)", "group_shift"},
		{"dragonfly(p=3,a=4,h=3)", "group_shift"},
		{"dragonflyplus(l=4,m=4,p=4,h=4)", "group_shift"},
		{"dragonflyplus(l=4,m=4,p=4,h=2)", "group_shift"},
		{"dragonflyplus(l=4,m=3,p=3,h=3)", "group_shift"}, // leaves whose uplinks have two peers
		{"dragonflyplus(l=4,m=2,p=2,h=2)", "group_shift"}, // and one
		{"hyperx(s1=3,s2=3,s3=3,t=3)", "worst"},
		{"hyperx(s1=6,s2=6,t=6)", "worst"},
		{"slimfly(q=5)", "worst"},
		{"slimfly(q=7)", "worst"},
		{"hyperx(s1=8,k1=2,t=16)", "worst"},
		{"hyperx(s1=16,k1=2,t=32)", "worst"},
		{"dragonfly(p=4,a=8,h=3,g=2)", "worst"}, // three links between two switches, behind which one is congested
		{"dragonfly(p=4,a=8,h=4,g=3)", "worst"},
	} {
		if testing.Short() && i > 0 {
			break
		}
		n := build(t, c.design)
		if i >= 1 && i < 17 && c.adverse != "group_adversarial" {
			holdPar(t, n, c.design, c.adverse)
		}
		for _, x := range []struct {
			traffic, than string
			share         float64
		}{{c.adverse, "valiant", 0.9}, {"uniform", "natural", 0.97}} {
			want := byDefault(t, n, x.than, x.traffic, 1).Accepted * x.share
			full := byDefault(t, n, "ugal_l", x.traffic, 1).Accepted
			below := byDefault(t, n, "ugal_l", x.traffic, want).Accepted
			t.Logf("%s, %s: %.3f of 1, %.3f of %.3f", c.design, x.traffic, full, below, want)
			if full < want-sampling || below < 0.97*want-sampling {
				t.Errorf("%s, %s: ugal_l accepts %.3f of 1 and %.3f of %.3f, which is %g of what %s accepts", c.design, x.traffic, full, below, want, x.share, x.than)
			}
		}
	}
}
