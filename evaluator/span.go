package evaluator

import (
	"math"

	"toposearch/evaluator/market"
	"toposearch/topology"
)

// cableSpan is the laid lengths of the cables of a link class, metres.
type cableSpan struct{ min, mean, max float64 }

// spansOf sums up the cables of each class, one of a link after the other where it takes several.
func spansOf(f *topology.Family, rates *market.Rates, runs []market.Run) (out [topology.MaxClasses]cableSpan) {
	var sum, count [topology.MaxClasses]float64
	for _, r := range runs {
		s := &out[r.Class]
		if count[r.Class] == 0 {
			s.min = r.MinM
		}
		s.min, s.max = math.Min(s.min, r.MinM), math.Max(s.max, r.MaxM)
		sum[r.Class] += r.SumM
		count[r.Class] += float64(r.Count)
	}
	for c := range f.LinkClasses {
		if count[c] > 0 {
			each := float64(rates.Cables(c))
			out[c] = cableSpan{each * out[c].min, each * sum[c] / count[c], each * out[c].max}
		}
	}
	return out
}

// crossed encloses the mean length of the cables that routes cross, if no channel of the class
// carries more than peak times the mean. A cable of length L then has at most peak/n of the
// weight, n being their number, so that the mean of L - min is at most peak times that over all
// cables, and so is the mean of max - L.
func (s cableSpan) crossed(peak float64) (lo, hi float64) {
	switch {
	case peak <= 1+1e-9:
		return s.mean, s.mean
	case math.IsInf(peak, 1):
		return s.min, s.max
	}
	return math.Max(s.min, s.max-peak*(s.max-s.mean)), math.Min(s.max, s.min+peak*(s.mean-s.min))
}
