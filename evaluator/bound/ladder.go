package bound

import (
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// Refinement is a step that narrows what is known of one design, at a price in time.
type Refinement struct {
	Name    string
	Narrows metric.KeySet
	// Effort is the time that it may take, in enclosures by closed forms: from the counts alone, since a search
	// divides its work by it and must divide it the same everywhere.
	Effort func(s *topology.Size) int64
	refine func(l *Ladder, out *metric.Intervals)
}

// EvaluationEffort is the time that an evaluation up to level 1 may take, in the same unit.
const EvaluationEffort = 100

// The refinements, the cheapest first. An evaluation of the whole design is the step above them.
var refinements = [...]*Refinement{&ByFloorPlan, &ByCables}

// Ladder is the memory of one worker for enclosures, and the way of one design from its closed forms to what is
// nearly an evaluation: Model.Enclose sets a design on the first step, and Climb takes the next that is left for
// it. The zero value is ready for use. Values and size of the design must stay as they are between.
type Ladder struct {
	model *Model
	v     []int
	size  *topology.Size
	left  int // refinements that are left for the design

	family    *topology.Family // of the last box:
	boards    uint32           // its classes that need no cable,
	ownRoutes bool             // and whether its closed forms hold

	// What steps leave for those behind them.
	rates     market.Rates
	meanM     [topology.MaxClasses]float64 // of the cables of a box, at least; 0 where nothing is known
	buys      market.Purchase
	paths     topology.Paths
	per       topology.PerEndpoint
	unwalked  bool // the routes are only bounded, by per
	placed    bool
	plan      floor.Plan // if placed
	distances floor.Distances
	total     market.Total
}

// Next is the next step for the design, nil if none is left.
func (l *Ladder) Next() *Refinement {
	if l.left == 0 {
		return nil
	}
	return refinements[len(refinements)-l.left]
}

// Steps is how many steps have been taken for the design, where some are left.
func (l *Ladder) Steps() int { return len(refinements) - l.left }

// Climb takes the next step: it narrows out, which the steps before have filled. out.Reject is set if there is no
// part for the design; no step is left then.
func (l *Ladder) Climb(out *metric.Intervals) {
	next := l.Next()
	if next == nil {
		panic("bound: no step is left to climb")
	}
	l.left--
	if next.refine(l, out); out.Reject.Constraint != "" {
		l.left = 0
	}
}

// begin takes up a box.
func (l *Ladder) begin(m *Model, b *Box) {
	if f := b.Lo.Family; l.model != m || l.family != f {
		l.model, l.family, l.boards, l.ownRoutes = m, f, m.boardsOf(f), m.ownRoutes(f)
	}
	l.v, l.size, l.unwalked, l.placed = b.V, b.Lo, false, false
	if l.left = 0; b.Single() {
		l.left = len(refinements)
	}
}
