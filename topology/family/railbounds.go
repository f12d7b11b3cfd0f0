package family

import "toposearch/topology"

// railSpans is a box of multirail, one span per parameter; what mixes leaves changes no count.
type railSpans struct {
	k, l                          span
	tapers                        [maxLevels - 2]span
	r, f, planes, pods, d, spread span
}

func spansOf(lo, hi []int) railSpans {
	s := func(i int) span { return spanOf(lo, hi, i) }
	return railSpans{k: s(0), l: s(1), tapers: tapersOf(lo[treeTapers:multirailR], hi[treeTapers:multirailR]), r: s(multirailR), f: s(multirailF),
		planes: s(multirailPlanes), pods: s(multirailPods), d: s(multirailD), spread: s(multirailSpread)}
}

// boundRails encloses the counts of multirail over a box: the hull over the numbers of levels, each by interval
// arithmetic, since tapers, planes and top levels are not monotone.
func boundRails(b *railSpans, bl, bh *topology.Size) {
	planes := b.planes
	planes.hi = min(planes.hi, b.r.hi)
	if !b.portsDivide() {
		return
	}
	first := true
	for l := b.l.lo; l <= b.l.hi; l++ {
		t := boundTree(int(l), b.k, b.pods, b.d, &b.tapers)
		if !t.ok || !b.leavesDivide(l, t.down[2]) {
			continue
		}
		var x, y topology.Size
		x.Reset(bl.Family)
		y.Reset(bh.Family)
		t.endpoints(b.r, b.f, planes, &x, &y)
		t.fill(int(l), b.k, planes, &x, &y)
		if first {
			*bl, *bh, first = x, y, false
			continue
		}
		joinSizes(bl, &x, bh, &y)
	}
}

// portsDivide is false if fixed values of the box already break a rule about ports, whatever the
// others are: the box is then empty, and its bounds are left at 0.
func (b *railSpans) portsDivide() bool {
	k, r, f, planes, d := b.k, b.r, b.f, b.planes, b.d
	switch {
	case k.one() && k.lo%2 != 0:
		return false
	case r.one() && f.one() && r.lo%f.lo != 0:
		return false
	case planes.lo > r.hi:
		return false
	case !r.one() || !planes.one():
		return true
	case r.lo%planes.lo != 0:
		return false
	}
	per := r.lo / planes.lo
	return !f.one() || per%f.lo == 0 && (!d.one() || d.lo%(per/f.lo) == 0)
}

// leavesDivide is the same for the leaves among which an endpoint's ports are spread: below is how many there are
// below a switch of the second level.
func (b *railSpans) leavesDivide(l int64, below span) bool {
	f, pods, spread := b.f, b.pods, b.spread
	switch {
	case l < 3 && spread.lo > 0:
		return false
	case l == 1:
		return f.lo == 1
	case l == 2:
		return pods.hi >= 2*f.lo && (!f.one() || !pods.one() || pods.lo%f.lo == 0)
	case spread.hi > 0:
		return spread.lo == 0 || f.hi > 1 && pods.hi >= 2*max(2, f.lo) && (!f.one() || !pods.one() || pods.lo%f.lo == 0)
	}
	return !f.one() || !below.one() || below.lo%f.lo == 0
}

// endpoints sets what depends on the ports of an endpoint: there are leaves*d*planes/r of them,
// and r/planes is at least f.
func (t *treeSpans) endpoints(r, f, planes span, x, y *topology.Size) {
	down := t.leaves.mul(t.d)
	x.Endpoints = down.lo * planes.lo / r.hi
	y.Endpoints = min(down.hi*planes.hi/r.lo, down.hi/f.lo)
	x.EndpointPorts, y.EndpointPorts = int32(r.lo), int32(r.hi)
	x.EndpointLanes, y.EndpointLanes = int32(r.lo), int32(r.hi)
	x.Link[treeNic], y.Link[treeNic] = down.lo*planes.lo, down.hi*planes.hi
}

// fill sets switches and links of a tree of l levels.
func (t *treeSpans) fill(l int, k, planes span, x, y *topology.Size) {
	class := (&tree{l: l}).class
	set := func(i int, s span) { x.Switch[i].Count, y.Switch[i].Count = s.lo*planes.lo, s.hi*planes.hi }
	ports := func(i, c int, s span) { x.Switch[i].Ports[c], y.Switch[i].Ports[c] = int32(s.lo), int32(s.hi) }
	set(treeLeaf, t.leaves)
	ports(treeLeaf, treeNic, t.d)
	if l == 1 {
		return
	}
	ports(treeLeaf, class(2), t.u)
	for h := 2; h <= l; h++ {
		c := class(h)
		x.Link[c], y.Link[c] = t.links[h-1].lo*planes.lo, t.links[h-1].hi*planes.hi
		set(c, t.switches[h])
		if h == l {
			ports(c, c, span{t.pods.lo * t.e.lo, min(k.hi, t.pods.hi*t.e.hi)})
			break
		}
		ports(c, c, t.down[h])
		ports(c, class(h+1), t.up[h])
	}
}

// joinSizes widens bl..bh to hold x..y as well.
func joinSizes(bl, x, bh, y *topology.Size) {
	bl.Endpoints, bh.Endpoints = min(bl.Endpoints, x.Endpoints), max(bh.Endpoints, y.Endpoints)
	bl.EndpointPorts, bh.EndpointPorts = min(bl.EndpointPorts, x.EndpointPorts), max(bh.EndpointPorts, y.EndpointPorts)
	bl.EndpointLanes, bh.EndpointLanes = min(bl.EndpointLanes, x.EndpointLanes), max(bh.EndpointLanes, y.EndpointLanes)
	for i := range bl.Family.SwitchClasses {
		a, b, c, d := &bl.Switch[i], &bh.Switch[i], &x.Switch[i], &y.Switch[i]
		a.Count, b.Count = min(a.Count, c.Count), max(b.Count, d.Count)
		for j := range bl.Family.LinkClasses {
			a.Ports[j], b.Ports[j] = min(a.Ports[j], c.Ports[j]), max(b.Ports[j], d.Ports[j])
		}
	}
	for i := range bl.Family.LinkClasses {
		bl.Link[i], bh.Link[i] = min(bl.Link[i], x.Link[i]), max(bh.Link[i], y.Link[i])
		bl.Lanes[i], bh.Lanes[i] = min(bl.Lanes[i], x.Lanes[i]), max(bh.Lanes[i], y.Lanes[i])
	}
}
