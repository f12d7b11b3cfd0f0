package evaluator

import (
	"context"
	"fmt"
	"math"

	"toposearch/catalog"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/evaluator/route"
	"toposearch/internal/memory"
	"toposearch/routing"
	"toposearch/topology"
	"toposearch/workload/placed"
)

// method is one way to compute a group of metrics. For each group the ladder takes the first
// method, best first, that applies and fits level and budget.
type method struct {
	name  string
	level int // of the ladder
	// applies gives "" or the reason why the method cannot say anything of the design.
	applies func(w *work) string
	// cost is the time it takes in ns, by the sizes alone: measured on one core of 2.5 GHz, good
	// to a factor of two. nil: negligible. Building the network is added where it needs one.
	cost func(w *work) float64
	// usual is the time that it takes mostly, in ns, where cost is of the worst case: methods end early. Plans, and which of
	// several methods is taken of what was asked for by name, go by it; budgets by cost. nil: cost.
	usual func(w *work) float64
	// quick is what the method may cost at level 1 if it was not asked for by name, ns; 0: quickNs.
	quick float64
	// longest is what the method may cost where it was asked for by name, if one behind it says the same with a gap, ns; 0: any time.
	longest float64
	built   bool // needs the network
	wires   bool // streams the links, as what needs the network does
	// bytes is the memory that it takes, the network aside, predicted. nil: graphBytes if it needs the network,
	// else negligible.
	bytes func(w *work) float64
	run   func(w *work) error
}

// group is metrics that are computed together.
type group struct {
	keys    []metric.Key
	after   []metric.Key // metrics that its methods use: asked for with it
	methods []method
}

// asked is how a group of metrics was asked for.
type asked uint8

const (
	unnamed   asked = iota // by level
	named                  // by name
	patiently              // by name, where no method takes less
)

// tooLong is the error of a method that finds before it begins that it would take too long.
type tooLong string

func (t tooLong) Error() string { return string(t) }

// defaultBudgetNs is what an evaluation may spend at each level above 1 on metrics not asked for by name.
const defaultBudgetNs = 2e9

// quickNs is what a method may spend at level 1 if it was not asked for by name: level 1 answers
// in about a millisecond, and what takes longer is level 2. Distances, on which much depends, may
// take longer.
const quickNs = 2e5

// longNs is what a method that has a bounded one behind it may take although it was asked for by name: no design takes longer than a
// second at levels 0 and 1, and there may be two of these.
const longNs = 4e8

// seconds writes a time for a reason.
func seconds(ns float64) string {
	switch {
	case ns >= 1e9:
		return fmt.Sprintf("%.3g s", ns/1e9)
	case ns >= 1e6:
		return fmt.Sprintf("%.3g ms", ns/1e6)
	}
	return fmt.Sprintf("%.3g us", ns/1e3)
}

// work is one evaluation under way.
type work struct {
	e    *Evaluator
	ctx  context.Context
	d    topology.Design
	req  Request
	size *topology.Size
	res  *Result

	claims *topology.Symmetry // once asked for
	place  topology.Placement
	placed bool
	rates  market.Rates
	upTo   int        // the level of methods of the group under way
	how    asked      // how the metrics of the group under way were asked for
	spent  [4]float64 // by level, up to 3; level 2 includes what takes long of earlier ones
	// pretended are metrics whose methods were not run (ErrSkipped).
	pretended [metric.Count]bool
	drew      bool        // a construction that takes long has been counted
	held      memory.Hold // of the memory of all evaluations

	placedNet *placed.Network // for collectives, once it is made
	joined    *placed.Groups  // the design as groups of switches, once it was asked for

	natural   topology.Rule
	paths     topology.Paths // natural routes
	shortest  topology.Paths // shortest routes
	havePaths int8           // 0 unknown, 1 yes, -1 no
	haveShort int8
	net       *topology.Network
	dist      *pathFigures // of the routes that the routing takes
	nearest   *pathFigures // of shortest paths, once known
	likely    float64      // the mean of random networks where dist is the middle between bounds; 0: dist is likely
	drawn     margins      // of the mean of dist, where its sources were drawn or networks of its degree bound it
	apart     apart
	walks     [2]*walks         // all, and those that do not turn back (reached)
	loads     *routing.Loads    // of those routes, once known
	avoid     []uint64          // sets of link classes of which it is known what share of routes crosses none (loads.Without)
	furthest  *routing.Matching // the longest matching, once known
	overTops  struct {          // what cut.Fabric.HoseThroughput says, once known
		known, ok bool
		x         float64
	}
	tables     *routing.Layered // of the routing that is asked for, once made
	floor      *floor.Plan
	boxes      market.Purchase                  // switches and network cards
	runs       []market.Run                     // cables
	shared     []market.Whole                   // parts that links share, counted box by box
	cheaper    float64                          // how much less other parts cost at most where links share some, minor units
	moduleW    float64                          // draw of modules and cables
	unlaid     string                           // why cables are only enclosed (spans), "" if they are laid
	maybe      []*catalog.Part                  // those that may be on its bill then
	spans      [topology.MaxClasses]market.Span // lengths of cables, by class
	throughput float64
	ofRouting  float64     // of it by the routing that is chosen
	limit      route.Limit // of uniform traffic over direct routes, and how it is known
	limitText  string
	looseness  float64                // hi over lo of it, where it is enclosed; 0: it is exact
	named      map[string]namedTables // by algorithm
	hashes     *hashed                // what hashes leave of the limit, nil until hash is asked
	spread     []float64              // of hashed flows between all pairs by link class, of scale-up domains behind them, once collectives need it
	algorithms []Algorithm            // that may be chosen
	able       []Algorithm            // that the design can take, nil until allowed is asked
	unfit      []string               // why not, of each algorithm that may be chosen
	chosen     *Algorithm             // nil until routing is asked
	decides    bool                   // what decides which one is asked for

	worst  topology.WorstLoads // of natural routes
	closed *closedWorst        // worst_throughput in closed form, once known

	optimal     metric.Interval // of uniform_throughput_optimal; Hi is 0 until it is computed
	optimalText string
}

// apart encloses how far switches are apart, once it was searched.
type apart struct {
	known, connected bool
	lo, hi           int
}

// hashed is what is known of uniform traffic of which every flow keeps to one path that a hash picks, as a part of an even split over the same paths.
type hashed struct {
	part     float64 // that is expected to be carried, at most 1
	messages float64 // that is expected where endpoints take as long as their own messages do, or longer
	least    float64 // that all but one hash in a million carry (hashedRarely)
	most     float64 // throughput that no hash exceeds
	text     string  // how it is known; "": it is not, where loads are only enclosed
	sure     bool    // no flow has a choice
	why      string  // nothing is known
}

// namedTables are the tables of an algorithm on the network at hand.
type namedTables struct {
	why    string // there are none
	tables *routing.Layered
	layers int
	limit  route.Limit // of uniform traffic
	hops   float64     // mean over pairs, and most
	most   int
}

func (w *work) absent(k metric.Key, why string) {
	if !w.res.Have[k] {
		w.res.Absent[k] = why
	}
}

// exact records a figure without doubt.
func (w *work) exact(k metric.Key, x float64, method string) { w.between(k, x, x, x, method) }

// between records a figure with its bounds; what is not a number, or has no bound that is one (JSON has no infinity), is absent.
func (w *work) between(k metric.Key, x, lo, hi float64, method string) {
	if math.IsNaN(x) || math.IsInf(x, 0) || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		w.absent(k, method+": no finite figure")
		return
	}
	w.res.Metrics[k] = metric.Figure{Value: x, Lo: lo, Hi: hi, Unit: k.UnitIn(w.e.opt.Currency), Method: method}
	w.res.Have[k] = true
	delete(w.res.Absent, k)
}

// margins are by how much a mean may be below and above the one that is stated.
type margins struct{ below, above float64 }

func (m margins) any() bool { return m.below > 0 || m.above > 0 }

// pathFigures are the distance metrics, from integers summed over all ordered pairs.
type pathFigures struct {
	route.Figures
	unreachable, total int64
	// bare is the pairs with a route that crosses no nic link, where others of the same length may cross
	// some: Hops counts those without.
	bare int64
	text string
}

// closedWorst is what closed forms say of worst_throughput.
type closedWorst struct {
	iv   metric.Interval
	text string
	of   Algorithm
	// rival is the most that another of the routings may carry.
	rival float64
}

// build makes the network, with servers if they have a scale-up mesh.
func (w *work) build() error {
	if w.net != nil {
		return nil
	}
	n, err := w.e.opt.Network(w.d)
	if err != nil {
		return err
	}
	w.net = n
	return nil
}

// channels is the number of directed channels between switches once built.
func (w *work) channels() float64 {
	sum := 0.0
	for c := range w.d.Family.LinkClasses {
		if c > 0 {
			sum += 2 * float64(w.size.Link[c])
		}
	}
	if w.e.scaled(w.d.Family) {
		d := w.e.opt.ScaleupDomain()
		_, links := d.Count()
		sum += 2*float64(w.size.Endpoints)/float64(d.Endpoints)*float64(links) + 2*float64(w.size.Link[0])
	}
	return sum
}

// vertices is the number of switches once built.
func (w *work) vertices() float64 {
	k := float64(w.size.AllSwitches())
	if w.e.scaled(w.d.Family) {
		d := w.e.opt.ScaleupDomain()
		switches, _ := d.Count()
		k += float64(w.size.Endpoints) * (1 + float64(switches)/float64(d.Endpoints))
	}
	return k
}

// sets bounds the number of different attachment sets of endpoints.
func (w *work) sets() float64 {
	if w.size.EndpointPorts <= 1 && !w.e.scaled(w.d.Family) {
		return math.Min(float64(w.size.Endpoints), w.vertices())
	}
	return float64(w.size.Endpoints)
}

// buildNs is the cost of building the network: sorting links into rows dominates.
func (w *work) buildNs() float64 { return 25*w.channels() + 30*w.vertices() + 40*w.sets() }

// symmetry is what the family claims of the built network, empty if servers were added.
func (w *work) symmetry() topology.Symmetry {
	f := w.d.Family
	if f.Orbits == nil || w.e.scaled(f) || w.e.opt.built {
		return topology.Symmetry{}
	}
	if w.claims == nil {
		y := f.Orbits(w.d.V)
		w.claims = &y
	}
	return *w.claims
}

// severalPorts reports whether paths end at endpoints that have ports of their own and do not forward.
func (w *work) severalPorts() bool {
	return w.size.EndpointPorts > 1 && w.d.Family.LinkClasses[0].Name != topology.ClassInternal && !w.e.scaled(w.d.Family)
}

// everySwitchAttached tells whether equally many endpoints with one port each hang on every switch.
func (w *work) everySwitchAttached() bool {
	s := w.size
	return len(w.d.Family.SwitchClasses) == 1 && s.EndpointPorts == 1 && !w.d.Family.SwitchClasses[0].Embedded && s.Endpoints >= s.Switches() &&
		s.Switch[0].Ports[0] != 0 && s.Endpoints%s.Switches() == 0 && int64(s.Switch[0].Ports[0]) == s.Endpoints/s.Switches()
}

// everySwitchEmbedded tells whether every switch is one of an endpoint.
func (w *work) everySwitchEmbedded() bool {
	return len(w.d.Family.SwitchClasses) == 1 && w.d.Family.SwitchClasses[0].Embedded && w.size.Switch[0].Count == w.size.Endpoints
}
