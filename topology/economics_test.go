package topology

import (
	"math"
	"testing"
)

// The survey's example: 51.2 Tb/s, 400 ns, 100,000 endpoints, 16 KB. Its aspect ratio 1842.07 takes a
// KB for 1000 bytes; then k = 90.67, since 90.67 ln^2 90.67 = 90.67 * 20.315 = 1842.
var surveyExample = Economics{SwitchBps: 51.2e12, DelayS: 400e-9, Endpoints: 1e5, MessageBits: 16_000 * 8}

func TestOptimalRadix(t *testing.T) {
	if got := surveyExample.AspectRatio(); math.Abs(got-1842.07) > 0.005 {
		t.Errorf("aspect ratio %v, want 1842.07", got)
	}
	if got := surveyExample.OptimalRadix(); math.Abs(got-90.67) > 0.005 {
		t.Errorf("optimal radix %v, want 90.67", got)
	}
	for _, e := range []Economics{surveyExample, {1e12, 1e-7, 1000, 8000}, {12.8e12, 5e-7, 1e6, 4096 * 8}, {1e9, 1e-6, 64, 1e9}} {
		k := e.OptimalRadix()
		for _, other := range []float64{k * 0.99, k * 1.01, k * 2} {
			if other > 1 && e.LatencyS(other) < e.LatencyS(k) {
				t.Errorf("%+v: latency at k = %v is below that at the optimum %v", e, other, k)
			}
		}
	}
}

// TestMoore: degree 7 and diameter 2 allow 50 switches, the Hoffman-Singleton graph; degree 3 and
// diameter 2 allow 10, the Petersen graph. With diameter 1 all switches are linked: k-d endpoints on
// d+1 switches, most at d = (k-1)/2. The survey: 88 ports for 100,000 endpoints at diameter 2, as 87
// give 97,585 and 88 give 100,978.
func TestMoore(t *testing.T) {
	if a, b := MooreSwitches(7, 2), MooreSwitches(3, 2); a != 50 || b != 10 {
		t.Errorf("Moore bounds %v and %v, want 50 and 10", a, b)
	}
	if n, d := MooreEndpoints(63, 1); n != 32*32 || d != 31 {
		t.Errorf("63 ports, diameter 1: %v endpoints at degree %d, want 1024 at 31", n, d)
	}
	for _, c := range []struct {
		k int
		n float64
	}{{87, 97_585}, {88, 100_978}} {
		if n, _ := MooreEndpoints(c.k, 2); n != c.n {
			t.Errorf("%d ports, diameter 2: %v endpoints, want %v", c.k, n, c.n)
		}
	}
	if k := MooreRadix(1e5, 2); k != 88 {
		t.Errorf("100,000 endpoints at diameter 2 take %d ports, want 88", k)
	}
}
