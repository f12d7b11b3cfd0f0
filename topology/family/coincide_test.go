package family

import (
	"runtime"
	"testing"

	"toposearch/topology"
	"toposearch/topology/topotest"
)

// graph makes a network of n switches with t endpoints each, or none where attach is false.
func graph(t *testing.T, n int, attach func(s int) int, links func(link func(a, b int))) *topology.Network {
	t.Helper()
	b := topology.NewBuilder([]topology.SwitchClass{{Name: "switch"}}, []topology.LinkClass{{Name: topology.ClassNic}, {Name: "link"}})
	b.Switch(0, n)
	links(func(x, y int) { b.Link(1, topology.SwitchID(x), topology.SwitchID(y)) })
	for s := range n {
		for range attach(s) {
			b.Endpoints(1, []topology.SwitchID{topology.SwitchID(s)})
		}
	}
	g, err := b.Build("graph")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func one(int) int { return 1 }

// ungrouped attaches every endpoint by itself, as graph does: Isomorphic compares groups.
func ungrouped(t *testing.T, n *topology.Network) *topology.Network {
	t.Helper()
	count := make([]int, n.Switches())
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		count[ports[0]] += int(end - first)
	}
	return graph(t, n.Switches(), func(s int) int { return count[s] }, func(link func(a, b int)) {
		for s := range topology.SwitchID(n.Switches()) {
			for c, end := n.Out(s); c < end; c++ {
				if n.Rev(c) > c {
					link(int(s), int(n.To(c)))
				}
			}
		}
	})
}

// TestPentagons: Slim Fly of q = 5 is the graph of Hoffman and Singleton, here by Robertson's
// pentagons P and pentagrams Q: P(h,j) is linked to P(h,j+1) and to Q(i,h*i+j), Q(i,j) to Q(i,j+2).
func TestPentagons(t *testing.T) {
	robertson := graph(t, 50, one, func(link func(a, b int)) {
		for h := range 5 {
			for j := range 5 {
				link(5*h+j, 5*h+(j+1)%5)
				link(25+5*h+j, 25+5*h+(j+2)%5)
				for i := range 5 {
					link(5*h+j, 25+5*i+(h*i+j)%5)
				}
			}
		}
	})
	if !topotest.Isomorphic(network(t, "slimfly(q=5,p=1)"), robertson) {
		t.Error("slimfly(q=5) is not the graph of Hoffman and Singleton")
	}
}

// TestBCubeDual: the servers of a BCube, linked where they share a switch, are the switches of a
// HyperX of as many dimensions.
func TestBCubeDual(t *testing.T) {
	for _, c := range []struct{ bcube, hyperx string }{
		{"bcube(n=4,l=2)", "hyperx(s1=4,s2=4,t=1)"}, {"bcube(n=3,l=3)", "hyperx(s1=3,s2=3,s3=3,t=1)"}, {"bcube(n=2,l=4)", "hypercube(n=4)"},
	} {
		n := network(t, c.bcube)
		at := map[topology.SwitchID]int{} // endpoint by embedded switch
		for g := range n.Groups() {
			first, _, ports := n.Group(g)
			at[ports[0]] = int(first)
		}
		dual := graph(t, n.Endpoints(), one, func(link func(a, b int)) {
			for s := range topology.SwitchID(n.Switches()) {
				near := n.Neighbors(s)
				if n.Embedded(s) {
					continue
				}
				for i, x := range near {
					for _, y := range near[i+1:] {
						link(at[x], at[y])
					}
				}
			}
		})
		if !topotest.Isomorphic(dual, network(t, c.hyperx)) {
			t.Errorf("servers of %s that share a switch are not linked as %s", c.bcube, c.hyperx)
		}
	}
}

// TestFoldedClos: a Clos network whose input and output switches are one box each is a fat tree of
// two levels.
func TestFoldedClos(t *testing.T) {
	const m, n, r = 4, 4, 8
	clos := network(t, "clos(m=4,n=4,r=8)")
	next := map[int]int{} // switches of a class so far
	fold := make([]int, clos.Switches())
	for s := range fold {
		c := clos.Class(topology.SwitchID(s))
		k := next[c]
		next[c]++
		switch clos.SwitchClasses[c].Name {
		case "ingress", "egress":
			fold[s] = k
		case "middle":
			fold[s] = r + k
		default:
			fold[s] = -1
		}
	}
	folded := graph(t, r+m, func(s int) int {
		if s < r {
			return n
		}
		return 0
	}, func(link func(a, b int)) {
		for s := range topology.SwitchID(clos.Switches()) {
			for _, to := range clos.Neighbors(s) {
				// A link is a channel to the middle and one back: count the way up.
				if a, b := fold[s], fold[to]; a >= 0 && b >= r {
					link(a, b)
				}
			}
		}
	})
	if !topotest.Isomorphic(folded, ungrouped(t, network(t, "fattree(k=8,l=2)"))) {
		t.Errorf("clos(m=%d,n=%d,r=%d) folded is not fattree(k=8,l=2)", m, n, r)
	}
}

// TestQuadrics: of the q^2+q+1 points of a plane q+1 are quadrics, orthogonal to themselves: they have
// a link less, none to one another, and for odd q every other point sees none or two of them.
func TestQuadrics(t *testing.T) {
	for _, q := range []int{2, 3, 4, 5, 7, 8, 9, 11} {
		n := network(t, (topology.Design{Family: polarfly, V: []int{q, 1}}).String())
		quadric := make([]bool, n.Switches())
		count := 0
		for s := range n.Switches() {
			switch k := len(n.Neighbors(topology.SwitchID(s))); k {
			case q:
				quadric[s] = true
				count++
			case q + 1:
			default:
				t.Fatalf("q = %d: a point of %d links", q, k)
			}
		}
		if count != q+1 {
			t.Errorf("q = %d: %d quadrics, want %d", q, count, q+1)
		}
		for s := range n.Switches() {
			seen := 0
			for _, x := range n.Neighbors(topology.SwitchID(s)) {
				if quadric[x] {
					seen++
				}
			}
			switch {
			case quadric[s] && q%2 == 1 && seen != 0, quadric[s] && seen > 1:
				t.Errorf("q = %d: quadric %d sees %d others", q, s, seen)
			case !quadric[s] && q%2 == 1 && seen != 0 && seen != 2:
				t.Errorf("q = %d: point %d sees %d quadrics, want 0 or 2", q, s, seen)
			}
		}
	}
}

// TestIsomorphicKeepsNoColours: a comparison that chooses among hundreds of vertices that look alike does not keep the colours of each choice, which
// were nine tenths of 44 MB here, and 12 GB of two networks of a million endpoints.
func TestIsomorphicKeepsNoColours(t *testing.T) {
	n := network(t, "fattree(k=32,l=3)")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	same, _ := topology.Isomorphic(n, n, 1e7)
	runtime.ReadMemStats(&after)
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; same != topology.Same || mb > 15 {
		t.Errorf("sameness %d with %d MB allocated", same, mb)
	}
}
