package simtest_test

import (
	"testing"

	"toposearch/simcore"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
	"toposearch/topology"
)

// withoutEscape takes the second choices away from a routing.
type withoutEscape struct{ *route.Native }

func (r withoutEscape) Route(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) simcore.Hop {
	h := r.Native.Route(sw, p, v)
	h.SecondHop = simcore.SecondHop{}
	return h
}

// Escapes is false: VCs need not be those of one packet at a time.
func (r withoutEscape) Escapes() bool { return false }

// TestEscape runs shortest paths with escape channels far beyond saturation, packets longer than buffers and one
// adaptive VC. Without the escape channels the same stands still on each of these networks.
func TestEscape(t *testing.T) {
	for _, c := range []struct{ design, traffic string }{
		{"torus(k1=5,k2=5)", "uniform"},
		{"mesh(k1=5,k2=5)", "uniform"},
		{"slimfly(q=3)", "uniform"},
		{"hyperx(s1=4,s2=4,t=3)", "uniform"},
	} {
		n := build(t, c.design)
		r, err := route.ByName(t.Context(), "adaptive_escape", n.Network, n.opt)
		if err != nil {
			t.Fatal(err)
		}
		if rep, err := r.CheckDeadlock(t.Context()); err != nil || !rep.Acyclic || !rep.Proven {
			t.Fatalf("%s: %v, %s", c.design, err, rep.Words(n.Network))
		}
		tr, err := traffic.ByName(c.traffic, traffic.Options{Network: n.Network})
		if err != nil {
			t.Fatal(err)
		}
		for _, escapes := range []bool{true, false} {
			cfg := flit.DefaultConfig()
			cfg.VCs, cfg.BufferFlits, cfg.PacketFlits, cfg.Warmup, cfg.Measure, cfg.DeadlockCycles = r.VCs(), 4, 9, 500, 6000, 500
			var x simcore.Routing = r
			if !escapes {
				x = withoutEscape{r}
			}
			s, err := flit.New(n.Network, x, tr, cfg)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Config().WaitForTailCredit; got != escapes {
				t.Errorf("%s: wait_for_tail_credit is %v", c.design, got)
			}
			p, err := s.Run(t.Context(), 1)
			if err != nil {
				t.Fatal(err)
			}
			if p.Deadlocked == escapes {
				t.Errorf("%s, escape channels %v: deadlocked %v", c.design, escapes, p.Deadlocked)
			}
		}
	}
}
