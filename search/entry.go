package search

import (
	"math"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
)

// Entry is a line of the journal about a design: its raw metrics before any constraint.
type Entry struct {
	Design string
	Reject metric.Reject
	// Routing is the one that was chosen for the design among those that the study names, "" if it names none.
	Routing string
	Values  [metric.Count]float64 // NaN: absent
	Lo, Hi  [metric.Count]float64
}

// NewEntry keeps of a result what a journal holds.
func NewEntry(design string, r *evaluator.Result) *Entry {
	e := &Entry{Design: design, Reject: r.Reject, Routing: r.Chosen}
	e.Reject.LateWeeks = 0
	for k := range e.Values {
		e.Values[k], e.Lo[k], e.Hi[k] = math.NaN(), math.NaN(), math.NaN()
		if r.Have[k] {
			m := &r.Metrics[k]
			e.Values[k], e.Lo[k], e.Hi[k] = m.Value, m.Lo, m.Hi
		}
	}
	return e
}
