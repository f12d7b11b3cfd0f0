package family

import "toposearch/topology"

// tree is one plane of a folded Clos network of l levels (fat tree) of k-port switches: leaves
// with d ports down and u = k-d up, switches above with half of their ports up, or less where the
// level tapers, and a top level all of whose ports point down to the pods, the subtrees of l-1 levels.
//
// Top level: each top switch has the same number e of links to every pod, so that fewer pods need
// fewer top switches: all uplinks of a pod divided by e. Of an untapered level the links are parallel:
// e is the largest divisor of the uplinks of the switch below (k/2; u in a tree of two levels) with
// e*pods <= k. A switch of a tapered level has few uplinks: there e is the largest divisor of all
// uplinks of a pod, and the links go to different switches of the pod first (see top).
type tree struct {
	k, l, pods, d int
	u             int              // k-d
	down, up      [maxLevels]int16 // ports of a switch of level h, from 2 to l-1, by h: small, since trees are made anew for every count
	single        bool             // e is 1, as a full root has it
}

// maxLevels bounds the levels of a tree: more have no use, and each needs classes of its own.
const maxLevels = 6

// newTree makes a tree; tapers are the ratios of the levels from the second on, 1:1 beyond them.
func newTree(k, l, pods, d int, tapers []int) tree {
	t := tree{k: k, l: l, pods: pods, d: d, u: k - d}
	if l == 1 {
		t.u = 0
	}
	for h := 2; h < l; h++ {
		down := k / 2
		if i := h - 2; i < len(tapers) && tapers[i] != topology.RatioEven {
			down = topology.RatioPart(tapers[i], k)
		}
		t.down[h], t.up[h] = int16(down), int16(max(k/2*2-down, 0))
	}
	return t
}

// uplinks is the number of links upwards of a switch of level h, below the top.
func (t *tree) uplinks(h int) int {
	if h == 1 {
		return t.u
	}
	return int(t.up[h])
}

// tapered tells whether switches of level h, from 2 to l-1, have fewer ports up than down.
func (t *tree) tapered(h int) bool { return t.up[h] < t.down[h] }

// own is the number of switches of level h in a subtree of h levels, below the top.
func (t *tree) own(h int) int64 {
	n := int64(1)
	for i := 1; i < h; i++ {
		n *= int64(t.uplinks(i))
	}
	return n
}

// subtrees is the number of subtrees of h levels, below the top.
func (t *tree) subtrees(h int) int64 {
	n := int64(t.pods)
	for i := h + 1; i < t.l; i++ {
		n *= int64(t.down[i])
	}
	return n
}

// podUplinks is the number of links from a pod to the top.
func (t *tree) podUplinks() int64 { return t.own(t.l) }

// e is the number of links from a top switch to each pod.
func (t *tree) e() int {
	switch {
	case t.l == 1 || t.single:
		return 1
	case t.l > 2 && t.tapered(t.l-1):
		return parallel(t.podUplinks(), t.pods, t.k)
	}
	return parallel(int64(t.uplinks(t.l-1)), t.pods, t.k)
}

// parallel is the largest divisor e of up with e*pods <= k, and 1 if there is none.
func parallel(up int64, pods, k int) int {
	most := int64(k / max(pods, 1))
	if most <= 1 || up <= 1 {
		return 1
	}
	if up > int64(k) { // by the divisor, downwards
		for up%most != 0 {
			most--
		}
		return int(most)
	}
	// By the quotient, upwards: it is mostly small.
	q := (up + most - 1) / most
	for up%q != 0 {
		q++
	}
	return int(up / q)
}

// podLeaves is the number of leaves of a pod.
func (t *tree) podLeaves() int64 { return t.subtreeLeaves(t.l - 1) }

// subtreeLeaves is the number of leaves of a subtree of h levels, below the top.
func (t *tree) subtreeLeaves(h int) int64 {
	n := int64(1)
	for i := 2; i <= h; i++ {
		n *= int64(t.down[i])
	}
	return n
}

func (t *tree) leaves() int64 { return int64(t.pods) * t.podLeaves() }

// switches is the number of switches of level h.
func (t *tree) switches(h int) int64 {
	switch {
	case h == 1:
		return t.leaves()
	case h == t.l:
		return t.podUplinks() / int64(t.e())
	}
	return t.subtrees(h) * t.own(h)
}

// levelLinks is the number of links from level h to the next.
func (t *tree) levelLinks(h int) int64 { return t.subtrees(h) * t.own(h) * int64(t.uplinks(h)) }

// spread divides the e links of a top switch to a pod: parallel ones to the same switch, and for each level h below
// that one switches that differ in the uplink taken there, so that failures of top switches hit all alike. Switches of
// level h of a subtree are numbered by these uplinks, that of the leaf first.
func (t *tree) spread() (times int, differ [maxLevels]int) {
	times = t.e()
	for h := t.l - 2; h >= 1; h-- {
		differ[h] = 1
		if t.tapered(t.l - 1) {
			differ[h] = int(gcd(int64(times), int64(t.uplinks(h))))
			times /= differ[h]
		}
	}
	return times, differ
}

// top is the first of the top switches to which a switch of the level below is linked, by its number in its pod.
func (t *tree) top(w int64, times int, differ *[maxLevels]int) int64 {
	group, scale := int64(0), int64(1)
	for h := t.l - 2; h >= 1; h-- {
		up, each := int64(t.uplinks(h)), int64(differ[h])
		group += w % up / each * scale
		scale *= up / each
		w /= up
	}
	return group * int64(t.uplinks(t.l-1)/times)
}

// wire streams the links, level by level: from a switch of level h to one of level h+1, each
// numbered inside its level, pod after pod.
func (t *tree) wire(emit func(h int, lower, upper int64)) {
	times, differ := t.spread()
	for h := 1; h < t.l; h++ {
		up, own := int64(t.uplinks(h)), t.own(h)
		for sub := range t.subtrees(h) {
			for w := range own {
				if h == t.l-1 {
					first := t.top(w, times, &differ)
					for j := range up {
						emit(h, sub*own+w, first+j/int64(times))
					}
					continue
				}
				first := sub/int64(t.down[h+1])*own*up + w*up
				for j := range up {
					emit(h, sub*own+w, first+j)
				}
			}
		}
	}
}

// check tells whether the tree exists, tapers aside.
func (t *tree) check(s *topology.Size) error {
	switch {
	case t.k%2 != 0:
		return s.Fail("k", t.k, "k even", t.k+1)
	case t.l == 1 && t.pods != 1:
		return s.Fail("pods", t.pods, "pods = 1 for l = 1", 1)
	case t.l == 1 && t.d > t.k:
		return s.Fail("d", t.d, "d <= k for l = 1", t.k)
	case t.l == 1:
		return nil
	case t.pods < 2:
		return s.Fail("pods", t.pods, "pods >= 2 for l >= 2", 2)
	case t.pods > t.k:
		return s.Fail("pods", t.pods, "pods <= k", t.k)
	case t.d < t.k/2:
		return s.Fail("d", t.d, "d >= k/2 for l >= 2", t.k/2)
	case t.d >= t.k:
		return s.Fail("d", t.d, "d <= k-1 for l >= 2", t.k-1)
	}
	return nil
}

// class is the index of the switches of level h and of the links below them.
func (t *tree) class(h int) int {
	if h == t.l && h > 1 {
		return treeTop
	}
	return h - 1
}

// Classes of a tree: the top level has its own, so that it stands apart on the floor.
const (
	treeLeaf = 0
	treeTop  = maxLevels - 1 // index of the top switches, and of the links below them
	treeNic  = 0
)

var (
	treeLinks = []topology.LinkClass{
		{Name: topology.ClassNic, Doc: "endpoint to leaf"},
		{Name: "agg", Doc: "leaf to aggregation switch, inside a pod"},
		{Name: "agg3", Doc: "second to third level, inside a pod"},
		{Name: "agg4", Doc: "third to fourth level, inside a pod"},
		{Name: "agg5", Doc: "fourth to fifth level, inside a pod"},
		{Name: "spine", Doc: "to the top level"},
	}
	treeSwitches = []topology.SwitchClass{
		{Name: "leaf", Doc: "first level: endpoints below"},
		{Name: "agg", Doc: "second level of a pod"},
		{Name: "agg3", Doc: "third level of a pod"},
		{Name: "agg4", Doc: "fourth level of a pod"},
		{Name: "agg5", Doc: "fifth level of a pod"},
		{Name: "spine", Doc: "top level, all ports down"},
	}
)
