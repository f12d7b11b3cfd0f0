package family

import "toposearch/topology"

// multirailParams are the parameters of multirail by name.
type multirailParams []int

func (v multirailParams) k() int      { return v[0] }
func (v multirailParams) l() int      { return v[1] }
func (v multirailParams) r() int      { return v[2] }
func (v multirailParams) f() int      { return v[3] }
func (v multirailParams) planes() int { return v[4] }
func (v multirailParams) pods() int   { return v[5] }
func (v multirailParams) d() int      { return v[6] }
func (v multirailParams) spread() int { return v[7] }
func (v multirailParams) mix() int    { return v[8] }

// multirail: endpoints with r ports on fat trees, several planes and several leaves of each.
var multirail = &topology.Family{
	Name:  "multirail",
	Title: "multi-rail, multi-plane fat tree: r ports of an endpoint on f leaves of each plane",
	Source: topology.Source{
		Authors: "C. E. Leiserson", Title: "Fat-Trees: Universal Networks for Hardware-Efficient Supercomputing",
		Venue: "IEEE Trans. Computers 34(10)", Year: 1985,
		Departures: "attachment in the manner of MR-tree (IPCCC 2021), whose parameters are not published: here f leaves serve " +
			"the same endpoints, with r/(planes*f) ports of each on every one of them; the leaves are neighbours in a pod, or one in each of f pods; " +
			"or f sets of leaves serve endpoints that have one leaf of each set, in all combinations",
	},
	Params: []topology.Param{
		{Name: "k", Doc: "ports of a switch", Min: 2, Max: 1024},
		{Name: "l", Doc: "levels of switches", Min: 1, Max: maxLevels},
		{Name: "r", Doc: "ports of an endpoint, over all planes", Min: 1, Max: maxRails},
		{Name: "f", Doc: "leaves of a plane that an endpoint is attached to", Min: 1, Max: maxRails, Default: topology.Const(1)},
		{Name: "planes", Doc: "separate trees, each with r/planes ports of every endpoint", Min: 1, Max: maxRails, Default: topology.Const(1)},
		{Name: "pods", Doc: "subtrees below the top level; leaves for l = 2", Min: 1, Max: 1024, Default: fullPods, DefaultDoc: "if(l=1, 1, k)"},
		{Name: "d", Doc: "ports of a leaf that face endpoints; above k/2 the tree tapers", Min: 1, Max: 1024,
			Default: func(v []int) int { d := multirailParams(v); return halfDown(d.k(), d.l()) }, DefaultDoc: "if(l=1, k, floor(k/2))"},
		{Name: "spread", Doc: "where the f leaves of an endpoint are: neighbours in a pod, or in the same place of f pods", Min: 0, Max: 1,
			Default: topology.Const(0), Choices: []string{"near", "wide"}},
		{Name: "mix", Doc: "leaves among which each of the f is chosen: endpoints have all combinations; 1: they share the same f", Min: 1, Max: 512,
			Default: topology.Const(1)},
	},
	LinkClasses:   treeLinks,
	SwitchClasses: treeSwitches,
	Check:         func(v []int, s *topology.Size) error { return railsOf(v).check(s) },
	Count:         func(v []int, s *topology.Size) { r := railsOf(v); r.count(s) },
	Wire:          func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) { r := railsOf(v); r.wire(emit) },
	Attach:        func(v []int, emit func(int, []topology.SwitchID)) { r := railsOf(v); r.attach(emit) },
	Natural:       func([]int) topology.Rule { return treeRule },
	Place:         func(v []int) topology.Placement { r := railsOf(v); return r.place() },
	VCReason:      "up, then down: no channel downwards is ever followed by one upwards, and planes share no switch, so one VC is acyclic",
	Documentation: topology.Documentation{
		Formulas: []string{
			"m = k/2",
			"u = k - d; uplinks of a leaf",
			"leaves = pods*m^(l-2)",
			"e = divisor(if(l=2, u, m), k/pods); links of a top switch to a pod: the largest divisor that fits",
			"endpoints = leaves*d*planes/r where l>1; one switch a plane for l = 1",
			"endpoint_ports = r",
			"switches = planes*(leaves + (l-2)*pods*u*m^(l-3) + u*m^(l-2)/e) where l>1",
			"links = planes*(l-1)*leaves*u where l>1",
			"radix = k where l>1",
		},
		Deployments: "Dual-port NICs on two trees, as in HPN (hpn). DeepSeek's multi-plane fat tree, of one port in one plane, is railonly.",
		Traps: "Planes share no switch: a packet cannot change them. Ports are counted at the rate of links: one physical port " +
			"split over two planes is r = 2, planes = 2. With leaves in several pods more endpoints are near, and a rack's cables go to more places.",
	},
	SearchSpace: topology.SearchSpace{
		Bounds: func(lo, hi []int, bl, bh *topology.Size) {
			boundRails(spansOf(lo, hi), bl, bh)
		},
		PerEndpoint: perRails,
		Next:        nextRails,
		Within:      railsWithin,
		Derived:     5,
		Canonical:   func(v []int) { oneSwitch(v, 6) },
	},
	Routes: topology.Routes{
		Paths:  func(v []int, p *topology.Paths) bool { r := railsOf(v); return r.paths(p) },
		Orbits: func(v []int) topology.Symmetry { r := railsOf(v); return r.orbits() },
	},
	Layout: topology.Layout{
		Bundles: func(v []int, emit func(topology.Bundle)) { r := railsOf(v); r.bundles(emit) },
		Cables:  func(v []int, c int) topology.Cables { r := railsOf(v); return r.cables(c) },
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 { r := railsOf(v); return r.nonBlocking() },
		Middle:      func(v []int) float64 { r := railsOf(v); return r.middleCut() },
	},
}

// maxRails bounds the ports of an endpoint: the largest accelerators have 8 to 16 network ports.
const maxRails = 16

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

// oneSwitch brings trees of one level, of which nothing but the d ports of a switch is in use, to the
// least k. d has index at.
func oneSwitch(v []int, at int) {
	if k, l, d := &v[0], v[1], v[at]; l == 1 && d <= *k {
		*k = (d + 1) / 2 * 2
	}
}

// fullPods is the number of pods of a full tree, from k and l.
func fullPods(v []int) int {
	k, l := v[0], v[1]
	if l == 1 {
		return 1
	}
	return k
}

// halfDown is the number of ports that an untapered leaf has for endpoints.
func halfDown(k, l int) int {
	if l == 1 {
		return k
	}
	return k / 2
}

// rails is a tree in every plane with endpoints that have ports in all of them.
type rails struct {
	tree
	r, f, planes int
	w            int  // ports of an endpoint on one leaf
	wide         bool // the f leaves are in as many pods
	mix          int  // leaves of each of the f sets of which an endpoint has one leaf each
}

func railsOf(v []int) rails {
	d := multirailParams(v)
	r := rails{tree: newTree(d.k(), d.l(), d.pods(), d.d()), r: d.r(), f: d.f(), planes: d.planes()}
	r.w = max(1, r.r/(r.planes*r.f))
	r.wide, r.mix = d.spread() == 1, d.mix()
	return r
}

func (t *rails) endpoints() int64 {
	return t.leaves() * int64(t.d) / int64(max(1, t.r/t.planes))
}

// class is the index of the switches of level h and of the links below them.
func (t *tree) class(h int) int {
	if h == t.l && h > 1 {
		return treeTop
	}
	return h - 1
}

func (t *rails) count(s *topology.Size) {
	s.Endpoints = t.endpoints()
	s.EndpointPorts, s.EndpointLanes = int32(t.r), int32(t.r)
	planes := int64(t.planes)
	s.Link[treeNic] = s.Endpoints * int64(t.r)
	leaf := &s.Switch[treeLeaf]
	leaf.Count = planes * t.leaves()
	leaf.Ports[treeNic] = int32(t.d)
	if t.l == 1 {
		return
	}
	leaf.Ports[t.class(2)] = int32(t.u)
	for h := 2; h <= t.l; h++ {
		c := t.class(h)
		s.Link[c] = planes * t.levelLinks()
		if h == t.l {
			e := t.e()
			s.Switch[c].Count = planes * (int64(t.u) * t.podLeaves() / int64(e))
			s.Switch[c].Ports[c] = int32(t.pods * e)
			break
		}
		s.Switch[c].Count = planes * t.middle()
		s.Switch[c].Ports[c] = int32(t.m)
		s.Switch[c].Ports[t.class(h+1)] = int32(t.m)
	}
}

// block is the number of leaves of a plane that stand together: those of a pod, of all pods that
// share endpoints, or those that share their endpoints in a tree of two levels.
func (t *rails) block() int64 {
	switch {
	case t.l < 3:
		return int64(t.f * t.mix)
	case t.wide:
		return int64(t.f) * t.podLeaves()
	}
	return t.podLeaves()
}

// id numbers the switches of a class: block by block, inside a block plane by plane.
func (t *rails) id(base int64, plane int, x, block int64) topology.SwitchID {
	return topology.SwitchID(base + (x/block*int64(t.planes)+int64(plane))*block + x%block)
}

// bundles is wire in bulk: the switches of a level in a block with those above.
func (t *rails) bundles(emit func(topology.Bundle)) {
	base := t.switchCount(1)
	first := int64(0)
	for h := 1; h < t.l; h++ {
		up, own := t.m, int64(1)
		if h == 1 {
			up = t.u
		} else {
			own = int64(t.u) * pow(int64(t.m), h-2)
		}
		block, above := t.levelBlock(h), t.levelBlock(h+1)
		group, each, times := int64(t.m)*own, up, 1 // switches that share those above
		if h == t.l-1 {
			group, each, times = block, up/t.e(), t.e()
		}
		all := t.levelSwitches(h)
		for plane := range t.planes {
			for x := int64(0); x < all; x += group {
				to := int64(0)
				if h < t.l-1 {
					to = x / group * own * int64(up)
				}
				emit(topology.Bundle{Class: t.class(h + 1), A: t.id(first, plane, x, block), B: t.id(base, plane, to, above),
					Count: int(group), Cycle: int(own), Each: each, Times: times})
			}
		}
		first, base = base, base+t.switchCount(h+1)
	}
}

// levelSwitches is the number of switches of level h in a plane, switchCount in all planes, and
// levelBlock how many of a plane are numbered together.
func (t *rails) levelSwitches(h int) int64 {
	switch {
	case h == 1:
		return t.leaves()
	case h == t.l:
		return t.tops()
	}
	return t.middle()
}

func (t *rails) switchCount(h int) int64 { return t.levelSwitches(h) * int64(t.planes) }

func (t *rails) levelBlock(h int) int64 {
	switch {
	case h == 1:
		return t.block()
	case h == t.l:
		return t.tops()
	}
	return t.middle() / int64(t.pods)
}

func (t *rails) wire(emit func(int, topology.SwitchID, topology.SwitchID)) {
	var base, block [maxLevels + 1]int64 // by level
	n := t.leaves() * int64(t.planes)
	block[1] = t.block()
	for h := 2; h <= t.l; h++ {
		base[h] = n
		block[h] = t.middle() / int64(t.pods)
		if h == t.l {
			block[h] = t.tops()
		}
		n += t.middle() * int64(t.planes)
	}
	for plane := range t.planes {
		t.tree.wire(func(h int, lower, upper int64) {
			emit(t.class(h+1), t.id(base[h], plane, lower, block[h]), t.id(base[h+1], plane, upper, block[h+1]))
		})
	}
}

// attach emits, leaf group by leaf group, the endpoints that the group's leaves share: port
// after port through the leaves of a plane, then the next plane.
func (t *rails) attach(emit func(int, []topology.SwitchID)) {
	var buf [maxRails]topology.SwitchID
	block, f, x := t.block(), int64(t.f), int64(t.mix)
	combinations := pow(x, t.f)
	each := int(int64(t.d/t.w) * x / combinations) // endpoints with the same leaves
	for g := range t.leaves() / (f * x) {
		first, step := g*f*x, x // from a set of x leaves to the next
		if t.wide {
			step = t.podLeaves()
			first = g/(step/x)*step*f + g%(step/x)*x
		}
		for c := range combinations {
			ports := buf[:0]
			for plane := range t.planes {
				for i, digits := int64(0), c; i < f; i, digits = i+1, digits/x {
					for range t.w {
						ports = append(ports, t.id(0, plane, first+i*step+digits%x, block))
					}
				}
			}
			emit(each, ports)
		}
	}
}

// paths: endpoints of a leaf group meet at a leaf, others at the top of the smallest subtree
// that holds both. Every level is symmetric, so loads are even.
func (t *rails) paths(p *topology.Paths) bool {
	p.Reset()
	n := t.endpoints()
	var cross [topology.MaxClasses]int16
	cross[treeNic] = 2
	in := t.together()
	p.Add(n*(in-1), cross)
	for h := 2; h <= t.l; h++ {
		within := int64(t.d/t.w) * pow(int64(t.m), h-1)
		if h == t.l {
			within = n
		} else if !t.wide {
			within /= int64(t.f) // leaves of a subtree share their endpoints with one another
		}
		cross[t.class(h)] = 2
		p.Add(n*(within-in), cross)
		in = within
	}
	return true
}

// together is the number of endpoints that have a leaf in common with one, itself included.
func (t *rails) together() int64 {
	x := int64(t.mix)
	each := int64(t.d/t.w) / pow(x, t.f-1)
	return each * (pow(x, t.f) - pow(x-1, t.f))
}

func (t *rails) place() topology.Placement {
	p := topology.Placement{Blocks: int(t.leaves() / t.block()), Homes: make([]topology.Home, len(treeSwitches))}
	for i := range p.Homes {
		p.Homes[i] = topology.InBlock
	}
	p.Homes[treeLeaf], p.Homes[treeTop] = topology.WithEndpoints, topology.Central
	return p
}

// cables: in trees of two levels a block is what shares its endpoints, and every leaf is linked to all
// top switches of its plane.
func (t *rails) cables(c int) topology.Cables {
	if c == treeNic {
		if t.l == 2 {
			return topology.Cables{I: treeLeaf, J: -1, Scope: topology.OneBlock, Parts: 1}
		}
		return topology.Cables{I: -1, J: -1}
	}
	if c != treeTop {
		return topology.Cables{I: c - 1, J: c, Scope: topology.OneBlock}
	}
	x := topology.Cables{I: max(t.l-2, 0), J: treeTop}
	if t.l == 2 {
		x.Parts = t.planes
	}
	return x
}

func (t *rails) orbits() topology.Symmetry {
	var s topology.Size
	t.count(&s)
	return classOrbits(treeSwitches, &s)
}

// classOrbits claims that all endpoints are alike, all switches of a class, and all links of a class.
func classOrbits(classes []topology.SwitchClass, s *topology.Size) topology.Symmetry {
	y := topology.Symmetry{Endpoints: []topology.Orbit{{Rep: 0, Count: s.Endpoints}}, EvenLinks: true}
	var first int64
	for i := range classes {
		if n := s.Switch[i].Count; n > 0 {
			y.Switches = append(y.Switches, topology.Orbit{Rep: int32(first), Count: n})
			first += n
		}
	}
	return y
}

// nonBlocking: the whole tree, or what shares all its leaves where it tapers.
func (t *rails) nonBlocking() int64 {
	if t.u < t.d && t.l > 1 {
		return int64(t.d/t.w) / pow(int64(t.mix), t.f-1)
	}
	return t.endpoints()
}

func (t *rails) middleCut() float64 {
	if t.l == 1 {
		return 1
	}
	return min(1, float64(t.u)/float64(t.d))
}
