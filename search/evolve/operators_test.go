package evolve

import (
	"math"
	"math/rand"
	"testing"
)

// plainSBX and plainPolynomial are the operators as Deb's NSGA-II code writes them.
func plainSBX(x, y, lo, hi, eta float64, rng *rand.Rand) (float64, float64) {
	if math.Abs(x-y) < 1e-14 {
		return x, y
	}
	a, b := min(x, y), max(x, y)
	u := rng.Float64()
	spread := func(edge float64) float64 {
		beta := 1 + 2*edge/(b-a)
		alpha := 2 - math.Pow(beta, -(eta+1))
		if u <= 1/alpha {
			return math.Pow(u*alpha, 1/(eta+1))
		}
		return math.Pow(1/(2-u*alpha), 1/(eta+1))
	}
	c := min(max(0.5*(a+b-spread(a-lo)*(b-a)), lo), hi)
	d := min(max(0.5*(a+b+spread(hi-b)*(b-a)), lo), hi)
	if rng.Uint64()&1 == 0 {
		c, d = d, c
	}
	return c, d
}

func plainPolynomial(x, lo, hi, eta float64, rng *rand.Rand) float64 {
	u := rng.Float64()
	d1, d2 := (x-lo)/(hi-lo), (hi-x)/(hi-lo)
	q := 1 - math.Pow(2*(1-u)+2*(u-0.5)*math.Pow(1-d2, eta+1), 1/(eta+1))
	if u < 0.5 {
		q = math.Pow(2*u+(1-2*u)*math.Pow(1-d1, eta+1), 1/(eta+1)) - 1
	}
	return min(max(x+q*(hi-lo), lo), hi)
}

// The operators draw what the published ones draw, at the edges of the range and for indices whose
// roots are square and cube roots or not.
func TestOperatorsArePublished(t *testing.T) {
	rng, plain := newRand(1, "test.operators", 0), newRand(1, "test.operators", 0)
	parents := newRand(2, "test.operators", 0)
	for _, eta := range []int{0, 1, crossIndex, mutateIndex, 12, 15, 20} {
		for range 2000 {
			lo, hi := -0.5, float64(1+parents.Intn(100))-0.5
			x, y := lo+parents.Float64()*(hi-lo), lo+parents.Float64()*(hi-lo)
			switch parents.Intn(8) {
			case 0:
				x = lo
			case 1:
				y = hi
			case 2:
				x = y
			}
			near := 1e-12 * (hi - lo)
			c, d := sbx(x, y, lo, hi, eta, rng)
			if e, f := plainSBX(x, y, lo, hi, float64(eta), plain); math.Abs(c-e) > near || math.Abs(d-f) > near {
				t.Fatalf("sbx of %v, %v in [%v, %v], index %d: %v, %v, want %v, %v", x, y, lo, hi, eta, c, d, e, f)
			}
			c = polynomial(x, lo, hi, eta, rng)
			if e := plainPolynomial(x, lo, hi, float64(eta), plain); math.Abs(c-e) > near {
				t.Fatalf("mutation of %v in [%v, %v], index %d: %v, want %v", x, lo, hi, eta, c, e)
			}
		}
	}
}
