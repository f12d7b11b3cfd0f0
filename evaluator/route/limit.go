package route

import (
	"math"

	"toposearch/evaluator/market"
	"toposearch/topology"
)

// Limit is what bounds a uniform load.
type Limit struct {
	Throughput, Lanes float64 // with the rates bought; with those of the lanes alone
	Class             int     // of the links that are full; meaningful if Limited
	Limited           bool    // false: nothing limits it
}

// Busiest is the least capacity over load among the link classes: the mean load of a class
// follows from how often routes cross it, the largest from its peak. Links of endpoints count
// where endpoints have several or relay.
func Busiest(s *topology.Size, r *market.Rates, p *topology.Paths) Limit {
	l := Limit{Throughput: math.Inf(1), Lanes: math.Inf(1)}
	f := s.Family
	total := float64(p.Sums.Pairs)
	for c := range f.LinkClasses {
		sum := float64(p.Sums.Cross[c])
		if sum == 0 || r.Kind[c] == market.Inside || c == 0 && (s.EndpointPorts <= 1 || f.Unidirectional) {
			continue
		}
		channels := 2 * float64(s.Link[c])
		if f.Unidirectional {
			channels = float64(s.Link[c])
		}
		load := sum / total * float64(s.Endpoints) / channels * p.Peak[c]
		if t := r.Capacity(c) / load; t < l.Throughput {
			l.Throughput, l.Class, l.Limited = t, c, true
		}
		l.Lanes = min(l.Lanes, float64(s.Lanes[c])/float64(s.EndpointLanes)/load)
	}
	return l
}
