package routing

import (
	"context"
	"testing"

	"toposearch/topology"
)

// Lists and scans offer the same hops, and they are those of the field.
func TestTableAgainstField(t *testing.T) {
	for _, c := range []struct {
		n    *topology.Network
		rule topology.Rule
	}{{dragonfly(t, 2, 4, 2), lgl()}, {zcube(t, 3, 3), topology.Minimal()}, {torus(t, true, 5, 4), torusDOR(2)}} {
		r, err := New(c.n, c.rule)
		if err != nil {
			t.Fatal(err)
		}
		tab, err := NewTable(context.Background(), r, nil, 2)
		if err != nil {
			t.Fatal(err)
		}
		if err := tab.MakeLists(context.Background(), 2); err != nil || !tab.HasLists() {
			t.Fatalf("no lists: %v", err)
		}
		for set := range r.Sets {
			f := r.Field(set)
			for x, d := range f.Dist {
				want := r.Next(f, topology.SwitchID(x/r.states), uint8(x%r.states), nil)
				got, scan := tab.Hops(set, x), tab.scan(set, x, nil)
				if d != Unreachable && int(d) != int(tab.Dist(set, x)) {
					t.Fatalf("distance %d, want %d", tab.Dist(set, x), d)
				}
				if len(got) != len(want) || len(scan) != len(want) {
					t.Fatalf("node %d to set %d: %v by list, %v by scan, want %v", x, set, got, scan, want)
				}
				for i := range want {
					if got[i] != want[i] || scan[i] != want[i] {
						t.Fatalf("node %d to set %d: %v by list, %v by scan, want %v", x, set, got, scan, want)
					}
				}
			}
		}
	}
}

func TestRuleErrors(t *testing.T) {
	n := torus(t, true, 3, 3)
	k := topology.Kind{Link: any8, From: any8, To: any8}
	for name, rule := range map[string]topology.Rule{
		"no states":       {Name: "x"},
		"too many states": {Name: "x", States: 65},
		"no such state":   {Name: "x", States: 1, Steps: []topology.Step{{Kind: k, To: 1}}},
		"two VCs":         {Name: "x", States: 1, Steps: []topology.Step{{Kind: k}, {Kind: k, VC: 1}}},
	} {
		if _, err := New(n, rule); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
