package routing

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
)

// The best split by the textbook: minimise y with f direct[c] + (1-f) detour[c] <= y, by the simplex method.
func splitByLP(t *testing.T, direct, detour []float64) float64 {
	t.Helper()
	// Variables y, f, one slack for each channel and one for f <= 1: y - f (a-b) - s = b.
	m := len(direct)
	a := mat.NewDense(m+1, m+3, nil)
	b := make([]float64, m+1)
	c := make([]float64, m+3)
	c[0] = 1
	for i := range direct {
		a.Set(i, 0, 1)
		a.Set(i, 1, -(direct[i] - detour[i]))
		a.Set(i, 2+i, -1)
		b[i] = detour[i]
	}
	a.Set(m, 1, 1)
	a.Set(m, m+2, 1)
	b[m] = 1
	y, _, err := lp.Simplex(c, a, b, 1e-10, nil)
	if err != nil {
		t.Fatal(err)
	}
	return 1 / y
}

func TestBestSplitIsTheLinearProgram(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	inner := 0
	for range 300 {
		m := 2 + r.IntN(12)
		direct, detour := make([]float64, m), make([]float64, m)
		for i := range direct {
			direct[i], detour[i] = r.Float64()*4, r.Float64()*3
		}
		got, want := BestSplit(direct, detour), splitByLP(t, direct, detour)
		if math.Abs(got.Throughput-want) > 1e-9*want {
			t.Errorf("%v, %v: %v, the linear program has %v", direct, detour, got, want)
		}
		if got.Direct > 0 && got.Direct < 1 {
			inner++
		}
		for i := range direct {
			if x := got.Throughput * (got.Direct*direct[i] + (1-got.Direct)*detour[i]); x > 1+1e-9 {
				t.Errorf("%v, %v: channel %d carries %v of its capacity under %v", direct, detour, i, x, got)
			}
		}
	}
	if inner < 50 {
		t.Errorf("only %d of 300 splits are inner ones", inner)
	}
}

// On a complete graph of n switches with one endpoint each, a permutation loads n links by 1 and the others not at
// all. Detours load every channel by 2 (n-1)/n / (n-1) = 2/n. With a fraction f direct the busiest has f + (1-f) 2/n, so
// that all make detours; of uniform traffic, which loads each by 1/(n-1), none does.
func TestSplitOnACompleteGraph(t *testing.T) {
	const n = 8
	net := hyperx(t, 1, n)
	r, err := New(net, dor(1))
	if err != nil {
		t.Fatal(err)
	}
	flows := make([]Flow, n)
	for i := range flows {
		flows[i] = Flow{i, (i + 1) % n, 1}
	}
	l, err := r.FlowLoads(context.Background(), flows, LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	u := uniform(t, net, dor(1), LoadOptions{}).Relative(net, OwnCapacity(net))
	detours := Detoured(u, n)
	if s := BestSplit(l.Relative(net, OwnCapacity(net)), detours); !near(s.Throughput, n/2) || s.Direct != 0 {
		t.Errorf("a shift: %+v, want all detours, %v", s, n/2)
	}
	if s := BestSplit(u, detours); !near(s.Throughput, n-1) || s.Direct != 1 {
		t.Errorf("uniform traffic: %+v, want no detours, %v", s, n-1)
	}
}
