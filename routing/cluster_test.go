package routing

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// sameTable compares a clustered table with the plain one: every distance and every list.
func sameTable(t *testing.T, name string, r *Router, c *clusters) {
	t.Helper()
	ctx := context.Background()
	plain, err := NewTable(ctx, r, nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	tab := newTable(r, r.allStates())
	tab.c = c
	for _, x := range []*Table{plain, tab} {
		if err := x.MakeLists(ctx, 2); err != nil || !x.HasLists() {
			t.Fatalf("%s: no lists: %v", name, err)
		}
	}
	bare := *c
	bare.list = nil
	scan := newTable(r, r.allStates())
	scan.c = &bare
	for set := range r.Sets {
		for x := range tab.nodes {
			y := plain.Node(topology.SwitchID(x/r.states), uint8(x%r.states))
			if got, want := tab.Dist(set, x), plain.Dist(set, y); got != want {
				t.Fatalf("%s: node %d to set %d: distance %d, want %d", name, x, set, got, want)
			}
			want := plain.Hops(set, y)
			if got := tab.Hops(set, x); !slices.Equal(got, want) {
				t.Fatalf("%s: node %d to set %d: %v, want %v", name, x, set, got, want)
			}
			if got := scan.scan(set, x, nil); !slices.Equal(got, want) {
				t.Fatalf("%s: node %d to set %d: scan gives %v, want %v", name, x, set, got, want)
			}
		}
	}
}

// Where groups are alike from outside, a row per group says what rows per destination say; where
// they are not, the conditions notice.
func TestClustersOfFamilies(t *testing.T) {
	for design, can := range map[string]bool{
		"zettafly4(a=4,p=2,h=2)": true, "zettafly4(a=8,p=2,h=3)": true, "dragonflyplus(l=4,m=4,p=2,h=2)": true,
		"dragonflyplus(l=3,m=2,p=2,h=1)": true, "dragonfly(p=2,a=4,h=2)": false, "zettafly3(a=4,p=2,h=2)": false,
	} {
		d, n := familytest.Build(t, design)
		for _, rule := range []topology.Rule{d.Family.Natural(d.V), topology.Minimal()} {
			r, err := New(n, rule)
			if err != nil {
				t.Fatal(err)
			}
			c, err := newClusters(context.Background(), r, BlocksOf(n, d.Family.Place(d.V)), 2)
			if err != nil {
				t.Fatal(err)
			}
			if (c != nil) != can {
				t.Errorf("%s, %s: clusters: %t, want %t", design, rule.Name, c != nil, can)
			}
			if c != nil {
				sameTable(t, design, r, c)
			}
		}
	}
}

// Random groups with random links between them: some are refused, the others agree.
func TestClustersOfRandomGroups(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	accepted, refused := 0, 0
	for range 60 {
		n, blocks := randomGroups(t, rng)
		r, err := New(n, topology.Minimal())
		if err != nil {
			t.Fatal(err)
		}
		c, err := newClusters(context.Background(), r, blocks, 2)
		if err != nil {
			t.Fatal(err)
		}
		if c == nil {
			refused++
			continue
		}
		accepted++
		sameTable(t, "random", r, c)
	}
	if accepted < 5 || refused < 5 {
		t.Errorf("%d networks accepted, %d refused; want both to happen", accepted, refused)
	}
}

// randomGroups makes leaf-spine groups, some with a leaf link missing, joined at random.
func randomGroups(t *testing.T, rng *rand.Rand) (*topology.Network, []int32) {
	b := topology.NewBuilder(oneSwitch, twoLinks)
	groups, leaves, spines := 3+rng.IntN(70), 1+rng.IntN(3), 1+rng.IntN(3)
	size := leaves + spines
	b.Switch(0, groups*size+1)
	hub := topology.SwitchID(groups * size)
	blocks := make([]int32, groups*size+1)
	blocks[hub] = -1
	for g := range groups {
		for i := range size {
			blocks[g*size+i] = int32(g)
		}
		for l := range leaves {
			for s := range spines {
				if s == 0 || rng.IntN(40) > 0 {
					b.Link(1, topology.SwitchID(g*size+l), topology.SwitchID(g*size+leaves+s))
				}
			}
			b.Endpoints(1, []topology.SwitchID{topology.SwitchID(g*size + l)})
		}
		b.Link(2, topology.SwitchID(g*size+leaves), hub)
	}
	for range groups {
		x, y := rng.IntN(groups), rng.IntN(groups)
		if x != y {
			b.Link(2, topology.SwitchID(x*size+leaves+rng.IntN(spines)), topology.SwitchID(y*size+leaves+rng.IntN(spines)))
		}
	}
	return built(t, b, "groups"), blocks
}

// A table for 100,000 endpoints is made of rows for groups.
func TestLargeTable(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a network of 25,000 endpoints")
	}
	d, n := familytest.Build(t, "dragonflyplus(l=12,m=12,p=12,h=14)")
	r, err := New(n, d.Family.Natural(d.V))
	if err != nil {
		t.Fatal(err)
	}
	tab, err := NewTable(context.Background(), r, BlocksOf(n, d.Family.Place(d.V)), 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := tab.MakeLists(context.Background(), 2); err != nil || tab.c == nil || !tab.HasLists() {
		t.Errorf("clusters: %t, lists: %t, %v", tab.c != nil, tab.HasLists(), err)
	}
}
