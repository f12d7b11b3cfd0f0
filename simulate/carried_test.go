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
	const takes = "endpoint 3, which takes 7.5 of what one can send"
	for routing, want := range map[string]string{"natural": takes, "minimal": takes, "natural+adaptive": "", "ugal_l": "", "dfsssp": "ports of endpoints"} {
		c := &simulate.Choice{Routing: routing, Traffic: "hotspot(0.5,3)"}
		tr, err := c.MakeTraffic(t.Context(), d, n)
		if err != nil {
			t.Fatal(err)
		}
		x, err := c.Carried(t.Context(), d, n, tr)
		if err != nil || (x != nil) != (want != "") || x != nil && (math.Abs(x.Throughput-1/7.5) > 1e-12 || x.LimitedBy != want) {
			t.Errorf("%s: %+v (%v)", routing, x, err)
		}
	}
}

// Switches with the same hash function: in a tree of three levels with two links up everywhere a flow that a leaf sends to the i-th switch
// above goes on by the i-th link of that, so that every one of these uses one of its two links up; with functions of their own most use both.
func TestPolarised(t *testing.T) {
	d, err := topology.ParseDesign("fattree(k=4,l=3)", family.All())
	if err != nil {
		t.Fatal(err)
	}
	n, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		by   string
		both bool
	}{{"natural+hash", true}, {"natural+samehash", false}} {
		choice := &simulate.Choice{Routing: c.by, Traffic: "mixed(1*randperm(1),1*randperm(2),1*randperm(3),1*randperm(4))", Workers: 1}
		r, tr, err := choice.Build(t.Context(), d, n)
		if err != nil {
			t.Fatal(err)
		}
		h, err := tr.Hashed(t.Context(), n, r.Follow)
		if err != nil {
			t.Fatal(err)
		}
		both := 0
		for s := range topology.SwitchID(n.Switches()) {
			used := 0
			first, end := n.Out(s)
			for ch := first; ch < end; ch++ {
				if n.SwitchClasses[n.Class(s)].Name == "agg" && n.SwitchClasses[n.Class(n.To(ch))].Name == "spine" && h.Count[ch] > 0 {
					used++
				}
			}
			if used == 2 {
				both++
			}
		}
		if (both > 0) != c.both {
			t.Errorf("%s: %d switches of the second level use both links up", c.by, both)
		}
		x, err := choice.Carried(t.Context(), d, n, tr)
		if err != nil || x == nil || x.Flows == nil || x.Throughput != h.First || x.Flows.Mean != h.Mean {
			t.Errorf("%s: %+v, %v, want %+v", c.by, x, err, h)
		}
	}
}
