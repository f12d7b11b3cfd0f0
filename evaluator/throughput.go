package evaluator

import (
	"fmt"

	"toposearch/evaluator/metric"
	"toposearch/evaluator/route"
)

var throughputGroup = group{
	keys: []metric.Key{metric.UniformThroughput},
	methods: []method{
		{name: "closed form of the natural routes", level: 0, applies: func(w *work) string {
			switch {
			case w.size.Endpoints < 2:
				return "there is no pair of endpoints"
			case w.res.Reject.Constraint == metric.RejectRate:
				return w.res.Reject.Words()
			case !knownRouting(w.e.opt.Routing):
				return fmt.Sprintf("no analytic model of routing %q; there are natural, minimal, valiant, lash and dfsssp", w.e.opt.Routing)
			case w.byTables():
				return "one path for each pair: the loads of all are added up"
			case w.e.opt.Routing == "minimal" && w.d.Family.Natural != nil:
				return "natural routes are not all shortest ones"
			case w.naturalPaths() == nil:
				return "no closed form of the routes"
			}
			return w.legsText()
		}, usual: func(w *work) float64 { return w.hashNs(false) }, run: runClosedThroughput},
		{name: "loads of every channel", level: 2, built: true, applies: func(w *work) string {
			switch {
			case w.size.Endpoints < 2:
				return "there is no pair of endpoints"
			case w.res.Reject.Constraint == metric.RejectRate:
				return w.res.Reject.Words()
			case !knownRouting(w.e.opt.Routing):
				return fmt.Sprintf("no analytic model of routing %q; there are natural, minimal, valiant, lash and dfsssp", w.e.opt.Routing)
			case w.byTables():
				return w.tablesTooLarge()
			}
			return w.loadsEnclosed()
		}, cost: func(w *work) float64 {
			switch {
			case w.loads != nil && w.loads.Exact:
				return 0
			case w.byTables():
				return tablesNs(w)
			}
			dests := w.sets()
			if o := w.symmetry(); o.Endpoints != nil && (o.EvenLinks || w.maps()) {
				dests = float64(len(o.Endpoints))
			}
			return dests*3*(w.channels()+w.vertices())*float64(max(w.rule().States, 1)) + w.compileNs()
		}, usual: func(w *work) float64 {
			if w.loads != nil && w.loads.Exact {
				return w.hashNs(true)
			}
			return exactLoadNs(w) + w.hashNs(true)
		}, run: runLoadThroughput},
		capacityThroughput,
		{name: "pairs within so many hops", level: 2, built: true, applies: (*work).uniformCounts, cost: (*work).passesNs,
			bytes: func(w *work) float64 { return graphBytes(w) + w.countedBytes() }, run: runCountedThroughput},
	},
}

func runClosedThroughput(w *work) error {
	l := route.Busiest(w.size, &w.rates, w.naturalPaths())
	w.setThroughput(l, "load of the busiest channel of each class in closed form, exact")
	return nil
}

// runLoadThroughput computes the load of every channel of the built network.
func runLoadThroughput(w *work) error {
	l, err := w.exactLoads()
	if err != nil {
		return err
	}
	if l.UnreachablePairs > 0 {
		w.absent(metric.UniformThroughput, fmt.Sprintf("%.0f of %.0f endpoint pairs are unreachable", l.UnreachablePairs, l.Pairs))
		return nil
	}
	if !l.Exact {
		w.absent(metric.UniformThroughput, "channels of a kind are not equally loaded: "+l.Method)
		return nil
	}
	w.setThroughput(w.loadLimit(l), l.Method)
	return nil
}
