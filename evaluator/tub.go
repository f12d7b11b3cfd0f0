package evaluator

import (
	"context"
	"fmt"

	"toposearch/evaluator/metric"
	"toposearch/routing"
	"toposearch/topology"
)

// The throughput upper bound (Namyar et al., A Throughput-Centric View of the Performance of
// Datacenter Topologies, SIGCOMM 2021): every hop of every packet takes capacity, so that no
// routing carries a permutation beyond all capacity / all hops; the permutation with the longest
// routes gives the bound. It says nothing of whether that can be reached: at diameter 2 it is
// some 30 % above what any routing does.
const tubText = "all capacity / hops of the longest matching; an upper bound, some 30 % high at diameter 2"

var tubGroup = group{keys: []metric.Key{metric.TUB}, after: []metric.Key{metric.MeanPathLinks}, methods: []method{
	{name: "longest matching", level: 2, built: true, bytes: matchingBytes, applies: func(w *work) string {
		switch {
		case w.dist == nil:
			return w.res.Absent[metric.MeanPathLinks]
		case w.sets() > routing.MaxMatched:
			return fmt.Sprintf("the longest matching is exact up to %d different attachments of endpoints", routing.MaxMatched)
		}
		return ""
	}, cost: (*work).matchNs, usual: (*work).usualMatchNs, run: runTUB},
}}

func runTUB(w *work) error {
	m, err := w.longestMatching(w.ctx)
	if err != nil {
		return err
	}
	if m.Hops == 0 {
		w.exact(metric.TUB, 1, insideSwitches)
		return nil
	}
	x := w.allCapacity() / float64(m.Hops)
	w.exact(metric.TUB, x, tubText)
	return nil
}

// longestMatching is that of the network, found once: several metrics rest on it.
func (w *work) longestMatching(ctx context.Context) (*routing.Matching, error) {
	if w.furthest == nil {
		m, err := routing.LongestMatching(ctx, w.net)
		if err != nil {
			return nil, err
		}
		w.furthest = m
	}
	return w.furthest, nil
}

// allCapacity is that of all channels between switches, in bandwidths of an endpoint.
func (w *work) allCapacity() (total float64) {
	classes := w.classIn(w.net)
	for s := range topology.SwitchID(w.net.Switches()) {
		for c, end := w.net.Out(s); c < end; c++ {
			total += classes[w.net.LinkClass(c)].gbps
		}
	}
	return total / w.rates.Bandwidth
}

// inside tells whether nothing limits any traffic where the longest matching has no hops: endpoints with one port get all that they send then. Those with
// several may send by way of one alone, that on the switch of the destination.
func (w *work) inside(m *routing.Matching) bool { return m.Hops == 0 && !w.severalPorts() }

// carriesAny is what no routing carries more of, of the longest matching.
func (w *work) carriesAny(m *routing.Matching) (x float64, why string) {
	if m.Hops == 0 {
		return float64(w.size.EndpointPorts) * w.rates.Link[0] / w.rates.Bandwidth, "what the ports of an endpoint send"
	}
	return w.allCapacity() / float64(m.Hops), "all capacity over all hops of the longest matching"
}
