package growth

import (
	"cmp"
	"slices"
)

// Servers stay whole: endpoints in a row share one (Network.PerServer), and where a match deals those of an old server out to several new ones, nobody can build it.

// intact tells whether the endpoints of each old server become some of one new server, and those of no other.
func (m *matcher) intact(x *Match) bool {
	per, from := m.old.PerServer, make(map[int]int) // by new server, 1 + the old one
	first, to := m.firstEndpoints()
	for s := 0; s < m.old.Endpoints; s += per {
		one := -1
		for u := s; u < min(s+per, m.old.Endpoints); u++ {
			v := x.New[int(first)+u]
			if v < 0 {
				continue
			}
			t := int(v-to) / per
			if one >= 0 && t != one || from[t] > 0 && from[t] != s/per+1 {
				return false
			}
			one, from[t] = t, s/per+1
		}
	}
	return true
}

// servers deals out the endpoints of a match anew where old servers come apart: pairs of an old server and a new one of as many endpoints at least, those first that
// keep most cables to the boxes, whose part stays what it is.
func (m *matcher) servers(x *Match) {
	per := m.old.PerServer
	if per <= 1 || m.to.PerServer != per || m.intact(x) {
		return
	}
	list := m.choices(x, per)
	sortChoices(list)
	m.clear(x)
	m.dealOut(x, per, list)
}

// choice is a new server for an old one, with the cables that are kept.
type choice struct{ old, to, kept int }

// choices are those that keep cables. Their cost is that of all pairs of endpoints whose boxes are the same.
func (m *matcher) choices(x *Match, per int) (list []choice) {
	first, to := m.firstEndpoints()
	seen := make([]int, (m.to.Endpoints+per-1)/per) // by new server: 1 + the last old one
	for s := 0; s*per < m.old.Endpoints; s++ {
		for u := s * per; u < min((s+1)*per, m.old.Endpoints); u++ {
			m.candidates(x, first+int32(u), func(v int32) {
				if t := int(v-to) / per; seen[t] != s+1 && m.fits(s, t, per) {
					seen[t] = s + 1
					list = append(list, choice{s, t, m.deal(x, s, t, per, nil)})
				}
			})
		}
	}
	return list
}

// sortChoices puts those first that keep most.
func sortChoices(list []choice) {
	slices.SortFunc(list, func(a, b choice) int {
		return cmp.Or(cmp.Compare(b.kept, a.kept), cmp.Compare(a.old, b.old), cmp.Compare(a.to, b.to))
	})
}

// clear leaves all endpoints of a match without a part.
func (m *matcher) clear(x *Match) {
	for u := len(m.old.Boxes); u < m.old.vertices(); u++ {
		if v := x.New[u]; v >= 0 {
			x.New[u], x.Old[v] = -1, -1
		}
	}
}

// dealOut gives endpoints, none of which has a part, those of the first choice that is left to their server, or of any new server that is.
func (m *matcher) dealOut(x *Match, per int, list []choice) {
	gone, taken := make([]bool, (m.old.Endpoints+per-1)/per), make([]bool, (m.to.Endpoints+per-1)/per)
	for _, c := range list {
		if !gone[c.old] && !taken[c.to] {
			gone[c.old], taken[c.to] = true, true
			m.deal(x, c.old, c.to, per, x.pair)
		}
	}
	for s := range gone { // those that keep none
		for t := 0; !gone[s]; t++ {
			if !taken[t] && m.fits(s, t, per) {
				gone[s], taken[t] = true, true
				m.deal(x, s, t, per, x.pair)
			}
		}
	}
}

// fits tells whether an old server may become a new one: it has no more endpoints, and all others, which have more, have one left where it has fewer than a server.
func (m *matcher) fits(s, t, per int) bool {
	a, b := sizeOf(m.old, s, per), sizeOf(m.to, t, per)
	return a <= b && (a == per || b < per || m.to.Endpoints/per > m.old.Endpoints/per)
}

// firstEndpoints are the first vertices that are endpoints.
func (m *matcher) firstEndpoints() (old, to int32) {
	return int32(len(m.old.Boxes)), int32(len(m.to.Boxes))
}

// sizeOf is how many endpoints a server has: the last may have fewer.
func sizeOf(n *Network, server, per int) int {
	return min(per, n.Endpoints-server*per)
}

// candidates calls visit for new endpoints as which an old one keeps a cable, once for each.
func (m *matcher) candidates(x *Match, u int32, visit func(v int32)) {
	for _, c := range m.old.cables(u) {
		a := &m.old.Cables[c]
		w := x.New[a.far(u)]
		if w < 0 || !m.alike(a.far(u), w) {
			continue
		}
		cables := m.to.cables(w)
		m.steps += len(cables)
		for _, k := range cables {
			b := &m.to.Cables[k]
			if v := b.far(w); m.to.isEndpoint(v) && m.serves(a, b) && m.alike(u, v) {
				visit(v)
			}
		}
	}
}

// deal makes endpoints of an old server those of a new one, each in its turn the one that keeps most of its cables, then the others, and says how many cables are kept; pair nil: it is only asked.
func (m *matcher) deal(x *Match, s, t, per int, pair func(u, v int32)) (kept int) {
	first, to := m.firstEndpoints()
	taken := make([]bool, per)
	var others []int
	for u := s * per; u < s*per+sizeOf(m.old, s, per); u++ {
		votes := make([]int, per)
		m.candidates(x, first+int32(u), func(v int32) {
			if at := int(v-to) - t*per; at >= 0 && at < per {
				votes[at]++
			}
		})
		best := -1
		for at, n := range votes {
			if !taken[at] && n > 0 && (best < 0 || n > votes[best]) {
				best = at
			}
		}
		if best < 0 {
			others = append(others, u)
			continue
		}
		taken[best] = true
		kept += votes[best]
		if pair != nil {
			pair(first+int32(u), to+int32(t*per+best))
		}
	}
	if pair != nil {
		for _, u := range others {
			at := slices.Index(taken, false)
			taken[at] = true
			pair(first+int32(u), to+int32(t*per+at))
		}
	}
	return kept
}
