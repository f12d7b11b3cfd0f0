package branch

import (
	"math"

	"toposearch/objectives"
	"toposearch/search"
)

// easing compares with a front but for an epsilon: eps, of which ratio is what lies beyond where the front is held. Both are 0 where it compares exactly.
type easing struct {
	eps, ratio float64
	objs       []objectives.Objective
	eased      objectives.Vector // room for a corner
}

func newEasing(p *search.Problem, eps float64) easing {
	e := easing{eps: eps, objs: p.Objectives, eased: make(objectives.Vector, len(p.Objectives))}
	if eps > 0 {
		e.ratio = (1+eps)/(1+p.Tolerance) - 1
	}
	return e
}

// ease is a corner worse by the epsilon, until the next is asked for; the corner itself where there is none.
func (e *easing) ease(corner objectives.Vector) objectives.Vector {
	if e.eps == 0 {
		return corner
	}
	for j, o := range e.objs {
		e.eased[j] = o.Worsened(corner[j], e.ratio)
	}
	return e.eased
}

// finest is the lesser of two epsilons of which 0 is none.
func finest(a, b float64) float64 {
	if a == 0 {
		return b
	}
	return math.Min(a, b)
}
