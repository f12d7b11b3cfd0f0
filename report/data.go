package report

import (
	"fmt"
	"math"
	"math/big"

	"toposearch/evaluator"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/report/number"
	"toposearch/search/run"
	"toposearch/study"
)

// Schema names the form that WriteJSON writes.
const Schema = "toposearch.report/1"

// Data is everything that a report shows. Slices keep their order; where the order is free it is
// stated. Nothing in it depends on clock, machine or number of workers.
type Data struct {
	Study   string // name
	Program string // version of toposearch
	// Evaluator is the version of the analytic model.
	Evaluator string
	Seed      uint64
	// Asked is what was asked, in the reader's words: "Endpoints", "1,024 to 1,152".
	Asked []Fact
	// Assumed is what no file says and figures rest on.
	Assumed []study.Assumption
	// Wanted is a short form of Asked for the head of the page: "1,024 endpoints at 400 Gb/s".
	Wanted string
	// BandwidthGbps of an endpoint, all its ports; 0 if each design has its own.
	BandwidthGbps float64
	Currency      string // of every cost; "" is USD

	Objectives []Objective
	Families   []string // that were searched, in the order of the study

	Strategy string // that ran: enumerate, nsga2, local, random
	// Complete: no design of the space is missing from the front, but such as are better than one of it by no more than Tolerance, as a part, in any objective.
	Complete  bool
	Tolerance float64
	// LocallyComplete: no neighbour of the front improves it.
	LocallyComplete bool
	// Proved says how much a front that is not complete may lack at most, "" if that is not known.
	Proved  string
	Stopped string // what ended the search early: "evaluations", "time", "interrupted"
	Counts  Counts

	Limits []Limit // in force, and thresholds of [require]
	Points []Point // the front, ordered by objectives, then by name
	// Left is how many of the front are left out of Points, as a page leaves most of very many: each within the fraction LeftWithin of one that is there in every objective,
	// NaN if that is not known.
	Left       int
	LeftWithin float64
	// Incumbents are the networks that the study names, in its order.
	Incumbents []Incumbent
	Details    []Detail    // of the picks and finalists, in the order of Points
	Closest    []Closest   // of families without a feasible design
	Reject     []Rejection // largest count first, then by name

	// Sensitivity is what limits and prices are worth; nil where it was not asked for.
	Sensitivity *Sensitivity

	Inputs []Input
	// Catalogue names the price list and its date: "builtin 2026-01".
	Catalogue string
	// Bought is how many parts of the price list the designs in full buy; NeverBought are the numbers of the other priced ones, of the same kinds, in its order.
	Bought      int
	NeverBought []string
	// Convergence is how near fronts of the search came to the last; nil where that was not computed.
	Convergence []run.Moment
	// PricesUntil is the ISO date until which every price used holds; "" unknown.
	PricesUntil string
	// Warnings are about the run as a whole: settings that are not judged, prices that are derived.
	Warnings []string
}

// Fact is a labelled statement.
type Fact struct{ Label, Text string }

// Objective is a metric that the search improved.
type Objective struct {
	Key    metric.Key
	Better metric.Direction
	Enough float64 // above which all values count as equal; 0: nothing is enough
}

// Counts say how many tuples of parameter values were decided and how.
type Counts struct {
	Enumerated *big.Int // decided, also those cut as whole boxes; nil is unknown
	Dominated  *big.Int // shown by bounds to be dominated
	Evaluated  int64    // designs scored at level 1 or above
	Feasible   int64    // of those, designs within every limit
	Families   []FamilyCounts
}

// FamilyCounts are the counts of one family.
type FamilyCounts struct {
	Family              string
	Space, Enumerated   *big.Int // tuples in all, and those that were decided
	Evaluated, Feasible int64
	OnFront             int
	Complete            bool
}

// Limit is a bound that designs must keep.
type Limit struct {
	Name   string // "building.power"
	Key    metric.Key
	Max    bool // at most Bound, otherwise at least
	Bound  float64
	Text   string // as written: "2 MW"
	Origin string // file:line:column
	// Require marks a threshold that at least one design of the front must meet.
	Require bool
}

// Point is a design on the front.
type Point struct {
	Name    string // canonical
	Family  string
	Also    []string // other names under which the same network with the same figures was found
	ShownBy string   // name of a point within 2 % in every objective, which stands for it where people read; "" if it is shown
	Same    string   // which other point may be the same network, or is it with other figures; "" if none is known
	Params  []Param  // in the family's order
	Metrics [metric.Count]metric.Figure
	Have    [metric.Count]bool
	Absent  map[metric.Key]string // why a metric is missing
	// Bottleneck says which link class limits the uniform throughput.
	Bottleneck string
	// Routing is the one that throughput is of.
	Routing  string
	Unfit    string // which it cannot be, and why
	Finalist bool   // was to be verified by simulation
	Vouched  string // which level vouches for each objective, where measurements corrected others; "" elsewhere
	Sim      *Sim   // nil if it was not simulated
}

// Value is the value of a metric, NaN if it is absent.
func (p *Point) Value(k metric.Key) float64 {
	if !p.Have[k] {
		return math.NaN()
	}
	return p.Metrics[k].Value
}

// Param is a parameter of a design.
type Param struct {
	Name, Doc, Value string
	Default          bool // equal to its default, and so left out of the name
}

// Sim puts the simulator's measurement beside the prediction, one entry per traffic.
type Sim struct {
	Traffic []Traffic
	Agrees  bool
	// Contradicts: a measurement lies outside what the model certifies.
	Contradicts bool
	Differs     []string // the traffics that do not agree; notes begin with the traffic that they are of
	Notes       []string
	Cycles      int     // measured per load point,
	Precision   float64 // and more until latency and accepted load are known to that part of them; 0: not asked
	VCs         int
	Routing     string
	CutThrough  bool // simulated by that model: what is in cycles of others is in ns
}

// unit is that of latencies and of windows.
func (s *Sim) unit() string {
	if s.CutThrough {
		return "ns"
	}
	return "cycles"
}

// measured says for how long.
func (s *Sim) measured() string {
	text := fmt.Sprintf("%s %s measured a load", number.PageFigure(float64(s.Cycles)), s.unit())
	if s.Precision > 0 {
		text += fmt.Sprintf(", more until latency and accepted load are known to %.3g %%", 100*s.Precision)
	}
	return text
}

// model names the simulator.
func (s *Sim) model() string {
	if s.CutThrough {
		return "cut-through simulation"
	}
	return "flit-level simulation"
}

// Traffic is what was measured under one traffic. NaN is unknown.
type Traffic struct {
	Name string
	// Saturation is the largest load accepted to 97 %; Predicted what the model says of it.
	Saturation, Predicted float64
	// Expected is what VCs and buffers leave of Predicted, and LimitedBy what limits it; "": not known.
	Expected  float64
	LimitedBy string
	// LatencyHalf is the mean latency at half the saturation load, cycles.
	LatencyHalf float64
	// ZeroLoad is the latency at the lowest load of the curve, PredictedZero the model's, cycles.
	ZeroLoad, PredictedZero float64
	Curve                   []CurvePoint
}

// CurvePoint is a simulated load; loads as fractions of an endpoint's bandwidth, latencies in cycles.
type CurvePoint struct {
	Offered, Accepted, Latency, P99 float64
	Saturated                       bool // latencies are then lower bounds
}

// Detail is what is shown of a design besides its figures.
type Detail struct {
	Point    int // index into Data.Points
	Title    string
	Source   string // where the construction is published
	VCReason string
	Plan     *evaluator.Plan  // nil if no plan could be made
	Supply   []market.Supply  // of the plan's bill: spares and alternates
	Grown    *evaluator.Grown // the way from the network that runs, nil if there is none
	Unpriced []string         // parts without a price
	// Dir is the folder with bom.csv and the rest, relative to the page; "" if there is none.
	Dir   string
	Notes []string
	// Pictures are those of picks and incumbents.
	Pictures []Picture
}

// Incumbent is a network that the study names to be judged beside the front.
type Incumbent struct {
	Name, Asked string
	Chosen      string // how the design was chosen where a family was named
	Verdict     string // as explain says it
	Why         string
	Admit       []string // what would put it on the front
	None        bool     // there is no such network: Point and Detail are empty
	Point       Point
	Detail      Detail
}

// Rejection counts the tuples that one constraint cut.
type Rejection struct {
	Constraint string
	Count      *big.Int
	Doc        string // what it is, in words; "" is known from the name
	Text       string // the limit as written
	Origin     string // file:line:column
	// Families counts by family, in the order of Data.Families; nil if unknown.
	Families []*big.Int
}

// Closest is the design of a family without a feasible one that comes nearest.
type Closest struct {
	Family    string
	Design    string // "" if the space holds no network
	Violation float64
	Misses    []Miss
	Relax     []Relaxation
	Exhausted bool // there is none closer
	Unsettled bool // there may be other single changes of a limit
}

// Miss is a limit that a design does not keep.
type Miss struct {
	Constraint string
	Key        metric.Key
	HasKey     bool // Key is the metric that is limited
	Got, Bound float64
	Origin     string
	Absent     bool   // the design has no such figure; Got is then 0,
	Why        string // and this the reason, where it is known
}

// Relaxation is a single constraint whose change would admit a design.
type Relaxation struct {
	Constraint    string
	Key           metric.Key
	HasKey        bool
	Bound, Needed float64
	Design        string
	Origin        string
}

// Input is a file that the run was made from.
type Input struct{ Path, SHA256 string }
