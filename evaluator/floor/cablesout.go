package floor

import (
	"toposearch/evaluator/market"
	"toposearch/topology"
)

// CablesOut is the number of cables that leave each rack, by number of the rack.
func (p *Plan) CablesOut(d topology.Design, r *market.Rates) []int64 {
	f := d.Family
	cross := make([]int64, p.buildings*p.hall())
	rack := make([]int32, p.size.AllSwitches(), p.size.AllSwitches()+p.circuits.boxes)
	first := int64(0)
	for i := range f.SwitchClasses {
		if p.home[i] != topology.Inside {
			from := first
			p.eachSwitchRun(i, func(to, position int64) {
				at := int32(p.rack(p.spot(position)))
				for ; from < first+to; from++ {
					rack[from] = at
				}
			})
		}
		first += p.size.Switch[i].Count
	}
	p.eachCircuit(func(_, position int64) { rack = append(rack, int32(p.rack(p.spot(position)))) })
	count := func(a, b int32, n int64) {
		if a != b {
			cross[a] += n
			cross[b] += n
		}
	}
	var e, end int64
	var at int32
	f.Attach(d.V, func(n int, ports []topology.SwitchID) {
		for left := int64(n); left > 0; {
			if e >= end {
				var position int64
				position, end = p.positionOf(e)
				at = int32(p.rack(p.spot(position)))
			}
			n := min(left, end-e)
			for _, s := range ports {
				if r.Kind[0] == market.Inside {
					rack[s] = at
				} else if r.Kind[0] == market.Cable {
					count(at, rack[s], n)
				}
			}
			e += n
			left -= n
		}
	})
	if f.Wire != nil {
		way := p.throughCircuits()
		f.Wire(d.V, func(class int, a, b topology.SwitchID) {
			if box, ok := way.box(class, a); ok {
				count(rack[a], rack[box], 1)
				count(rack[b], rack[box], 1)
			} else if r.Kind[class] == market.Cable {
				count(rack[a], rack[b], 1)
			}
		})
	}
	return cross
}
