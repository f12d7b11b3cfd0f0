package topology

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// A ratio p:q of whole numbers divides what it is of, such as the ports of a switch into p facing down for every q
// facing up. Its value is the share p/(p+q) in parts of ratioUnit, rounded down: values are in the order of
// ratios, and division is integer arithmetic.
const (
	// ratioUnit separates all ratios: two different shares with denominators up to ratioParts differ by at
	// least 1/(1024*1023), which is more than 2^-20.
	ratioUnit = 1 << 20
	// ratioParts is the most parts, p+q, of a ratio: no switch of any family has more ports.
	ratioParts = 1024
)

// Values of the ratios at the ends: even division, and all but one part.
const (
	RatioEven = ratioUnit / 2
	RatioMost = (ratioParts - 1) * ratioUnit / ratioParts
)

// RatioOf is the value of the ratio p:q, for p >= 0, q >= 0 and 0 < p+q <= 1024. Ratios that are equal have the same value.
func RatioOf(p, q int) int { return p * ratioUnit / (p + q) }

// RatioPart is the first part of n divided in the ratio x, for n up to 1024; rounded up where the ratio does not divide n
// (RatioDivides). It does not decrease in x or n, and n less it does not decrease in n.
func RatioPart(x, n int) int { return (n*x + ratioUnit - 1) / ratioUnit }

// RatioDivides tells whether n can be divided in the ratio x: p+q divides n.
func RatioDivides(x, n int) bool {
	p := RatioPart(x, n)
	return n > 0 && p <= n && RatioOf(p, n-p) == x
}

// RatioShare encloses p/(p+q) of the ratios from lo to hi.
func RatioShare(lo, hi int) (least, most float64) {
	least, most = float64(lo)/ratioUnit, float64(hi+1)/ratioUnit
	if hi == RatioEven {
		most = 0.5 // the usual one is exact
	}
	return least, most
}

// RatioNearest is the ratio nearest to x in which n, an even number, can be divided, from 1:1 on.
func RatioNearest(x, n int) int {
	p := RatioPart(x, n) // rounded up
	if p > 1 && x-RatioOf(p-1, n-p+1) < RatioOf(p, n-p)-x {
		p--
	}
	p = max(min(p, n-1), n/2)
	return RatioOf(p, n-p)
}

// RatioDraw draws one of the ratios from 1:1 on in which n can be divided; 1:1 if there is none.
func RatioDraw(n int, rng *rand.Rand) int {
	if n < 2 || n > ratioParts {
		return RatioEven
	}
	p := (n + 1) / 2
	p += rng.IntN(n - p)
	return RatioOf(p, n-p)
}

// RatioTerms are p and q of a ratio in lowest terms; ok is false if the value is none.
func RatioTerms(x int) (p, q int, ok bool) {
	for n := 1; n <= ratioParts; n++ {
		if RatioDivides(x, n) {
			p := RatioPart(x, n)
			return p, n - p, true
		}
	}
	return 0, 0, false
}

// ratioText is a ratio as "p:q"; a value that is none is its share.
func ratioText(x int) string {
	if p, q, ok := RatioTerms(x); ok {
		return fmt.Sprintf("%d:%d", p, q)
	}
	return strconv.FormatFloat(float64(x)/ratioUnit, 'g', 6, 64)
}

// parseRatio reads "p:q".
func parseRatio(s string) (int, error) {
	a, b, ok := strings.Cut(s, ":")
	p, err1 := strconv.Atoi(strings.TrimSpace(a))
	q, err2 := strconv.Atoi(strings.TrimSpace(b))
	switch {
	case !ok || err1 != nil || err2 != nil || p < 1 || q < 1:
		return 0, fmt.Errorf("%q is not a ratio of two whole numbers such as 3:1", s)
	case p > 1<<20 || q > 1<<20: // what is divided below does not overflow
		return 0, fmt.Errorf("the ratio %s is of more than %d parts", s, ratioParts)
	}
	g := int(gcd(int64(p), int64(q)))
	if p, q = p/g, q/g; p+q > ratioParts {
		return 0, fmt.Errorf("the ratio %d:%d is of more than %d parts", p, q, ratioParts)
	}
	return RatioOf(p, q), nil
}
