package growth

// mostExchanges bounds the comparisons of cables that one pass over all exchanges takes, each some 40 ns with all passes: 0.2 CPU s in all on random networks of
// 800 and 1,200 cables. Larger networks go without.
const mostExchanges, exchangeNs = 4e6, 40

// comparisons are those of one pass, each pair of boxes by their cables, summed over pairs; 0 where none is tried.
func comparisons(old, to int, rules Rules) float64 {
	if n := 4 * float64(old) * float64(to); rules.Switches && n <= mostExchanges {
		return n
	}
	return 0
}

// ExchangesNs is what exchanges take between networks of so many cables.
func ExchangesNs(old, to int, rules Rules) float64 { return exchangeNs * comparisons(old, to, rules) }

// exchanges tries every exchange of the parts of two boxes, or of a part for one that nobody has, where improve tries
// only the part that keeps most cables of one of them: of equal counts it sees one. Endpoints with a single cable follow their boxes, so
// that a leaf moves with what hangs on it. It takes every exchange that keeps more cables, until none does.
func (m *matcher) exchanges(x *Match) {
	if comparisons(len(m.old.Cables), len(m.to.Cables), m.rules) == 0 {
		return
	}
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
				m.exchangeAll(x, u, other, was, v)
				if m.keptAt(x, u, other) > before {
					changed = true
				} else {
					m.exchangeAll(x, u, other, v, was)
				}
			}
		}
	}
}

// exchangeAll gives old box u, which has part was, the part v, and other, which has v unless it is -1, the part was; the
// endpoints at was and v change with them, the i-th with the i-th, where their only cable is at u or other. With was and v
// exchanged it undoes itself.
func (m *matcher) exchangeAll(x *Match, u, other, was, v int32) {
	x.exchange(u, was, v)
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
			return
		}
		b := m.to.Cables[ends[k]].far(v)
		k++
		e, f := x.Old[a], x.Old[b]
		if a == b || !follows(e) || !follows(f) || e >= 0 && !m.alike(e, b) || f >= 0 && !m.alike(f, a) {
			continue
		}
		x.Old[a], x.Old[b] = f, e
		if e >= 0 {
			x.New[e] = b
		}
		if f >= 0 {
			x.New[f] = a
		}
	}
}
