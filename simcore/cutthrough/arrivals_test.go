package cutthrough

import (
	"math"
	"testing"

	"toposearch/simcore"
)

// Half of the sources have equal gaps, the others exponential ones; either offers the load.
func TestMixedArrivals(t *testing.T) {
	processes, err := simcore.ParseInjection("mixed(1*poisson,1*constant)", arrivals...)
	if err != nil {
		t.Fatal(err)
	}
	s := &Sim{gap: 1000}
	for i, want := range []bool{false, true} {
		x := &source{even: processes[i].Kind == simcore.Constant, arrive: simcore.NewRand(1, 1)}
		const n = 20_000
		sum, squares, last := 0.0, 0.0, int64(0)
		for range n {
			s.advance(x)
			d := float64(x.next - last)
			last = x.next
			sum, squares = sum+d, squares+d*d
		}
		mean := sum / n
		spread := math.Sqrt(math.Max(0, squares/n-mean*mean)) / mean // 1 of exponential gaps
		if math.Abs(mean/1000-1) > 0.03 || x.even != want || math.Abs(spread-is(!want)) > 0.03 {
			t.Errorf("%s: mean gap %.1f, variation %.3f", processes[i].Kind, mean, spread)
		}
	}
}

func is(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
