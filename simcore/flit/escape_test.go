package flit

import (
	"context"
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/routing"
	"toposearch/simcore"
	ways "toposearch/simcore/route"
	"toposearch/simcore/traffic"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// carousel goes around a ring of switches in one direction, on VC 0 without regard for circles, with VC 1 as escape ring.
type carousel struct{ n *topology.Network }

func (carousel) Name() string                                        { return "carousel" }
func (carousel) VCs() int                                            { return 2 }
func (carousel) Local() bool                                         { return true }
func (carousel) Escape() (uint8, bool)                               { return 1, true }
func (carousel) Inject(*simcore.Packet, *simcore.View) simcore.Entry { return simcore.Entry{} }
func (c carousel) Again(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) simcore.Hop {
	return c.hop(sw, p, p.Hops > 1)
}
func (c carousel) Route(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) simcore.Hop {
	return c.hop(sw, p, p.Hops > 0)
}

func (c carousel) hop(sw topology.SwitchID, p *simcore.Packet, away bool) simcore.Hop {
	if _, _, ports := c.n.Group(c.n.GroupOf(p.Dst)); ports[0] == sw {
		return simcore.Hop{Channel: simcore.Eject, Hi: 1}
	}
	out, end := c.n.Out(sw)
	for int(c.n.To(out)) != (int(sw)+1)%c.n.Switches() {
		if out++; out == end {
			panic("no ring")
		}
	}
	if away && p.VC == 1 {
		return simcore.Hop{Channel: out, Lo: 1, Hi: 1}
	}
	h := simcore.Hop{Channel: out}
	if away {
		h.SecondHop = simcore.SecondHop{HasAlt: true, AltLo: 1, AltHi: 1, Alt: out}
	}
	return h
}

// labNetwork makes the network of a design.
func labNetwork(t testing.TB, text string) (topology.Design, *topology.Network) {
	t.Helper()
	return familytest.Build(t, text)
}

// overloaded runs a network with endpoints that always send, and reports whether packets arrive all the time;
// those under way have to arrive once nobody sends any more.
func overloaded(t *testing.T, name string, s *Sim, cycles int) (flows bool) {
	t.Helper()
	const slice = 500 // cycles in which something has to arrive: the longest way of a packet on a ring is a few hundred
	s.Reset(1, 3)
	for range cycles / slice {
		before := s.stat.accFlits
		for range slice / 50 {
			s.Step(50)
			if err := s.check(); err != nil {
				t.Fatalf("%s: cycle %d: %v", name, s.now, err)
			}
		}
		if s.stat.accFlits == before {
			return false
		}
	}
	s.StopInjection()
	for range 400 {
		if s.Step(100); s.live == 0 {
			return true
		}
	}
	t.Errorf("%s: %d packets have not arrived %d cycles after the last was sent", name, s.live, 40000)
	return false
}

// Packets that wait for each other in a circle escape by a ring under bubble flow control; where
// a packet may come to the ring if there is room for it alone, the ring fills up and all stand.
func TestBubble(t *testing.T) {
	racing.Figures(t)
	_, n := labNetwork(t, "ring(n=6,t=2)")
	for _, full := range []bool{false, true} {
		for _, bubble := range []bool{true, false} {
			cfg := DefaultConfig()
			cfg.VCs, cfg.PacketFlits, cfg.BufferFlits, cfg.forceFull = 2, 4, 8, full
			s, err := New(n, carousel{n}, uniform{n.Endpoints()}, cfg)
			if err != nil {
				t.Fatal(err)
			}
			if !bubble {
				s.escape.vc = 99 // no VC is the ring's
			}
			if got := overloaded(t, "carousel", s, 6000); got != bubble {
				t.Errorf("general cycle %t, bubble %t: packets arrive: %t", full, bubble, got)
			}
		}
	}
}

// ofarSim is ofar on a small dragonfly.
func ofarSim(t testing.TB, traf string, set func(*Config)) *Sim {
	t.Helper()
	d, n := labNetwork(t, "dragonfly(p=2,a=4,h=2)")
	cfg := DefaultConfig()
	cfg.VCs, cfg.PacketFlits, cfg.BufferFlits = 2, 4, 8
	set(&cfg)
	r, err := ways.ByName(context.Background(), "ofar", n, ways.Options{Natural: d.Family.Natural(d.V), Blocks: routing.BlocksOf(n, d.Family.Place(d.V)), VCs: cfg.VCs})
	if err != nil {
		t.Fatal(err)
	}
	tr, err := traffic.ByName(traf, traffic.Options{Network: n, Blocks: 9})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(n, r, tr, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Far beyond what it can carry, with the fewest VCs and the smallest buffers, ofar delivers all the time, and in the end everything.
func TestOFAROverloaded(t *testing.T) {
	racing.Figures(t)
	for _, c := range []struct {
		traffic string
		set     func(*Config)
	}{
		{"group_adversarial", func(c *Config) {}},
		{"uniform", func(c *Config) { c.InternalSpeedup = 2 }},
		{"group_shift", func(c *Config) { c.RoutingDelay, c.VCs = 0, 3 }},
	} {
		cycles := 30000
		if testing.Short() {
			cycles = 3000
		}
		if !overloaded(t, c.traffic, ofarSim(t, c.traffic, c.set), cycles) {
			t.Errorf("%s: nothing arrives", c.traffic)
		}
	}
}

// The general cycle and several parts do with ofar what the plain one does.
func TestOFARAgrees(t *testing.T) {
	speedups := []float64{1, 1.5, 2}
	for _, speedup := range speedups[:racing.Of(len(speedups), 0)] { // without other goroutines
		a := ofarSim(t, "group_adversarial", func(c *Config) { c.VCs, c.InternalSpeedup = 3, speedup })
		b := ofarSim(t, "group_adversarial", func(c *Config) { c.VCs, c.InternalSpeedup, c.forceFull = 3, speedup, true })
		a.Reset(0.6, 7)
		b.Reset(0.6, 7)
		for range 1000 {
			a.Step(1)
			b.Step(1)
			if a.stat.flitHops != b.stat.flitHops || a.stat.accFlits != b.stat.accFlits || a.inNet != b.inNet {
				t.Fatalf("speedup %g, cycle %d: flit hops %d and %d, accepted %d and %d", speedup, a.now, a.stat.flitHops, b.stat.flitHops, a.stat.accFlits, b.stat.accFlits)
			}
		}
	}
	agree(t, "ofar", func() *Sim { return ofarSim(t, "group_adversarial", func(c *Config) {}) }, 0.5, 3)
	agree(t, "ofar in lanes", func() *Sim { return ofarSim(t, "uniform", func(c *Config) { c.lanes = 4 }) }, 0.7, 2)
	agree(t, "ofar, general", func() *Sim { return ofarSim(t, "uniform", func(c *Config) { c.InternalSpeedup = 2 }) }, 0.7, 2)
}

// What the bubble does not hold for is refused.
func TestBubbleNeeds(t *testing.T) {
	_, n := labNetwork(t, "ring(n=6,t=2)")
	for want, set := range map[string]func(*Config){
		"two packets of 4 flits": func(c *Config) { c.BufferFlits = 7 },
		"packets of one size":    func(c *Config) { c.Sizes, c.Weights = []int{4, 2}, []int{1, 1} },
		"VCs do not share":       func(c *Config) { c.SharedFlits = 4 },
		"needs a VC allocator":   func(c *Config) { c.Speculative, c.VCAllocator = true, "piggyback" },
	} {
		cfg := DefaultConfig()
		cfg.PacketFlits, cfg.BufferFlits = 4, 8
		set(&cfg)
		if _, err := New(n, carousel{n}, uniform{n.Endpoints()}, cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	cfg := DefaultConfig()
	cfg.PacketFlits, cfg.BufferFlits = 4, 8
	s, err := New(n, carousel{n}, uniform{n.Endpoints()}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	w := simcore.Workload{Kind: simcore.LoopAllToAll, Message: 6}
	if _, err := s.RunWorkload(context.Background(), w); err == nil || !strings.Contains(err.Error(), "messages of 6 flits") {
		t.Errorf("messages of a packet and a half: %v", err)
	}
}
