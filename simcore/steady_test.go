package simcore

import (
	"context"
	"math"
	"testing"
)

// MSER-5 cuts where a step is, nothing where there is none, and late where the series still rises.
func TestMSER5(t *testing.T) {
	step, flat, rise := make([]float64, 100), make([]float64, 100), make([]float64, 100)
	for i := range step {
		noise := float64(i*7919%13) / 13
		step[i], flat[i], rise[i] = noise, 5, float64(i)
		if i < 23 {
			step[i] += 50
		}
	}
	if d := mser5(step); d != 23 {
		t.Errorf("a step after 23 values: cut %d", d)
	}
	if d := mser5(flat); d != 0 {
		t.Errorf("a constant: cut %d", d)
	}
	// Of a line the sum of squares is n(n^2-1)/12, so that n^2 divides it to about n/12: the fewer the better.
	if d := mser5(rise); d != len(rise)-mserMargin {
		t.Errorf("a line: cut %d", d)
	}
	// The plain formula.
	for _, y := range [][]float64{step, rise} {
		best, at := math.Inf(1), 0
		for d := 0; d <= len(y)-mserMargin; d++ {
			mean, q := 0.0, 0.0
			for _, x := range y[d:] {
				mean += x
			}
			mean /= float64(len(y) - d)
			for _, x := range y[d:] {
				q += (x - mean) * (x - mean)
			}
			if v := q / math.Pow(float64(len(y)-d), 2); v < best {
				best, at = v, d
			}
		}
		if d := mser5(y); d != at {
			t.Errorf("cut %d, the formula says %d", d, at)
		}
	}
}

// A window that grew by doubling measures what one of its final length measures from the start.
func TestPrecision(t *testing.T) {
	cfg := shortConfig()
	cfg.Measure, cfg.Precision = 1000, 0.01
	s := mustNew(t, newGrid(t, 4, false), uniform{16}, cfg)
	p, err := s.Run(t.Context(), 0.5)
	if err != nil {
		t.Fatal(err)
	}
	if p.Stop != StopPrecision || p.Latency.CI95 > 0.0105*p.Latency.Mean || p.AcceptedCI95 > 0.01*p.Accepted || p.Measured < 2000 {
		t.Fatalf("stop %s after %d cycles, latency %.3f +- %.3f, accepted %.4f +- %.4f", p.Stop, p.Measured, p.Latency.Mean, p.Latency.CI95, p.Accepted, p.AcceptedCI95)
	}
	cfg.Measure, cfg.Precision = int(p.Measured), 0
	q, _ := mustNew(t, newGrid(t, 4, false), uniform{16}, cfg).Run(t.Context(), 0.5)
	if q.Stop != StopWindow || q.Latency != p.Latency || q.Accepted != p.Accepted || q.AcceptedErr != p.AcceptedErr || q.Packets != p.Packets {
		t.Errorf("grown:  %+v\nat once: %+v", p, q)
	}
	cfg.Measure, cfg.Precision, cfg.MaxMeasure = 1000, 1e-4, 4000
	if q, _ = mustNew(t, newGrid(t, 4, false), uniform{16}, cfg).Run(t.Context(), 0.5); q.Stop != StopBudget || q.Measured != 4000 {
		t.Errorf("stop %s after %d cycles", q.Stop, q.Measured)
	}
	if q, _ = mustNew(t, newGrid(t, 4, false), uniform{16}, cfg).Run(t.Context(), 1); q.Stop != StopSaturated || q.Measured != 1000 {
		t.Errorf("saturated: stop %s after %d cycles", q.Stop, q.Measured)
	}
}

// The confidence interval holds the mean of many seeds about 19 times in 20.
func TestCoverage(t *testing.T) {
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
	cfg := shortConfig()
	cfg.WarmupRule, cfg.Warmup, cfg.WarmupLimit, cfg.LinkLatency = WarmupMSER5, 200, 4000, 150
	p, err := mustNew(t, newGrid(t, 4, false), uniform{16}, cfg).Run(t.Context(), 0.2)
	if err != nil {
		t.Fatal(err)
	}
	if w := p.Warmup; !w.Settled || w.Cycles < 1200 || w.Cycles >= 4000 || w.Truncation < 450 || w.Looks < 3 || w.Rule != WarmupMSER5 {
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
	cfg := shortConfig()
	cfg.Measure = 100_000
	s := mustNew(t, newGrid(t, 4, false), uniform{16}, cfg)
	ctx, cancel := context.WithCancel(t.Context())
	at := Cycle(0)
	s.cfg.Observe.Progress = func(now Cycle) {
		if at = now; now > 11_000 {
			cancel()
		}
	}
	p, err := s.Run(ctx, 0.3)
	if err == nil || !p.Interrupted || p.Stop != StopInterrupted || p.Measured < 9_000 || p.Measured > 20_000 {
		t.Fatalf("%v: %+v at %d", err, p, at)
	}
	if math.Abs(p.Accepted-0.3) > 0.01 || p.Latency.Mean < 20 || p.Latency.CI95 <= 0 || p.AcceptedErr <= 0 {
		t.Errorf("measured %+v", p)
	}
}

// Intervals of correlated batches: a first-order autoregression of 20 values, whose mean is 0. What
// theory says of independent values, and that the correlation found is made up for.
func TestErrOfCorrelatedMeans(t *testing.T) {
	const runs, n = 2000, 20
	rng := NewRand(7, 11)
	normal := func() float64 { // Irwin-Hall: the sum of 12 uniform numbers, less 6
		x := -6.0
		for range 12 {
			x += rng.Float64()
		}
		return x
	}
	for _, c := range []struct{ rho, least, most float64 }{{0, 0.945, 0.985}, {0.3, 0.915, 0.96}, {0.6, 0.88, 0.93}, {0.8, 0.8, 0.89}} {
		in := 0
		for range runs {
			x := make([]float64, n)
			v := normal() / math.Sqrt(1-c.rho*c.rho)
			mean := 0.0
			for i := range x {
				x[i] = v
				mean += v / n
				v = c.rho*v + normal()
			}
			if math.Abs(mean) <= CI95(ErrOfMean(x), n) {
				in++
			}
		}
		if share := float64(in) / runs; share < c.least || share > c.most {
			t.Errorf("correlation %.1f: %.3f of the intervals hold the mean, want %.3f to %.3f", c.rho, share, c.least, c.most)
		}
	}
	// Independent, few or constant values: the textbook's standard error.
	if got := ErrOfMean([]float64{1, 2, 3, 4}); math.Abs(got-math.Sqrt(5.0/3/4)) > 1e-12 {
		t.Errorf("of 1 to 4: %g", got)
	}
	if got := ErrOfMean([]float64{5, 5, 5, 5, 5, 5, 5, 5, 5, 5}); got != 0 {
		t.Errorf("of a constant: %g", got)
	}
}
