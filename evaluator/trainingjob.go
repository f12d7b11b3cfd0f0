package evaluator

import (
	"math"

	"toposearch/evaluator/bound"
	"toposearch/evaluator/market"
	"toposearch/evaluator/route"
	"toposearch/routing"
	"toposearch/workload/placed"
)

// job is the network of the design for collectives, a rank on each endpoint in order of their numbers.
func (w *work) job() (*placed.Network, error) {
	if w.placedNet != nil {
		return w.placedNet, nil
	}
	if g := w.counted(); g != nil {
		w.placedNet = w.unblocked()
		w.placedNet.Shape, w.placedNet.Endpoint, w.placedNet.Reduction = g, inOrder(int(w.size.Endpoints)), w.reduction()
		if w.hashesJobs() {
			w.placedNet.Hashes = w.hashedTree(route.BusiestHashed)
		}
		if placed.Counted(g) {
			w.placedNet.Counts = w.e.steps.countsOf(g, w.placedNet)
		}
		if placed.Counted(g) && w.placedNet.Hashes == nil {
			w.placedNet.Known = w.e.steps.knownOf(g, w.placedNet)
		} else {
			w.placedNet.Known = new(placed.Stages) // for this design alone: what modelling has counted
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
	if w.hashesJobs() {
		if n.Hashes, err = w.hashedNetwork(r, route.BusiestHashed); err != nil {
			return nil, err
		}
	}
	if n.ByMessage = w.messages(); n.ByMessage == nil {
		if n.Tracer, err = r.NewTracer(w.ctx); err != nil && w.ctx.Err() != nil {
			return nil, err
		} // without one loads take longer
	}
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
	n.Endpoint = inOrder(int(w.size.Endpoints))
	return n
}

// unblocked is a network of the design's rates that blocks nothing, without ranks.
func (w *work) unblocked() *placed.Network {
	n := w.e.steps.unblocked(w.rates.Bandwidth)
	if w.e.scaled(w.d.Family) {
		n.Domain, n.Mesh = w.e.opt.ScaleupDomain().Endpoints, w.e.opt.ScaleupDomain().Levels == 0
	}
	return n
}
