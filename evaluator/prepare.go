package evaluator

import (
	"slices"

	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// prepare finds placement, rates and natural rule.
func (w *work) prepare() {
	f := w.d.Family
	if f.Place != nil {
		w.place, w.placed = f.Place(w.d.V), true
	}
	w.e.market.Rate(w.size, market.BoardSet(w.place.Boards), &w.rates)
	if w.rates.Reject.Constraint != "" {
		w.reject(w.e.market.RateReject(w.size, &w.rates))
	}
	w.natural = w.e.opt.Natural(w.d)
	w.algorithms = w.e.algorithmsOf(f)
	if len(w.algorithms) > 0 && oneSwitchOnly(w.size) && !(w.severalPorts() && onePathEach(w.algorithms)) { // no routing has anything to choose: no pair has two routes
		w.algorithms = []Algorithm{{Name: RoutingNatural}}
	}
}

// onePathEach tells whether all routings keep every flow, or every pair, to one path, and so to one of several ports of its endpoints.
func onePathEach(all []Algorithm) bool {
	return !slices.ContainsFunc(all, func(a Algorithm) bool { return !a.InOrder })
}

// oneSwitchOnly tells whether every route passes one switch: there are no links but those by which endpoints hang.
func oneSwitchOnly(s *topology.Size) bool {
	for _, links := range s.Link[1:] {
		if links > 0 {
			return false
		}
	}
	return true
}

// reject records that there is no part for the design, and whether it only comes too late.
func (w *work) reject(rej metric.Reject) {
	if w.e.market.Late(&rej, w.size, &w.rates) {
		rej.LateWeeks = w.e.opt.Site.LeadWeeks
	}
	w.res.Reject = rej
}
