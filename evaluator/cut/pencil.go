package cut

import "math"

// pencil is the matrix L + tau ww', with L the Laplacian of a graph and w its weights, and the memory of
// the solver of its systems.
type pencil struct {
	g    *Graph
	tau  float64
	diag []float64
	w    []float64
	res  []float64 // of the solver: residual, direction, its image, preconditioned residual
	dir  []float64
	adir []float64
	prec []float64
}

func newPencil(g *Graph) *pencil {
	n := len(g.weight)
	p := &pencil{g: g, diag: make([]float64, n), w: make([]float64, n), res: make([]float64, n), dir: make([]float64, n),
		adir: make([]float64, n), prec: make([]float64, n)}
	total := 0.0
	for v := range n {
		p.w[v] = float64(g.weight[v])
		p.diag[v] = g.degree(v)
		total += p.diag[v]
	}
	if g.access > 0 {
		p.tau = 2 * g.access / float64(g.endpoints+g.imbalance)
	} else {
		// Large enough that the constant vector is not the lowest, small enough for the solver.
		p.tau = 4 * total / math.Pow(float64(g.endpoints), 2)
	}
	return p
}

// multipliers are the diagonal matrix R of a pencil (L + tau ww', R).
type multipliers struct {
	r, root []float64 // root is sqrt(r)
	sum     float64   // of r
	dim     int       // vertices with r > 0
}

// multipliers are w, and beta times the degree in units of scale on vertices without endpoints.
func (p *pencil) multipliers(beta, scale float64) multipliers {
	m := multipliers{r: make([]float64, len(p.w)), root: make([]float64, len(p.w))}
	for v := range m.r {
		m.r[v] = p.w[v]
		if p.w[v] == 0 && beta > 0 {
			m.r[v] = beta * p.diag[v] / scale
		}
		m.root[v] = math.Sqrt(m.r[v])
		m.sum += m.r[v]
		if m.r[v] > 0 {
			m.dim++
		}
	}
	return m
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
