package family

import (
	"fmt"
	"slices"
	"testing"

	"toposearch/topology"
	"toposearch/topology/topotest"
)

// meant names parameters whose values can make equal graphs and are still not the same design: they
// number endpoints or switches in another way, which servers, racks and cables follow, or they are drawn.
var meant = map[string][]string{
	"roft":      {"g"},                                                                   // which endpoints share a server
	"hpn":       {"g"},                                                                   // as well
	"dragonfly": {"arrangement"},                                                         // the relative one is the mirror image of the palm tree
	"jellyfish": {"seed"}, "dln": {"seed"}, "skywalk": {"seed", "tries", "rows", "cols"}, // a row of cabinets is not a column on the floor
}

// smallOnes lists the canonical tuples of a family with small values that make small networks, by
// what Size says of them.
func smallOnes(f *topology.Family) map[string][][]int {
	width := 5 - min(len(f.Params)/3, 3)
	out := map[string][][]int{}
	v, c := make([]int, len(f.Params)), make([]int, len(f.Params))
	var s topology.Size
	var walk func(i int)
	walk = func(i int) {
		if i < len(v) {
			p := &f.Params[i]
			most := min(p.Max, p.Min+width)
			if p.Choices != nil {
				most = p.Max
			}
			for v[i] = p.Min; v[i] <= most; v[i]++ {
				walk(i + 1)
			}
			return
		}
		copy(c, v)
		if f.Canonical != nil {
			f.Canonical(c)
		}
		if !slices.Equal(c, v) || f.Size(v, &s) != nil || s.AllSwitches() > 24 || s.Endpoints > 48 {
			return
		}
		key := fmt.Sprint(s.Endpoints, s.EndpointPorts, s.EndpointLanes, s.Switch, s.Link, s.Lanes)
		out[key] = append(out[key], slices.Clone(v))
	}
	walk(0)
	return out
}

// No two canonical tuples of a family make the same network.
func TestCanonicalFormsDiffer(t *testing.T) {
	for _, f := range All() {
		pairs := 0
		for _, same := range smallOnes(f) {
			for b := range same {
				for a := range b {
					x, y := topology.Design{Family: f, V: same[a]}, topology.Design{Family: f, V: same[b]}
					if onlyMeant(f, x.V, y.V) || pairs > 300 {
						continue
					}
					n, err := x.Build()
					m, err2 := y.Build()
					if err != nil || err2 != nil { // a random construction that found nothing
						continue
					}
					if pairs++; topotest.Isomorphic(n, m) {
						t.Errorf("%s and %s are the same network", x, y)
					}
				}
			}
		}
	}
}

// onlyMeant tells whether two tuples differ in parameters that are meant to matter.
func onlyMeant(f *topology.Family, x, y []int) bool {
	for i := range x {
		if x[i] != y[i] && slices.Contains(meant[f.Name], f.Params[i].Name) {
			return true
		}
	}
	return false
}

// What canonical forms leave out of a Dragonfly is the same network.
func TestCanonicalDragonfliesAreTheSame(t *testing.T) {
	for _, pair := range [][2][]int{
		{{2, 1, 5, 4, absolute}, {2, 1, 5, 4, palmtree}},
		{{1, 1, 3, 3, circulant}, {1, 1, 2, 3, palmtree}}, // one of three ports stays empty
		{{1, 3, 1, 4, absolute}, {1, 3, 1, 4, palmtree}},
		{{1, 3, 1, 3, relative}, {1, 3, 1, 3, palmtree}},
		{{2, 3, 2, 2, circulant}, {2, 3, 2, 2, palmtree}},
	} {
		c := slices.Clone(pair[0])
		if dragonfly.Canonical(c); !slices.Equal(c, pair[1]) {
			t.Errorf("%v has the canonical form %v, want %v", pair[0], c, pair[1])
		}
		n, err := topology.Design{Family: dragonfly, V: pair[0]}.Build()
		if err != nil {
			t.Fatal(err)
		}
		m, err := topology.Design{Family: dragonfly, V: pair[1]}.Build()
		if err != nil {
			t.Fatal(err)
		}
		if !topotest.Isomorphic(n, m) {
			t.Errorf("%v and %v are not the same network", pair[0], pair[1])
		}
	}
}
