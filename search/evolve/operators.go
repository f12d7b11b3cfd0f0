package evolve

import (
	"math"
	"math/rand"
)

// sbx is simulated binary crossover of one bounded variable: the children spread around the
// parents as those of a single-point crossover of binary strings would (Deb and Agrawal,
// "Simulated binary crossover for continuous search space", Complex Systems 9, 1995), in the form
// with bounds of Deb's NSGA-II code. eta is the distribution index: larger stays closer.
func sbx(x, y, lo, hi float64, eta int, rng *rand.Rand) (float64, float64) {
	if math.Abs(x-y) < 1e-14 {
		return x, y
	}
	a, b := min(x, y), max(x, y)
	u := rng.Float64()
	spread := func(edge float64) float64 {
		beta := 1 + 2*edge/(b-a)
		alpha := 2 - 1/power(beta, eta+1)
		if u*alpha <= 1 {
			return root(u*alpha, eta+1)
		}
		return root(1/(2-u*alpha), eta+1)
	}
	c := 0.5 * (a + b - spread(a-lo)*(b-a))
	d := 0.5 * (a + b + spread(hi-b)*(b-a))
	c, d = min(max(c, lo), hi), min(max(d, lo), hi)
	if rng.Uint64()&1 == 0 {
		c, d = d, c
	}
	return c, d
}

// polynomial is Deb's polynomial mutation of one bounded variable.
func polynomial(x, lo, hi float64, eta int, rng *rand.Rand) float64 {
	if hi <= lo {
		return x
	}
	u := rng.Float64()
	d1, d2 := (x-lo)/(hi-lo), (hi-x)/(hi-lo)
	var q float64
	if u < 0.5 {
		q = root(2*u+(1-2*u)*power(1-d1, eta+1), eta+1) - 1
	} else {
		q = 1 - root(2*(1-u)+2*(u-0.5)*power(1-d2, eta+1), eta+1)
	}
	return min(max(x+q*(hi-lo), lo), hi)
}

// power is x to the n, n >= 0, by squaring: a third of the time of math.Pow.
func power(x float64, n int) float64 {
	y := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			y *= x
		}
		x *= x
	}
	return y
}

// root is the nth root of x >= 0, n >= 1, by square and cube roots as far as they go, which for the
// indices of the breeder is all the way.
func root(x float64, n int) float64 {
	for n%2 == 0 {
		x, n = math.Sqrt(x), n/2
	}
	for n%3 == 0 {
		x, n = math.Cbrt(x), n/3
	}
	if n > 1 {
		x = math.Pow(x, 1/float64(n))
	}
	return x
}
