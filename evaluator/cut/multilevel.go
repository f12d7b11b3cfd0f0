package cut

import (
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
)

// Cuts by way of coarser graphs (Karypis and Kumar, A Fast and High Quality Multilevel Scheme for
// Partitioning Irregular Graphs, SIAM J. Sci. Comput. 20(1), 1998): pairs of vertices that much
// capacity joins are merged until few are left, those are halved in many ways, and the best of these is
// refined while the graph is uncoarsened. Moves of whole groups find cuts that moves of one switch do
// not: in a grid of groups, a corner of it is cheaper to cut off than half of its rows.

const (
	coarsest     = 60   // vertices at which coarsening ends
	coarseStarts = 24   // ways of halving the coarsest graph
	coarseShrink = 0.95 // coarsening also ends where a larger fraction of the vertices is left
	coarseMost   = 600  // vertices of a coarsest graph that is still halved: the time is quadratic in them
	leastBlocks  = 4    // of a construction that are worth moving whole
	coarseShare  = 16   // a merged pair holds at most a 16th of the endpoints
)

// Blocks divide the construction, endpoints and switches in the order of their numbers, into equal
// parts, such as its groups or pods.
type Blocks struct {
	Count  int
	Inside []bool // by class of switches: whether they are divided too
}

// inBlocks sends the vertices of each block to one vertex, and every other vertex to one of its own, or
// to a common one with those whose links lead to the same blocks.
func (g *Graph) inBlocks(b Blocks) (to []int32, k int) {
	to = make([]int32, len(g.weight))
	blocks := int64(b.Count)
	count := make([]int64, 256)
	for v := range g.switches {
		count[g.class[v]]++
	}
	k = b.Count
	seen := make([]int64, 256)
	inside := make([]bool, len(to))
	for v := range to {
		inside[v] = true
		switch {
		case g.weight[v] > 0:
			to[v] = int32(g.first[v] * blocks / g.endpoints)
		case v < g.switches && int(g.class[v]) < len(b.Inside) && b.Inside[g.class[v]]:
			to[v] = int32(seen[g.class[v]] * blocks / count[g.class[v]])
		default:
			inside[v] = false
		}
		if v < g.switches {
			seen[g.class[v]]++
		}
	}
	return to, g.joinOutside(to, inside, k)
}

// joinOutside numbers, from k on, the vertices that are inside no block; those whose links lead to the
// same blocks get the same number.
func (g *Graph) joinOutside(to []int32, inside []bool, k int) int {
	blocks := int32(k)
	same := map[string]int32{}
	var key []byte
	var at []int32
	for v := range to {
		if inside[v] {
			continue
		}
		at = at[:0]
		for i := g.start[v]; i < g.start[v+1]; i++ {
			if u := g.to[i]; inside[u] {
				at = append(at, to[u])
			} else {
				at = append(at, blocks+u)
			}
		}
		slices.Sort(at)
		at = slices.Compact(at)
		key = key[:0]
		for _, u := range at {
			key = binary.AppendUvarint(key, uint64(u))
		}
		if _, ok := same[string(key)]; !ok {
			same[string(key)] = int32(k)
			k++
		}
		to[v] = same[string(key)]
	}
	return k
}

// mergedCut is the value of the best cut found by merging the blocks of the construction, 1 if there is
// none or they are too few or too many.
func (g *Graph) mergedCut(ctx context.Context, blocks Blocks, rng *rand.Rand) float64 {
	if blocks.Count < leastBlocks || blocks.Count > coarseMost || int64(blocks.Count) > g.endpoints {
		return 1
	}
	to, k := g.inBlocks(blocks)
	if k > coarseMost || k == len(to) {
		return 1
	}
	return uncoarsen(ctx, []*Graph{g, g.contract(to, k)}, [][]int32{to}, rng)
}

// multilevelCut is the value of the best cut found by one way of merging pairs, 1 if the graph does not
// become small.
func (g *Graph) multilevelCut(ctx context.Context, rng *rand.Rand) float64 {
	graphs, maps := []*Graph{g}, [][]int32(nil)
	at := g
	for len(at.weight) > coarsest && ctx.Err() == nil {
		to, k := at.match(rng)
		if float64(k) > coarseShrink*float64(len(at.weight)) {
			break
		}
		at = at.contract(to, k)
		graphs, maps = append(graphs, at), append(maps, to)
	}
	if len(at.weight) > coarseMost {
		return 1
	}
	return uncoarsen(ctx, graphs, maps, rng)
}

// uncoarsen halves the last of the graphs and refines its sides on those before, each of which is mapped
// to the next by maps; it gives the value of the cut of the first.
func uncoarsen(ctx context.Context, graphs []*Graph, maps [][]int32, rng *rand.Rand) float64 {
	p := newPartition(graphs[len(graphs)-1])
	copy(p.side, p.grown(ctx, rng))
	for i := len(maps) - 1; i >= 0; i-- {
		fine := newPartition(graphs[i])
		for v, c := range maps[i] {
			fine.side[v] = p.side[c]
		}
		if i > 0 {
			fine.refine(ctx)
		}
		p = fine
	}
	return math.Min(1, p.refineBoth(ctx))
}

// grown halves the graph in several ways, each by growing a side from a random vertex, and keeps the
// best.
func (p *partition) grown(ctx context.Context, rng *rand.Rand) []bool {
	side := make([]bool, len(p.side))
	best := math.Inf(1)
	for i := range coarseStarts {
		if ctx.Err() != nil {
			break
		}
		p.grow(rng)
		p.follow()
		if x := p.refineBoth(ctx); x < best || i == 0 {
			best = x
			copy(side, p.side)
		}
	}
	return side
}

// grow puts vertices on side true, from a random one to whatever has the most capacity to that side,
// until it holds half of the endpoints.
func (p *partition) grow(rng *rand.Rand) {
	g := p.g
	clear(p.side)
	pull := make([]float64, len(p.side))
	sum := int64(0)
	for v := rng.IntN(len(p.side)); 2*sum < g.endpoints; {
		p.side[v] = true
		sum += g.weight[v]
		for i := g.start[v]; i < g.start[v+1]; i++ {
			pull[g.to[i]] += g.cap[i]
		}
		next, most := 0, math.Inf(-1)
		for u := range p.side {
			if p.side[u] || 2*(sum+g.weight[u]) > g.endpoints+g.weight[u] {
				continue
			}
			if x := pull[u] / max(g.degree(u), 1e-300) * (1 + 1e-6*rng.Float64()); x > most {
				next, most = u, x
			}
		}
		if math.IsInf(most, -1) { // none fits
			return
		}
		v = next
	}
}

// match pairs vertices in random order, each with the unpaired neighbour to which it has the most
// capacity for the degrees of both, and numbers the pairs and what is left.
func (g *Graph) match(rng *rand.Rand) (to []int32, k int) {
	to = make([]int32, len(g.weight))
	paired := make([]bool, len(to))
	size := make([]float64, len(g.weight))
	for v := range size {
		size[v] = g.degree(v)
	}
	for _, v := range rng.Perm(len(to)) {
		if paired[v] {
			continue
		}
		paired[v] = true
		mate, most := v, 0.0
		for i := g.start[v]; i < g.start[v+1]; i++ {
			u := int(g.to[i])
			if paired[u] || (g.weight[u]+g.weight[v])*coarseShare > g.endpoints {
				continue
			}
			if x := g.cap[i] / (size[u] * size[v]) * (1 + 1e-6*rng.Float64()); x > most {
				mate, most = u, x
			}
		}
		to[v], to[mate], paired[mate] = int32(k), int32(k), true
		k++
	}
	return to, k
}

// contract merges the vertices that to sends to the same number, k in all.
func (g *Graph) contract(to []int32, k int) *Graph {
	c := &Graph{endpoints: g.endpoints, access: g.access, weight: make([]int64, k), lean: make([]float64, k),
		imbalance: g.imbalance, half: g.half, oneWay: g.oneWay}
	arcs := make([]Arc, 0, len(g.to))
	for v, a := range to {
		c.weight[a] += g.weight[v]
		c.lean[a] += g.lean[v]
		for i := g.start[v]; i < g.start[v+1]; i++ {
			if b := to[g.to[i]]; b != a {
				arcs = append(arcs, Arc{a, b, g.cap[i]})
			}
		}
	}
	if g.access == 0 { // balance comes with single vertices again
		c.imbalance = max(c.imbalance, slices.Max(c.weight))
	}
	c.rows(arcs)
	return c
}
