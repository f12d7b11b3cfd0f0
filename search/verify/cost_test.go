package verify_test

import (
	"testing"

	"toposearch/evaluator"
	"toposearch/internal/racing"
	"toposearch/search"
	"toposearch/search/verify"
	"toposearch/study"
	"toposearch/topology/family/familytest"
)

// estimateNamed estimates the simulation of a design by name.
func estimateNamed(t *testing.T, name, traffic string, v study.Verify) *verify.Cost {
	t.Helper()
	d := familytest.Parse(t, name)
	c, err := verify.Estimate(t.Context(), &search.Problem{Study: &study.Study{Options: evaluator.DefaultOptions(), Verify: v}}, d, traffic)
	if err != nil {
		t.Fatal(name, err)
	}
	return c
}

// The flit-hops that a simulation is expected to take are within a factor of two of those counted, whatever the family, the traffic,
// the routing, and who chose the cycles.
func TestCostOfSimulations(t *testing.T) {
	racing.Figures(t)
	for _, c := range []struct {
		name string
		v    study.Verify
	}{
		{"torus(k1=6,k2=6)", study.Verify{Loads: 4, Cycles: 1000}},
		{"fattree(k=8,l=2)", study.Verify{Loads: 4, Cycles: 1000}},
		{"fullmesh(d1=4,d2=4,d3=4)", study.Verify{Loads: 6, Cycles: 500}}, // nine ports
		{"slimfly(q=5)", study.Verify{Loads: 2, Cycles: 500}},
		{"dragonfly(p=2,a=4,h=2)", study.Verify{Loads: 4, Cycles: 1000, Routing: "ugal_l"}},
		{"fullmesh(d1=4,d2=4)", study.Verify{Loads: 4}}, // windows as they come: what they cost goes by ports and cycles, not by size
		{"dragonfly(p=2,a=4,h=2)", study.Verify{Loads: 4}},
	} {
		if c.v.Cycles == 0 && testing.Short() {
			continue // a second each
		}
		for _, traffic := range []string{"uniform", "worst"} {
			c.v.Packet, c.v.Traffic = 4, []string{traffic}
			l, cost := simulateNamed(t, c.name, traffic, c.v), estimateNamed(t, c.name, traffic, c.v)
			if ratio := cost.FlitHops / float64(l.FlitHops); ratio < 0.5 || ratio > 2 {
				t.Errorf("%s under %s %s traffic: %.3g flit-hops expected, %d counted", c.name, c.v.Routing, traffic, cost.FlitHops, l.FlitHops)
			}
			if cost.Cycles != l.Cycles {
				t.Errorf("%s under %s %s traffic: windows of %d cycles expected, %d measured", c.name, c.v.Routing, traffic, cost.Cycles, l.Cycles)
			}
		}
	}
}

// Simulations cost by flits, whoever sends them: 1,000 endpoints of 27 ports cost several times what 1,056 of one port cost in as
// many cycles, of which they need few; what no run simulates costs nothing.
func TestCostOfPorts(t *testing.T) {
	v := study.Verify{Cycles: 1000, Loads: 6, Packet: 4}
	one, many := estimateNamed(t, "dragonfly(p=4,a=8,h=4)", "uniform", v), estimateNamed(t, "fullmesh(d1=10,d2=10,d3=10)", "uniform", v)
	// 27,000 flits a cycle at 0.37 of the load over 3.7 switches, 1,056 at 1 over 3.7.
	if r := many.FlitHops / one.FlitHops; r < 9 || r > 10.5 || many.Seconds < 9*one.Seconds {
		t.Errorf("%.3g flit-hops and %.2f s, %.3g and %.2f s with many ports", one.FlitHops, one.Seconds, many.FlitHops, many.Seconds)
	}
	v.Cycles = 0
	if few, some := estimateNamed(t, "fullmesh(d1=10,d2=10,d3=10)", "uniform", v), estimateNamed(t, "dragonfly(p=2,a=4,h=2)", "uniform", v); few.Cycles > 300 || some.Cycles < 8000 {
		t.Errorf("windows of %d cycles for 27,000 ports and of %d for 72", few.Cycles, some.Cycles)
	}
	// 12.9 packets of 4 KiB a ns at full load, over 3.7 switches, 400 ns each, in some 14 windows of 50,000 ns: 13 s.
	if c := estimateNamed(t, "dragonfly(p=4,a=8,h=4)", "uniform", study.Verify{Cycles: 50_000, Loads: 6, Model: study.CutThrough}); c.Seconds < 8 || c.Seconds > 20 || c.Cycles != 50_000 {
		t.Errorf("cut-through: %+v", c)
	}
	if x := estimateNamed(t, "torus(k1=64,k2=64,k3=32)", "uniform", v); x != nil {
		t.Errorf("131,072 endpoints: %+v, and they are not simulated", x)
	}
}
