package flit

import (
	"context"
	"testing"

	"toposearch/simcore"
	"toposearch/topology"
)

func mustNew(tb testing.TB, g *grid, t simcore.Traffic, cfg Config) *Sim {
	tb.Helper()
	s, err := New(g.n, g, t, cfg)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// A lone packet of s flits over H switches takes Li + Le + 1 + H*P + sum(L) + s - 1 cycles
// (reference/simcore.md 1.2): with all delays 1, 3 + 4H + (H-1) + s - 1.
func TestZeroLoadFormula(t *testing.T) {
	const k = 4
	g := newGrid(t, k, false)
	for _, c := range []struct {
		name string
		set  func(*Config)
		p    int // pipeline length
		l    int // link latency
	}{
		{"defaults", func(*Config) {}, 4, 1},
		{"lookahead", func(c *Config) { c.RoutingDelay = 0 }, 3, 1},
		{"long", func(c *Config) { c.LinkLatency = 7 }, 4, 7},
		{"deep", func(c *Config) {
			c.RoutingDelay, c.VCAllocDelay, c.SwAllocDelay, c.StPrepare, c.StFinal = 2, 3, 4, 1, 2
		}, 12, 1},
		{"packet", func(c *Config) { c.PacketFlits = 5 }, 4, 1},
	} {
		cfg := DefaultConfig()
		cfg.VCs = 2
		c.set(&cfg)
		for dst := range k * k {
			to := make(fixed, k*k)
			for i := range to {
				to[i] = -1
			}
			to[0] = topology.EndpointID(dst)
			s := mustNew(t, g, to, cfg)
			s.Reset(1e-3, 1)
			s.stat.recNow = 0
			for s.stat.plat.N() == 0 {
				s.Step(1)
			}
			h := dst%k + dst/k + 1
			want := int64(2*c.l + 1 + h*c.p + (h-1)*c.l + cfg.PacketFlits - 1)
			if got := s.stat.plat.Max(); got != want {
				t.Errorf("%s: latency from 0 to %d = %d, want %d", c.name, dst, got, want)
			}
			if got := s.stat.hops; got != int64(h) {
				t.Errorf("%s: switches from 0 to %d = %d, want %d", c.name, dst, got, h)
			}
		}
	}
}

// Under uniform traffic without self-addressed packets the middle links of an 8x8 mesh carry
// 2 * 63/64 flits per unit of load and cycle (Dally and Towles, section 3: 8/4 with self
// traffic): capacity 0.492. A well-buffered router reaches most of it, never more.
func TestMeshSaturation(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	g := newGrid(t, 8, false)
	cfg := DefaultConfig()
	cfg.VCs, cfg.Measure = 8, 6000
	s := mustNew(t, g, uniform{64}, cfg)
	r, err := s.Saturation(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	bound := 63.0 / 128
	if r.Load > bound*1.01 || r.Load < 0.8*bound {
		t.Errorf("saturation load %.3f, want 0.8 to 1 times %.3f", r.Load, bound)
	}
	t.Logf("saturation %.4f (above %.4f), %d runs", r.Load, r.Above, len(r.Points))
}
