package evaluator

import (
	"math"

	"toposearch/evaluator/market"
)

// crossed encloses the mean length of the cables that routes cross, if no channel of their class
// carries more than peak times the mean. A cable of length L then has at most peak/n of the
// weight, n being their number, so that the mean of L - min is at most peak times that over all
// cables, and so is the mean of max - L.
func crossed(s *market.Span, peak float64) (lo, hi float64) {
	switch {
	case peak <= 1+1e-9:
		return s.MeanM, s.MeanM
	case math.IsInf(peak, 1):
		return s.MinM, s.MaxM
	}
	return math.Max(s.MinM, s.MaxM-peak*(s.MaxM-s.MeanM)), math.Min(s.MaxM, s.MinM+peak*(s.MeanM-s.MinM))
}
