package verify

import "testing"

// Progress is by modelled work, within a simulation too, and never falls.
func TestProgress(t *testing.T) {
	x := &progress{costs: []Cost{{Seconds: 30, Work: 1000}, {Seconds: 10, Work: 100}, {}}, done: make([]float64, 3), all: 40}
	want := func(f float64) {
		t.Helper()
		if got := x.fraction(); got < f-1e-9 || got > f+1e-9 {
			t.Errorf("%g of the work is done, want %g", got, f)
		}
	}
	if !x.told(0, 500) || x.told(0, 500) || x.told(0, 100) {
		t.Error("half of the first simulation is told once")
	}
	want(15.0 / 40)
	x.told(1, 1000) // more than expected
	want((15 + 9.5) / 40)
	for k := range x.done {
		x.finished(k)
	}
	want(1)
}
