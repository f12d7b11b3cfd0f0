package objectives

import (
	"math"

	"toposearch/evaluator/metric"
)

// FillBest writes the best corner that intervals leave open: what no design inside them can
// undercut. An unknown metric leaves minus infinity. It does not allocate.
func FillBest(v Vector, objs []Objective, in *metric.Intervals) {
	for i, o := range objs {
		switch {
		case !in.Have[o.Key]:
			v[i] = math.Inf(-1)
		case o.Better == metric.Higher:
			v[i] = o.Cost(in.At[o.Key].Hi)
		default:
			v[i] = o.told(in.At[o.Key].Lo)
		}
	}
}

// FillWorst writes the worst corner of intervals, and tells whether it is known and finite: no design inside
// them is worse. It does not allocate.
func FillWorst(v Vector, objs []Objective, in *metric.Intervals) bool {
	for i, o := range objs {
		if !in.Have[o.Key] {
			return false
		}
		if v[i] = o.told(in.At[o.Key].Hi); o.Better == metric.Higher {
			v[i] = o.Cost(in.At[o.Key].Lo)
		}
		if math.IsInf(v[i], 0) {
			return false
		}
	}
	return true
}
