package topotest

import (
	"slices"

	"toposearch/topology"
)

// Isomorphic tells whether two networks are the same graph of switches and endpoints, parallel
// links counted, whatever the numbers and classes of switches and links. It refines colours and
// tries images one by one: for networks of up to some hundred switches with much symmetry.
func Isomorphic(a, b *topology.Network) bool {
	if a.Switches() != b.Switches() || a.Channels() != b.Channels() || a.Endpoints() != b.Endpoints() || a.Groups() != b.Groups() {
		return false
	}
	x, y := plainGraph(a), plainGraph(b)
	both := &coloured{adj: append([][]arc(nil), x.adj...), start: append(append([]int(nil), x.start...), y.start...)}
	half := len(x.adj)
	for _, arcs := range y.adj {
		moved := make([]arc, len(arcs))
		for i, e := range arcs {
			moved[i] = arc{e.to + half, e.class}
		}
		both.adj = append(both.adj, moved)
	}
	return both.match(both.start, half)
}

// plainGraph drops the classes.
func plainGraph(n *topology.Network) *coloured {
	g := newColoured(n, nil)
	for x := range g.adj {
		if x < n.Switches() {
			g.start[x] = 0
		}
		for i := range g.adj[x] {
			g.adj[x][i].class = 0
		}
	}
	return g
}

// match tells whether the first half of the vertices can be mapped onto the second so that
// colours and edges agree.
func (g *coloured) match(start []int, half int) bool {
	col := g.refine(start)
	members := map[int][2][]int{}
	for x, c := range col {
		m := members[c]
		m[x/half] = append(m[x/half], x)
		members[c] = m
	}
	best := -1
	for c, m := range members {
		if len(m[0]) != len(m[1]) {
			return false
		}
		if k := len(m[0]); k > 1 && (best < 0 || k < len(members[best][0]) || k == len(members[best][0]) && c < best) {
			best = c
		}
	}
	if best < 0 {
		return g.agrees(col, half)
	}
	m := members[best]
	for _, y := range m[1] {
		next := append([]int(nil), col...)
		next[m[0][0]], next[y] = len(col), len(col)
		if g.match(next, half) {
			return true
		}
	}
	return false
}

// agrees checks the mapping by colour, each colour standing once in either half.
func (g *coloured) agrees(col []int, half int) bool {
	at := make([]int, len(col))
	for y := half; y < len(col); y++ {
		at[col[y]] = y
	}
	for x := range half {
		var image, want []int
		for _, e := range g.adj[x] {
			image = append(image, at[col[e.to]])
		}
		for _, e := range g.adj[at[col[x]]] {
			want = append(want, e.to)
		}
		slices.Sort(image)
		slices.Sort(want)
		if !slices.Equal(image, want) {
			return false
		}
	}
	return true
}
