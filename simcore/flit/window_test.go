package flit

import (
	"context"
	"math"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore"
)

// A window that grew by doubling measures what one of its final length measures from the start.
func TestPrecision(t *testing.T) {
	racing.Figures(t)
	cfg := shortConfig()
	cfg.Measure, cfg.Precision = 1000, 0.01
	s := mustNew(t, newGrid(t, 4, false), uniform{16}, cfg)
	p, err := s.Run(t.Context(), 0.5)
	if err != nil {
		t.Fatal(err)
	}
	if p.Stop != simcore.StopPrecision || p.Latency.CI95 > 0.0105*p.Latency.Mean || p.AcceptedCI95 > 0.01*p.Accepted || p.Measured < 2000 {
		t.Fatalf("stop %s after %d cycles, latency %.3f +- %.3f, accepted %.4f +- %.4f", p.Stop, p.Measured, p.Latency.Mean, p.Latency.CI95, p.Accepted, p.AcceptedCI95)
	}
	cfg.Measure, cfg.Precision = int(p.Measured), 0
	q, _ := mustNew(t, newGrid(t, 4, false), uniform{16}, cfg).Run(t.Context(), 0.5)
	if q.Stop != simcore.StopWindow || q.Latency != p.Latency || q.Accepted != p.Accepted || q.AcceptedErr != p.AcceptedErr || q.Packets != p.Packets {
		t.Errorf("grown:  %+v\nat once: %+v", p, q)
	}
	cfg.Measure, cfg.Precision, cfg.MaxMeasure = 1000, 1e-4, 4000
	if q, _ = mustNew(t, newGrid(t, 4, false), uniform{16}, cfg).Run(t.Context(), 0.5); q.Stop != simcore.StopBudget || q.Measured != 4000 {
		t.Errorf("stop %s after %d cycles", q.Stop, q.Measured)
	}
	if q, _ = mustNew(t, newGrid(t, 4, false), uniform{16}, cfg).Run(t.Context(), 1); q.Stop != simcore.StopSaturated || q.Measured != 1000 {
		t.Errorf("saturated: stop %s after %d cycles", q.Stop, q.Measured)
	}
}

// A window that ends before packets have crossed the network tells nothing, and is not said to saturate; one in which sources cannot
// get rid of their packets is, however short.
func TestTooShort(t *testing.T) {
	racing.Figures(t)
	cfg := shortConfig()
	cfg.Warmup, cfg.Measure = 0, 40 // the mean route of a ring of 16 x 16 switches takes 8 hops of 5 cycles
	s := mustNew(t, newGrid(t, 16, true), uniform{256}, cfg)
	p, err := s.Run(t.Context(), 0.05)
	if err != nil {
		t.Fatal(err)
	}
	if p.Saturated || p.Stop != simcore.StopTooShort || p.Packets == 0 {
		t.Errorf("after %d cycles: saturated %t, stop %s, %d packets measured; want %s", p.Measured, p.Saturated, p.Stop, p.Packets, simcore.StopTooShort)
	}
	s = mustNew(t, newGrid(t, 16, true), uniform{256}, cfg)
	if p, err = s.Run(t.Context(), 1); err != nil || !p.Saturated || p.Stop == simcore.StopTooShort {
		t.Errorf("load 1: saturated %t, stop %s, %v", p.Saturated, p.Stop, err)
	}
	cfg.Warmup = 400
	s = mustNew(t, newGrid(t, 16, true), uniform{256}, cfg)
	if p, err = s.Run(t.Context(), 0.05); err != nil || p.Saturated || p.Stop != simcore.StopWindow {
		t.Errorf("warm: saturated %t, stop %s, %v", p.Saturated, p.Stop, err)
	}
}

// The confidence interval holds the mean of many seeds about 19 times in 20.
func TestCoverage(t *testing.T) {
	racing.Figures(t)
	const seeds = 30
	cfg := shortConfig()
	cfg.Measure = 2000
	var means, half [seeds]float64
	grand := 0.0
	s := mustNew(t, newGrid(t, 4, false), uniform{16}, cfg)
	for i := range seeds {
		s.cfg.Seed = uint64(100 + i)
		p, err := s.Run(t.Context(), 0.3)
		if err != nil {
			t.Fatal(err)
		}
		means[i], half[i] = p.Latency.Mean, p.Latency.CI95
		grand += p.Latency.Mean / seeds
	}
	in := 0
	for i := range seeds {
		if math.Abs(means[i]-grand) <= half[i] {
			in++
		}
	}
	// 28.5 expected of 30, standard deviation 1.2.
	if in < 24 {
		t.Errorf("%d of %d intervals hold the mean", in, seeds)
	}
}

// Long links: the first packets arrive after the first look, so that the warm-up goes on; a
// saturated network never settles, and does not cost the whole limit.
func TestWarmupRule(t *testing.T) {
	racing.Figures(t)
	cfg := shortConfig()
	cfg.WarmupRule, cfg.Warmup, cfg.WarmupLimit, cfg.LinkLatency = simcore.WarmupMSER5, 200, 4000, 150
	p, err := mustNew(t, newGrid(t, 4, false), uniform{16}, cfg).Run(t.Context(), 0.2)
	if err != nil {
		t.Fatal(err)
	}
	if w := p.Warmup; !w.Settled || w.Cycles < 1200 || w.Cycles >= 4000 || w.Truncation < 450 || w.Looks < 3 || w.Rule != simcore.WarmupMSER5 {
		t.Errorf("warm-up %+v", w)
	}
	cfg.LinkLatency, cfg.Warmup, cfg.WarmupLimit = 1, 500, 0
	p, _ = mustNew(t, newGrid(t, 4, false), uniform{16}, cfg).Run(t.Context(), 0.2)
	if w := p.Warmup; !w.Settled || w.Cycles != 500 {
		t.Errorf("a quick network: warm-up %+v", w)
	}
	p, _ = mustNew(t, newGrid(t, 4, false), uniform{16}, cfg).Run(t.Context(), 1)
	if w := p.Warmup; w.Settled || w.Cycles > 1200 || !p.Saturated {
		t.Errorf("a saturated network: warm-up %+v", w)
	}
}

// What had been measured comes back when the context ends.
func TestInterruptedMeasure(t *testing.T) {
	racing.Figures(t)
	cfg := shortConfig()
	cfg.Measure = 100_000
	s := mustNew(t, newGrid(t, 4, false), uniform{16}, cfg)
	ctx, cancel := context.WithCancel(t.Context())
	at := simcore.Cycle(0)
	s.cfg.Observe.Progress = func(now simcore.Cycle) {
		if at = now; now > 11_000 {
			cancel()
		}
	}
	p, err := s.Run(ctx, 0.3)
	if err == nil || !p.Interrupted || p.Stop != simcore.StopInterrupted || p.Measured < 9_000 || p.Measured > 20_000 {
		t.Fatalf("%v: %+v at %d", err, p, at)
	}
	if math.Abs(p.Accepted-0.3) > 0.01 || p.Latency.Mean < 20 || p.Latency.CI95 <= 0 || p.AcceptedErr <= 0 {
		t.Errorf("measured %+v", p)
	}
}
