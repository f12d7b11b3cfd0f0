package family

import (
	"testing"

	"toposearch/topology"
	"toposearch/topology/topotest"
)

// contract holds what the contract test of a family needs besides the family itself.
var contract = map[string]topotest.Options{
	"ubmesh": {Points: [][]int{
		{2, 2, 2, 2, 1, 4, 4, 8, 8, 0, 0}, {2, 2, 2, 2, 3, 20, 20, 8, 8, 0, 0}, {2, 4, 2, 2, 2, 12, 12, 16, 16, 0, 0},
		{2, 2, 3, 2, 3, 4, 4, 8, 16, 0, 0}, {3, 4, 1, 1, 2, 4, 12, 128, 128, 0, 0}, {2, 4, 2, 2, 6, 12, 12, 16, 16, 0, 0},
		{2, 4, 2, 2, 2, 4, 4, 8, 8, 1, 0}, {4, 2, 2, 2, 3, 4, 4, 16, 16, 1, 0}, {2, 2, 2, 3, 1, 4, 4, 8, 8, 1, 0},
		{2, 2, 2, 2, 2, 4, 4, 8, 8, 2, 0}, {3, 2, 2, 2, 1, 4, 4, 8, 8, 2, 0}, {2, 2, 2, 2, 1, 4, 4, 72, 72, 3, 0}, {3, 2, 2, 1, 2, 4, 4, 72, 128, 3, 0},
		{2, 2, 2, 2, 3, 20, 20, 8, 8, 0, 1}, {2, 4, 2, 2, 2, 4, 4, 8, 8, 1, 1}, {3, 2, 2, 2, 1, 4, 4, 8, 8, 2, 1}, {2, 2, 2, 2, 1, 4, 4, 72, 72, 3, 1},
	}},
	"hammingmesh": {Points: [][]int{{2, 2, 4, 4, 64}, {1, 1, 4, 4, 8}, {2, 3, 8, 4, 8}, {3, 1, 6, 2, 8}, {4, 2, 4, 4, 4}}},
	"hpn": {
		Planes: func([]int) int { return 2 },
		Points: [][]int{{16, 2, 2, 4, 2, 2}, {16, 1, 3, 3, 3, 1}, {16, 2, 2, 4, 1, 2}, {12, 1, 2, 2, 3, 1}},
	},
	"multirail": {
		Planes: func(v []int) int { return multirailParams(v).planes() },
		Points: [][]int{
			treeAt(4, 3, nil, 4, 2, 2, 4, 2, 0, 1), treeAt(4, 3, nil, 4, 2, 1, 3, 2, 0, 1), treeAt(8, 2, nil, 2, 1, 2, 8, 4, 0, 1),
			treeAt(8, 2, nil, 8, 2, 2, 4, 6, 0, 1), treeAt(6, 3, nil, 3, 3, 1, 4, 3, 0, 1), treeAt(4, 3, nil, 4, 2, 2, 4, 2, 1, 1),
			treeAt(6, 3, nil, 2, 2, 1, 6, 3, 1, 1), treeAt(6, 3, nil, 6, 3, 1, 6, 4, 1, 1), treeAt(4, 4, nil, 2, 2, 1, 4, 2, 1, 1),
			treeAt(8, 3, nil, 4, 4, 1, 8, 4, 1, 1), treeAt(4, 2, nil, 2, 2, 1, 4, 2, 0, 1), treeAt(8, 2, nil, 2, 2, 1, 8, 4, 0, 2),
			treeAt(8, 2, nil, 2, 2, 1, 8, 4, 0, 1), treeAt(8, 3, nil, 2, 2, 1, 4, 4, 0, 2), treeAt(8, 3, nil, 2, 2, 1, 4, 6, 0, 2),
			treeAt(8, 3, nil, 2, 2, 1, 4, 4, 1, 4), treeAt(8, 3, nil, 4, 2, 2, 4, 4, 1, 2), treeAt(8, 2, nil, 4, 2, 2, 8, 4, 0, 2),
			treeAt(16, 2, nil, 3, 3, 1, 12, 8, 0, 2), treeAt(8, 2, nil, 4, 2, 1, 8, 4, 0, 2), treeAt(8, 3, []int{3, 1}, 2, 2, 1, 2, 4, 0, 1),
			treeAt(8, 3, []int{3, 1}, 4, 2, 2, 4, 4, 1, 1), treeAt(8, 3, []int{3, 1}, 4, 2, 2, 4, 6, 1, 2), treeAt(12, 3, []int{2, 1}, 2, 2, 1, 3, 8, 0, 2),
			treeAt(6, 4, []int{2, 1, 5, 1}, 1, 1, 1, 2, 3, 0, 1), treeAt(6, 4, []int{1, 1, 5, 1}, 2, 1, 2, 2, 4, 0, 1),
		},
	},
	"layered":       {SlowSize: true, Small: 200, Planes: func(v []int) int { return layeredPlanes(v, false) }},
	"layered_relay": {SlowSize: true, Small: 200, Planes: func(v []int) int { return layeredPlanes(v, true) }},
	"fattree": {Points: [][]int{
		treeAt(8, 3, []int{3, 1}, 2, 4), treeAt(8, 3, []int{7, 1}, 3, 6), treeAt(6, 4, []int{2, 1, 5, 1}, 2, 3), treeAt(8, 4, []int{1, 1, 3, 1}, 2, 6), treeAt(6, 4, []int{2, 1}, 2, 5),
		treeAt(4, 5, []int{1, 1, 1, 1, 3, 1}, 2, 2), treeAt(10, 3, []int{3, 2}, 4, 6), treeAt(16, 3, []int{15, 1}, 2, 8), treeAt(12, 3, []int{5, 1}, 4, 7),
	}},
	// As many sub-networks as make it widest, and fewer.
	"zettafly3": {Points: [][]int{{2, 1, 3, 4, 2}, {2, 1, 2, 3, 2}, {2, 1, 1, 2, 2}, {1, 1, 3, 4, 2}, {1, 1, 2, 3, 1}, {2, 1, 3, 4, 1}}},
	"zettafly4": {Points: [][]int{{4, 1, 3, 4, 2}, {4, 1, 2, 3, 1}, {4, 1, 1, 2, 1}, {2, 1, 3, 4, 2}, {2, 1, 2, 3, 2}, {4, 1, 3, 4, 1}}},
	"roft": {Points: [][]int{
		{8, topology.RatioOf(3, 1), topology.RatioOf(3, 1), 3, 2}, {8, topology.RatioEven, topology.RatioOf(7, 1), 7, 3}, {12, topology.RatioOf(2, 1), topology.RatioOf(5, 1), 5, 4},
		{16, topology.RatioOf(5, 3), topology.RatioOf(3, 1), 6, 2}, {8, topology.RatioOf(7, 1), topology.RatioEven, 4, 8},
	}},
}

// treeAt are the values of fattree or multirail with the tapers p, q of the levels from the second on.
func treeAt(k, l int, tapers []int, rest ...int) []int {
	v := []int{k, l}
	for i := range maxLevels - 2 {
		x := topology.RatioEven
		if 2*i < len(tapers) {
			x = topology.RatioOf(tapers[2*i], tapers[2*i+1])
		}
		v = append(v, x)
	}
	return append(v, rest...)
}

// TestContract runs the contract of a family over every entry of all.go.
func TestContract(t *testing.T) {
	names := map[string]bool{}
	for _, f := range Known() {
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
	d, err := topology.ParseDesign(s, Known())
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

// layeredPlanes is what the family claims of the parts of a network.
func layeredPlanes(v []int, relay bool) int {
	var l layeredNet
	l.decode(v, relay)
	return layeredKnown(v, &l).planes
}
