package flit

import (
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore"
)

// With one VC, slots of its own and slots that it shares with nobody are the same.
func TestSharedOfOneVC(t *testing.T) {
	racing.Figures(t)
	run := func(private, shared int, force bool) simcore.Point {
		g := newGrid(t, 4, false)
		cfg := DefaultConfig()
		cfg.VCs, cfg.BufferFlits, cfg.SharedFlits, cfg.PacketFlits, cfg.forceFull = 1, private, shared, 3, force
		cfg.Warmup, cfg.Measure = 500, 2000
		return mustRun(t, mustNew(t, g, uniform{16}, cfg), 0.6)
	}
	want := run(7, 0, false)
	for _, c := range []struct{ private, shared int }{{1, 6}, {3, 4}, {6, 1}} {
		for _, force := range []bool{false, true} {
			if got := run(c.private, c.shared, force); got.Latency != want.Latency || got.Accepted != want.Accepted || got.Packets != want.Packets {
				t.Errorf("%d+%d slots: accepted %v, latency %v; 7 slots: %v, %v", c.private, c.shared, got.Accepted, got.Latency, want.Accepted, want.Latency)
			}
		}
	}
}

// Shared slots beside one of its own serve a VC better than that one alone.
func TestSharedServesBetter(t *testing.T) {
	racing.Figures(t)
	run := func(shared int) float64 {
		g := newGrid(t, 6, false)
		cfg := DefaultConfig()
		cfg.VCs, cfg.BufferFlits, cfg.SharedFlits = 4, 1, shared
		cfg.Warmup, cfg.Measure = 1000, 4000
		return mustRun(t, mustNew(t, g, uniform{36}, cfg), 1).Accepted
	}
	if few, many := run(0), run(12); many < 1.2*few {
		t.Errorf("accepted at full load: %.3f with 1 slot per VC, %.3f with 12 shared beside it", few, many)
	}
}

func mustRun(t *testing.T, s *Sim, load float64) simcore.Point {
	t.Helper()
	p, err := s.Run(t.Context(), load)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
