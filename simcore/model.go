package simcore

// What models other than the flit engine share with it.

// CI95 is half the width of the 95 % confidence interval of a mean whose standard error comes from
// so many batches (Student's t).
func CI95(stderr float64, batches int) float64 {
	if batches < 2 {
		return 0
	}
	return stderr * student95(batches-1)
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
