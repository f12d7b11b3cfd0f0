package growth

import (
	"toposearch/catalog"
	"toposearch/internal/heap"
)

// whole is the match of boxes that a hint gives.
func (m *matcher) whole(hint []int32) *Match {
	x := m.none()
	for u, v := range hint {
		if v >= 0 && x.Old[v] < 0 && m.alike(int32(u), v) {
			x.pair(int32(u), v)
		}
	}
	return x
}

// grow extends a match along cables: the old vertex of which most neighbours have their part comes next, and takes the part that
// keeps most of its cables, where several do the one of the hint, else the first. A vertex that can keep none waits.
func (m *matcher) grow(x *Match, hint []int32) *Match {
	known := make([]int32, m.old.vertices())
	var h heap.Heap[int32, int32] // the most cables first, then the lowest number
	reach := func(u int32) {
		for _, c := range m.old.cables(u) {
			if w := m.old.Cables[c].far(u); x.New[w] < 0 {
				known[w]++
				h.Push(-known[w], uint64(w), w)
			}
		}
	}
	for u := range int32(m.old.vertices()) {
		if x.New[u] >= 0 {
			reach(u)
		}
	}
	seed := int32(0)
	for {
		for h.Len() > 0 {
			n, u := h.Pop()
			if x.New[u] >= 0 || -n != known[u] {
				continue
			}
			if v := m.best(x, u, hint, true); v >= 0 {
				x.pair(u, v)
				reach(u)
			}
		}
		for ; int(seed) < m.old.vertices(); seed++ {
			if v := m.seed(x, seed, hint); v >= 0 {
				x.pair(seed, v)
				reach(seed)
				break
			}
		}
		if int(seed) == m.old.vertices() {
			return x
		}
	}
}

// seed is a part for an old box none of whose neighbours has one that helps; -1: there is none, or it has a part.
func (m *matcher) seed(x *Match, u int32, hint []int32) int32 {
	if x.New[u] >= 0 || m.old.isEndpoint(u) {
		return -1
	}
	if hint != nil && hint[u] >= 0 && x.Old[hint[u]] < 0 && m.alike(u, hint[u]) {
		return hint[u]
	}
	for v := range int32(len(m.to.Boxes)) {
		if x.Old[v] < 0 && m.alike(u, v) {
			return v
		}
	}
	return -1
}

// best is the new vertex as which u keeps most cables, of those without a part if free is set; -1 if it keeps none.
func (m *matcher) best(x *Match, u int32, hint []int32, free bool) int32 {
	top, most := int32(-1), int32(0)
	var seen []int32
	for _, c := range m.old.cables(u) {
		a := &m.old.Cables[c]
		w := x.New[a.far(u)]
		if w < 0 {
			continue
		}
		for _, k := range m.to.cables(w) {
			b := &m.to.Cables[k]
			v := b.far(w)
			if free && x.Old[v] >= 0 || !m.serves(a, b) || !m.alike(u, v) {
				continue
			}
			if m.votes[v]++; m.votes[v] == 1 {
				seen = append(seen, v)
			}
		}
	}
	for _, v := range seen {
		hinted := hint != nil && hint[u] == v
		if n := m.votes[v]; n > most || n == most && (hinted || v < top && (hint == nil || hint[u] != top)) {
			top, most = v, n
		}
		m.votes[v] = 0
	}
	return top
}

// passes is how often improve goes through all vertices at most: the first finds nearly all.
const passes = 3

// improve lets vertices change their parts with others where that keeps more cables, until it helps nobody.
func (m *matcher) improve(x *Match) {
	for range passes {
		changed := false
		for u := range int32(m.old.vertices()) {
			was := x.New[u]
			if was < 0 {
				continue
			}
			v := m.best(x, u, nil, false)
			if v < 0 || v == was {
				continue
			}
			other := x.Old[v]
			if other >= 0 && !m.alike(other, was) {
				continue
			}
			before := m.keptAt(x, u, other)
			x.exchange(was, v)
			if m.keptAt(x, u, other) > before {
				changed = true
			} else {
				x.exchange(v, was)
			}
		}
		if !changed {
			return
		}
	}
}

// exchange gives the old vertices that have the parts a and b, if any, each the other's. A second time it is undone.
func (x *Match) exchange(a, b int32) {
	u, v := x.Old[a], x.Old[b]
	x.Old[a], x.Old[b] = v, u
	if u >= 0 {
		x.New[u] = b
	}
	if v >= 0 {
		x.New[v] = a
	}
}

// keptAt is how many cables at u and at other, if there is one, are kept.
func (m *matcher) keptAt(x *Match, u, other int32) (n int) {
	n = m.keptOf(x, u, -1)
	if other >= 0 {
		n += m.keptOf(x, other, u)
	}
	return n
}

// keptOf is how many cables at u are kept but for those to one other vertex. Of parallel cables each is compared with any.
func (m *matcher) keptOf(x *Match, u, but int32) (n int) {
	at := x.New[u]
	if at < 0 {
		return 0
	}
	for _, k := range m.to.cables(at) {
		m.votes[m.to.Cables[k].far(at)]++
	}
	for _, c := range m.old.cables(u) {
		a := &m.old.Cables[c]
		w := a.far(u)
		v := x.New[w]
		if w == but || v < 0 || m.votes[v] == 0 || !m.alike(w, v) {
			continue
		}
		for _, k := range m.to.cables(at) {
			if b := &m.to.Cables[k]; b.far(at) == v && m.serves(a, b) {
				m.votes[v]--
				n++
				break
			}
		}
	}
	for _, k := range m.to.cables(at) {
		m.votes[m.to.Cables[k].far(at)] = 0
	}
	return n
}

// rest gives those without a part one of those that are left, in order: a switch is used again wherever one like it is needed, and
// every endpoint stays in the cluster.
func (m *matcher) rest(x *Match) {
	type kind struct {
		part     *catalog.Part
		endpoint bool
	}
	next := map[kind]int32{}
	for u := range int32(m.old.vertices()) {
		if x.New[u] >= 0 {
			continue
		}
		key := kind{m.old.part(u), m.old.isEndpoint(u)}
		v, ok := next[key]
		if !ok && m.old.isEndpoint(u) {
			v = int32(len(m.to.Boxes))
		}
		for ; int(v) < m.to.vertices(); v++ {
			if x.Old[v] < 0 && m.sameBox(u, v) {
				x.pair(u, v)
				break
			}
		}
		next[key] = v
	}
}
