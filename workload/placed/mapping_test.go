package placed

import (
	"slices"
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/workload"
)

// TestOrders by hand: of 2 x 3 ranks of tp and dp, those of dp next to each other, rank t + 2 d is on endpoint d + 3 t. All six orders
// of three kinds put every rank elsewhere.
func TestOrders(t *testing.T) {
	all := make([]topology.EndpointID, 30)
	for i := range all {
		all[i] = topology.EndpointID(i + 100)
	}
	o, err := ParseOrder("dp, tp")
	if err != nil || o.String() != "dp, tp, cp, pp" {
		t.Fatal(o, err)
	}
	p := workload.Parallelism{TP: 2, CP: 1, DP: 3, PP: 1}
	if got, want := o.Place(p, all), []topology.EndpointID{100, 103, 101, 104, 102, 105}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	p.PP = 5
	orders := Orders(p)
	seen := map[string]bool{}
	for _, o := range orders {
		at := o.Place(p, all)
		seen[o.String()] = true
		slices.Sort(at)
		if !slices.Equal(at, all) {
			t.Errorf("%s: %v", o, at)
		}
	}
	if len(seen) != 6 || !slices.Equal(orders[0].Place(p, all), all) || !slices.Equal(Order(nil).Place(p, all), all) {
		t.Errorf("orders %v", orders)
	}
	for _, text := range []string{"ep, tp", "tp, tp", ""} {
		if o, err := ParseOrder(text); err == nil {
			t.Errorf("%q is read as %v", text, o)
		}
	}
}

// TestWholeOnSwitches: of leaves of six, groups of four leave two free each; groups of three and of one leave none.
func TestWholeOnSwitches(t *testing.T) {
	n := on(t, "fattree(k=8,l=2,d=6)", 1)
	at, ok := n.WholeOnSwitches(4, 32)
	if !ok || len(at) != 32 {
		t.Fatal(at, ok)
	}
	for i, e := range at {
		if want := topology.EndpointID(i/4*6 + i%4); e != want {
			t.Errorf("rank %d is on endpoint %d, want %d", i, e, want)
		}
	}
	for _, c := range [][2]int{{4, 36}, {3, 48}, {1, 8}} {
		if at, ok := n.WholeOnSwitches(c[0], c[1]); ok {
			t.Errorf("groups of %d, %d ranks: %v", c[0], c[1], at)
		}
	}
}

// TestSwap exchanges two groups and nothing else.
func TestSwap(t *testing.T) {
	at := []topology.EndpointID{0, 1, 2, 3, 4, 5, 6, 7}
	rng := stream.New(1, "swap")
	for range 20 {
		got, moved := Swap(at, 2, rng), 0
		for i := range got {
			if got[i] != at[i] {
				moved++
			}
			if got[i]%2 != at[i]%2 {
				t.Errorf("%v divides a group", got)
			}
		}
		if moved != 4 {
			t.Errorf("%v is not %v with two groups exchanged", got, at)
		}
	}
}
