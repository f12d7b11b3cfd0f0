package evaluator

import (
	"fmt"

	"toposearch/evaluator/floor"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// LinkTimes gives, by link class of n, the network built from r's design, the rate of a link and
// the one-way delay of a cable of the class's mean length as bought: what the latency of r is made of. An
// error says why there is no floor plan.
func (e *Evaluator) LinkTimes(r *Result, n *topology.Network) (gbps, cableNs []float64, err error) {
	f := r.Design.Family
	if r.Plan == nil {
		return nil, nil, fmt.Errorf("%s: %w: %s", r.Design, floor.ErrNoPlan, r.Absent[metric.CableMax])
	}
	if len(n.LinkClasses) != len(f.LinkClasses) {
		return nil, nil, fmt.Errorf("%s: the network has %d classes of links, its family %d", r.Design, len(n.LinkClasses), len(f.LinkClasses))
	}
	for i := range n.LinkClasses {
		gbps = append(gbps, r.Plan.LinkGbps[i])
		cableNs = append(cableNs, r.Plan.MeanM[i]*e.opt.Latency.CableNsPerM)
	}
	return gbps, cableNs, nil
}
