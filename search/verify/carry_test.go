package verify

import (
	"math"
	"slices"
	"testing"

	"toposearch/evaluator"
	"toposearch/routing"
	"toposearch/study"
	"toposearch/topology"
	"toposearch/topology/family"
)

// TestCarryOfTables: what tables carry of a permutation is what the channel with the most of its paths carries, each counted hop by hop in the tables. All paths of
// a group to the next take one of its links or a detour of one more group; the bound by what endpoints send is 1.
func TestCarryOfTables(t *testing.T) {
	d, err := topology.ParseDesign("dragonfly(p=2,a=4,h=2)", family.All())
	if err != nil {
		t.Fatal(err)
	}
	n, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"lash", "dfsssp"} {
		tables, err := routing.LayeredBy(t.Context(), name, n)
		if err != nil {
			t.Fatal(err)
		}
		crossed := make([]int, n.Channels())
		for e := range topology.EndpointID(n.Endpoints()) {
			to := (e + 8) % topology.EndpointID(n.Endpoints()) // the same of the next group
			_, _, ports := n.Group(n.GroupOf(e))
			for s := ports[0]; ; {
				c := tables.Next(tables.Row(to), s)
				if c < 0 {
					break
				}
				crossed[c]++
				s = n.To(c)
			}
		}
		want := 1 / float64(slices.Max(crossed))
		c, err := CarryOf(t.Context(), d, evaluator.Options{}, study.Verify{Routing: name}, 1, "group_shift(1)", false)
		if err != nil || math.Abs(c.Throughput-want) > 1e-12 || want > 0.5 || !c.Exact || c.Flows == nil {
			t.Errorf("%s: %+v (%v), want %g", name, c, err, want)
		}
	}
	// Detours share what the links between two groups do not carry: neither these nor endpoints alone are the limit.
	c, err := CarryOf(t.Context(), d, evaluator.Options{}, study.Verify{Routing: "ugal_l"}, 1, "group_shift(1)", false)
	if err != nil || c.LimitedBy != "the busiest channel of direct routes and detours together" {
		t.Errorf("ugal_l: %+v (%v)", c, err)
	}
}
