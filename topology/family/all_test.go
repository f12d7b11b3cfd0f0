package family

import (
	"testing"

	"toposearch/topology"
	"toposearch/topology/topotest"
)

// contract holds what the contract test of a family needs besides the family itself.
var contract = map[string]topotest.Options{
	"ubmesh": {Points: [][]int{
		{2, 2, 2, 2, 1, 4, 4, 8, 8, 0}, {2, 2, 2, 2, 3, 20, 20, 8, 8, 0}, {2, 4, 2, 2, 2, 12, 12, 16, 16, 0},
		{2, 2, 3, 2, 3, 4, 4, 8, 16, 0}, {3, 4, 1, 1, 2, 4, 12, 128, 128, 0}, {2, 4, 2, 2, 6, 12, 12, 16, 16, 0},
		{2, 4, 2, 2, 2, 4, 4, 8, 8, 1}, {4, 2, 2, 2, 3, 4, 4, 16, 16, 1}, {2, 2, 2, 3, 1, 4, 4, 8, 8, 1},
		{2, 2, 2, 2, 2, 4, 4, 8, 8, 2}, {3, 2, 2, 2, 1, 4, 4, 8, 8, 2}, {2, 2, 2, 2, 1, 4, 4, 72, 72, 3}, {3, 2, 2, 1, 2, 4, 4, 72, 128, 3},
	}},
	"hammingmesh": {Points: [][]int{{2, 2, 4, 4, 64}, {1, 1, 4, 4, 8}, {2, 3, 8, 4, 8}, {3, 1, 6, 2, 8}, {4, 2, 4, 4, 4}}},
	"hpn": {
		Planes: func([]int) int { return 2 },
		Points: [][]int{{16, 2, 2, 4, 2, 2}, {16, 1, 3, 3, 3, 1}, {16, 2, 2, 4, 1, 2}, {12, 1, 2, 2, 3, 1}},
	},
	"multirail": {
		Planes: func(v []int) int { return v[4] },
		Points: [][]int{{4, 3, 4, 2, 2, 4, 2, 0, 1}, {4, 3, 4, 2, 1, 3, 2, 0, 1}, {8, 2, 2, 1, 2, 8, 4, 0, 1}, {8, 2, 8, 2, 2, 4, 6, 0, 1}, {6, 3, 3, 3, 1, 4, 3, 0, 1},
			{4, 3, 4, 2, 2, 4, 2, 1, 1}, {6, 3, 2, 2, 1, 6, 3, 1, 1}, {6, 3, 6, 3, 1, 6, 4, 1, 1}, {4, 4, 2, 2, 1, 4, 2, 1, 1}, {8, 3, 4, 4, 1, 8, 4, 1, 1},
			{4, 2, 2, 2, 1, 4, 2, 0, 1}, {8, 2, 2, 2, 1, 8, 4, 0, 2}, {8, 2, 2, 2, 1, 8, 4, 0, 1}, {8, 3, 2, 2, 1, 4, 4, 0, 2}, {8, 3, 2, 2, 1, 4, 6, 0, 2},
			{8, 3, 2, 2, 1, 4, 4, 1, 4}, {8, 3, 4, 2, 2, 4, 4, 1, 2}, {8, 2, 4, 2, 2, 8, 4, 0, 2}, {16, 2, 3, 3, 1, 12, 8, 0, 2}, {8, 2, 4, 2, 1, 8, 4, 0, 2}}},
}

// TestContract runs the contract of a family over every entry of all.go.
func TestContract(t *testing.T) {
	names := map[string]bool{}
	for _, f := range All() {
		t.Run(f.Name, func(t *testing.T) {
			if names[f.Name] {
				t.Fatalf("two families are called %s", f.Name)
			}
			names[f.Name] = true
			opt := contract[f.Name]
			opt.Seed = 1
			topotest.Family(t, f, opt)
		})
	}
	for name := range contract {
		if _, ok := ByName(name); !ok {
			t.Errorf("options for %q, which is no family", name)
		}
	}
}

func TestByName(t *testing.T) {
	for _, f := range All() {
		if g, ok := ByName(f.Name); !ok || g != f {
			t.Errorf("ByName(%q) = %v, %v", f.Name, g, ok)
		}
	}
	if _, ok := ByName("nosuch"); ok {
		t.Error(`ByName("nosuch") found a family`)
	}
}

func design(t testing.TB, s string) topology.Design {
	t.Helper()
	d, err := topology.ParseDesign(s, All())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func network(t testing.TB, s string) *topology.Network {
	t.Helper()
	n, err := design(t, s).Build()
	if err != nil {
		t.Fatal(err)
	}
	return n
}
