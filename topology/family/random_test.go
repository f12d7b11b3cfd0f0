package family

import (
	"fmt"
	"testing"

	"toposearch/topology"
	"toposearch/topology/topotest"
)

// simple fails if a switch is linked to itself or twice to another, or lacks a link.
func simple(t *testing.T, n *topology.Network, degree int) {
	t.Helper()
	for s := range n.Switches() {
		near := n.Neighbors(topology.SwitchID(s))
		seen := map[topology.SwitchID]bool{topology.SwitchID(s): true}
		for _, x := range near {
			if seen[x] {
				t.Fatalf("%s: switch %d is linked twice to %d", n.Design, s, x)
			}
			seen[x] = true
		}
		if len(near) != degree {
			t.Fatalf("%s: switch %d has %d links, want %d", n.Design, s, len(near), degree)
		}
	}
}

// diameter is the largest distance between switches.
func diameter(n *topology.Network) int {
	most := 0
	for s := range n.Switches() {
		_, e := eccentricity(n, topology.SwitchID(s))
		most = max(most, e)
	}
	return most
}

// TestLoopAlone: without shortcuts the loop of degree 2 is the ring. That of degree 3 on 8 switches
// is the Moebius ladder, where 3 switches are a hop away and the other 4 two: sum 3 + 2*4 = 11. Degree 4
// on 16 switches: steps 1 and 4 reach every switch as a torus of sides 4 and 4 whose rows are
// shifted; sums are checked against steps counted by hand: 4 at one hop; 2, 8, 5, 3 and their
// inverses at two, 7 of them, 8 being its own; 6, 7, their inverses at three: 4 + 2*7 + 3*4 = 30.
func TestLoopAlone(t *testing.T) {
	if !topotest.Isomorphic(network(t, "dln(n=12,y=0,p=1)"), network(t, "ring(n=12)")) {
		t.Error("dln(n=12,y=0,p=1) is not the ring of 12")
	}
	for _, c := range []struct {
		design    string
		sum, most int
	}{{"dln(n=8,x=3,y=0,p=1)", 11, 2}, {"dln(n=16,x=4,y=0,p=1)", 30, 3}} {
		if sum, most := eccentricity(network(t, c.design), 0); sum != c.sum || most != c.most {
			t.Errorf("%s: sum of distances %d, diameter %d, want %d and %d", c.design, sum, most, c.sum, c.most)
		}
	}
}

// TestShortcutsAtTheLimit: with x+y = n/2 the last matchings find few partners, and all must be
// found for every seed.
func TestShortcutsAtTheLimit(t *testing.T) {
	for n := 8; n <= 40; n += 4 {
		for seed := range 20 {
			simple(t, network(t, fmt.Sprintf("dln(n=%d,y=%d,p=1,seed=%d)", n, n/2-2, seed)), n/2)
		}
	}
}

// TestShortcutsShorten: two shortcuts per switch bring the ring of 256 from a diameter of 128 to
// what 256 = 1 + 4 + 12 + ... cannot go below, 5, and a few more.
func TestShortcutsShorten(t *testing.T) {
	a := network(t, "dln(n=256,y=2,p=1)")
	if d := diameter(a); d < 5 || d > 8 {
		t.Errorf("%s: diameter %d, want 5 to 8", a.Design, d)
	}
	b := network(t, "dln(n=256,y=2,p=1,seed=2)")
	same := 0
	for s := range a.Switches() {
		x, y := a.Neighbors(topology.SwitchID(s)), b.Neighbors(topology.SwitchID(s))
		for i := range x {
			if x[i] == y[i] {
				same++
			}
		}
	}
	if same > 256*2+40 {
		t.Errorf("seeds 1 and 2 share %d channels, want the ring's 512 and a few", same)
	}
}

// cableOf is what a draw minimises, from the network.
func cableOf(n *topology.Network, g room) (total int64) {
	for s := range n.Switches() {
		for _, x := range n.Neighbors(topology.SwitchID(s)) {
			total += g.length(int32(s), int32(x))
		}
	}
	return total / 2
}

// TestSkywalk: links of a class stay where the class says, every switch has its number of each, and
// more draws never need more cable, the first ones being the same.
func TestSkywalk(t *testing.T) {
	for _, c := range []struct {
		rows, cols, m, l, s, d int
	}{{3, 4, 4, 2, 4, 2}, {2, 2, 2, 1, 4, 2}, {4, 6, 3, 2, 6, 4}, {1, 5, 6, 5, 2, 0}, {2, 3, 5, 4, 4, 2}} {
		g := room{c.rows, c.cols, c.m}
		last := int64(-1)
		for _, tries := range []int{1, 2, 8, 32} {
			n := network(t, fmt.Sprintf("skywalk(rows=%d,cols=%d,m=%d,l=%d,s=%d,d=%d,p=1,tries=%d)",
				c.rows, c.cols, c.m, c.l, c.s, c.d, tries))
			simple(t, n, c.l+c.s+c.d)
			for s := range n.Switches() {
				var have [4]int
				for ch, end := n.Out(topology.SwitchID(s)); ch < end; ch++ {
					if k := g.class(int32(s), int32(n.To(ch))); k == n.LinkClass(ch) {
						have[k]++
					}
				}
				if want := [4]int{0, c.l, c.s, c.d}; have != want {
					t.Fatalf("%s: switch %d has links %v by class, want %v", n.Design, s, have, want)
				}
			}
			cable := cableOf(n, g)
			if last >= 0 && cable > last {
				t.Errorf("%s: %d dm of cable, with fewer draws %d", n.Design, cable, last)
			}
			last = cable
		}
	}
}

// TestGalaxy: with as many outer links per switch as the galaxy graph has, the network is the
// product of both graphs, of diameter one more; over a complete graph that is a HyperX. With one
// link per pair of supernodes a complete galaxy graph has the size of the Dragonfly. One switch per
// supernode is the galaxy graph.
func TestGalaxy(t *testing.T) {
	for _, c := range [][2]string{
		{"galaxyfly(outer=complete,q=5,a=4,h=4,p=2)", "hyperx(s1=5,s2=4,t=2)"},
		{"galaxyfly(q=3,a=1,h=5,p=2)", "slimfly(q=3,p=2)"},
		{"galaxyfly(outer=complete,q=7,a=1,h=6,p=1)", "complete(n=7)"},
	} {
		if !topotest.Isomorphic(network(t, c[0]), network(t, c[1])) {
			t.Errorf("%s is not %s", c[0], c[1])
		}
	}
	var s, x topology.Size
	g, d := design(t, "galaxyfly(outer=complete,q=33,a=8,h=4,p=4)"), design(t, "dragonfly(p=4,a=8,h=4)")
	if g.Family.Size(g.V, &s) != nil || d.Family.Size(d.V, &x) != nil ||
		s.Endpoints != x.Endpoints || s.Link != x.Link || s.Switch != x.Switch {
		t.Errorf("%s has another size than %s", g, d)
	}
	for _, c := range []struct {
		design   string
		diameter int
	}{
		{"galaxyfly(outer=complete,q=33,a=8,h=4,p=1)", 3},
		{"galaxyfly(outer=paley,q=13,a=4,h=6,p=1)", 3},
		{"galaxyfly(outer=paley,q=13,a=6,h=1,p=1)", 5},
		{"galaxyfly(q=5,a=3,h=7,p=1)", 3},
		{"galaxyfly(q=5,a=7,h=1,p=1)", 5},
	} {
		if got := diameter(network(t, c.design)); got != c.diameter {
			t.Errorf("%s: diameter %d, want %d", c.design, got, c.diameter)
		}
	}
}
