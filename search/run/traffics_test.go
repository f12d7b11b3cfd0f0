package run_test

import (
	"math"
	"testing"

	"toposearch/internal/racing"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/search/verify"
	"toposearch/topology"
	"toposearch/topology/family"
)

// TestTraffics: finalists are simulated under any traffic, beside what channels and endpoints carry of it. A hot spot fills its
// endpoint at 1 / (f (N - 1)), whatever the routing; what is measured stays below what is certified, and comes near.
func TestTraffics(t *testing.T) {
	racing.Figures(t)
	p := searchtest.RealModel(t, searchtest.Pods(t, "fattree"))
	p.Study.Verify.Cycles, p.Study.Verify.Loads = 2000, 2
	d, err := topology.ParseDesign("fattree(k=4,l=3)", family.All())
	searchtest.Must(t, err)
	for _, c := range []struct {
		traffic, routing string
		predicted        float64
	}{
		{"hotspot(0.5,3)", "", 1 / (0.5 * 15)},
		{"hotspot(0.5,3)", "ugal_l", 1 / (0.5 * 15)},
		{"local(2,1)", "", 1},
		{"fft(4,4,2)", "", 1},
		{"randperm(7)", "", 0},
		{"mixed(1*uniform,3*hotspot(1,0,5))", "", 0},
	} {
		l, err := verify.Simulate(t.Context(), p, d, c.traffic, c.routing)
		searchtest.Must(t, err)
		if l.Skipped != "" || c.predicted > 0 && math.Abs(l.Predicted-c.predicted) > 1e-9 {
			t.Fatalf("%s, %s: skipped %q, predicted %v, want %v", c.traffic, c.routing, l.Skipped, l.Predicted, c.predicted)
		}
		v := verify.Combine(p, []*verify.Result{l}, &search.Record{})
		if v.Contradicts || l.Saturation > l.Certified*verify.SatAbove || l.Saturation < verify.SatBelow*l.Predicted {
			t.Errorf("%s, %s: saturates at %.4f, predicted %.4f, certified %.4f, notes %v", c.traffic, c.routing, l.Saturation, l.Predicted, l.Certified, v.Notes)
		}
	}
	l, err := verify.Simulate(t.Context(), p, d, "fft(4,5)", "")
	searchtest.Must(t, err)
	if want := "traffic fft(4,5): a grid of 4 x 5 has 20 processes, and the network 16 endpoints: each takes one; write 4,4"; l.Skipped != want {
		t.Errorf("skipped %q, want %q", l.Skipped, want)
	}
}
