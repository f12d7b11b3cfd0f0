package branch

import (
	"math"

	"toposearch/constraints"
	"toposearch/search"
)

// target is what a search for the closest design minimises.
type target struct {
	kind  targetKind
	limit int // of oneLimit: its place in Problem.Limits
}

type targetKind uint8

const (
	nothing    targetKind = iota // nothing may be missed: of a problem that is relaxed already
	everything                   // the sum of all that is missed
	onlyWindow                   // what is missed of the number of endpoints, with every limit met
	oneLimit                     // what is missed of one limit, with all else met
)

// number tells targets of a problem apart, for streams of random numbers.
func (t target) number() uint64 { return uint64(t.kind) + uint64(t.limit) }

// bears reports whether the target allows a constraint to be missed.
func (t target) bears(p *search.Problem, constraint string) bool {
	switch t.kind {
	case everything:
		return true
	case onlyWindow:
		return constraint == constraints.Window
	case oneLimit:
		return p.Limits[t.limit].Name == constraint
	}
	return false
}

// isLimit reports whether the target is what is missed of the i-th limit alone.
func (t target) isLimit(i int) bool { return t.kind == oneLimit && t.limit == i }

// bearsLimit reports whether the target allows the i-th limit to be missed.
func (t target) bearsLimit(i int) bool { return t.kind == everything || t.isLimit(i) }

// bearsWindow reports whether it allows another number of endpoints.
func (t target) bearsWindow() bool { return t.kind == everything || t.kind == onlyWindow }

// cost is what a violation counts for: infinitely much if it may not be.
func cost(violation float64, allowed bool) float64 {
	if violation == 0 || allowed {
		return violation
	}
	return math.Inf(1)
}

// withoutPart is added to the violation of designs that need a part which may not be bought: what they cost or
// draw is not known, so that others come first, whatever these miss.
const withoutPart = 1e12

// worth is what a design misses by the target, infinite if it is no answer. What may be missed alone must have
// a value, and all parts.
func (t target) worth(p *search.Problem, d *Judged) float64 {
	sum := violationOf(d.Misses)
	switch {
	case t.kind == everything && d.NoPart:
		return sum + withoutPart
	case t.kind == everything || len(d.Misses) == 0:
		return sum
	case d.NoPart || len(d.Misses) > 1 || d.Misses[0].Absent || !t.bears(p, d.Misses[0].Constraint):
		return math.Inf(1)
	}
	return sum
}

// violationOf sums what is missed.
func violationOf(ms []constraints.Miss) (sum float64) {
	for i := range ms {
		sum += ms[i].Violation
	}
	return sum
}
