package objectives

import (
	"math"

	"toposearch/evaluator/metric"
)

// A front is complete within epsilon where for each design that it lacks one of its points is worse by at most that part in every objective (Laumanns
// et al., Combining convergence and diversity in evolutionary multiobjective optimization, Evol. Comput. 10(3), 2002). A part of an availability is one of what
// it lacks to 1, as people compare it.

// fromOne tells whether parts of the objective are of what it lacks to 1.
func (o Objective) fromOne() bool { return o.Key == metric.Availability && o.Better == metric.Higher }

// Improved is a cost that is better by a part eps ≥ 0, Worsened one that is worse: each other's inverse but for rounding.
func (o Objective) Improved(cost, eps float64) float64 {
	switch {
	case o.fromOne():
		return -1 + (1+cost)/(1+eps)
	case cost < 0: // more is better
		return cost * (1 + eps)
	}
	return cost / (1 + eps)
}

// Worsened is described at Improved.
func (o Objective) Worsened(cost, eps float64) float64 {
	switch {
	case o.fromOne():
		return -1 + (1+cost)*(1+eps)
	case cost < 0:
		return cost / (1 + eps)
	}
	return cost * (1 + eps)
}

// beyond is the least part by which a cost must be improved to reach another; +Inf: none is enough.
func (o Objective) beyond(cost, other float64) float64 {
	if o.fromOne() {
		cost, other = 1+cost, 1+other
	}
	switch {
	case cost <= other:
		return 0
	case cost < 0:
		return other/cost - 1
	case cost > 0 && other > 0:
		return cost/other - 1
	}
	return math.Inf(1)
}

// Within is the least part by which a point of the front is worse than v in every objective; +Inf if there is none. It takes 10 ns a point.
func (f *Front) Within(v Vector, objs []Objective) float64 {
	least := math.Inf(1)
	if f.root == nil {
		return least
	}
	f.root.each(func(p *Point) {
		most := 0.0
		for j, o := range objs {
			if most = max(most, o.beyond(p.V[j], v[j])); most >= least {
				return
			}
		}
		least = most
	})
	return least
}
