package wire

import (
	"fmt"
	"math/rand/v2"
)

// random draws a graph whose switches have the given degrees and hosts by orbit: links between random free ends, then
// 2-opt until no link is a loop or doubled. It fails if the ends cannot be paired.
func random(rng *rand.Rand, turns int, degree, hosts []int32) (*Graph, error) {
	g := &Graph{Orbits: len(degree), Turns: turns, hosts: hosts, links: make([][]end, len(degree))}
	var free []int32
	for o, d := range degree {
		g.links[o] = make([]end, 0, int(d)+4) // room for links that move here
		for range d {
			free = append(free, int32(o))
		}
	}
	if len(free)%2 == 1 && turns%2 == 1 {
		return nil, fmt.Errorf("%d switches with an odd number of ends", g.Switches())
	}
	rng.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] })
	if len(free)%2 == 1 { // one link across the circle
		o := free[len(free)-1]
		free = free[:len(free)-1]
		g.links[o] = append(g.links[o], end{o, int32(turns / 2), int32(len(g.links[o]))})
	}
	for i := 0; i < len(free); i += 2 {
		g.join(free[i], free[i+1], int32(rng.IntN(turns)))
	}
	return g, g.mend(rng)
}

// join adds the links of (a, 0) with (b, turn).
func (g *Graph) join(a, b, turn int32) {
	i, j := int32(len(g.links[a])), int32(len(g.links[b]))
	if a == b {
		j++
	}
	g.links[a] = append(g.links[a], end{b, turn, j})
	g.links[b] = append(g.links[b], end{a, g.minus(turn), i})
}

// mend exchanges loops and doubled links for others.
func (g *Graph) mend(rng *rand.Rand) error {
	const tries = 2000 // for each: far more than a graph with room needs
	var m move
	for o := range g.links {
		for k := 0; k < len(g.links[o]); k++ {
			for try := 0; !g.simple(int32(o), int32(k)); try++ {
				if try == tries {
					return fmt.Errorf("%d switches in orbits of %d: no wiring without doubled links was found", g.Switches(), g.Turns)
				}
				if m.swap(g, rng, int32(o), int32(k)) && !m.legal(g) {
					m.undo(g)
				}
			}
		}
	}
	return nil
}
