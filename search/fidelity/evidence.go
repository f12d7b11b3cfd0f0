package fidelity

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// What offsets of families and slopes may be, as multiples of the scatter of single designs: variances over sigma^2 that are tried. The
// evidence chooses among them, so that a coefficient that explains nothing is drawn to zero.
var (
	tauShares   = []float64{1, 8, 64} // not below the scatter: few families do not show that all are alike
	omegaShares = []float64{1e-4, 0.04, 1, 16}
)

const (
	meanShare  = 1e4  // of the mean: as good as free
	priorSigma = 0.03 // scatter that is expected before anything is measured, which counts
	priorCount = 2    // as so many measurements: a few that agree by chance do not make an interval of nothing
)

// sums are those of measurements of one objective that a fit needs, kept up to date.
type sums struct {
	xx *mat.SymDense
	xy *mat.VecDense
	yy float64
	n  int
}

func newSums(l *layout) *sums {
	return &sums{xx: mat.NewSymDense(l.size, nil), xy: mat.NewVecDense(l.size, nil)}
}

// add takes a measurement, the logarithm of its ratio.
func (s *sums) add(l *layout, p *Point, y float64) {
	at, x := l.row(p, nil, nil)
	for i, a := range at {
		for j := i; j < len(at); j++ {
			b := at[j]
			s.xx.SetSym(a, b, s.xx.At(a, b)+x[i]*x[j])
		}
		s.xy.SetVec(a, s.xy.AtVec(a)+x[i]*y)
	}
	s.yy, s.n = s.yy+y*y, s.n+1
}

// fit is the posterior of all coefficients at the variances of the largest evidence.
func (s *sums) fit(l *layout) *Correction {
	best, at := &Correction{layout: l}, math.Inf(-1)
	if s.n == 0 {
		return best
	}
	offset := make([]bool, l.size)
	for f := range l.at {
		offset[l.at[f]] = true
	}
	for _, tau := range tauShares {
		for _, omega := range omegaShares {
			prior := func(i int) float64 {
				switch {
				case i == 0:
					return meanShare
				case offset[i]:
					return tau
				}
				return omega
			}
			if c, evidence, ok := s.posterior(l, prior); ok && evidence > at {
				best, at = c, evidence
			}
		}
	}
	return best
}

// posterior is that of coefficients with the given prior variances over sigma^2, whose own prior is an inverse gamma distribution: priorCount
// measurements of priorSigma. evidence is the logarithm of the likelihood of what was measured, a constant aside.
func (s *sums) posterior(l *layout, prior func(int) float64) (c *Correction, evidence float64, ok bool) {
	a := mat.NewSymDense(l.size, nil)
	a.CopySym(s.xx)
	logs := 0.0
	for i := range l.size {
		v := prior(i)
		a.SetSym(i, i, a.At(i, i)+1/v)
		logs += math.Log(v)
	}
	c = &Correction{layout: l, mean: mat.NewVecDense(l.size, nil), cov: mat.NewSymDense(l.size, nil), n: s.n, fits: true}
	var chol mat.Cholesky
	if !chol.Factorize(a) {
		return nil, 0, false
	}
	if chol.SolveVecTo(c.mean, s.xy) != nil || chol.InverseTo(c.cov) != nil { // ill-conditioned
		return nil, 0, false
	}
	rest := max(s.yy-mat.Dot(s.xy, c.mean), 0) + priorCount*priorSigma*priorSigma
	n := float64(s.n + priorCount)
	c.sigma2 = rest / n
	return c, -n/2*math.Log(rest) - chol.LogDet()/2 - logs/2, true
}
