package family

import "toposearch/topology"

// tree is one plane of a folded Clos network of l levels (fat tree) of k-port switches: leaves
// with d ports down and u = k-d up, k/2 and k/2 above, and a top level all of whose ports point
// down to the pods, the subtrees of l-1 levels.
//
// Top level: each top switch has the same number e of parallel links to every pod. e is the
// largest divisor of the uplinks of the switch below (k/2; u in a tree of two levels) with
// e*pods <= k, so that fewer pods need fewer top switches: all ports of a pod divided by e.
type tree struct {
	k, l, pods, d int
	m, u          int  // k/2 and k-d
	single        bool // e is 1, as a full root has it
}

// maxLevels bounds the levels of a tree: more have no use, and each needs classes of its own.
const maxLevels = 6

func newTree(k, l, pods, d int) tree {
	t := tree{k: k, l: l, pods: pods, d: d, m: k / 2, u: k - d}
	if l == 1 {
		t.u = 0
	}
	return t
}

// e is the number of parallel links from a top switch to each pod.
func (t *tree) e() int {
	switch {
	case t.l == 1 || t.single:
		return 1
	case t.l == 2:
		return parallel(t.u, t.pods, t.k)
	}
	return parallel(t.m, t.pods, t.k)
}

// parallel is the largest divisor e of up with e*pods <= k, and 1 if there is none.
func parallel(up, pods, k int) int {
	most := k / max(pods, 1)
	if most <= 1 || up <= 1 {
		return 1
	}
	// By the quotient, upwards: it is mostly small.
	q := (up + most - 1) / most
	for up%q != 0 {
		q++
	}
	return up / q
}

// podLeaves is the number of leaves of a pod.
func (t *tree) podLeaves() int64 { return pow(int64(t.m), t.l-2) }

func (t *tree) leaves() int64 { return int64(t.pods) * t.podLeaves() }

// middle is the number of switches of each level between leaves and top.
func (t *tree) middle() int64 {
	if t.l < 3 {
		return 0
	}
	return int64(t.pods) * int64(t.u) * pow(int64(t.m), t.l-3)
}

func (t *tree) tops() int64 {
	if t.l < 2 {
		return 0
	}
	return int64(t.u) * t.podLeaves() / int64(t.e())
}

// levelLinks is the number of links between any two neighbouring levels.
func (t *tree) levelLinks() int64 { return t.leaves() * int64(t.u) }

// wire streams the links, level by level: from a switch of level h to one of level h+1, each
// numbered inside its level, pod after pod.
func (t *tree) wire(emit func(h int, lower, upper int64)) {
	e := int64(t.e())
	for h := 1; h < t.l; h++ {
		up := int64(t.m)
		if h == 1 {
			up = int64(t.u)
		}
		// A subtree of h levels has `own` switches on level h, with own*up links upwards.
		own := int64(1)
		if h > 1 {
			own = int64(t.u) * pow(int64(t.m), h-2)
		}
		subtrees := int64(t.pods) * pow(int64(t.m), t.l-1-h)
		for sub := range subtrees {
			for w := range own {
				for j := range up {
					if h == t.l-1 {
						emit(h, sub*own+w, w*(up/e)+j/e)
					} else {
						emit(h, sub*own+w, sub/int64(t.m)*own*up+w*up+j)
					}
				}
			}
		}
	}
}

// check tells whether the tree exists.
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

// treeSpans encloses the counts of every valid tree of l levels in a box; ok is false if none is
// in it.
type treeSpans struct {
	leaves, middle, tops, links, pods, d, u, e span
	ok                                         bool
}

func boundTree(l int, k, pods, d span) (t treeSpans) {
	if l == 1 {
		one := span{1, 1}
		t = treeSpans{leaves: one, pods: one, d: span{d.lo, min(d.hi, k.hi)}, e: one}
		t.ok = pods.lo <= 1 && t.d.lo <= t.d.hi
		return t
	}
	m := span{max(k.lo/2, 1), k.hi / 2}
	t.d = span{max(d.lo, m.lo), min(d.hi, k.hi-1)}
	t.pods = span{max(pods.lo, 2), min(pods.hi, k.hi)}
	t.u = span{max(1, k.lo-t.d.hi), min(k.hi-t.d.lo, m.hi)}
	t.ok = t.d.lo <= t.d.hi && t.pods.lo <= t.pods.hi && t.u.lo <= t.u.hi
	if !t.ok {
		return t
	}
	podLeaves := m.pow(l - 2)
	t.leaves = t.pods.mul(podLeaves)
	t.links = t.leaves.mul(t.u)
	if l > 2 {
		t.middle = t.pods.mul(t.u).mul(m.pow(l - 3))
	}
	t.e = span{1, max(1, min(k.hi/t.pods.lo, m.hi))}
	// The top level is known to the switch where the switches below are.
	below := t.u
	if l > 2 {
		below = m
	}
	if k.lo == k.hi && below.lo == below.hi {
		t.e.lo = int64(parallel(int(below.lo), int(t.pods.hi), int(k.lo)))
		t.e.hi = int64(parallel(int(below.lo), int(t.pods.lo), int(k.lo)))
	}
	up := t.u.mul(podLeaves)
	t.tops = span{max(up.lo/t.e.hi, (t.links.lo+k.hi-1)/k.hi), up.hi / t.e.lo}
	return t
}

// treeUpdown: state 0 goes up or turns, state 1 goes down.
func treeUpdown() topology.Rule {
	r := topology.Rule{Name: "updown", States: 2}
	link := func(h, lower, upper uint8) {
		r.Steps = append(r.Steps,
			topology.Step{From: 0, Kind: topology.Kind{Link: h, From: lower, To: upper}, To: 0},
			topology.Step{From: 0, Kind: topology.Kind{Link: h, From: upper, To: lower}, To: 1},
			topology.Step{From: 1, Kind: topology.Kind{Link: h, From: upper, To: lower}, To: 1})
	}
	for h := uint8(1); h <= treeTop; h++ {
		link(treeTop, h-1, treeTop)
		if h < treeTop {
			link(h, h-1, h)
		}
	}
	return r
}

// upDown3 is up and down over the levels 0, 1, 2 joined by link classes 1 and 2.
func upDown3() topology.Rule {
	up1, up2 := topology.Kind{Link: 1, From: 0, To: 1}, topology.Kind{Link: 2, From: 1, To: 2}
	down2, down1 := topology.Kind{Link: 2, From: 2, To: 1}, topology.Kind{Link: 1, From: 1, To: 0}
	return topology.Rule{Name: "updown", States: 2, Steps: []topology.Step{
		{From: 0, Kind: up1, To: 0}, {From: 0, Kind: up2, To: 0},
		{From: 0, Kind: down2, To: 1}, {From: 0, Kind: down1, To: 1},
		{From: 1, Kind: down2, To: 1}, {From: 1, Kind: down1, To: 1},
	}}
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
	treeRule = treeUpdown()
)

// class is the index of the switches of level h and of the links below them.
func (t *tree) class(h int) int {
	if h == t.l && h > 1 {
		return treeTop
	}
	return h - 1
}
