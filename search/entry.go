package search

import (
	"math"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
)

// entry is a line of the journal about a design: its raw metrics before any constraint.
type entry struct {
	design string
	reject metric.Reject
	values [metric.Count]float64 // NaN: absent
	lo, hi [metric.Count]float64
}

func newEntry(design string, r *evaluator.Result) *entry {
	e := &entry{design: design, reject: r.Reject}
	for k := range e.values {
		e.values[k], e.lo[k], e.hi[k] = math.NaN(), math.NaN(), math.NaN()
		if r.Have[k] {
			m := &r.Metrics[k]
			e.values[k], e.lo[k], e.hi[k] = m.Value, m.Lo, m.Hi
		}
	}
	return e
}
