package simulate_test

import (
	"math"
	"testing"

	"toposearch/simulate"
	"toposearch/topology"
	"toposearch/topology/family"
)

// What is carried of a traffic stands beside routings whose loads are known; a hot spot's endpoint is full at 1 / (f (N - 1)).
func TestCarried(t *testing.T) {
	d, err := topology.ParseDesign("torus(k1=4,k2=4)", family.All())
	if err != nil {
		t.Fatal(err)
	}
	n, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	for routing, want := range map[string]bool{"natural": true, "minimal": true, "natural+adaptive": false, "ugal_l": false, "dfsssp": false} {
		c := &simulate.Choice{Routing: routing, Traffic: "hotspot(0.5,3)"}
		tr, err := c.MakeTraffic(t.Context(), d, n)
		if err != nil {
			t.Fatal(err)
		}
		x, err := c.Carried(t.Context(), d, n, tr)
		if err != nil || (x != nil) != want || want && (math.Abs(x.Throughput-1/7.5) > 1e-12 || x.LimitedBy != "endpoint 3, which takes 7.5 of what one can send") {
			t.Errorf("%s: %+v (%v)", routing, x, err)
		}
	}
}
