package objectives

import (
	"math"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
)

// FillResult writes the costs of the objectives from a result; absent metrics are the worst. It
// does not allocate.
func FillResult(v Vector, objs []Objective, r *evaluator.Result) {
	for i, o := range objs {
		if r.Have[o.Key] {
			v[i] = o.Cost(r.Metrics[o.Key].Value)
		} else {
			v[i] = math.Inf(1)
		}
	}
}

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
			v[i] = in.At[o.Key].Lo
		}
	}
}
