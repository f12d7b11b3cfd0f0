package evaluator

import (
	"fmt"
	"slices"

	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// LinkGbps gives the rates of the classes of links of n, the network built from d (Options.Network) or what failures left of it, that
// uniform_throughput is computed with: those on sale, and endpoint, the bandwidth of which throughputs are fractions. A rate that is not on sale is what
// was asked, and rej says so.
func (e *Evaluator) LinkGbps(d topology.Design, n *topology.Network) (classes []float64, endpoint float64, rej metric.Reject, err error) {
	w, err := e.ratedWork(d)
	if err != nil {
		return nil, 0, rej, err
	}
	of := w.classIn(n)
	classes = make([]float64, len(n.LinkClasses))
	for i := range classes {
		classes[i] = of[i].gbps
	}
	return classes, w.rates.Bandwidth, w.res.Reject, nil
}

// ratedWork is an evaluation that has begun: with the rates of links.
func (e *Evaluator) ratedWork(d topology.Design) (*work, error) {
	w := &work{e: e.of(d), d: d, res: &Result{Design: d}}
	w.size = &w.res.Size
	if err := d.Family.Size(d.V, w.size); err != nil {
		return nil, fmt.Errorf("%s: %w", d, err)
	}
	w.prepare()
	return w, nil
}

// LaneGbps is the rate of a lane by which a network file of a design has the links that are bought for it: of links that get as many lanes' worth, rounded
// up to rates on sale. Throughputs are then fractions of the same bandwidth of an endpoint, too: of that of its lanes or, where that was not stated and
// rounding it up a second time would give other links, of what its ports carry, which the file then says (unstated).
func (e *Evaluator) LaneGbps(d topology.Design) (gbps float64, unstated bool, err error) {
	w, err := e.ratedWork(d)
	if err != nil {
		return 0, false, err
	}
	gbps, unstated = w.fileLane()
	return gbps, unstated, nil
}

func (w *work) fileLane() (gbps float64, unstated bool) {
	var again market.Rates
	w.e.market.RateAt(w.rates.Bandwidth, true, w.size, market.BoardSet(w.place.Boards), &again)
	if n := len(w.d.Family.LinkClasses); slices.Equal(again.Link[:n], w.rates.Link[:n]) {
		return again.Lane, false
	}
	_, stated := w.e.market.AskedGbps()
	return w.rates.Lane, !stated
}

// Rated gives n, the network built from d or what failures left of it, with the rates of LinkGbps, and the bandwidth of an endpoint, Gb/s; load 1 of a
// simulation is as much. Scale-up links count at most mostScaleupLanes times the fastest others.
func (e *Evaluator) Rated(d topology.Design, n *topology.Network) (rated *topology.Network, gbps float64, err error) {
	rates, gbps, _, err := e.LinkGbps(d, n)
	if err != nil {
		return nil, 0, err
	}
	fastest := 0.0
	for i := range rates {
		if name := n.LinkClasses[i].Name; name != topology.ClassInternal && !topology.IsScaleup(name) {
			fastest = max(fastest, rates[i])
		}
	}
	for i := range rates {
		if topology.IsScaleup(n.LinkClasses[i].Name) && fastest > 0 {
			rates[i] = min(rates[i], mostScaleupLanes*fastest)
		}
	}
	return n.WithRates(rates, gbps), gbps, nil
}
