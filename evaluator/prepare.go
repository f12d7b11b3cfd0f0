package evaluator

import "toposearch/evaluator/market"

// prepare finds placement, rates and natural rule.
func (w *work) prepare() {
	f := w.d.Family
	if f.Place != nil {
		w.place, w.placed = f.Place(w.d.V), true
	}
	w.e.market.Rate(w.size, market.BoardSet(w.place.Boards), &w.rates)
	if w.rates.Reject.Constraint != "" {
		w.res.Reject = w.rates.Reject
	}
	w.natural = w.e.opt.Natural(w.d)
	w.algorithms = w.e.algorithmsOf(f)
}
