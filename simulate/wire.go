package simulate

import (
	"context"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/simcore/cutthrough"
	"toposearch/topology"
)

// UnplannedError says why the cables of a design have no lengths.
type UnplannedError struct{ err error }

func (e *UnplannedError) Error() string { return e.err.Error() }

// Wire fills in the rates of links and the delays of cables: those of the parts and of the floor plan that
// the evaluator has for the design, with endpoints of gbps (0: its default). It gives the delay of a
// metre of cable, ns. Where there is no plan, for which the error is an UnplannedError, links have their
// share of the bandwidth and cables no length.
func Wire(ctx context.Context, d topology.Design, n *topology.Network, gbps float64, c *cutthrough.Config) (nsPerM float64, err error) {
	e, err := evaluator.New(evaluator.Options{BandwidthGbps: gbps})
	if err != nil {
		return 0, err
	}
	r, err := e.Evaluate(ctx, d, evaluator.Request{Level: 1, Keys: []metric.Key{metric.CableMax}})
	if err != nil {
		return 0, err
	}
	nsPerM = e.Options().Latency.CableNsPerM
	if c.ClassGbps, c.ClassCableNs, err = e.LinkTimes(r, n); err != nil {
		shareBandwidth(n, gbps, c)
		return nsPerM, &UnplannedError{err}
	}
	c.BandwidthGbps = r.Plan.BandwidthGbps
	return nsPerM, nil
}

// shareBandwidth divides the bandwidth of an endpoint by its lanes, where no catalogue says what is sold.
func shareBandwidth(n *topology.Network, gbps float64, c *cutthrough.Config) {
	if gbps == 0 {
		gbps = 400 // the evaluator's default
	}
	c.BandwidthGbps = gbps
	c.ClassGbps, c.ClassCableNs = nil, make([]float64, len(n.LinkClasses))
	for i := range n.LinkClasses {
		c.ClassGbps = append(c.ClassGbps, gbps*float64(n.Lanes[i])/float64(max(1, n.EndpointLanes)))
	}
}
