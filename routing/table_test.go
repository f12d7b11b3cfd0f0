package routing

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"toposearch/internal/racing"
	"toposearch/topology"
)

// balancedDOR is dimension order over two rings with balanced datelines (package topology/family, dateline.go):
// states 1 and 2, and 4 and 5, go on in the same way.
var balancedDOR = func() topology.Rule {
	r := topology.Rule{Name: "dor", States: 6}
	add := func(from, link, to, vc int) {
		r.Steps = append(r.Steps, topology.Step{From: uint8(from), Kind: topology.Kind{Link: uint8(link), From: any8, To: any8}, To: uint8(to), VC: uint8(vc)})
	}
	for ring := range 2 {
		before := 3 * ring
		for from := range before + 1 {
			add(from, 2*ring+1, before, 0)
			add(from, 2*ring+1, before+2, 1)
			add(from, 2*ring+2, before+1, 0)
			add(from, 2*ring+2, before+2, 1)
		}
		for from := before + 1; from < before+3; from++ {
			add(from, 2*ring+1, before+2, 1)
		}
	}
	return r
}()

// Lists and scans offer the same hops, and they are those of the field.
func TestTableAgainstField(t *testing.T) {
	for _, c := range []struct {
		n    *topology.Network
		rule topology.Rule
	}{{dragonfly(t, 2, 4, 2), lgl()}, {zcube(t, 3, 3), topology.Minimal()}, {torus(t, true, 5, 4), torusDOR(2)},
		{torus(t, true, 9, 8), balancedDOR}, {torus(t, true, 8, 4, 4), torusDOR(3)}} {
		r, err := New(c.n, c.rule)
		if err != nil {
			t.Fatal(err)
		}
		tab, err := NewTable(context.Background(), r, nil, 2)
		if err != nil {
			t.Fatal(err)
		}
		// The first sets once more, from the middle of a line of the table on.
		again := min(70, len(r.Sets))
		var extra [][]Port
		for i := range again {
			extra = append(extra, r.Sets[i].Ports)
		}
		if err := tab.Extend(context.Background(), extra, 2); err != nil {
			t.Fatal(err)
		}
		if err := tab.MakeLists(context.Background(), 2); err != nil || !tab.HasLists() {
			t.Fatalf("no lists: %v", err)
		}
		for set := range len(r.Sets) + again {
			f := r.Field(set % len(r.Sets))
			for x, d := range f.Dist {
				want := r.Next(f, topology.SwitchID(x/r.states), uint8(x%r.states), nil)
				node := tab.Node(topology.SwitchID(x/r.states), uint8(x%r.states))
				got, scan := tab.Hops(set, node), tab.scan(set, node, nil)
				if there := tab.Dist(set, node); int(there) != min(int(d), Far) {
					t.Fatalf("distance %d, want %d", there, d)
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

// Sets that are reached from the same places stand side by side, so that most nodes of a torus know nothing of a
// block, and have no line there.
func TestTableLeavesOut(t *testing.T) {
	r, err := New(torus(t, true, 8, 8, 4), torusDOR(3))
	if err != nil {
		t.Fatal(err)
	}
	tab, err := NewTable(t.Context(), r, nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for i := range tab.blocks {
		lines += len(tab.blocks[i].dist) / wideBits
	}
	// Of 256 sets in 4 blocks, 6 rows of 256 switches: those of the first ring know all of them, those of the second the
	// 32 of a place in the first, within one block, those of the third 4 of these; and an empty line in each block.
	if want := 4*2*256 + 4*256 + 4; lines != want {
		t.Errorf("%d lines, want %d", lines, want)
	}
}

// A table holds states that go on in the same way once, and refuses routes of 255 hops or more.
func TestTableRows(t *testing.T) {
	r, err := New(torus(t, true, 9, 8), balancedDOR)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := r.equalStates().of, []uint8{0, 1, 1, 2, 3, 3}; !slices.Equal(got, want) {
		t.Errorf("rows of the states: %v, want %v", got, want)
	}
	for length, ok := range map[int]bool{509: true, 510: false} { // half way round: 254, 255
		r, err := New(torus(t, true, length), topology.Minimal())
		if err != nil {
			t.Fatal(err)
		}
		tab, err := NewTable(context.Background(), r, nil, 2)
		if (err == nil) != ok {
			t.Errorf("a ring of %d: %v", length, err)
		}
		if ok && tab.Dist(0, tab.Node(254, 0)) != 254 {
			t.Errorf("a ring of %d: half way round are %d hops", length, tab.Dist(0, tab.Node(254, 0)))
		}
	}
}

// Making the lists of an irregular network takes little more memory than twice what they are in the end.
func TestListsTakeLittleMemory(t *testing.T) {
	racing.Figures(t)
	const switches, degree = 1024, 12
	rng := rand.New(rand.NewPCG(5, 5))
	b := topology.NewBuilder(oneSwitch, twoLinks)
	b.Switch(0, switches)
	for range degree / 2 { // rings in random orders
		at := rng.Perm(switches)
		for i := range at {
			b.Link(1, topology.SwitchID(at[i]), topology.SwitchID(at[(i+1)%switches]))
		}
	}
	for s := range switches {
		b.Endpoints(1, []topology.SwitchID{topology.SwitchID(s)})
	}
	r, err := New(built(t, b, "random"), topology.Minimal())
	if err != nil {
		t.Fatal(err)
	}
	tab, err := NewTable(t.Context(), r, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := tab.MakeLists(t.Context(), 1); err != nil || !tab.HasLists() {
		t.Fatal("no lists", err)
	}
	runtime.ReadMemStats(&after)
	made := 8*len(tab.hops) + 4*(len(tab.span)+len(tab.first)) + 2*tab.size()
	if took := after.TotalAlloc - before.TotalAlloc; took > 3*uint64(made) {
		t.Errorf("lists of %d MB took %d MB", made>>20, took>>20)
	}
}
