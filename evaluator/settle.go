package evaluator

import "toposearch/evaluator/metric"

// What decides which routing a design takes is the same for every request: what a search knows at level 1.

// ofRouting are the metrics that say something of the routing that a design takes; others of these need one of them (group.after). Asked for by
// name they need what decides it.
var ofRouting = []metric.Key{metric.UniformThroughput, metric.SimSaturation, metric.SimLatencyHalfLoad, metric.Latency, metric.AllreduceTime,
	metric.StepTime, metric.Linearity}

// ask adds to the metrics that are asked for those that they need: what their methods use, and what decides which routing
// they are of.
func (w *work) ask(ladder []group, asked *[metric.Count]bool) {
	needed := func() {
		for i := len(ladder) - 1; i >= 0; i-- {
			for _, k := range ladder[i].keys {
				for _, need := range ladder[i].after {
					asked[need] = asked[need] || asked[k]
				}
			}
		}
	}
	needed()
	if drawn, _ := w.d.WireTakes(); w.req.Enclosed && w.boundsLoads() && asked[metric.UniformThroughput] && w.naturalPaths() == nil && drawn+exactLoadNs(w) > w.loadsMostNs() {
		asked[metric.MeanPathLinks] = true // by which loads are bounded
	}
	w.decides = w.req.Level > 0
	for _, k := range ofRouting {
		w.decides = w.decides || asked[k]
	}
	if !w.e.usesOwn() || len(w.algorithms) < 2 || !w.decides {
		return
	}
	asked[metric.UniformThroughput] = asked[metric.UniformThroughput] || w.mayTable() || w.namesSingle() // which decides
	asked[metric.WorstThroughput] = asked[metric.WorstThroughput] || w.e.opt.ByWorst
	if w.req.Level < 1 { // from where on these are known anyway
		asked[metric.VCsMinimal] = asked[metric.VCsMinimal] || w.e.opt.MaxVCs > 0
		asked[metric.MaxHops] = asked[metric.MaxHops] || w.e.opt.MaxRouteHops > 0
	}
	needed()
}

// settleNs is what legs by way of an intermediate may take to be walked where the VCs of no closed form are known and are
// limited: as long as loads that a latency needs at level 1.
const settleNs = 1e8

// settle finds the VCs of detours and which routings fit. Both come from what is known at every level, so that a search,
// which evaluates designs at level 1, takes the same routing as an evaluation of more levels.
func (w *work) settle(g *group, budget float64) (done bool, err error) {
	if err := w.nameTables(); err != nil {
		return false, err
	}
	if !w.mayDetour() {
		w.allowed()
		return false, nil
	}
	done, _, err = w.try(g, budget, func(m *method) bool { return m.level <= 1 }, named)
	if !done && err == nil && w.e.opt.MaxVCs > 0 {
		done, _, err = w.try(g, budget, func(m *method) bool { return m.cost != nil && m.cost(w)+w.buildNs() <= settleNs }, named)
	}
	w.allowed()
	return done, err
}
