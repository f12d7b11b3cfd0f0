package bound

import (
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// shapeOf gives what the plan of a shape says; nil where closed forms do not hold.
func (m *Model) shapeOf(f *topology.Family, values *topology.Values) shape {
	if !m.ownRoutes(f) {
		return nil
	}
	return m.shapes.of(f, values)
}

// spread bounds the cables of class c in a box of a family, at the rate p or, if that is not known to be theirs, at
// any faster; most is the size of the largest of its designs. ok is false if nothing is known of them.
func (m *Model) spread(f *topology.Family, per *topology.PerEndpoint, most *topology.Size, c int, p *market.Speed, known bool) (out meanCable, ok bool) {
	if per.OneShape {
		if x := m.shapeOf(f, &per.Shape); x != nil && x[c].rates != nil && len(p.Steps) > 0 {
			a := &x[c].rates[p.Rank]
			if known {
				return a.own, true
			}
			return a.any, true
		}
	}
	if known && m.ownRoutes(f) {
		if out, ok := m.plans.mean(f, per, c, p); ok {
			return out, true
		}
	}
	out, ok = m.packings.mean(&per.Fan[c], p, known)
	if known {
		if x, in := m.packings.inOrder(&per.Fan[c], most, p); in {
			return meanCable{max(out.meanM, x.meanM), max(out.price, x.price), max(out.watts, x.watts)}, true
		}
	}
	return out, ok
}

// longest bounds the longest cable of class c from below, 0 if nothing is known.
func (m *Model) longest(f *topology.Family, per *topology.PerEndpoint, c int) float64 {
	if per.OneShape {
		if x := m.shapeOf(f, &per.Shape); x != nil && x[c].rates != nil {
			return x[c].maxM
		}
	}
	if m.ownRoutes(f) {
		if x := m.plans.classOf(f, per, c); x != nil && (x.pairs == nil || per.Fan[c].Each > 0) {
			return x.longestM
		}
	}
	return m.packings.farthest(&per.Fan[c])
}

// lacksCable tells whether one of the cables of class c of every design of a box has no price. meanM is their
// mean length as bought, at least.
func (m *Model) lacksCable(f *topology.Family, per *topology.PerEndpoint, c int, p *market.Speed, known bool, meanM float64) bool {
	if m.market.CablesPriced() {
		return false
	}
	longest := max(meanM, m.longest(f, per, c))
	return max(m.shortestM, longest*metric.Below) > p.Offer(known).PricedM
}
