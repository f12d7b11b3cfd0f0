package growth

import "slices"

// exchanges tries every exchange of the parts of two boxes, or of a part for one that nobody has, where improve tries
// only the part that keeps most cables of one of them: of equal counts it sees one. Endpoints with a single cable follow their boxes, so
// that a leaf moves with what hangs on it. It takes every exchange that keeps more cables, until none does, and gives how many are kept.
func (m *matcher) exchanges(x *Match) (kept int) {
	kept = Kept(m.old, m.to, x, m.rules)
	if comparisons(len(m.old.Cables), len(m.to.Cables), m.rules) == 0 {
		return kept
	}
	first := Match{slices.Clone(x.New), slices.Clone(x.Old)}
	var swaps [][2]int32
	for changed, pass := true, 0; changed && pass < passes; pass++ {
		changed = false
		for u := range int32(len(m.old.Boxes)) {
			for v := range int32(len(m.to.Boxes)) {
				was := x.New[u]
				if was < 0 {
					break
				}
				other := x.Old[v]
				if v == was || !m.alike(u, v) || other >= 0 && !m.alike(other, was) {
					continue
				}
				before := m.keptAt(x, u, other)
				swaps = m.exchangeAll(x, u, other, was, v, swaps[:0])
				if m.keptAt(x, u, other) > before {
					changed = true
				} else {
					x.undo(swaps)
				}
			}
		}
	}
	after := Kept(m.old, m.to, x, m.rules)
	if after < kept { // keptAt compares parallel cables of several kinds each with any
		*x = first
		return kept
	}
	return after
}

// exchangeAll gives old box u, which has part was, the part v, and other, which has v unless it is -1, the part was; the
// endpoints at was and v change with them, the i-th with the i-th, where their only cable is at u or other. It appends the parts
// that it exchanged to swaps, for undo.
func (m *matcher) exchangeAll(x *Match, u, other, was, v int32, swaps [][2]int32) [][2]int32 {
	x.exchange(was, v)
	swaps = append(swaps, [2]int32{was, v})
	follows := func(e int32) bool {
		if e < 0 {
			return true
		}
		c := m.old.cables(e)
		if len(c) != 1 {
			return false
		}
		at := m.old.Cables[c[0]].far(e)
		return at == u || at == other
	}
	ends, k := m.to.cables(v), 0
	for _, c := range m.to.cables(was) {
		a := m.to.Cables[c].far(was)
		if !m.to.isEndpoint(a) {
			continue
		}
		for k < len(ends) && !m.to.isEndpoint(m.to.Cables[ends[k]].far(v)) {
			k++
		}
		if k == len(ends) {
			break
		}
		b := m.to.Cables[ends[k]].far(v)
		k++
		e, f := x.Old[a], x.Old[b]
		if a == b || !follows(e) || !follows(f) || e >= 0 && !m.alike(e, b) || f >= 0 && !m.alike(f, a) {
			continue
		}
		x.exchange(a, b)
		swaps = append(swaps, [2]int32{a, b})
	}
	return swaps
}

// undo takes back exchangeAll, the last exchange first: an endpoint with cables at both boxes may be in several.
func (x *Match) undo(swaps [][2]int32) {
	for _, s := range slices.Backward(swaps) {
		x.exchange(s[0], s[1])
	}
}
