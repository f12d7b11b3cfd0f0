package verify_test

import (
	"testing"

	"toposearch/search/verify"
	"toposearch/study"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// Simulations cost by flits: about as much as the same cycles of others with as many ports, whoever has these, so that 1,000
// endpoints of 27 ports each cost several times what 1,056 of one cost, in a fifth of the cycles; what no run simulates costs nothing.
func TestSeconds(t *testing.T) {
	v := study.Verify{Cycles: 1000, Loads: 6, Packet: 4}
	of := func(name string) float64 {
		d := familytest.Parse(t, name)
		var size topology.Size
		if err := d.Family.Size(d.V, &size); err != nil {
			t.Fatal(err)
		}
		return verify.Seconds(v, &size)
	}
	one, many := of("dragonfly(p=4,a=8,h=4)"), of("fullmesh(d1=10,d2=10,d3=10)")
	// 264 switches of 11 links and 1,056 endpoints: 0.6 of 3,960 outputs and 29.2 windows of 1,000 cycles are 69 million flit-hops.
	if one < 4 || one > 5 {
		t.Errorf("dragonfly: %.2f s, want 4.5", one)
	}
	if many < 2*one || many > 4*one { // 54,000 outputs and 200 cycles: 189 million
		t.Errorf("fullmesh: %.2f s, want 12", many)
	}
	if x := of("torus(k1=64,k2=64,k3=32)"); x != 0 {
		t.Errorf("131,072 endpoints: %g s, and they are not simulated", x)
	}
}
