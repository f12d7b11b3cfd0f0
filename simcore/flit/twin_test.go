package flit

import (
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore"
)

// The plain cycle is the general one with plain settings, computed by masks instead of by lists
// of requests: both must agree flit by flit.
func TestPlainAgreesWithGeneral(t *testing.T) {
	racing.Figures(t)
	for _, c := range []struct {
		name string
		grid *grid
		load float64
		set  func(*Config)
	}{
		{"mesh", newGrid(t, 5, false), 0.45, func(c *Config) {}},
		{"torus", newGrid(t, 4, true), 0.9, func(c *Config) {}},
		{"lookahead", newGrid(t, 4, true), 0.5, func(c *Config) { c.RoutingDelay = 0 }},
		{"tailcredit", newGrid(t, 4, true), 0.5, func(c *Config) { c.WaitForTailCredit = true }},
		{"busywhenfull", newGrid(t, 4, false), 0.7, func(c *Config) { c.VCBusyWhenFull = true }},
		{"packets", newGrid(t, 4, false), 0.6, func(c *Config) { c.Sizes, c.Weights = []int{1, 5}, []int{1, 2} }},
		{"delays", newGrid(t, 4, true), 0.3, func(c *Config) { c.RoutingDelay, c.VCAllocDelay, c.CreditDelay = 2, 3, 4 }},
		{"tiny", newGrid(t, 4, false), 1, func(c *Config) { c.VCs, c.BufferFlits = 3, 1 }},
		{"lanes", newGrid(t, 4, true), 0.9, func(c *Config) { c.lanes, c.PacketFlits, c.VCs = 5, 3, 3 }},
		{"lanes of a switch", newGrid(t, 5, false), 0.5, func(c *Config) { c.lanes = 25 }},
		{"deep", newGrid(t, 4, false), 0.9, func(c *Config) { c.BufferFlits, c.PacketFlits = 40, 7 }},
		{"speedup", newGrid(t, 4, true), 0.9, func(c *Config) { c.InternalSpeedup, c.PacketFlits, c.VCs = 2, 4, 4 }},
		{"speedup of lanes", newGrid(t, 5, false), 0.6, func(c *Config) { c.InternalSpeedup, c.lanes, c.PacketFlits = 2, 5, 3 }},
		{"three steps", newGrid(t, 4, false), 1, func(c *Config) { c.InternalSpeedup, c.BufferFlits, c.PacketFlits = 3, 3, 5 }},
		{"steps in fractions", newGrid(t, 4, true), 0.9, func(c *Config) { c.InternalSpeedup, c.PacketFlits, c.CreditDelay = 1.5, 3, 3 }},
		{"slow lines", newSlowGrid(t, 4), 0.4, func(c *Config) { c.InternalSpeedup, c.PacketFlits = 2, 4 }},
		{"onoff", newGrid(t, 4, false), 0.3, func(c *Config) { c.Injection, c.Alpha, c.Beta = "on_off", 0.1, 0.2 }},
		{"poisson", newGrid(t, 4, false), 0.7, func(c *Config) { c.Injection = "poisson" }},
	} {
		cfg := DefaultConfig()
		cfg.Measure, cfg.Warmup, cfg.BufferFlits = 2000, 500, 6
		c.set(&cfg)
		tr := uniform{c.grid.k * c.grid.k}
		a, b := mustNew(t, c.grid, tr, cfg), mustNewFull(t, c.grid, tr, cfg)
		a.Reset(c.load, 7)
		b.Reset(c.load, 7)
		for range 3000 {
			a.Step(1)
			b.Step(1)
			if a.stat.flitHops != b.stat.flitHops || a.stat.accFlits != b.stat.accFlits || a.inNet != b.inNet {
				t.Fatalf("%s: cycle %d: flit hops %d and %d, accepted %d and %d, in the network %d and %d", c.name, a.now,
					a.stat.flitHops, b.stat.flitHops, a.stat.accFlits, b.stat.accFlits, a.inNet, b.inNet)
			}
		}
		if a.stat.accFlits < 100 {
			t.Errorf("%s: only %d flits arrived", c.name, a.stat.accFlits)
		}
	}
}

// mustNewFull makes a simulation that uses the general cycle whatever its settings.
func mustNewFull(tb testing.TB, g *grid, tr simcore.Traffic, cfg Config) *Sim {
	cfg.forceFull = true
	return mustNew(tb, g, tr, cfg)
}

// newSlowGrid is a torus whose links carry two of the three lanes that its endpoints have, so that queues stand behind the
// crossbars.
func newSlowGrid(tb testing.TB, k int) *grid {
	g := newGrid(tb, k, true)
	g.n.Lanes[0], g.n.Lanes[1], g.n.EndpointLanes = 3, 2, 3
	return g
}
