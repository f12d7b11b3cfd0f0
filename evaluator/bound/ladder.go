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
	// Effort is the time that it may take under a model, in enclosures by closed forms: from the counts alone, since a search
	// divides its work by it and must divide it the same everywhere.
	Effort func(m *Model, s *topology.Size) int64
	refine func(l *Ladder, out *metric.Intervals)
}

// EvaluationEffort is the time that an evaluation up to level 1 may take, in the unit of Refinement.Effort.
const EvaluationEffort = 100

// Ladder is the memory of one worker for enclosures, and the way of one design from its closed forms to what is
// nearly an evaluation: Model.Enclose sets a design on the first step, and Climb takes the next that is left for
// it. The zero value is ready for use. Values and size of the design must stay as they are between.
type Ladder struct {
	model *Model
	v     []int
	size  *topology.Size
	steps []*Refinement // those of the model
	left  int           // of them, for the design

	family *topology.Family // of the last box:
	// switchLo and switchHi enclose what the switches of the box cost, minor units.
	switchLo, switchHi float64
	boards             uint32 // its classes that need no cable,
	ownRoutes          bool   // and whether its closed forms hold

	// What steps leave for those behind them.
	rates    market.Rates
	meanM    [topology.MaxClasses]float64 // of the cables as bought, at least, where a class has any
	buys     market.Purchase
	paths    topology.Paths
	per      topology.PerEndpoint
	unwalked bool // the routes are only bounded, by per
	// cablesM is how much cable a path crosses at least by what is known of the classes, m, acrossM by how far endpoints are apart.
	cablesM, acrossM float64
	placed           bool
	plan             floor.Plan // if placed
	distances        floor.Distances
	laid             bool                         // the cables are, of mean lengths
	laidM            [topology.MaxClasses]float64 // as bought, by class
	total            market.Total
	// Of ByLeaves: by endpoint its part, by part what leads out of it, by switch its part.
	part, partOf []int32
	carry        []float64
	widest       widest // the last that was asked for
}

// widest is the design of a box with most links, and the least time of a step on it.
type widest struct {
	model  *Model
	family *topology.Family
	values topology.Values
	v      []int
	size   topology.Size
	step   float64
}
