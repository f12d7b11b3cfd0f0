package flit

import (
	"math"
	"testing"

	"toposearch/simcore"
)

// The table gives what the logarithm gives, at random points and on both sides of every border of
// the table; and at high probabilities it is used.
func TestGeometric(t *testing.T) {
	r := simcore.NewRand(1, 2)
	for _, p := range []float64{1e-9, 0.001, 0.01, 0.1, 0.3, 0.4, 0.5, 0.75, 0.9, 0.999999} {
		var g geometric
		g.set(math.Log1p(-p))
		check := func(u float64) {
			if got, want := g.draw(u), int64(math.Log(1-u)/math.Log1p(-p)); got != want {
				t.Fatalf("p = %g: %d failures for u = %v, want %d", p, got, u, want)
			}
		}
		for i := range 256 {
			u := float64(i) / 256
			check(u)
			check(math.Nextafter(u, 1))
			if i > 0 {
				check(math.Nextafter(u, 0))
			}
		}
		for range 20000 {
			check(r.Float64())
		}
		known := 0
		for _, k := range g.known {
			if k >= 0 {
				known++
			}
		}
		if p >= 0.3 && known < 200 {
			t.Errorf("p = %g: %d of 256 ranges are known, want at least 200", p, known)
		}
	}
}

// The first packet of a load next to nothing comes after every run: its time is beyond the range of integers.
func TestGeometricNever(t *testing.T) {
	for _, p := range []float64{1e-20, 1e-300} {
		var g geometric
		g.set(math.Log1p(-p))
		if got := g.draw(0.5); got != never {
			t.Errorf("p = %g: %d failures, want %d", p, got, int64(never))
		}
	}
}
