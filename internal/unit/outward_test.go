package unit

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestOutward(t *testing.T) {
	for _, c := range []struct {
		x      float64
		digits int
		up     bool
		want   float64
	}{
		{757782.304, 6, true, 757783}, {757782.304, 6, false, 757782}, {0.7, 6, true, 0.7}, {0, 4, true, 0}, {99999.6, 5, true, 100000}, {1e-300, 4, false, 1e-300},
		{-1.23456, 3, true, -1.23}, {-1.23456, 3, false, -1.24}, {math.Inf(1), 4, true, math.Inf(1)},
	} {
		if got := Outward(c.x, c.digits, c.up); got != c.want {
			t.Errorf("%v to %d digits, up %v: %v, want %v", c.x, c.digits, c.up, got, c.want)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 10000 {
		x, digits := (rng.Float64()-0.5)*math.Pow(10, 20*rng.Float64()-10), 2+rng.IntN(6)
		lo, hi := Outward(x, digits, false), Outward(x, digits, true)
		if !(lo <= x && x <= hi) || hi-lo > 1.01*math.Pow10(int(math.Floor(math.Log10(math.Abs(x))))-digits+1) {
			t.Fatalf("%v to %d digits: %v to %v", x, digits, lo, hi)
		}
	}
}
