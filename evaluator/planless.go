package evaluator

import (
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
)

// What there is of a plan, and why there is none.

var planKeys = []metric.Key{metric.Cost, metric.CostPerEndpoint, metric.Power, metric.PowerPerEndpoint, metric.BuildingPower, metric.CableMax, metric.CableTotal,
	metric.CablesCopper, metric.CablesOptical, metric.Racks, metric.FloorArea, metric.LeadTime}

// noPlan is why there is nothing to be bought and laid.
func (w *work) noPlan() string {
	switch {
	case w.res.Reject.Constraint != "":
		return w.res.Reject.Words()
	case !w.placed:
		return "the design has no placement"
	case !w.sellsAny():
		return "nothing in it is a part that is sold"
	}
	return ""
}

// sellsAny tells whether the design has a switch or a cable at all: a bus has neither, and its
// cost is unknown, not 0.
func (w *work) sellsAny() bool {
	if w.size.Switches() > 0 {
		return true
	}
	for c := range w.d.Family.LinkClasses {
		if w.size.Link[c] > 0 && w.rates.Kind[c] == market.Cable {
			return true
		}
	}
	return false
}

func (w *work) rejected(rej metric.Reject) {
	w.reject(rej)
	w.unplanned(w.res.Reject.Words())
}

// unplanned says why there is no plan.
func (w *work) unplanned(why string) {
	for _, k := range planKeys {
		w.absent(k, why)
	}
}
