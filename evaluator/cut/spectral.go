package cut

import (
	"context"
	"math"

	"toposearch/internal/stream"
)

// The spectral lower bound. Let x be +1 or -1 on every vertex for the two sides of a cut, w the
// endpoints of a vertex and L the Laplacian of capacities: the cut is x'Lx/4.
//
// For any r >= 0, x'Rx = sum r with R = diag(r). So with t the least eigenvalue of the pencil
// (L + tau ww', R), a cut with w'x = s has x'Lx >= t sum(r) - tau s^2.
//
// Where endpoints are vertices (Access = 0), |s| is the imbalance, and tau may be anything. Where
// they hang on switches, k of them may stand on the other side than their switch, at the price
// k Access, and |s| <= 2k + i, i being 1 if N is odd: the cut is at least k Access + (t sum(r) - tau (2k+i)^2)/4,
// a concave function of k that is least at k = 0 or at k = (N-i)/2, where all are cut off. With
// tau = 2 Access/(N+i) both give (t sum(r) - tau i)/4.
//
// Channels one way: as long as as much leaves a vertex as enters it, as much crosses a cut this way as that
// way, which is half of what L counts if each channel is a link (Graph). Where vertices lean there is no bound.
//
// r = w is Fiedler's bound with the endpoint-less switches left free, which halves it for
// indirect networks; weight on those switches too makes them take sides (the dual of the
// semidefinite relaxation, restricted to two multipliers).

// betas are the weights tried on switches without endpoints: more where they cost little.
func betas(arcs float64) []float64 {
	if arcs < 4e4 {
		return []float64{0, 0.25, 0.5, 0.75, 1}
	}
	return []float64{0, 0.5, 1}
}

// SpectralNs is the time that SpectralBound takes on a graph with a number of arcs, in ns: some 20 products
// for each system.
func SpectralNs(arcs float64) float64 {
	return arcs * (float64(len(betas(arcs))) * lanczosSteps * 20 * 1.5)
}

// SpectralBound is a lower bound of every balanced cut, at most 1, that holds but for a chance of
// SpectralRisk; 0 if none was found, as on a disconnected graph. The vector has a value for every vertex
// whose order suggests a cut; it is nil where there is no bound.
func (g *Graph) SpectralBound(ctx context.Context) (best float64, vec []float64) {
	p := newPencil(g)
	rng := stream.New(1, "spectral bound")
	free, scale := false, 0.0
	for v := range g.weight {
		free = free || g.weight[v] == 0 && p.diag[v] > 0
	}
	for _, beta := range betas(float64(len(g.to))) {
		if beta > 0 && (!free || scale <= 0) {
			break
		}
		m := p.multipliers(beta, scale)
		t, x, ok := p.lowest(ctx, m, rng)
		if !ok {
			break
		}
		if beta == 0 {
			scale, vec = t, x
		}
		bound := t * m.sum / 4
		bound -= p.tau * float64(g.imbalance*g.imbalance) / 4
		best = math.Max(best, bound/g.full())
	}
	if g.leans() {
		best = 0
	}
	return math.Min(best, 1), vec
}

// leans reports whether some vertex sends more than it takes, or less. Halves of capacities are added and
// subtracted: what is left of them by rounding is no leaning.
func (g *Graph) leans() bool {
	for v, x := range g.lean {
		if math.Abs(x) > 1e-9*g.degree(v) {
			return true
		}
	}
	return false
}
