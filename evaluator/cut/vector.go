package cut

import "math"

// dot sums from the first element to the last: floats.Dot sums in another order on each processor.
func dot(a, b []float64) (s float64) {
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

// normalise scales a vector to length 1 and returns what its length was.
func normalise(a []float64) float64 {
	n := math.Sqrt(dot(a, a))
	if n > 0 {
		for i := range a {
			a[i] /= n
		}
	}
	return n
}
