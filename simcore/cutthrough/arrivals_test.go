package cutthrough

import (
	"math"
	"testing"

	"toposearch/simcore"
)

// Sources have exponential gaps, equal ones, or are on and off by turns: each offers the load.
func TestMixedArrivals(t *testing.T) {
	processes, err := simcore.ParseInjection("mixed(1*poisson,1*constant,1*on_off(0.2,0.6))", arrivals...)
	if err != nil {
		t.Fatal(err)
	}
	s := &Sim{gap: 1000}
	for i, want := range []float64{1, 0, onOffSpread(0.2, 0.6, 4)} {
		x := &source{process: &processes[i], arrive: simcore.NewRand(1, 1)}
		const n = 200_000
		sum, squares, last := 0.0, 0.0, int64(0)
		for range n {
			s.advance(x)
			d := float64(x.next - last)
			last = x.next
			sum, squares = sum+d, squares+d*d
		}
		mean := sum / n
		spread := math.Sqrt(math.Max(0, squares/n-mean*mean)) / mean // 1 of exponential gaps
		if math.Abs(mean/1000-1) > 0.03 || math.Abs(spread-want) > 0.03*max(1, want) {
			t.Errorf("%s: mean gap %.1f, variation %.3f", processes[i].Kind, mean, spread)
		}
	}
}

// Sources that send next to nothing do so after every run, whatever their process: the time is beyond the range of integers.
func TestArrivalsNever(t *testing.T) {
	processes, err := simcore.ParseInjection("mixed(1*poisson,1*constant,1*on_off(1e-20,0.5))", arrivals...)
	if err != nil {
		t.Fatal(err)
	}
	for _, gap := range []float64{1e25, 1e300} {
		s := &Sim{gap: gap}
		for i := range processes {
			x := &source{process: &processes[i], arrive: simcore.NewRand(1, 1)}
			x.turns(0)
			if s.advance(x); x.next < never {
				t.Errorf("%s, mean gap %g ps: a packet after %d ps", processes[i].Kind, gap, x.next)
			}
		}
	}
}

// onOffSpread is the variation of the gaps of a source that makes packets at a rate while it is on: an interrupted Poisson process, whose
// gaps are of one of two exponential lengths (Kuczura, Bell System Technical Journal 52(3), 1973). With the chances a and b to turn on and off, by the
// first step from a packet: E = (1 + b/a)/r, E2 = 2 (E/r)(1 + b/a) + 2 b/(r a^2).
func onOffSpread(a, b, r float64) float64 {
	mean := (1 + b/a) / r
	square := 2*mean*mean + 2*b/(r*a*a)
	return math.Sqrt(square/mean/mean - 1)
}
