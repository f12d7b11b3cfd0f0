package wire

import "math/bits"

// byTurns holds, for each pair of orbits (p, o), a bit for each turn r: whether (o, 0) reaches (p, r). A link turns a
// whole word. It needs no more than 64 turns.
type byTurns struct {
	g         *Graph
	cur, next []uint64
	mask      uint64
	weight    []int64
	even      bool
}

func newByTurns(g *Graph, hosts []int64, even bool) *byTurns {
	n := g.Orbits * g.Orbits
	return &byTurns{g: g, cur: make([]uint64, n), next: make([]uint64, n), mask: ^uint64(0) >> (64 - g.Turns), weight: hosts, even: even}
}

func (b *byTurns) touched(int32) {}

func (b *byTurns) weighed(int32) {} // weight is the meter's own

func (b *byTurns) start(g *Graph) {
	b.g = g
	clear(b.cur)
	for o := range g.Orbits {
		b.cur[o*g.Orbits+o] = 1
	}
}

func (b *byTurns) step() (reached int64) {
	m, turns := b.g.Orbits, b.g.Turns
	for p, l := range b.g.links {
		into := b.next[p*m : (p+1)*m]
		copy(into, b.cur[p*m:(p+1)*m])
		for _, e := range l { // (p, r) is next to (e.orbit, r+e.turn)
			from := b.cur[int(e.orbit)*m : (int(e.orbit)+1)*m]
			from = from[:len(into)]
			down, up := uint(e.turn), uint(turns)-uint(e.turn)
			for o, x := range from {
				into[o] |= x>>(down&63) | x<<(up&63)
			}
		}
		reached += b.weight[p] * b.weigh(into)
	}
	b.cur, b.next = b.next, b.cur
	return reached
}

// weigh drops what was turned out of the words, and weighs the rest.
func (b *byTurns) weigh(words []uint64) (weight int64) {
	if b.even {
		for o, x := range words {
			x &= b.mask
			words[o] = x
			weight += int64(bits.OnesCount64(x))
		}
		return weight
	}
	for o, x := range words {
		x &= b.mask
		words[o] = x
		weight += b.weight[o] * int64(bits.OnesCount64(x))
	}
	return weight
}
