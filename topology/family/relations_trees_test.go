package family

import (
	"math"
	"slices"
	"testing"

	"toposearch/topology"
	"toposearch/topology/topotest"
)

// TestTreesCoincide: families that are the same graph under another name agree link by link.
func TestTreesCoincide(t *testing.T) {
	for _, c := range [][2]string{
		{"roft(k=8,g=2,pods=4)", "fattree(k=8,l=3,pods=4)"},
		{"th1a(n=2)", "fattree(k=16,l=2)"},
		{"multirail(k=8,l=3,r=1,pods=4,d=6)", "fattree(k=8,l=3,pods=4,d=6)"},
	} {
		a, b := network(t, c[0]), network(t, c[1])
		if !slices.Equal(linkSet(a), linkSet(b)) {
			t.Errorf("%s and %s differ", c[0], c[1])
		}
	}
	// The only difference between the rail-optimised tree and the fat tree is who hangs where.
	a, b := network(t, "roft(k=8,g=2,pods=4)"), network(t, "fattree(k=8,l=3,pods=4)")
	if p, q := homesOf(a), homesOf(b); slices.Equal(p, q) || !slices.Equal(sorted(p), sorted(q)) {
		t.Errorf("rail-optimised attachment %v, plain %v: want a permutation that is not the identity", p, q)
	}
}

// linkSet gives the links as sorted texts of class and ends.
func linkSet(n *topology.Network) [][3]int {
	var out [][3]int
	for s := range n.Switches() {
		for c, end := n.Out(topology.SwitchID(s)); c < end; c++ {
			out = append(out, [3]int{n.LinkClass(c), s, int(n.To(c))})
		}
	}
	slices.SortFunc(out, func(a, b [3]int) int { return slices.Compare(a[:], b[:]) })
	return out
}

// homesOf lists the switch of each endpoint's first port.
func homesOf(n *topology.Network) (at []topology.SwitchID) {
	for e := range n.Endpoints() {
		_, _, ports := n.Group(n.GroupOf(topology.EndpointID(e)))
		at = append(at, ports[0])
	}
	return at
}

func sorted(s []topology.SwitchID) []topology.SwitchID {
	s = slices.Clone(s)
	slices.Sort(s)
	return s
}

// TestPlanesAreCopies: each plane of a multi-plane tree is the tree of one plane, and no link or
// endpoint port leaves it for a switch of another.
func TestPlanesAreCopies(t *testing.T) {
	one, two := network(t, "multirail(k=8,l=2,r=1,pods=4)"), network(t, "multirail(k=8,l=2,r=2,planes=2,pods=4)")
	if two.Switches() != 2*one.Switches() || two.Channels() != 2*one.Channels() || two.Endpoints() != one.Endpoints() {
		t.Fatalf("two planes: %d switches, %d channels, %d endpoints", two.Switches(), two.Channels(), two.Endpoints())
	}
	plane := make([]int, two.Switches())
	for i := range plane {
		plane[i] = -1
	}
	count := 0
	for s := range plane {
		if plane[s] >= 0 {
			continue
		}
		queue := []topology.SwitchID{topology.SwitchID(s)}
		plane[s] = count
		for i := 0; i < len(queue); i++ {
			for _, y := range two.Neighbors(queue[i]) {
				if plane[y] < 0 {
					plane[y] = count
					queue = append(queue, y)
				}
			}
		}
		if len(queue) != one.Switches() {
			t.Errorf("plane %d has %d switches, want %d", count, len(queue), one.Switches())
		}
		count++
	}
	if count != 2 {
		t.Errorf("%d planes, want 2", count)
	}
	for g := range two.Groups() {
		if _, _, p := two.Group(g); plane[p[0]] == plane[p[1]] {
			t.Errorf("group %d has both ports in plane %d", g, plane[p[0]])
		}
	}
}

// TestPartialTree: fewer pods need fewer top switches, to the port: every top switch that is
// bought is full where the pods divide k, and there are never more than pods*uplinks ports' worth
// of half-full ones.
func TestPartialTree(t *testing.T) {
	var s topology.Size
	for pods := 2; pods <= 64; pods++ {
		d := topology.Design{Family: fattree, V: []int{64, 3, topology.RatioEven, topology.RatioEven, topology.RatioEven, topology.RatioEven, pods, 32}}
		if err := fattree.Size(d.V, &s); err != nil {
			t.Fatal(err)
		}
		top := &s.Switch[treeTop]
		if int64(top.Ports[treeTop])*top.Count != s.Link[treeTop] {
			t.Errorf("%s: %d top switches of %d ports for %d links", d, top.Count, top.Ports[treeTop], s.Link[treeTop])
		}
		// 1,024 uplinks a pod; k = 64 is a power of two, so at most half of a switch stays empty.
		if least := (s.Link[treeTop] + 63) / 64; top.Count < least || top.Count >= 2*least {
			t.Errorf("%s: %d top switches, want %d to %d", d, top.Count, least, 2*least-1)
		}
	}
}

// TestSpread: eight endpoints with two ports each, on trees of eight leaves in four pods. Near, two
// leaves of a pod share two endpoints, so that all but one other endpoint are in other pods, 6
// links away. Wide, two pods share their four endpoints: one is on the same leaves, two at 4 links.
func TestSpread(t *testing.T) {
	for _, c := range []struct {
		design string
		mean   float64
	}{
		{"multirail(k=4,l=3,r=2,f=2)", (2 + 6*6) / 7.},
		{"multirail(k=4,l=3,r=2,f=2,spread=wide)", (2 + 2*4 + 4*6) / 7.},
		{"multirail(k=4,l=3,r=4,f=2,planes=2,spread=wide)", (2 + 2*4 + 4*6) / 7.},
		// 16 endpoints on eight leaves: four on each pair of leaves.
		{"multirail(k=8,l=2,r=2,f=2)", (3*2 + 12*4) / 15.},
		{"multirail(k=8,l=2,r=2,f=2,mix=2)", (5*2 + 10*4) / 15.}, // blocks of 2 x 2 pairs, two endpoints each: 1 + 4 share a leaf
		{"multirail(k=16,l=2,r=2,f=2,pods=16,mix=4)", (13*2 + 50*4) / 63.},
	} {
		if got := topotest.MeanPathLinks(network(t, c.design)); math.Abs(got-c.mean) > 1e-12 {
			t.Errorf("%s: mean path links %v, want %v", c.design, got, c.mean)
		}
		if got := meanLinks(t, c.design); math.Abs(got-c.mean) > 1e-12 {
			t.Errorf("%s: mean path links in closed form %v, want %v", c.design, got, c.mean)
		}
	}
	for _, c := range []struct {
		design, param string
		bound         int
	}{
		{"multirail(k=8,l=2,r=2,f=2,spread=wide)", "l", 3},
		{"multirail(k=8,l=3,r=2,spread=wide)", "f", 2},
		{"multirail(k=8,l=3,r=3,f=3,pods=7,spread=wide)", "pods", 9},
		{"multirail(k=8,l=3,r=4,f=4,pods=4,spread=wide)", "pods", 8},
		{"multirail(k=8,l=2,r=2,f=2,mix=3)", "mix", 2},
		{"multirail(k=8,l=2,r=2,mix=2)", "mix", 1},
	} {
		d := design(t, c.design)
		var s topology.Size
		if bad, ok := d.Family.Size(d.V, &s).(*topology.Infeasible); !ok || bad.Param != c.param || bad.Bound != c.bound {
			t.Errorf("%s: %v; want parameter %s, nearest %d", c.design, bad, c.param, c.bound)
		}
	}
}
