package evaluator

import (
	"fmt"

	"toposearch/topology"
)

// Rated gives n, the network built from d (Options.Network) or what failures left of it, the rates that uniform_throughput
// is computed with: links those on sale, endpoints the bandwidth of which throughputs are fractions. It
// gives that bandwidth too, Gb/s; load 1 of a simulation is as much. Scale-up links count at most
// mostScaleupLanes times the fastest others. A rate that is not on sale is what was asked.
func (e *Evaluator) Rated(d topology.Design, n *topology.Network) (rated *topology.Network, gbps float64, err error) {
	w := &work{e: e.of(d), d: d, res: &Result{Design: d}}
	w.size = &w.res.Size
	if err := d.Family.Size(d.V, w.size); err != nil {
		return nil, 0, fmt.Errorf("%s: %w", d, err)
	}
	w.prepare()
	classes := w.classIn(n)
	rates, fastest := make([]float64, len(n.LinkClasses)), 0.0
	for i := range rates {
		rates[i] = classes[i].gbps
		if name := n.LinkClasses[i].Name; name != topology.ClassInternal && !topology.IsScaleup(name) {
			fastest = max(fastest, rates[i])
		}
	}
	for i := range rates {
		if topology.IsScaleup(n.LinkClasses[i].Name) && fastest > 0 {
			rates[i] = min(rates[i], mostScaleupLanes*fastest)
		}
	}
	return n.WithRates(rates, w.rates.Bandwidth), w.rates.Bandwidth, nil
}
