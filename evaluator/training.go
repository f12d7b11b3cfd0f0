package evaluator

import (
	"fmt"
	"math"
	"slices"

	"toposearch/evaluator/bound"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/routing"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
	"toposearch/workload/placed"
)

// allreduceGroup and alltoallGroup time collectives among all endpoints with the groups of each collective at once on the routes
// of the design.
var (
	allreduceGroup = group{keys: []metric.Key{metric.AllreduceTime}, methods: []method{
		{name: "loads of grids and trees", level: 2, applies: noShape, cost: (*work).shapeNs, bytes: (*work).shapeBytes,
			run: func(w *work) error { return w.wholeCollective(metric.AllreduceTime, collective.AllReduce) }},
		{name: "loads of collectives", level: 2, built: true, applies: noTraining, cost: (*work).trainingNs, bytes: (*work).trainingBytes,
			run: func(w *work) error { return w.wholeCollective(metric.AllreduceTime, collective.AllReduce) }},
	}}
	alltoallGroup = group{keys: []metric.Key{metric.AlltoallTime}, after: []metric.Key{metric.UniformThroughput}, methods: []method{
		{name: "uniform throughput", level: 2, applies: func(w *work) string {
			switch why := noTraining(w); {
			case why != "":
				return why
			case w.e.scaled(w.d.Family) && w.e.opt.ScaleupDomain().Endpoints > 1:
				return "domains take a part of it"
			case !w.res.Have[metric.UniformThroughput]:
				return "needs uniform_throughput: " + w.res.Absent[metric.UniformThroughput]
			}
			return ""
		}, run: runAlltoall},
		{name: "loads of collectives", level: 2, built: true, applies: noTraining,
			cost: func(w *work) float64 { n := float64(w.size.Endpoints); return w.trainingNs() + 30*n*n }, bytes: (*work).trainingBytes,
			run: func(w *work) error { return w.wholeCollective(metric.AlltoallTime, collective.AllToAll) }},
	}}
)

// OfTraining tells whether a metric is of the workload of a study (Options.Training).
func OfTraining(k metric.Key) bool {
	return k == metric.AllreduceTime || k == metric.AlltoallTime || k == metric.StepTime || k == metric.Linearity
}

// noTraining is why a design has no times of collectives.
func noTraining(w *work) string {
	switch {
	case w.e.opt.Training == nil:
		return needsWorkload
	case w.size.Endpoints < 2:
		return "there is no pair of endpoints"
	case w.res.Reject.Constraint == metric.RejectRate:
		return w.res.Reject.Words()
	case w.byTables() || !knownRouting(w.e.opt.Routing):
		return fmt.Sprintf("collectives are timed with the routings natural, minimal and valiant, not %q", w.e.opt.Routing)
	case w.e.opt.Routing == RoutingValiant && !w.around():
		return "detours of endpoints with several ports, and of those of scale-up domains, are not timed"
	case w.d.Family.HasScaleup() && !w.e.scaled(w.d.Family):
		return "servers of the family itself are not timed: give [endpoints] scale-up switches"
	}
	return ""
}

// noShape is why loads cannot be counted without the network.
func noShape(w *work) string {
	if why := noTraining(w); why != "" {
		return why
	}
	if w.counted() == nil {
		return "no grid, tree, dragonfly, ZCube, UB-Mesh or DCell whose routes load links as is known in closed form"
	}
	return ""
}

// shape is the design as a network whose loads are counted without building it, nil if it is none.
func (w *work) shape() placed.Shape {
	if w.e.opt.built || w.e.opt.Routing == RoutingMinimal {
		return nil
	}
	s := bound.ShapeOf(w.d.V, w.size, &w.rates.Link, w.rates.Bandwidth)
	if s == nil {
		s = w.groups()
	}
	if c := w.cubes(); s == nil && c != nil {
		s = c
	}
	if s == nil || !w.e.scaled(w.d.Family) {
		return s
	}
	// In domains whose endpoints hang on one switch none is nearer to anywhere than another: what leaves them takes the family's own routes.
	if dom := w.e.opt.ScaleupDomain(); !placed.Whole(s, dom.Endpoints) || !dom.Fits(len(w.d.Family.LinkClasses), len(w.d.Family.SwitchClasses)) {
		return nil
	}
	return s
}

// groups is the design as groups of switches, nil if it is none.
func (w *work) groups() placed.Shape {
	f := w.d.Family
	if f.GroupLinks == nil || w.rates.Bandwidth <= 0 {
		return nil
	}
	n, groups := int(w.size.Switch[0].Count), f.Place(w.d.V).Blocks
	g := &placed.Groups{Count: groups, Each: n / groups, PerSwitch: int(w.size.Endpoints) / n,
		Local: w.rates.Link[1] / w.rates.Bandwidth, Global: w.rates.Link[2] / w.rates.Bandwidth,
		Links: func(group int, emit func(from, to int)) { f.GroupLinks(w.d.V, group, emit) }}
	g.Turned = f.GroupLinks(w.d.V, 0, func(int, int) {})
	return g
}

// cubes is the design as a ZCube, nil if it is none.
func (w *work) cubes() *placed.Cubes {
	f := w.d.Family
	if f.Cube == nil || w.rates.Bandwidth <= 0 || w.e.scaled(f) {
		return nil
	}
	row, side, levels := f.Cube(w.d.V)
	if levels < 2 {
		return nil
	}
	c := placed.NewCubes(row, side, levels)
	for i := range c.Carry {
		c.Carry[i] = w.rates.Link[i] / w.rates.Bandwidth
	}
	return c
}

// counted is the shape on which loads are counted without the network: that of routes without detours.
func (w *work) counted() placed.Shape {
	s := w.shape()
	if w.around() || bound.OfRoutes(s) && w.divides() {
		return nil
	}
	return s
}

// around tells whether every message between switches makes a detour by way of another, whose loads are known: in Valiant's routing, where
// endpoints have one port and share no scale-up domain.
func (w *work) around() bool {
	return w.routing().Always && !w.severalPorts() && !w.e.scaled(w.d.Family)
}

// shapeNs is what it takes where groups of ranks do not lie alike: for each endpoint, and for each message to all others of a group; closed forms of those that do take a tenth of it. Measured on 30 designs of a million endpoints
// and as many of a thousand, those that take more than 50 ms are within twice of it, but for grids of lines with two ends and grids of cubes, which are within three times.
func (w *work) shapeNs() float64 {
	n := float64(w.size.Endpoints)
	rank, message, pairs := 8.0, 5.0, 0.0
	switch s := w.counted().(type) {
	case *placed.Grid:
		switch rank, message = 60, 60; {
		case slices.Contains(s.Open, true):
			rank = 800
		case s.Rings != nil && slices.Max(s.Rings) > 0:
			rank = 450
		case s.Dims[0] < 5: // of no rows
			rank = 350
		}
		if slices.Contains(s.Stars, true) {
			message = 200
		}
	case *placed.Groups:
		rank, message = 100, 150
		if joined := 2 * float64(w.size.Link[2]) / float64(s.Count) / max(1, float64(s.Count-1)); joined > 4 { // exits and entries of two groups meet all
			pairs = 30 * float64(s.Count*s.Count) * min(joined, float64(s.Each)) * min(joined, float64(s.Each))
		}
	case *placed.Cubes:
		if above := float64(s.Levels - 2); above > 0 {
			rank, message = 100*above, 100*above
		}
	case placed.Rails:
		rank, message = 160, 100
	case *placed.Racks, *placed.Cells:
		rank, message = 400, 300
	}
	return 1e5 + n*(rank+message*w.direct(math.Inf(1))) + pairs
}

// shapeBytes: ranks with what they send, and what the shape takes for messages to all others with which a rank shares experts, or of groups that are few enough to be counted so.
func (w *work) shapeBytes() float64 {
	n, peers := float64(w.size.Endpoints), 1
	if t := w.e.opt.Training; t.Model.Experts != nil {
		if peers = t.Model.Experts.Routed; t.Parallelism != nil {
			peers = t.Parallelism.EP
		}
	}
	bytes := 50 * n
	if s, ok := w.counted().(interface {
		Bytes(messages float64) float64
	}); ok {
		bytes += s.Bytes(max(n*float64(peers), min(placed.MostDirect, n*n)))
	}
	return bytes
}

// trainingNs was fitted to 133 designs of 20 families that are built, of 900 to 1,000,000 endpoints: nine tenths are within twice of it. Patterns are about 16, and one for each power of two below the size: each sends
// something from every endpoint, and a flow from every set to another one, of all to all of few groups more. Distances are searched for 64 sets at a time; a flow visits the switches on its shortest routes, which are more where
// these are long; and detours take what all sets send to all, for which hops are searched for again where they are too many to be kept. Without distances each pattern is a search from all, of four designs
// within 2.3 times.
func (w *work) trainingNs() float64 {
	n, v, ch, sets := float64(w.size.Endpoints), max(w.vertices(), 1), w.channels(), max(w.leaves(), 1)
	words, patterns := math.Ceil(sets/64), 16+math.Log2(n)
	long := 1 + math.Log(v)/math.Log(max(ch/v, 2.2)) // hops of the longest routes, of a network that spreads as fast as its switches have links
	flows := sets*patterns + min(sets*sets, n*w.direct(n/sets))
	ns := 2*w.compileNs() + w.buildNs() + 17*n*patterns + flows*(3.7*long*long+0.12*math.Pow(v, max(0, (long-2)/long)))
	search := words * ch * long
	switch {
	case !w.traced():
		ns += 0.42 * search * long * long * long * w.rows()
	case w.divides() && words*ch > routing.MostOn:
		ns += (4.3 + 13) * search
	default:
		ns += 4.3 * search
	}
	if w.divides() {
		ns += 5 * 64 * words * sets * long
	}
	if w.around() { // what all send to all, once
		ns += 100 * sets * sets
	}
	return ns
}

// direct is about how many messages a rank sends to all others of its groups, to other sets of perSet ranks, where that is tried: tp and, as long as all are few enough, dp.
func (w *work) direct(perSet float64) (messages float64) {
	n, dp := float64(w.size.Endpoints), float64(w.size.Endpoints)/64
	if p := w.e.opt.Training.Parallelism; p != nil {
		dp = float64(p.DP)
	}
	if messages = 8 * min(1, 4/perSet); n*dp <= placed.MostDirect {
		messages += dp
	}
	return messages
}

// traced tells whether distances between all switches are kept (routing.NewTracer).
func (w *work) traced() bool {
	return math.Ceil(w.leaves()/64)*w.vertices()*w.rows() <= routing.MostDistances
}

// rows are about how many states of a routing lead on in different ways: of many states two thirds, as those of grids and meshes.
func (w *work) rows() float64 {
	if n := w.natural.States; n > 4 {
		return math.Ceil(0.7 * float64(n))
	}
	return float64(max(w.natural.States, 1))
}

// trainingBytes: distances of three bits, which hops are on shortest routes, room for what all sets send to 64 of them, and the hops; or, without distances, flows
// between all sets where packets may make detours.
func (w *work) trainingBytes() float64 {
	words := math.Ceil(w.leaves() / 64)
	nodes, hops := w.vertices()*w.rows(), w.channels()*w.rows()
	bytes := graphBytes(w) + 100*float64(w.size.Endpoints)
	if w.traced() {
		return bytes + 24*nodes*words + 8*min(hops*words, routing.MostOn) + 600*nodes + 20*hops
	}
	if w.divides() || w.around() {
		bytes += 24 * w.leaves() * w.leaves()
	}
	return bytes
}

// leaves are at most how many sets of switches endpoints hang on, where each hangs on one: switches with ports to them.
func (w *work) leaves() (n float64) {
	if w.size.EndpointPorts > 1 || w.e.scaled(w.d.Family) {
		return w.sets()
	}
	for i := range w.d.Family.SwitchClasses {
		if c := &w.size.Switch[i]; c.Ports[0] > 0 {
			n += float64(c.Count)
		}
	}
	return min(n, w.sets())
}

// wholeCollective times a collective among all endpoints.
func (w *work) wholeCollective(k metric.Key, kind collective.Kind) error {
	n, err := w.job()
	if err != nil {
		return err
	}
	c := w.e.steps.whole(kind, int(w.size.Endpoints))
	n = n.On(n.Endpoint)
	n.Detours = nil // all to all load the network evenly: detours would load each link twice
	s, algorithm, err := n.Collective(w.ctx, c)
	if err != nil {
		if w.ctx.Err() != nil {
			return w.ctx.Err()
		}
		w.absent(k, err.Error())
		return nil
	}
	w.collective(k, c, s, n.LowerBound(c), algorithm)
	return nil
}

func (w *work) collective(k metric.Key, c workload.Communication, s, lo float64, algorithm string) {
	w.between(k, s, min(lo, s), s, fmt.Sprintf("%s of %g B among all %d endpoints, %s, %s%s; lo: none without switches that add is faster, by what cuts carry",
		c.Kind, c.Bytes, c.Size, algorithm, w.timedText(), w.untimedText()))
}

// timedText names the routes that are timed.
func (w *work) timedText() string {
	if w.around() {
		return "valiant routing, by way of every other switch with endpoints, both legs over " + w.rule().Name + " routes"
	}
	return w.routesText()
}

// untimedText says what of the routing that the design takes is not timed, "" if its packets take the routes that are.
func (w *work) untimedText() string {
	if !w.e.usesOwn() {
		return ""
	}
	switch a := w.routing(); {
	case a.Always && !w.around():
		return fmt.Sprintf(" (not in %s, which the design takes: there every packet makes a detour, and loads links of both legs)", a.Name)
	case a.Tables:
		return fmt.Sprintf(" (not in %s, which the design takes: there every pair keeps to one path)", a.Name)
	case a.Detours && !a.Always:
		return fmt.Sprintf(" (without the detours of %s, which the design takes)", a.Name)
	}
	return ""
}

// runAlltoall: messages of all to all are uniform traffic.
func runAlltoall(w *work) error {
	c, n, carried := w.e.steps.whole(collective.AllToAll, int(w.size.Endpoints)), w.unblocked(), 1.0
	if n.Shape = w.shape(); w.limit.Limited {
		carried = w.throughput
	}
	if w.around() { // both legs of each message
		carried /= w.phases()
	}
	w.collective(metric.AlltoallTime, c, w.e.steps.alltoall(n, c.Size, carried), n.LowerBound(c), collective.Direct{}.Name())
	return nil
}

// job is the network of the design for collectives, a rank on each endpoint in order of their numbers.
func (w *work) job() (*placed.Network, error) {
	if w.placedNet != nil {
		return w.placedNet, nil
	}
	if g := w.counted(); g != nil {
		w.placedNet = w.unblocked()
		w.placedNet.Shape, w.placedNet.Endpoint, w.placedNet.Reduction = g, w.inOrder(), w.reduction()
		if placed.Counted(g) {
			w.placedNet.Known, w.placedNet.Counts = w.e.steps.knownOf(g, w.placedNet.Domain), w.e.steps.countsOf(g, w.placedNet.Domain)
		}
		if w.divides() {
			w.placedNet.Detours = new(placed.Detours)
		}
		return w.placedNet, nil
	}
	r, err := routing.New(w.net, w.rule())
	if err != nil {
		return nil, err
	}
	n := w.jobNetwork(r)
	if n.Tracer, err = r.NewTracer(w.ctx); err != nil && w.ctx.Err() != nil {
		return nil, err
	} // without one loads take longer
	switch {
	case w.around():
		n.Around = placed.BySwitches(r, n.Tracer, w.linkCapacity(), true, w.e.opt.Workers)
	case w.divides():
		n.Detours = placed.BySwitches(r, n.Tracer, w.linkCapacity(), false, w.e.opt.Workers)
	}
	w.bottlenecks(n)
	w.placedNet = n
	return n, nil
}

// divides tells whether what groups send may be divided over several paths: in the routing that the design takes packets may make detours, which endpoints
// with several ports, and those of scale-up domains, do not pass on.
func (w *work) divides() bool {
	return w.e.usesOwn() && w.routing().divides() && !w.severalPorts() && !w.e.scaled(w.d.Family)
}

// lined tells whether routes and endpoints are the family's own, so that a grid or a tree is one.
func (w *work) lined() bool { return w.e.opt.Routing != RoutingMinimal && !w.e.scaled(w.d.Family) }

// reduction is the rate at which every switch that is bought adds, in bytes a second for each port; 0 if one does not.
func (w *work) reduction() (bytesPerS float64) {
	var buys market.Purchase
	if w.e.steps.reduction() == 0 || w.e.market.Buy(w.size, &w.rates, &buys).Constraint != "" {
		return 0
	}
	least := math.Inf(1)
	for i := range w.size.Family.SwitchClasses {
		if p := buys.Switches[i].Part; w.size.Switch[i].Count > 0 {
			if p == nil {
				return 0
			}
			least = min(least, p.ReductionGbps)
		}
	}
	return least * bytesPerGb
}

// jobNetwork is job by a router.
func (w *work) jobNetwork(r *routing.Router) *placed.Network {
	n := w.unblocked()
	n.Router = r
	if w.lined() {
		if c := w.cubes(); c != nil {
			n.Lines = c.Lines()
		} else {
			n.Lines, _ = bound.ShapeOf(w.d.V, w.size, &w.rates.Link, w.rates.Bandwidth).(*placed.Grid)
		}
	}
	n.Carries = func(l *routing.Loads) float64 {
		if limit := w.loadLimit(l); limit.Limited {
			return limit.Throughput
		}
		return math.Inf(1)
	}
	n.Endpoint = w.inOrder()
	return n
}

// inOrder are all endpoints by their numbers.
func (w *work) inOrder() []topology.EndpointID {
	out := make([]topology.EndpointID, w.size.Endpoints)
	for e := range out {
		out[e] = topology.EndpointID(e)
	}
	return out
}

// unblocked is a network of the design's rates that blocks nothing, without ranks.
func (w *work) unblocked() *placed.Network {
	n := w.e.steps.unblocked(w.rates.Bandwidth)
	if w.e.scaled(w.d.Family) {
		n.Domain = int(w.e.opt.ScaleupDomain().Endpoints)
	}
	return n
}
