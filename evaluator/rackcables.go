package evaluator

import (
	"cmp"
	"fmt"

	"toposearch/evaluator/floor"
	"toposearch/evaluator/metric"
)

var rackCablesGroup = group{keys: []metric.Key{metric.RackCables}, after: []metric.Key{metric.Racks}, methods: []method{
	{name: "cables rack by rack", level: 2, applies: func(w *work) string {
		if w.res.Plan == nil || w.floor == nil { // placed, perhaps, but without cables that are long enough, or not placed in a plan (Modelled)
			return cmp.Or(w.res.Absent[metric.Racks], "its racks were not placed")
		}
		return ""
	}, cost: func(w *work) float64 {
		sum := 4 * float64(w.size.AllSwitches())
		for c := range w.d.Family.LinkClasses {
			sum += 6 * float64(w.size.Link[c])
		}
		return sum
	}, wires: true, bytes: func(w *work) float64 {
		_, bytes := w.d.WireTakes()
		return bytes + w.floor.OutBytes()
	}, run: runRackCables},
}}

// runRackCables counts, for each rack of the floor plan, the cables that have just one end in it:
// those that pass through its opening to the tray.
func runRackCables(w *work) error {
	cross := w.floor.CablesOut(w.d, &w.rates)
	at, racks := 0, 0
	for r, n := range cross {
		if n > cross[at] {
			at = r
		}
		if n > 0 {
			racks++
		}
	}
	kind := ""
	switch w.res.Plan.Floor.Kind[at] {
	case floor.RackEndpoints:
		kind = "endpoints"
	case floor.RackNetwork:
		kind = "network switches"
	case floor.RackBoth:
		kind = "endpoints and network switches"
	}
	if racks == 0 {
		w.exact(metric.RackCables, 0, "no cable leaves a rack on the floor plan")
		return nil
	}
	w.exact(metric.RackCables, float64(cross[at]), fmt.Sprintf("cables with one end in the rack, of the fullest on the floor plan, one of %s; exact for it", kind))
	return nil
}
