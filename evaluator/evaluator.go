package evaluator

import (
	"context"

	"toposearch/topology"
)

// Version names the model: it changes whenever a figure can change, and with it the key under
// which a journal stores results.
const Version = "1"

// Interval encloses a figure.
type Interval struct{ Lo, Hi float64 }

// Intervals holds an enclosure for each metric; Have tells which are known.
type Intervals struct {
	At   [NumKeys]Interval
	Have [NumKeys]bool
}

// Reject says which rule of the evaluation a design cannot meet: there is no part for it. The
// zero value is no rejection. Constraint names are those of package constraints.
type Reject struct {
	Constraint string  // "switch.ports", "cable.reach", "endpoint.rate", ...; constant texts only
	Got, Bound float64 // what it needs; what there is
}

// Violation is the fraction by which the bound is missed.
func (r Reject) Violation() float64 {
	if r.Constraint == "" {
		return 0
	}
	if r.Bound == 0 {
		return r.Got
	}
	return (r.Got - r.Bound) / r.Bound
}

// Request says what an evaluation must produce.
type Request struct {
	Level int   // compute all metrics up to this level
	Keys  []Key // and these, at whatever level they need
	// BudgetNs bounds metrics above level 1 that were not asked for by key, by their cost model
	// (never by a clock, so that results repeat); 0: 2e9.
	BudgetNs float64
}

// Result is what is known of a design. Absent metrics carry a reason.
type Result struct {
	Design  topology.Design
	Size    topology.Size
	Metrics [NumKeys]Metric
	Have    [NumKeys]bool
	Absent  map[Key]string
	Reject  Reject // no part for it: metrics that need the part are absent
	// Unpriced lists parts without a price; cost is then absent with the list as its reason.
	Unpriced []string
	// Bottleneck names the link class that limits uniform_throughput, in words.
	Bottleneck string
	Plan       *Plan // floor layout, cabling and bill of materials; nil if rejected
}

// Evaluator scores designs under fixed options. It is safe for concurrent use.
type Evaluator struct {
	opt Options
}

// Scratch is the memory of one worker for Level0 and Box, so that they do not allocate.
type Scratch struct {
	Paths topology.Paths
}

// New fills in defaults and prepares the catalogue.
func New(opt Options) (*Evaluator, error) {
	return &Evaluator{opt: opt}, nil
}

// Level0 encloses the metrics of a counted design from closed forms: counts exactly, cost,
// power, latency and throughput as intervals that hold at every later level. Under 1 us, no
// allocation. v are the design's values.
func (e *Evaluator) Level0(v []int, s *topology.Size, sc *Scratch, out *Intervals) Reject {
	return Reject{}
}

// Box encloses the metrics of every design whose size lies between bl and bh.
func (e *Evaluator) Box(bl, bh *topology.Size, out *Intervals) {}

// Evaluate computes the metrics that req asks for. The error is for designs that do not exist
// (topology.ErrInfeasible) and for cancellation; everything else is in the result.
func (e *Evaluator) Evaluate(ctx context.Context, d topology.Design, req Request) (*Result, error) {
	return nil, nil
}
