package cut

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
)

// SpectralRisk is the chance, over the random starts, that the least eigenvalue is below its bound after
// lanczosSteps steps (Kuczynski, Wozniakowski, SIAM J. Matrix Anal. Appl. 13(4), 1992, theorem 4.2(a): from
// a random start, P[error > e] <= 1.648 sqrt(n) exp(-sqrt(e) (2k-1))).
const SpectralRisk = 1e-6

const lanczosSteps = 60

// lowest bounds the least eigenvalue of the pencil (p, R) from below by Lanczos iteration on the inverse,
// and gives the vector that nearly has it. ok is false if a system could not be solved.
func (p *pencil) lowest(ctx context.Context, m multipliers, rng *rand.Rand) (bound float64, vec []float64, ok bool) {
	steps := min(lanczosSteps, m.dim)
	basis, alpha, beta, ok := p.lanczos(ctx, m, rng, steps)
	if !ok {
		return 0, nil, false
	}
	mu, y := largestTridiagonal(alpha, beta)
	short := 0.0 // what the largest of the inverse may be above mu; nothing if the space is exhausted
	if k := len(alpha); k == steps && k < m.dim {
		root := math.Log(1.648*math.Sqrt(float64(m.dim))/SpectralRisk) / float64(2*k-1)
		short = math.Min(root*root, 1-1e-9)
	}
	vec = make([]float64, len(m.r))
	for i, b := range basis {
		floats.AddScaled(vec, y[i], b)
	}
	for v := range vec {
		if m.root[v] > 0 {
			vec[v] /= m.root[v]
		}
	}
	return (1 - short) * (1 - cgMargin) / mu, vec, true
}

// lanczos makes an orthonormal basis of the Krylov space of R^(1/2) (L + tau ww')^-1 R^(1/2) from
// a random start, and the operator's tridiagonal matrix in it.
func (p *pencil) lanczos(ctx context.Context, m multipliers, rng *rand.Rand, steps int) (basis [][]float64, alpha, beta []float64, ok bool) {
	n := len(m.r)
	q, in, out := make([]float64, n), make([]float64, n), make([]float64, n)
	for v := range q {
		if m.r[v] > 0 {
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
			in[v] = m.root[v] * q[v]
		}
		if !p.invert(in, out) {
			return nil, nil, nil, false
		}
		for v := range out {
			out[v] *= m.root[v]
		}
		alpha = append(alpha, dot(out, q))
		// Full reorthogonalisation, twice: the basis is short.
		for range 2 {
			for _, b := range basis {
				floats.AddScaled(out, -dot(out, b), b)
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
