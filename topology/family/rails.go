package family

import "toposearch/topology"

// multirailParams are the parameters of multirail by name.
type multirailParams []int

func (v multirailParams) k() int        { return v[0] }
func (v multirailParams) l() int        { return v[1] }
func (v multirailParams) tapers() []int { return v[treeTapers : treeTapers+maxLevels-2] }
func (v multirailParams) r() int        { return v[multirailR] }
func (v multirailParams) f() int        { return v[multirailF] }
func (v multirailParams) planes() int   { return v[multirailPlanes] }
func (v multirailParams) pods() int     { return v[multirailPods] }
func (v multirailParams) d() int        { return v[multirailD] }
func (v multirailParams) spread() int   { return v[multirailSpread] }
func (v multirailParams) mix() int      { return v[multirailMix] }

// The places of multirail's parameters behind k, l and the tapers.
const (
	multirailR = treeTapers + maxLevels - 2 + iota
	multirailF
	multirailPlanes
	multirailPods
	multirailD
	multirailSpread
	multirailMix
)

// maxRails bounds the ports of an endpoint: the largest accelerators have 8 to 16 network ports.
const maxRails = 16

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
	r := rails{tree: newTree(d.k(), d.l(), d.pods(), d.d(), d.tapers()), r: d.r(), f: d.f(), planes: d.planes()}
	r.w = max(1, r.r/(r.planes*r.f))
	r.wide, r.mix = d.spread() == 1, d.mix()
	return r
}

// oneRail is a tree with endpoints of one port.
func oneRail(t tree) rails { return rails{tree: t, r: 1, f: 1, planes: 1, w: 1, mix: 1} }

func (t *rails) endpoints() int64 {
	return t.leaves() * int64(t.d) / int64(max(1, t.r/t.planes))
}

func (t *rails) count(s *topology.Size) {
	planes, leaves := int64(t.planes), t.leaves()
	s.Endpoints = leaves * int64(t.d) / int64(max(1, t.r/t.planes))
	s.EndpointPorts, s.EndpointLanes = int32(t.r), int32(t.r)
	s.Link[treeNic] = s.Endpoints * int64(t.r)
	leaf := &s.Switch[treeLeaf]
	leaf.Count = planes * leaves
	leaf.Ports[treeNic] = int32(t.d)
	if t.l == 1 {
		return
	}
	// Level by level: a subtree more holds down of those below, and has an uplink for each of theirs.
	up := t.u
	links := leaves * int64(up)
	leaf.Ports[t.class(2)] = int32(up)
	for h := 2; h < t.l; h++ {
		n := links / int64(max(t.down[h], 1))
		s.Link[h-1], s.Switch[h-1].Count = planes*links, planes*n
		s.Switch[h-1].Ports[h-1] = int32(t.down[h])
		up = int(t.up[h])
		s.Switch[h-1].Ports[t.class(h+1)] = int32(up)
		links = n * int64(up)
	}
	e := int64(t.e())
	top := &s.Switch[treeTop]
	s.Link[treeTop] = planes * links
	top.Count = planes * (links / (int64(max(t.pods, 1)) * e))
	top.Ports[treeTop] = int32(int64(t.pods) * e)
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
	times, differ := t.spread()
	for h := 1; h < t.l; h++ {
		up, own := t.uplinks(h), t.own(h)
		block, above := t.levelBlock(h), t.levelBlock(h+1)
		alike, group, each, parallel := 1, block, up/times, times // neighbours with the same above, switches of a bundle
		if h < t.l-1 {
			group, each, parallel = int64(t.down[h+1])*own, up, 1
		} else if h > 1 && t.tapered(h) { // those that differ in the uplink of the level below
			alike, group = differ[h-1], int64(t.uplinks(h-1))
			own = group / int64(alike)
		}
		all := t.switches(h)
		for plane := range t.planes {
			for x := int64(0); x < all; x += group {
				to := int64(0)
				if h < t.l-1 {
					to = x / group * own * int64(up)
				} else if h > 1 {
					to = t.top(x%block, times, &differ)
				}
				b := topology.Bundle{Class: t.class(h + 1), A: t.id(first, plane, x, block), B: t.id(base, plane, to, above),
					Count: int(group), Cycle: int(own), Each: each, Times: parallel}
				if alike > 1 {
					b.Count, b.Cycle, b.Blocks = alike, 1, int(own)
				}
				emit(b)
			}
		}
		first, base = base, base+t.switchCount(h+1)
	}
}

// switchCount is the number of switches of level h in all planes, and levelBlock how many of a plane are numbered
// together.
func (t *rails) switchCount(h int) int64 { return t.switches(h) * int64(t.planes) }

func (t *rails) levelBlock(h int) int64 {
	switch {
	case h == 1:
		return t.block()
	case h == t.l:
		return t.switches(h)
	}
	return t.switches(h) / int64(t.pods)
}

func (t *rails) wire(emit func(int, topology.SwitchID, topology.SwitchID)) {
	var base, block [maxLevels + 1]int64 // by level
	n := int64(0)
	for h := 1; h <= t.l; h++ {
		base[h], block[h] = n, t.levelBlock(h)
		n += t.switchCount(h)
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
