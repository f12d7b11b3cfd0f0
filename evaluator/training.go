package evaluator

import (
	"fmt"

	"toposearch/evaluator/metric"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// allreduceGroup and alltoallGroup time collectives among all endpoints with the groups of each collective at once on the routes
// of the design.
var (
	allreduceGroup = group{keys: []metric.Key{metric.AllreduceTime}, methods: []method{
		{name: "loads of grids and trees", level: 2, applies: noShape, cost: (*work).wholeNs, bytes: (*work).shapeBytes,
			run: func(w *work) error { return w.wholeCollective(metric.AllreduceTime, collective.AllReduce) }},
		{name: "loads of collectives", level: 2, built: true, applies: noTraining, cost: (*work).allreduceNs, bytes: (*work).trainingBytes,
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
			case w.hashesJobs() && w.hashes != nil && w.hashes.text == "":
				return "what hashes leave is not known where loads are only enclosed"
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
		return "no grid, tree, dragonfly, Dragonfly+, ZCube, partial or whole, UB-Mesh or DCell whose routes load links as is known in closed form"
	}
	return ""
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
	hi := s
	rare, err := w.rarely(n)
	if rare != nil {
		hi, _, err = rare.Collective(w.ctx, c)
	}
	if err != nil {
		return err
	}
	w.collective(k, c, s, n.LowerBound(c), hi, algorithm)
	return nil
}

func (w *work) collective(k metric.Key, c workload.Communication, s, lo, hi float64, algorithm string) {
	w.between(k, s, min(lo, s), max(s, hi), fmt.Sprintf("%s of %g B among all %d endpoints, %s, %s%s; lo: none without switches that add is faster, by what cuts carry",
		c.Kind, c.Bytes, c.Size, algorithm, w.timedText(), w.untimedText()))
}

// timedText names the routes that are timed.
func (w *work) timedText() string {
	text := w.routesText()
	if w.around() {
		text = "valiant routing, by way of any switch with endpoints, both legs over " + w.rule().Name + " routes"
	}
	return text
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
	case w.hashesJobs():
		return w.hashedText()
	case a.Detours && !a.Always:
		return fmt.Sprintf(" (without the detours of %s, which the design takes)", a.Name)
	}
	return ""
}

// runAlltoall: messages of all to all are uniform traffic.
func runAlltoall(w *work) error {
	c, n, carried := w.e.steps.whole(collective.AllToAll, int(w.size.Endpoints)), w.unblocked(), 1.0
	least := carried
	if n.Shape = w.shape(); w.limit.Limited {
		carried = w.throughput
		if w.around() { // both legs of each message
			carried = w.ofRouting
		}
		if least = carried; w.hashesJobs() {
			carried, least = w.throughput*w.hashes.messages, w.throughput*w.hashes.least
		}
	}
	w.collective(metric.AlltoallTime, c, w.e.steps.alltoall(n, c.Size, carried), n.LowerBound(c), w.e.steps.alltoall(n, c.Size, least), collective.Direct{}.Name())
	return nil
}
