package cut

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"toposearch/internal/stream"
)

// TestTridiagonal: the largest eigenvalue of the path's matrix with 2 on the diagonal and -1
// beside it is 2 + 2 cos(pi/(n+1)).
func TestTridiagonal(t *testing.T) {
	for _, n := range []int{1, 2, 3, 10, 60} {
		a, b := make([]float64, n), make([]float64, n)
		for i := range a {
			a[i], b[i] = 2, 1
		}
		mu, _ := largestTridiagonal(a, b)
		if want := 2 + 2*math.Cos(math.Pi/float64(n+1)); math.Abs(mu-want) > 1e-12 {
			t.Errorf("n = %d: %.15g, want %.15g", n, mu, want)
		}
	}
}

// TestTridiagonalTwin: the largest eigenvalue of random matrices is gonum's, and the vector satisfies the
// definition.
func TestTridiagonalTwin(t *testing.T) {
	for n := 1; n <= lanczosSteps; n++ {
		rng := stream.New(1, "tridiagonal", uint64(n))
		a, b := make([]float64, n), make([]float64, n)
		dense := mat.NewSymDense(n, nil)
		for i := range a {
			a[i], b[i] = 1+rng.Float64(), rng.Float64()
			if dense.SetSym(i, i, a[i]); i > 0 {
				dense.SetSym(i, i-1, b[i-1])
			}
		}
		mu, y := largestTridiagonal(a, b)
		var eigen mat.EigenSym
		if !eigen.Factorize(dense, false) {
			t.Fatal("no eigenvalues")
		}
		if want := eigen.Values(nil)[n-1]; math.Abs(mu-want) > 1e-12*want {
			t.Errorf("n = %d: %.16g, want %.16g", n, mu, want)
		}
		var image mat.VecDense
		image.MulVec(dense, mat.NewVecDense(n, y))
		for i := range y {
			if math.Abs(image.AtVec(i)-mu*y[i]) > 1e-7 {
				t.Errorf("n = %d: residual %g at %d", n, image.AtVec(i)-mu*y[i], i)
			}
		}
	}
}

// TestPencilTwin: the bound of the least eigenvalue of a pencil (L + tau ww', R) is that of the largest of
// R^(1/2) (L + tau ww')^-1 R^(1/2) by dense matrices, less the margin for the solver.
func TestPencilTwin(t *testing.T) {
	for seed := range uint64(60) {
		g := New(random(seed, int(seed%3)))
		p, n := newPencil(g), len(g.weight)
		full := mat.NewDense(n, n, nil)
		for v := range n {
			for u := range n {
				full.Set(v, u, p.tau*p.w[v]*p.w[u])
			}
			full.Set(v, v, full.At(v, v)+g.degree(v))
			for i := g.start[v]; i < g.start[v+1]; i++ {
				full.Set(v, int(g.to[i]), full.At(v, int(g.to[i]))-g.cap[i])
			}
		}
		var inverse mat.Dense
		if err := inverse.Inverse(full); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, beta := range []float64{0, 0.5, 1} {
			m := p.multipliers(beta, 0.3)
			operator := mat.NewSymDense(n, nil)
			for v := range n {
				for u := range v + 1 {
					operator.SetSym(v, u, m.root[v]*inverse.At(v, u)*m.root[u])
				}
			}
			var eigen mat.EigenSym
			if !eigen.Factorize(operator, false) {
				t.Fatal("no eigenvalues")
			}
			want := (1 - cgMargin) / eigen.Values(nil)[n-1]
			if got, _, ok := p.lowest(context.Background(), m, stream.New(seed, "pencil")); !ok || math.Abs(got-want) > 1e-8*want {
				t.Errorf("seed %d, beta %g: least eigenvalue above %.12g (%v), want %.12g", seed, beta, got, ok, want)
			}
		}
	}
}
