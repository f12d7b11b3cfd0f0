package search

import (
	"context"

	"toposearch/constraints"
	"toposearch/evaluator"
)

// verify simulates finalists and writes their results into the front.
func (d *driver) verify(ctx context.Context, f *Front) (stop string, err error) { return "", nil }

// meets tells whether a design on the front meets a threshold; the simulator's metrics are those
// for uniform traffic.
func (p *Problem) meets(l *constraints.Limit, r *Record) bool {
	switch l.Key {
	case evaluator.SimSaturation:
		return r.Verified != nil && has(r.Verified.Saturation, l)
	case evaluator.SimLatencyHalfLoad:
		return r.Verified != nil && has(r.Verified.LatencyHalfLoad, l)
	}
	m, ok := r.Metrics[evaluator.Keys[l.Key].Name]
	return ok && l.Violation(m.Value) == 0
}

func has(measured map[string]float64, l *constraints.Limit) bool {
	x, ok := measured["uniform"]
	return ok && l.Violation(x) == 0
}
