package family

import "toposearch/topology"

// treeSpans encloses the counts of every valid tree of l levels in a box; ok is false if none is
// in it. By level: down and up are ports of a switch (from the second level to that below the top), switches and links
// those of the level and above it.
type treeSpans struct {
	leaves, pods, d, u, e     span
	down, up, switches, links [maxLevels + 1]span
	ok                        bool
}

// untapered are the tapers of a tree that has none.
var untapered = tapersOf(nil, nil)

// tapersOf are the tapers of a box, 1:1 for the levels that have no parameter.
func tapersOf(lo, hi []int) (s [maxLevels - 2]span) {
	for i := range s {
		s[i] = span{topology.RatioEven, topology.RatioEven}
		if i < len(lo) {
			s[i] = spanOf(lo, hi, i)
		}
	}
	return s
}

func boundTree(l int, k, pods, d span, tapers *[maxLevels - 2]span) (t treeSpans) {
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
	t.divide(l, k, tapers)
	t.levels(l)
	t.tops(l, k, tapers)
	return t
}

// divide sets the ports of switches between leaves and top. k is even in every tree.
func (t *treeSpans) divide(l int, k span, tapers *[maxLevels - 2]span) {
	part := func(x, k int64) int64 { return int64(topology.RatioPart(int(x), int(k))) }
	k.lo, k.hi = k.lo/2*2, k.hi/2*2
	t.up[1] = t.u
	for h := 2; h < l; h++ {
		x := tapers[h-2]
		t.down[h] = span{max(1, part(x.lo, k.lo)), part(x.hi, k.hi)}
		t.up[h] = span{max(1, k.lo-part(x.hi, k.lo)), k.hi - part(x.lo, k.hi)}
	}
}

// levels sets switches and links below the top, as tree.subtrees and tree.own count them.
func (t *treeSpans) levels(l int) {
	own := span{1, 1}
	for h := 1; h < l; h++ {
		if h > 1 {
			own = own.times(t.up[h-1])
		}
		subtrees := t.pods
		for i := h + 1; i < l; i++ {
			subtrees = subtrees.times(t.down[i])
		}
		t.switches[h] = subtrees.times(own)
		t.links[h] = t.switches[h].times(t.up[h])
	}
	t.leaves = t.switches[1]
}

// tops sets the top level, which is known to the switch where the switches below are.
func (t *treeSpans) tops(l int, k span, tapers *[maxLevels - 2]span) {
	uplinks := span{1, 1} // of a pod
	for h := 1; h < l; h++ {
		uplinks = uplinks.times(t.up[h])
	}
	below, one := t.up[l-1], true // what e divides
	if l > 2 && tapers[l-3].hi > topology.RatioEven {
		below, one = uplinks, tapers[l-3].one()
	}
	t.e = span{1, max(1, min(k.hi/t.pods.lo, below.hi))}
	if one && k.one() && below.one() {
		t.e.lo = int64(parallel(below.lo, int(t.pods.hi), int(k.lo)))
		t.e.hi = int64(parallel(below.lo, int(t.pods.lo), int(k.lo)))
	}
	t.switches[l] = span{max(uplinks.lo/t.e.hi, (t.links[l-1].lo+k.hi-1)/k.hi), uplinks.hi / t.e.lo}
}

// times is mul up to mostCounted, far above what any network has of anything.
func (a span) times(b span) span { return span{capped(a.lo, b.lo), capped(a.hi, b.hi)} }

// mostCounted leaves room for the ports of an endpoint and of a switch, 2^14, in 63 bits. Networks have less than 2^31
// endpoints, and links with them.
const mostCounted = 1 << 48

func capped(a, b int64) int64 {
	if b > 0 && a > mostCounted/b {
		return mostCounted
	}
	return a * b
}
