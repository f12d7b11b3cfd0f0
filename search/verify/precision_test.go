package verify_test

import (
	"slices"
	"testing"

	"toposearch/evaluator"
	"toposearch/internal/racing"
	"toposearch/search"
	"toposearch/search/verify"
	"toposearch/study"
	"toposearch/topology"
	"toposearch/topology/family"
)

// simulateNamed verifies a design by name.
func simulateNamed(t *testing.T, name, traffic string, v study.Verify) *verify.Result {
	t.Helper()
	d, err := topology.ParseDesign(name, family.All())
	if err != nil {
		t.Fatal(err)
	}
	p := &search.Problem{Study: &study.Study{Options: evaluator.DefaultOptions(), Verify: v}, Seed: 3}
	l, err := verify.Simulate(t.Context(), p, d, traffic, "")
	if err != nil || l.Skipped != "" {
		t.Fatal(name, err, l)
	}
	return l
}

// Loads of the curve are measured to the same precision whatever the size of the network, in more cycles where fewer packets are
// sent in one; cycles that the study names are all that a load gets.
func TestPrecision(t *testing.T) {
	racing.Figures(t)
	const precision = 0.02
	var measured []int64 // at a tenth of saturation
	for _, name := range []string{"ring(n=8)", "torus(k1=4,k2=4)"} {
		l := simulateNamed(t, name, "uniform", study.Verify{Packet: 4, Loads: 2, Precision: precision})
		below := 0
		for _, c := range l.Curve {
			if c.Offered > 0.75*l.Saturation {
				continue // of the search for saturation
			}
			if below++; below == 1 {
				measured = append(measured, c.Measured)
			}
			if c.LatencyCI95 == 0 || c.LatencyCI95 > precision*c.Latency || c.AcceptedCI95 == 0 || c.AcceptedCI95 > precision*c.Accepted {
				t.Errorf("%s at %.3f: latency %g +- %g, accepted %g +- %g after %d cycles", name, c.Offered, c.Latency, c.LatencyCI95, c.Accepted, c.AcceptedCI95, c.Measured)
			}
		}
		if below != 2 || l.Precision != precision {
			t.Errorf("%s: %d loads below saturation, precision %g", name, below, l.Precision)
		}
	}
	if !slices.IsSortedFunc(measured, func(a, b int64) int { return int(b - a) }) || measured[0] < 2*measured[1] {
		t.Errorf("8 and 16 endpoints were measured for %d cycles", measured)
	}
	for _, c := range simulateNamed(t, "ring(n=8)", "uniform", study.Verify{Packet: 4, Loads: 2, Cycles: 300}).Curve[:2] {
		if c.Measured != 300 {
			t.Errorf("load %.3f was measured for %d cycles instead of the 300 asked for", c.Offered, c.Measured)
		}
	}
}

// What sources see explains what ugal_l carries of the worst permutation: 0.451 to 0.465 by a simulation to saturation, where an ideal split, the same for all flows, would carry 0.429.
func TestExpectedOfSources(t *testing.T) {
	if testing.Short() || racing.On {
		t.Skip("simulates 64 endpoints to saturation")
	}
	l := simulateNamed(t, "polarstar_iq(q=2,d=3,p=2)", "worst", study.Verify{Model: study.CutThrough, Routing: "ugal_l", Loads: 2, Cycles: 5000})
	if l.Expected < 1.05*l.Predicted || l.Saturation > l.Expected*verify.Above || max(l.Saturation, l.Above) < l.Expected*verify.Near {
		t.Errorf("saturates at %.3f to %.3f, expected %.3f, of an ideal split %.3f", l.Saturation, l.Above, l.Expected, l.Predicted)
	}
}
