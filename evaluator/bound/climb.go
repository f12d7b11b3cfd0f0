package bound

import "toposearch/evaluator/metric"

// refinements are the steps, what excludes most for its time first; of designs that are compared by the times of a workload bounds of these come before. ByRoutes is for designs
// whose routes are not known yet: of a dragonfly with 1,048,576 endpoints they take 0.03 to 0.6 s where groups are joined in the absolute arrangement, cables some 10 ms.
// An evaluation of the whole design is the step above them.
var (
	refinements = []*Refinement{&ByFloorPlan, &ByCables, &ByRoutes}
	trained     = append([]*Refinement{&ByLeaves}, refinements...)
)

// Next is the next step for the design, nil if none is left.
func (l *Ladder) Next() *Refinement {
	for left := l.left; left > 0; left-- {
		if step := l.steps[len(l.steps)-left]; step != &ByRoutes || l.unwalked {
			return step
		}
	}
	return nil
}

// Steps is how many steps have been taken for the design, where some are left.
func (l *Ladder) Steps() int { return len(l.steps) - l.left }

// Effort is that of the next step, 0 if none is left.
func (l *Ladder) Effort() int64 {
	if next := l.Next(); next != nil {
		return next.Effort(l.model, l.size)
	}
	return 0
}

// Climb takes the next step: it narrows out, which the steps before have filled. out.Reject is set if there is no
// part for the design; no step is left then.
func (l *Ladder) Climb(out *metric.Intervals) {
	next := l.Next()
	if next == nil {
		panic("bound: no step is left to climb")
	}
	for l.left--; l.steps[len(l.steps)-l.left-1] != next; l.left-- {
	}
	if next.refine(l, out); out.Reject.Constraint != "" {
		l.left = 0
	} else {
		l.model.follow(l, l.size, l.size, out)
	}
}

// begin takes up a box.
func (l *Ladder) begin(m *Model, b *Box) {
	if f := b.Lo.Family; l.model != m || l.family != f {
		l.model, l.family, l.boards, l.ownRoutes = m, f, m.boardsOf(f), m.ownRoutes(f)
	}
	l.v, l.size, l.unwalked, l.placed, l.laid = b.V, b.Lo, false, false, false
	if l.steps = refinements; m.opt.Training != nil {
		l.steps = trained
	}
	if l.left = 0; b.Single() {
		l.left = len(l.steps)
	}
}
