package bound

import (
	"slices"

	"toposearch/evaluator/market"
	"toposearch/topology"
	"toposearch/workload/placed"
)

// GridOf is a design as a grid of switches of which two are joined if they differ in one coordinate, as many times in each of a
// dimension, whose natural routes correct one coordinate after the other; false if it is none. bandwidth is that of an endpoint, gbps
// the rates of links by class.
func GridOf(v []int, s *topology.Size, gbps *[topology.MaxClasses]float64, bandwidth float64) (*placed.Grid, bool) {
	f := s.Family
	if f.Dims == nil || f.Natural == nil || f.Natural(v).Name != "dor" || len(f.SwitchClasses) != 1 || s.Switch[0].Count == 0 || bandwidth <= 0 {
		return nil, false
	}
	n, class := s.Switch[0].Count, &s.Switch[0]
	g := &placed.Grid{Dims: slices.Clone(f.Dims(v)), PerSwitch: int(s.Endpoints / n)}
	switches := int64(1)
	for d, size := range g.Dims {
		switches *= int64(size)
		if d+1 >= len(f.LinkClasses) {
			return nil, false
		}
		links := int64(0) // to each other switch
		if size > 1 {
			links = int64(class.Ports[d+1]) / int64(size-1)
		}
		// A ring or a mesh of more than three has fewer ports or links.
		if links*int64(size-1) != int64(class.Ports[d+1]) || 2*s.Link[d+1] != n*links*int64(size-1) || size > 1 && links == 0 {
			return nil, false
		}
		g.Carry = append(g.Carry, float64(links)*gbps[d+1]/bandwidth)
	}
	for c := len(g.Dims) + 1; c < len(f.LinkClasses); c++ {
		if s.Link[c] > 0 {
			return nil, false
		}
	}
	return g, switches == n && int64(g.PerSwitch)*n == s.Endpoints && class.Also == 0
}

// grid is the design as one.
func (l *Ladder) grid() (*placed.Grid, bool) {
	asked, stated := l.model.market.AskedGbps()
	if !stated || l.model.opt.Routing == "minimal" {
		return nil, false
	}
	for c := range l.size.Family.LinkClasses {
		if c > 0 && l.size.Link[c] > 0 && l.rates.Kind[c] == market.Inside {
			return nil, false
		}
	}
	return GridOf(l.v, l.size, &l.rates.Link, asked)
}
