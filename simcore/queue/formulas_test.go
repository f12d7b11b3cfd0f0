package queue

import (
	"math"
	"testing"
)

// TestMet: two inputs of one VC each share two outputs evenly (mix 1/2). An output that is in use for the part rho of the time has
// packets for rho (1 + W) of both fronts, W = (rho/4)/(1 - rho/2): all of them at rho = 3 - sqrt(5) = 0.764 (exact: 3/4). Of
// many inputs nobody meets himself: 2 - sqrt(2), and V + 1 - sqrt(V^2 + 1) with V VCs (Karol, Hluchyj, Morgan 1987).
func TestMet(t *testing.T) {
	full := func(mix, vcs float64) float64 {
		lo, hi := 0.0, 1.0
		for range 50 {
			rho := (lo + hi) / 2
			at := rho + met(waiting(rho, mix)-rho, rho, mix, vcs)
			if at < vcs {
				lo = rho
			} else {
				hi = rho
			}
		}
		return lo
	}
	for _, c := range []struct{ mix, vcs, want float64 }{{0.5, 1, 3 - math.Sqrt(5)}, {1, 1, 2 - math.Sqrt2}, {1, 4, 5 - math.Sqrt(17)}} {
		if got := full(c.mix, c.vcs); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("mix %g, %g VCs: full at %.6f, want %.6f", c.mix, c.vcs, got, c.want)
		}
	}
}

// TestBeyond against the sum over both geometric queues, term by term.
func TestBeyond(t *testing.T) {
	for _, q := range []float64{0, 0.3, 2} {
		for _, n := range []float64{0, 0.3, 1, 3} {
			for _, room := range []int{0, 1, 5} {
				want := 0.0
				for i := range 400 {
					for k := range 400 {
						p := math.Pow(q/(1+q), float64(i)) / (1 + q) * math.Pow(n/(1+n), float64(k)) / (1 + n)
						want += p * max(0, float64(i+k-room))
					}
				}
				if got := beyond(q, n, float64(room)); math.Abs(got-want) > 1e-6 {
					t.Errorf("beyond(%g, %g, %d) = %.9f, want %.9f", q, n, room, got, want)
				}
			}
		}
	}
	if got := beyond(1, 2, -3); got != 6 {
		t.Errorf("without room for what is under way: %g, want 6", got)
	}
}

// TestStored: a VC whose packets come evenly holds the one at its front; of what comes by chance it is an M/D/1 queue; none holds more than its slots.
func TestStored(t *testing.T) {
	for _, c := range []struct{ u, vary, want float64 }{{0.5, 1, 0.75}, {0.5, 0, 0.5}, {0.5, 0.64, 0.66}, {0.99, 1, 4}, {1, 0, 4}} {
		if got := stored(c.u, c.vary, 4); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%+v: %g", c, got)
		}
	}
}

// TestVaries: what leaves a full channel comes evenly, behind an idle one by chance and, dealt out to VCs in turn, more evenly; packets of a layer do not. Of two legs
// one has a packet of an even stream with a chance of a half, geometric with 1 - 1/2, and two VCs have every second of these; of one by chance as well.
func TestVaries(t *testing.T) {
	for _, c := range []struct {
		rho, vcs, legs float64
		layers         bool
		want           float64
	}{{1, 1, 1, false, 0}, {0, 1, 1, false, 1}, {0, 4, 1, false, 0.25}, {0.6, 2, 1, false, 0.32}, {0.6, 2, 1, true, 0.5}, {1, 4, 2, false, 0.25}, {0, 4, 2, false, 0.5}} {
		if got := varies(c.rho, c.vcs, c.legs, c.layers); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%+v: %g", c, got)
		}
	}
}
