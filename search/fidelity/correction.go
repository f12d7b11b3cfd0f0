package fidelity

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Correction is what is known of the ratio of a measured value to the modelled one, in one objective. Its logarithm is
//
//	y = m + u(family) + w(family).x + e,  u ~ N(0, tau^2), w ~ N(0, omega^2), e ~ N(0, sigma^2)
//
// with x the features of a design within its family and their squares, all scaled. Families share the mean m, so that one without measurements has the correction of
// the others, and a wide interval; one with many has its own. sigma, tau and omega are those of the largest evidence.
type Correction struct {
	layout *layout
	mean   *mat.VecDense // of m, u and w
	cov    *mat.SymDense // of it, over sigma^2
	sigma2 float64
	n      int
	fits   bool
}

// layout says where the coefficients of families stand, and how features are scaled.
type layout struct {
	at            []int // by family: of its offset, its slopes behind it
	size          int
	centre, scale [][]float64 // by family and feature
}

// newLayout scales features to mean 0 and standard deviation 1 within each family; one that never varies counts nothing.
func newLayout(points []Point, families int) *layout {
	l := &layout{at: make([]int, families), size: 1, centre: make([][]float64, families), scale: make([][]float64, families)}
	n := make([]float64, families)
	for i := range points {
		p := &points[i]
		if l.centre[p.Family] == nil {
			l.centre[p.Family], l.scale[p.Family] = make([]float64, len(p.X)), make([]float64, len(p.X))
		}
		n[p.Family]++
		for j, x := range p.X {
			l.centre[p.Family][j] += x
		}
	}
	for f := range l.centre {
		for j := range l.centre[f] {
			l.centre[f][j] /= n[f]
		}
	}
	for i := range points {
		p := &points[i]
		for j, x := range p.X {
			l.scale[p.Family][j] += (x - l.centre[p.Family][j]) * (x - l.centre[p.Family][j])
		}
	}
	for f := range l.scale {
		for j, s := range l.scale[f] {
			if l.scale[f][j] = 0; s > 0 {
				l.scale[f][j] = 1 / math.Sqrt(s/n[f])
			}
		}
		l.at[f] = l.size
		l.size += 1 + 2*len(l.centre[f])
	}
	return l
}

// row gives the places and values of what a point's logarithm is a sum of, in buffers that it returns.
func (l *layout) row(p *Point, at []int, x []float64) ([]int, []float64) {
	at, x = append(at[:0], 0, l.at[p.Family]), append(x[:0], 1, 1)
	for j, v := range p.X {
		z := (v - l.centre[p.Family][j]) * l.scale[p.Family][j]
		at, x = append(at, l.at[p.Family]+1+2*j, l.at[p.Family]+2+2*j), append(x, z, z*z-1)
		if l.scale[p.Family][j] == 0 {
			x[len(x)-1] = 0
		}
	}
	return at, x
}

// Ratio is a factor with its 95 % interval.
type Ratio struct {
	Value float64 `json:"value"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
}

// priorSpread is the standard deviation of the logarithm of a ratio of which nothing was measured: two in three within 0.74 and 1.35.
const priorSpread = 0.3

// Known tells whether anything was measured.
func (c *Correction) Known() bool { return c.fits }

// Predict gives the mean of the logarithm of the ratio of a point, and the standard deviation of what a measurement of it would
// give. Without measurements that is 0 and priorSpread.
func (c *Correction) Predict(p *Point) (mean, sd float64) {
	if !c.fits {
		return 0, priorSpread
	}
	var places [expected]int
	var values [expected]float64
	at, x := c.layout.row(p, places[:0], values[:0])
	return c.predict(at, x, 1)
}

// expected is for how many coefficients of a row there is room without allocating: those of a family of nine parameters.
const expected = 20

// predict is Predict of a row, with so much of the variance of a single design.
func (c *Correction) predict(at []int, x []float64, own float64) (mean, sd float64) {
	cov := c.cov.RawSymmetric() // the upper triangle, and at grows
	for k, i := range at {
		mean += x[k] * c.mean.AtVec(i)
		row := cov.Data[i*cov.Stride:]
		sum := x[k] * row[i] / 2
		for l := k + 1; l < len(at); l++ {
			sum += x[l] * row[at[l]]
		}
		own += 2 * x[k] * sum
	}
	return mean, math.Sqrt(c.sigma2 * max(own, 0))
}

// t95 is half the width of the 95 % interval, in standard deviations.
func (c *Correction) t95() float64 {
	const two, all = 2, 0.975
	if !c.fits {
		return distuv.UnitNormal.Quantile(all)
	}
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(max(c.n, two))}.Quantile(all)
}

// Of is the ratio of a point, and where a measurement of it is expected with 95 %.
func (c *Correction) Of(p *Point) Ratio {
	m, s := c.Predict(p)
	return c.interval(m, s)
}

// Family is the mean ratio of a family at the mean of its features, and where that mean lies with 95 %: the error bars of
// its correction, without the scatter of single designs.
func (c *Correction) Family(f int) Ratio {
	if !c.fits {
		return c.interval(0, priorSpread)
	}
	m, s := c.predict([]int{0, c.layout.at[f]}, []float64{1, 1}, 0)
	return c.interval(m, s)
}

// Scatter is the standard deviation of single designs around the correction, as a part of the value.
func (c *Correction) Scatter() float64 { return math.Sqrt(c.sigma2) }

func (c *Correction) interval(m, s float64) Ratio {
	w := c.t95() * s
	return Ratio{math.Exp(m), math.Exp(m - w), math.Exp(m + w)}
}
