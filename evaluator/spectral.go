package evaluator

import (
	"context"
	"math"
	"math/rand/v2"

	"toposearch/internal/stream"
)

// The spectral lower bound. Let x be +1 or -1 on every vertex for the two sides of a cut, w the
// endpoints of a vertex and L the Laplacian of capacities: the cut is x'Lx/4.
//
// For any r >= 0, x'Rx = sum r with R = diag(r). So with t the least eigenvalue of the pencil
// (L + tau ww', R), a cut with w'x = s has x'Lx >= t sum(r) - tau s^2.
//
// Where endpoints are vertices (hang = 0), |s| is the imbalance, and tau may be anything. Where
// they hang on switches, k of them may stand on the other side than their switch, at the price
// k hang, and |s| <= 2k: the cut is at least k hang + (t sum(r) - tau 4k^2)/4, a concave function
// of k that is least at k = 0 or at k = N/2. With tau = 2 hang/N both give t sum(r)/4.
//
// r = w is Fiedler's bound with the endpoint-less switches left free, which halves it for
// indirect networks; weight on those switches too makes them take sides (the dual of the
// semidefinite relaxation, restricted to two multipliers).

// lowSteps is the number of Lanczos steps; with it the chance that the least eigenvalue is below
// the bound is under lowRisk (Kuczynski, Wozniakowski, SIAM J. Matrix Anal. Appl. 13(4), 1992,
// theorem 4.2(a): from a random start, P[error > e] <= 1.648 sqrt(n) exp(-sqrt(e) (2k-1))).
const (
	lowSteps = 60
	lowRisk  = 1e-6
)

// pencil is L + tau ww' with the solver's memory.
type pencil struct {
	g    *cutGraph
	tau  float64
	diag []float64
	w    []float64
	r    []float64 // of the pencil
	root []float64 // sqrt(r)
	res  []float64
	dir  []float64
	adir []float64
	prec []float64
	sumR float64
}

func newPencil(g *cutGraph) *pencil {
	n := len(g.weight)
	p := &pencil{g: g, diag: make([]float64, n), w: make([]float64, n), r: make([]float64, n), root: make([]float64, n),
		res: make([]float64, n), dir: make([]float64, n), adir: make([]float64, n), prec: make([]float64, n)}
	total := 0.0
	for v := range n {
		p.w[v] = float64(g.weight[v])
		p.diag[v] = g.degree(v)
		total += p.diag[v]
	}
	if g.hang > 0 {
		p.tau = 2 * g.hang / float64(g.endpoints)
	} else {
		// Large enough that the constant vector is not the lowest, small enough for the solver.
		p.tau = 4 * total / math.Pow(float64(g.endpoints), 2)
	}
	return p
}

// weigh sets r: w, and beta times the degree in units of scale on vertices without endpoints.
func (p *pencil) weigh(beta, scale float64) {
	p.sumR = 0
	for v := range p.r {
		p.r[v] = p.w[v]
		if p.w[v] == 0 && beta > 0 {
			p.r[v] = beta * p.diag[v] / scale
		}
		p.root[v] = math.Sqrt(p.r[v])
		p.sumR += p.r[v]
	}
}

// apply is y = (L + tau ww') x.
func (p *pencil) apply(x, y []float64) {
	g := p.g
	dot := 0.0
	for v := range x {
		dot += p.w[v] * x[v]
	}
	dot *= p.tau
	for v := range x {
		s := p.diag[v]*x[v] + dot*p.w[v]
		for i := g.start[v]; i < g.start[v+1]; i++ {
			s -= g.cap[i] * x[g.to[i]]
		}
		y[v] = s
	}
}

// cgTolerance is the residual to which systems are solved, relative to the right-hand side; it
// enters the bound as cgMargin.
const (
	cgTolerance = 1e-9
	cgMargin    = 1e-6
	cgMost      = 2000
)

// invert solves (L + tau ww') x = b by conjugate gradients with the diagonal as preconditioner;
// false if it does not converge, as on a disconnected network.
func (p *pencil) invert(b, x []float64) bool {
	norm := 0.0
	for v := range b {
		x[v] = 0
		p.res[v] = b[v]
		norm += b[v] * b[v]
	}
	if norm == 0 {
		return true
	}
	goal := cgTolerance * cgTolerance * norm
	rz := p.precondition()
	copy(p.dir, p.prec)
	for range cgMost {
		p.apply(p.dir, p.adir)
		da := 0.0
		for v := range p.dir {
			da += p.dir[v] * p.adir[v]
		}
		if da <= 0 {
			return false
		}
		a, rr := rz/da, 0.0
		for v := range x {
			x[v] += a * p.dir[v]
			p.res[v] -= a * p.adir[v]
			rr += p.res[v] * p.res[v]
		}
		if rr <= goal {
			return true
		}
		next := p.precondition()
		b := next / rz
		rz = next
		for v := range p.dir {
			p.dir[v] = p.prec[v] + b*p.dir[v]
		}
	}
	return false
}

func (p *pencil) precondition() (rz float64) {
	for v := range p.res {
		d := p.diag[v] + p.tau*p.w[v]*p.w[v]
		if d > 0 {
			p.prec[v] = p.res[v] / d
		} else {
			p.prec[v] = p.res[v]
		}
		rz += p.res[v] * p.prec[v]
	}
	return rz
}

// lowest bounds the least eigenvalue from below by Lanczos on the inverse, and gives the vector
// that nearly has it. ok is false if a system could not be solved.
func (p *pencil) lowest(ctx context.Context, rng *rand.Rand) (bound float64, vec []float64, ok bool) {
	dim := 0
	for v := range p.r {
		if p.r[v] > 0 {
			dim++
		}
	}
	steps := min(lowSteps, dim)
	basis, alpha, beta, ok := p.lanczos(ctx, rng, steps)
	if !ok {
		return 0, nil, false
	}
	mu, y := largestTridiagonal(alpha, beta)
	short := 0.0 // what the largest of the inverse may be above mu; nothing if the space is exhausted
	if k := len(alpha); k == steps && k < dim {
		root := math.Log(1.648*math.Sqrt(float64(dim))/lowRisk) / float64(2*k-1)
		short = math.Min(root*root, 1-1e-9)
	}
	vec = make([]float64, len(p.r))
	for i, b := range basis {
		axpy(y[i], b, vec)
	}
	for v := range vec {
		if p.root[v] > 0 {
			vec[v] /= p.root[v]
		}
	}
	return (1 - short) * (1 - cgMargin) / mu, vec, true
}

// lanczos makes an orthonormal basis of the Krylov space of R^(1/2) (L + tau ww')^-1 R^(1/2) from
// a random start, and the operator's tridiagonal matrix in it.
func (p *pencil) lanczos(ctx context.Context, rng *rand.Rand, steps int) (basis [][]float64, alpha, beta []float64, ok bool) {
	n := len(p.r)
	q, in, out := make([]float64, n), make([]float64, n), make([]float64, n)
	for v := range q {
		if p.r[v] > 0 {
			q[v] = rng.NormFloat64()
		}
	}
	normalise(q)
	for range steps {
		if ctx.Err() != nil {
			return nil, nil, nil, false
		}
		basis = append(basis, append([]float64(nil), q...))
		for v := range in {
			in[v] = p.root[v] * q[v]
		}
		if !p.invert(in, out) {
			return nil, nil, nil, false
		}
		for v := range out {
			out[v] *= p.root[v]
		}
		alpha = append(alpha, dot(out, q))
		// Full reorthogonalisation, twice: the basis is short.
		for range 2 {
			for _, b := range basis {
				axpy(-dot(out, b), b, out)
			}
		}
		b := normalise(out)
		if b < 1e-12*math.Abs(alpha[0]) {
			break
		}
		beta = append(beta, b)
		q, out = out, q
	}
	return basis, alpha, beta, steps > 0
}

func dot(a, b []float64) (s float64) {
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

func axpy(a float64, x, y []float64) {
	for i := range x {
		y[i] += a * x[i]
	}
}

// normalise scales a vector to length 1 and returns what its length was.
func normalise(a []float64) float64 {
	n := math.Sqrt(dot(a, a))
	if n > 0 {
		for i := range a {
			a[i] /= n
		}
	}
	return n
}

// largestTridiagonal is the largest eigenvalue of a symmetric tridiagonal matrix and its vector:
// bisection by the signs of the leading minors (Sturm), then the recurrence.
func largestTridiagonal(a, b []float64) (float64, []float64) {
	n := len(a)
	lo, hi := math.Inf(-1), math.Inf(-1)
	for i := range a {
		r := 0.0
		if i > 0 {
			r += math.Abs(b[i-1])
		}
		if i < n-1 {
			r += math.Abs(b[i])
		}
		hi = math.Max(hi, a[i]+r)
		lo = math.Max(lo, a[i])
	}
	for range 200 {
		m := lo + (hi-lo)/2
		if m <= lo || m >= hi {
			break
		}
		if allBelow(a, b, m) {
			hi = m
		} else {
			lo = m
		}
	}
	return hi, tridiagonalVector(a, b, hi)
}

// allBelow tells whether every eigenvalue is below m.
func allBelow(a, b []float64, m float64) bool {
	d := 1.0
	for i := range a {
		off := 0.0
		if i > 0 {
			off = b[i-1] * b[i-1] / d
		}
		d = m - a[i] - off
		if d <= 0 {
			return false
		}
	}
	return true
}

// tridiagonalVector solves (m - T) y = e twice by elimination: inverse iteration from all ones.
func tridiagonalVector(a, b []float64, m float64) []float64 {
	n := len(a)
	y := make([]float64, n)
	for i := range y {
		y[i] = 1
	}
	piv := make([]float64, n)
	for range 3 {
		for i := range a {
			off := 0.0
			if i > 0 {
				off = b[i-1] * b[i-1] / piv[i-1]
				y[i] += b[i-1] / piv[i-1] * y[i-1]
			}
			piv[i] = m*(1+1e-14) - a[i] - off
			if math.Abs(piv[i]) < 1e-300 {
				piv[i] = 1e-300
			}
		}
		for i := n - 1; i >= 0; i-- {
			if i < n-1 {
				y[i] += b[i] * y[i+1]
			}
			y[i] /= piv[i]
		}
		normalise(y)
	}
	return y
}

// pencilWeights are the weights of switches without endpoints that are tried: more where they cost
// little.
func (g *cutGraph) pencilWeights() []float64 { return weightsOf(float64(len(g.to))) }

func weightsOf(arcs float64) []float64 {
	if arcs < 4e4 {
		return []float64{0, 0.25, 0.5, 0.75, 1}
	}
	return []float64{0, 0.5, 1}
}

// spectralBound is the best bound over a few weights, as a fraction of full, with the vector of
// the first.
func (g *cutGraph) spectralBound(ctx context.Context) (best float64, vec []float64) {
	p := newPencil(g)
	rng := stream.New(1, "spectral bound")
	free, scale := false, 0.0
	for v := range g.weight {
		free = free || g.weight[v] == 0 && p.diag[v] > 0
	}
	for _, beta := range g.pencilWeights() {
		if beta > 0 && (!free || scale <= 0) {
			break
		}
		p.weigh(beta, scale)
		t, x, ok := p.lowest(ctx, rng)
		if !ok {
			break
		}
		if beta == 0 {
			scale, vec = t, x
		}
		bound := t * p.sumR / 4
		if g.hang == 0 {
			bound -= p.tau * float64(g.imbalance()*g.imbalance()) / 4
		} else if g.endpoints%2 == 1 {
			bound -= g.hang / 2 // |s| <= 2k+1, worst where all stand on the other side
		}
		best = math.Max(best, bound/g.full())
	}
	return math.Min(best, 1), vec
}
