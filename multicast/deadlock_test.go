package multicast

import "testing"

// TestDependencies: one group of the source's kind and all unicast routes have no cycle in the tree; two
// whose creators hang on different leaves may have one; rooted groups have none.
func TestDependencies(t *testing.T) {
	x := tree(t, []Level{{2, 2, 1}, {4, 0, 0}})
	groups := crossing(t, x)
	d := NewDependencies(x.Fabric)
	for i, g := range groups {
		if d.AddGroup(g); i == 0 && d.Cycle() != nil {
			t.Error("one group alone has a cycle")
		}
	}
	if c := d.Cycle(); len(c) != 4 {
		t.Errorf("two crossing groups: %s, want a cycle of 4 channels", d.Words(c))
	}
	y := small(t)
	rooted := NewDependencies(y.Fabric)
	rooted.AddPairs(y)
	for i := range 100 {
		creator, others := draw(uint64(i), y.Endpoints(), 8)
		g, err := NewRooted(y.Fabric, y, ID{creator, i}, others)
		if err != nil {
			t.Fatal(err)
		}
		rooted.AddGroup(g)
	}
	if c := rooted.Cycle(); c != nil {
		t.Errorf("rooted groups: %s", rooted.Words(c))
	}
	f, u := upDown(t, "torus(k1=4,k2=4)")
	other := NewDependencies(f)
	other.AddPairs(u)
	for i := range 50 {
		creator, others := draw(uint64(i), f.Endpoints(), 6)
		g, err := NewRooted(f, u, ID{creator, i}, others)
		if err != nil {
			t.Fatal(err)
		}
		other.AddGroup(g)
	}
	if c := other.Cycle(); c != nil {
		t.Errorf("rooted groups of a torus: %s", other.Words(c))
	}
}

// crossing are two groups of the tree of two spines (endpoints 2i and 2i+1 on leaf i, routes to leaf i over
// spine i mod 2): the tree of the creator on leaf 0 goes down from one spine and up to the other there, that of the
// creator on leaf 1 the other way round.
func crossing(t *testing.T, x *Tree) []*Group {
	t.Helper()
	var out []*Group
	for _, g := range [][]int{{0, 2, 4, 6}, {2, 0, 4, 6}} {
		made, err := NewGroup(x.Fabric, x, ID{Creator: g[0]}, g[1:])
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, made)
	}
	return out
}
