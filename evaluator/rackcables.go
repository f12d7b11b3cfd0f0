package evaluator

import (
	"fmt"

	"toposearch/evaluator/metric"
	"toposearch/topology"
)

var rackCablesGroup = group{keys: []metric.Key{metric.RackCables}, after: []metric.Key{metric.Racks}, methods: []method{
	{name: "cables rack by rack", level: 2, applies: func(w *work) string {
		if w.floor == nil {
			return w.res.Absent[metric.Racks]
		}
		return ""
	}, cost: func(w *work) float64 {
		sum := 4 * float64(w.size.AllSwitches())
		for c := range w.d.Family.LinkClasses {
			sum += 6 * float64(w.size.Link[c])
		}
		return sum
	}, run: runRackCables},
}}

// runRackCables counts, for each rack of the floor plan, the cables that have just one end in it:
// those that pass through its opening to the tray.
func runRackCables(w *work) error {
	cross := w.rackCables()
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
	switch w.floor.kinds()[at] {
	case RackEndpoints:
		kind = "endpoints"
	case RackNetwork:
		kind = "network switches"
	case RackBoth:
		kind = "endpoints and network switches"
	}
	if racks == 0 {
		w.exact(metric.RackCables, 0, "no cable leaves a rack on the floor plan")
		return nil
	}
	w.exact(metric.RackCables, float64(cross[at]), fmt.Sprintf("cables with one end in the rack, of the fullest on the floor plan, one of %s; exact for it", kind))
	return nil
}

// rackCables is the number of cables that leave each rack, by number of the rack.
func (w *work) rackCables() []int64 {
	p, f := w.floor, w.d.Family
	cross := make([]int64, p.buildings*p.hall())
	rack := make([]int32, p.size.AllSwitches())
	first := int64(0)
	for i := range f.SwitchClasses {
		if p.home[i] != topology.Inside {
			from := first
			p.eachRun(i, func(to, position int64) {
				r := int32(p.rack(p.spot(position)))
				for ; from < first+to; from++ {
					rack[from] = r
				}
			})
		}
		first += p.size.Switch[i].Count
	}
	count := func(a, b int32, n int64) {
		if a != b {
			cross[a] += n
			cross[b] += n
		}
	}
	var e, end int64
	var at int32
	f.Attach(w.d.V, func(n int, ports []topology.SwitchID) {
		for left := int64(n); left > 0; {
			if e >= end {
				var position int64
				position, end = p.positionOf(e)
				at = int32(p.rack(p.spot(position)))
			}
			n := min(left, end-e)
			for _, s := range ports {
				if w.rates.kind[0] == linkInside {
					rack[s] = at
				} else if w.rates.kind[0] == linkBought {
					count(at, rack[s], n)
				}
			}
			e += n
			left -= n
		}
	})
	if f.Wire != nil {
		f.Wire(w.d.V, func(class int, a, b topology.SwitchID) {
			if w.rates.kind[class] == linkBought {
				count(rack[a], rack[b], 1)
			}
		})
	}
	return cross
}
