package simcore

import (
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
