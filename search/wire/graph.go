// Package wire chooses the links between switches: for so many switches of a degree (the order/degree problem), or for so
// many hosts on switches of a radix (the order/radix problem), the wiring with the least diameter and, among those, the
// least mean distance that annealing finds. Both problems, and the score, are those of the Graph Golf competition
// (research.nii.ac.jp/graphgolf); links are moved by 2-opt under a rotational symmetry, as in R. Yasudo et al.,
// "Designing High-Performance Interconnection Networks with Host-Switch Graphs", IEEE TPDS 30(2), 2019, and M. Nakao et
// al., "A Method for Order/Degree Problem Based on Graph Symmetry and Simulated Annealing", PDCAT 2019.
//
// A Graph holds one switch of every orbit with its links (graph.go). A meter finds the sum of distances from those
// switches to all, many sources a word, and gives up where the sum must exceed what would be accepted (meter.go,
// meter_turns.go). An annealer walks from graph to graph (anneal.go, moves.go); Solve tries several symmetries and
// starts, which include algebraic graphs (solve.go, seeds.go), and puts the switches into racks (floor.go).
package wire

// Graph is a multigraph-free wiring of Orbits x Turns switches. Switch (o, r) has number o*Turns + r; turning all r by
// one maps links onto links. Only the links of the switches (o, 0) are kept.
type Graph struct {
	Orbits, Turns int
	hosts         []int32 // of a switch of each orbit
	links         [][]end
}

// end is one end of a link of the switch (o, 0): the switch (orbit, turn) at the other, and which of that orbit's ends
// is the same link's. A link between (o, 0) and (o, Turns/2) is one end, and its own other.
type end struct {
	orbit, turn, back int32
}

// Switches is their number.
func (g *Graph) Switches() int { return g.Orbits * g.Turns }

// Links is the number of links.
func (g *Graph) Links() int {
	ends := 0
	for _, l := range g.links {
		ends += len(l)
	}
	return ends * g.Turns / 2
}

// Degree is the number of links of a switch, Hosts that of its hosts.
func (g *Graph) Degree(s int) int { return len(g.links[s/g.Turns]) }

// Hosts is how many hosts a switch has.
func (g *Graph) Hosts(s int) int { return int(g.hosts[s/g.Turns]) }

// Each calls f with the two switches of every link.
func (g *Graph) Each(f func(a, b int)) {
	for o, l := range g.links {
		for k, e := range l {
			for r := range g.Turns {
				other := (r + int(e.turn)) % g.Turns
				switch {
				case int(e.orbit) > o, int(e.orbit) == o && int(e.back) > k, int(e.orbit) == o && int(e.back) == k && r < other:
					f(o*g.Turns+r, int(e.orbit)*g.Turns+other)
				}
			}
		}
	}
}

func (g *Graph) clone() *Graph {
	c := &Graph{Orbits: g.Orbits, Turns: g.Turns, hosts: append([]int32(nil), g.hosts...), links: make([][]end, g.Orbits)}
	for o, l := range g.links {
		c.links[o] = append(make([]end, 0, cap(l)), l...)
	}
	return c
}

// minus is the turn back.
func (g *Graph) minus(t int32) int32 {
	if t == 0 {
		return 0
	}
	return int32(g.Turns) - t
}

// mod brings a turn into [0, Turns).
func (g *Graph) mod(t int32) int32 {
	n := int32(g.Turns)
	return ((t % n) + n) % n
}

// simple reports whether end k of orbit o is neither a loop nor a link that stands there twice.
func (g *Graph) simple(o, k int32) bool {
	l := g.links[o]
	e := l[k]
	if e.orbit == o && (e.turn == 0 || 2*int(e.turn) == g.Turns && e.back != k) {
		return false
	}
	for i := range l {
		if int32(i) != k && l[i].orbit == e.orbit && l[i].turn == e.turn {
			return false
		}
	}
	return true
}
