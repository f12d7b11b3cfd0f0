package cut

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"toposearch/internal/stream"
)

// multilevelShare is the number of plain starts to each one by way of coarser graphs.
const multilevelShare = 4

// SearchNs is the time that Search takes on a graph with a number of arcs, in ns.
func SearchNs(arcs float64, starts int) float64 {
	ns := float64(starts) * passes * arcs * 60 // twice for channels one way, which are half as many arcs
	if starts > 1 {
		ns *= 1.5 // coarser graphs
	}
	return ns
}

// Search is the least cut found from several starts, at most 1: the construction cut in half; the order
// of vec, the vector of SpectralBound, if there is one; and switches on random sides with a share of
// them on one, the endpoints following (the least cut of a ZCube has 7 in 10 switches of each level on
// one side). With more than one start it also tries coarser graphs: the blocks of the construction, if
// there are any, and merged pairs of vertices. If the context is done it returns what it has.
func (g *Graph) Search(ctx context.Context, vec []float64, blocks Blocks, starts int) float64 {
	best := 1.0 // half of the endpoints cut off at their ports
	p := newPartition(g)
	order := g.holders()
	rng := stream.New(1, "bisection")
	for i := range starts {
		if ctx.Err() != nil {
			break
		}
		p.seed(i, order, vec, rng)
		best = math.Min(best, p.refineBoth(ctx))
	}
	if starts == 1 {
		return best
	}
	best = math.Min(best, g.mergedCut(ctx, blocks, stream.New(1, "bisection, blocks")))
	for i := range starts / multilevelShare {
		best = math.Min(best, g.multilevelCut(ctx, stream.New(1, "bisection, pairs", uint64(i))))
	}
	return best
}

// holders lists the vertices with endpoints in the order of their first endpoint.
func (g *Graph) holders() []int32 {
	var h []int32
	for v, w := range g.weight {
		if w > 0 {
			h = append(h, int32(v))
		}
	}
	slices.SortFunc(h, func(a, b int32) int { return cmp.Compare(g.first[a], g.first[b]) })
	return h
}

// seed makes start i of Search: order are the holders, vec the spectral vector, if any.
func (p *partition) seed(i int, order []int32, vec []float64, rng *rand.Rand) {
	g := p.g
	switch {
	case i == 0 || i == 1 && vec == nil:
		p.halve(order)
		p.follow()
	case i == 1:
		by := append([]int32(nil), order...)
		slices.SortStableFunc(by, func(a, b int32) int { return cmp.Compare(vec[a], vec[b]) })
		p.halve(by)
		p.follow()
	case i == 2:
		// Every second holder: the other way through a product construction.
		var even, odd []int32
		for k, v := range order {
			if k%2 == 0 {
				even = append(even, v)
			} else {
				odd = append(odd, v)
			}
		}
		p.halve(append(even, odd...))
		p.follow()
	default:
		share := []float64{0.7, 0.5, 0.6, 0.8}[(i-3)%4]
		p.scatter(share, rng)
		pull := make([]float64, len(g.weight))
		for _, v := range order {
			for k := g.start[v]; k < g.start[v+1]; k++ {
				if p.side[g.to[k]] {
					pull[v] += g.cap[k]
				}
			}
			pull[v] += 1e-9 * rng.Float64()
		}
		by := append([]int32(nil), order...)
		slices.SortStableFunc(by, func(a, b int32) int { return cmp.Compare(pull[b], pull[a]) })
		p.halve(by)
		p.follow()
	}
}

// scatter puts the share of the switches of each class on side true, which ones by lot,
// give or take one.
func (p *partition) scatter(share float64, rng *rand.Rand) {
	g := p.g
	for first := 0; first < g.switches; {
		end := first
		for end < g.switches && g.class[end] == g.class[first] {
			end++
		}
		most := int(math.Round(share*float64(end-first))) + rng.IntN(3) - 1
		for i, k := range rng.Perm(end - first) {
			p.side[first+k] = i < most
		}
		first = end
	}
}
