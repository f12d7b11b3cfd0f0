package simtest_test

import (
	"context"
	"flag"
	"fmt"
	"testing"

	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
)

// setting is a network's switches and cables in the grid of TestAdaptiveGrid; 0: as simulate has it.
type setting struct {
	vcs, buffer, packet, latency int // cut: buffer in bytes of a switch, latency of cables in ns
	cut                          bool
}

func (c setting) String() string {
	if c.cut {
		return fmt.Sprintf("cut_through,vcs=%d,bytes=%d,ns=%d", c.vcs, c.buffer, c.latency)
	}
	return fmt.Sprintf("vcs=%d,buffer=%d,packet=%d,latency=%d", c.vcs, c.buffer, c.packet, c.latency)
}

// accept is what a network accepts when everything is offered.
func (c setting) accept(t *testing.T, n network, name, text string) float64 {
	t.Helper()
	ctx, tr, opt := context.Background(), adverse(t, n, text), n.opt
	opt.Want = c.vcs
	if opt.Want == 0 && !c.cut {
		opt.Want = flit.SwitchConfig().VCs
	}
	r, err := route.ByName(ctx, name, n.Network, opt)
	if err != nil {
		t.Fatal(err)
	}
	if c.cut {
		return c.acceptCut(t, n, r, tr)
	}
	cfg := flit.SwitchConfig()
	cfg.VCs = max(opt.Want, r.VCs())
	cfg.BufferFlits, cfg.PacketFlits, cfg.LinkLatency = c.buffer, 4, max(1, c.latency)
	if c.packet > 0 {
		cfg.PacketFlits = c.packet
	}
	cfg.Warmup, cfg.Measure, cfg.DrainLimit = 1000+30*c.latency, 1200+10*c.latency, 1
	s, err := flit.New(n.Network, r, tr, cfg)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Run(ctx, 1)
	if err != nil {
		t.Fatal(err)
	}
	if p.Deadlocked {
		t.Errorf("%s: deadlocked", name)
	}
	return p.Accepted
}

func (c setting) acceptCut(t *testing.T, n network, r simcore.Routing, tr simcore.Traffic) float64 {
	t.Helper()
	cfg := cutthrough.DefaultConfig()
	cfg.BandwidthGbps = 400
	for i := range n.LinkClasses {
		cfg.ClassGbps = append(cfg.ClassGbps, 400*float64(max(1, n.Lanes[i]))/float64(n.EndpointLanes))
		cfg.ClassCableNs = append(cfg.ClassCableNs, float64(max(10, c.latency)))
	}
	cfg.VCs = max(c.vcs, r.VCs())
	if c.buffer > 0 {
		cfg.BufferBytes = int64(c.buffer)
	}
	cfg.WarmupNs, cfg.MeasureNs, cfg.DrainNs = 60000, 60000, 1
	s, err := cutthrough.New(n.Network, r, tr, cfg)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Run(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return p.Accepted
}

// gridDesigns are networks and the traffic that is against their minimal routes.
var gridDesigns = []struct{ design, adverse string }{
	{"dragonfly(p=2,a=4,h=2)", "group_shift"},
	{"dragonfly(p=3,a=4,h=3)", "group_shift"},
	{"dragonfly(p=3,a=6,h=3)", "group_shift"},
	{"dragonfly(p=4,a=8,h=4)", "group_shift"},
	{"dragonfly(p=2,a=8,h=4,g=9)", "group_shift"},
	{"dragonflyplus(l=3,m=3,p=3,h=3)", "group_shift"},
	{"dragonflyplus(l=4,m=4,p=4,h=4)", "group_shift"},
	{"dragonflyplus(l=4,m=4,p=4,h=2)", "group_shift"},
	{"dragonflyplus(l=4,m=3,p=3,h=3)", "group_shift"},
	{"hyperx(s1=4,s2=4,t=4)", "worst"},
	{"hyperx(s1=3,s2=3,s3=3,t=3)", "worst"},
	{"hyperx(s1=4,s2=4,s3=4,t=4)", "worst"},
	{"hyperx(s1=6,s2=6,t=6)", "worst"},
	{"hyperx(s1=12,t=12)", "worst"},
	{"slimfly(q=4)", "worst"},
	{"slimfly(q=5)", "worst"},
	{"slimfly(q=7)", "worst"},
}

// gridSettings vary packets, buffers, cables and VCs one by one, and some together.
var gridSettings = []setting{
	{},
	{packet: 1},
	{packet: 16},
	{buffer: 6},
	{buffer: 32},
	{buffer: 128},
	{latency: 20},
	{vcs: 8},
	{packet: 16, buffer: 8},
	{latency: 100},
	{packet: 1, latency: 20},
	{latency: 20, buffer: 32},
	{vcs: 8, buffer: 64, packet: 16},
	{cut: true},
	{cut: true, latency: 500},
	{cut: true, buffer: 1 << 20},
}

var grid = flag.Bool("adaptive-grid", false, "measure ugal_l, ugal_g and par on the grid of TestAdaptiveGrid, for the better part of an hour; -run TestAdaptiveGrid/hyperx/cut measures a part")

// TestAdaptiveGrid prints what adaptive routings accept of full load, under adverse traffic as part of what valiant accepts and under
// uniform traffic as part of what natural does, in many switches: A and U mark what is below 0.9 and 0.97, the aims that
// TestAdaptiveRouting holds ugal_l to in the switch of simulate.
func TestAdaptiveGrid(t *testing.T) {
	if !*grid {
		t.Skip("run it with -adaptive-grid -v")
	}
	for _, d := range gridDesigns {
		t.Run(d.design, func(t *testing.T) {
			n := build(t, d.design)
			for _, c := range gridSettings {
				t.Run(c.String(), func(t *testing.T) {
					bad, good := c.accept(t, n, "valiant", d.adverse), c.accept(t, n, "natural", "uniform")
					line := fmt.Sprintf("valiant %.3f natural %.3f", bad, good)
					for _, name := range []string{"ugal_l", "ugal_g", "par"} {
						a, u, mark := c.accept(t, n, name, d.adverse)/bad, c.accept(t, n, name, "uniform")/good, ""
						if a < 0.9 {
							mark += "A"
						}
						if u < 0.97 {
							mark += "U"
						}
						line += fmt.Sprintf(" | %s %.2f %.3f %-2s", name, a, u, mark)
					}
					t.Log(line)
				})
			}
		})
	}
}
