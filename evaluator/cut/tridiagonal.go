package cut

import "math"

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

// allBelow reports whether every eigenvalue is below m.
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
