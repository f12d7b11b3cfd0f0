package simcore

import "math"

// What models other than the flit engine share with it.

// CI95 is half the width of the 95 % confidence interval of a mean whose standard error comes from
// so many batches (Student's t).
func CI95(stderr float64, batches int) float64 {
	if batches < 2 {
		return 0
	}
	return stderr * student95(batches-1)
}

// ErrOfMean is the standard error of the mean of independent values, as means of batches are about;
// 0 if there are fewer than two.
func ErrOfMean(x []float64) float64 {
	var k, m, q float64
	for _, v := range x {
		k++
		d := v - m
		m += d / k
		q += d * (v - m)
	}
	if k < 2 {
		return 0
	}
	return math.Sqrt(q / (k - 1) / k)
}

// ShareOf sums up what single endpoints got, as loads: got by endpoint, one of which is load 1;
// only those for which counts is true, all if it is nil.
func ShareOf(got []int64, one float64, counts func(e int) bool) Share {
	var n, sum, squares, lo, hi float64
	for e, g := range got {
		if counts != nil && !counts(e) {
			continue
		}
		x := float64(g)
		if n == 0 || x < lo {
			lo = x
		}
		hi = max(hi, x)
		n++
		sum += x
		squares += x * x
	}
	r := Share{Min: lo / one, Max: hi / one, Jain: 1}
	if squares > 0 {
		r.Jain = sum * sum / (n * squares)
	}
	return r
}
