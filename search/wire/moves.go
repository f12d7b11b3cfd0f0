package wire

import "math/rand/v2"

// move is a change of a graph that can be taken back: the ends that it wrote, as they were.
type move struct {
	n     int
	orbit [4]int32
	slot  [4]int32
	old   [4]end
	// A host of each switch of orbit from has moved to orbit to, and one link the other way; none if they are the same.
	from, to int32
}

// set writes an end and remembers the old one.
func (m *move) set(g *Graph, o, k int32, e end) {
	m.orbit[m.n], m.slot[m.n], m.old[m.n] = o, k, g.links[o][k]
	m.n++
	g.links[o][k] = e
}

// undo takes the move back.
func (m *move) undo(g *Graph) {
	for i := m.n - 1; i >= 0; i-- {
		g.links[m.orbit[i]][m.slot[i]] = m.old[i]
	}
	if a, b := m.from, m.to; a != b { // what stood behind the last end of b is still there
		g.links[a], g.links[b] = g.links[a][:len(g.links[a])-1], g.links[b][:len(g.links[b])+1]
		g.hosts[a]++
		g.hosts[b]--
	}
	m.n, m.from, m.to = 0, 0, 0
}

// exchange exchanges what the move wrote with what stood there before; a second time restores it.
func (m *move) exchange(g *Graph) {
	for i := range m.n {
		at := &g.links[m.orbit[i]][m.slot[i]]
		*at, m.old[i] = m.old[i], *at
	}
}

// legal reports whether the links that the move made are neither loops nor doubled.
func (m *move) legal(g *Graph) bool {
	for i := range m.n {
		if !g.simple(m.orbit[i], m.slot[i]) {
			return false
		}
	}
	return true
}

// link makes end i of a and end j of b the two of a link of (a, 0) with (b, turn).
func (m *move) link(g *Graph, a, i, b, j, turn int32) {
	m.set(g, a, i, end{b, turn, j})
	m.set(g, b, j, end{a, g.minus(turn), i})
}

// across makes end i of a the link of (a, 0) with (a, Turns/2).
func (m *move) across(g *Graph, a, i int32) { m.set(g, a, i, end{a, int32(g.Turns / 2), i}) }

// swap is 2-opt on orbits of links: the link at end k of a and one drawn are exchanged for two others between the same
// four switches, one of the drawn link's copies having been turned at random. It reports false if nothing was changed.
func (m *move) swap(g *Graph, rng *rand.Rand, a, k int32) bool {
	m.n = 0
	c := int32(rng.IntN(g.Orbits))
	if len(g.links[c]) == 0 {
		return false
	}
	i := int32(rng.IntN(len(g.links[c])))
	first, second := g.links[a][k], g.links[c][i]
	if a == c && (i == k || i == first.back) || first.orbit == c && first.back == i {
		return false
	}
	x := int32(rng.IntN(g.Turns)) // the second link is that of (c, x)
	lone, other := first.orbit == a && first.back == k, second.orbit == c && second.back == i
	m.link(g, a, k, c, i, x)
	switch {
	case lone && other:
	case lone:
		m.across(g, second.orbit, second.back)
	case other:
		m.across(g, first.orbit, first.back)
	default:
		m.link(g, first.orbit, first.back, second.orbit, second.back, g.mod(x+second.turn-first.turn))
	}
	return true
}

// turn changes by how much the ends of a link are turned against each other.
func (m *move) turn(g *Graph, rng *rand.Rand, a, k int32) bool {
	m.n = 0
	e := g.links[a][k]
	if g.Turns == 1 || e.orbit == a && e.back == k {
		return false
	}
	m.link(g, a, k, e.orbit, e.back, int32(rng.IntN(g.Turns)))
	return true
}

// split exchanges a link between two orbits for one across the circle in each.
func (m *move) split(g *Graph, a, k int32) bool {
	m.n = 0
	e := g.links[a][k]
	if g.Turns%2 == 1 || e.orbit == a {
		return false
	}
	m.across(g, a, k)
	m.across(g, e.orbit, e.back)
	return true
}

// swing moves a host from a switch drawn to b, which gives up its link at end k for it: the switch at the other end of that is
// linked to where the host was (R. Yasudo et al., IEEE TPDS 30(2), 2019, section 5). Ports stay as many. It reports false if nothing
// was changed.
func (m *move) swing(g *Graph, rng *rand.Rand, b, k int32) bool {
	m.n = 0
	a, e := int32(rng.IntN(g.Orbits)), g.links[b][k]
	if a == b || g.hosts[a] == 0 || e.orbit == b {
		return false
	}
	last := int32(len(g.links[b]) - 1)
	if z := g.links[b][last]; k != last { // the last end takes the place of the one given up
		lone := z.orbit == b && z.back == last
		if lone {
			z.back = k
		} else {
			other := g.links[z.orbit][z.back]
			other.back = k
			m.set(g, z.orbit, z.back, other)
		}
		m.set(g, b, k, z)
	}
	g.links[b] = g.links[b][:last]
	g.links[a] = append(g.links[a], end{})
	m.link(g, a, int32(len(g.links[a])-1), e.orbit, e.back, int32(rng.IntN(g.Turns)))
	g.hosts[a]--
	g.hosts[b]++
	m.from, m.to = a, b
	return true
}

// draw makes one of the moves, chosen at random, and reports whether the graph has changed and is still simple.
func (m *move) draw(g *Graph, rng *rand.Rand, swings bool) bool {
	a := int32(rng.IntN(g.Orbits))
	if len(g.links[a]) == 0 {
		return false
	}
	k := int32(rng.IntN(len(g.links[a])))
	changed := false
	m.from, m.to = 0, 0
	const oneIn = 8             // moves is a swing: graphs next to one by a swing are fewer than by 2-opt
	switch p := rng.IntN(16); { // under symmetry a quarter of the others stay within an orbit of links, one in 16 splits
	case swings && rng.IntN(oneIn) == 0:
		changed = m.swing(g, rng, a, k)
	case g.Turns > 1 && p < 4:
		changed = m.turn(g, rng, a, k)
	case g.Turns > 1 && p == 4:
		changed = m.split(g, a, k)
	default:
		changed = m.swap(g, rng, a, k)
	}
	if changed && !m.legal(g) {
		m.undo(g)
		changed = false
	}
	return changed
}
