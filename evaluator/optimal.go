package evaluator

import (
	"context"
	"fmt"
	"math"
	"toposearch/evaluator/metric"

	"toposearch/evaluator/flow"
	"toposearch/topology"
)

var optimalGroup = group{keys: []metric.Key{metric.UniformThroughputOptimal}, after: []metric.Key{metric.UniformThroughput}, methods: []method{
	{name: "concurrent flow", level: 3, built: true, applies: func(w *work) string {
		switch {
		case w.size.Endpoints < 2:
			return "there is no pair of endpoints"
		case w.res.Reject.Constraint == metric.RejectRate:
			return w.res.Reject.Words()
		case w.d.Family.Unidirectional:
			return "channels have no partner: the flow is not computed"
		}
		if ns := w.uniformFlowNs(); ns > flowMostNs {
			return fmt.Sprintf("the concurrent flow takes about %s", seconds(ns))
		}
		return ""
	}, cost: (*work).uniformFlowNs, usual: (*work).usualFlowNs, run: runOptimal},
}}

// flowMostNs bounds a flow that was asked for by name: two minutes.
const flowMostNs = 120e9

// evenFlow reports whether one source of each orbit and one length for each class of links are enough.
// Ports of endpoints are outside what families claim.
func (w *work) evenFlow() bool {
	o := w.symmetry()
	return o.EvenLinks && o.Endpoints != nil && !w.severalPorts()
}

// uniformFlowNs is the cost of all rounds.
func (w *work) uniformFlowNs() float64 {
	sources := w.sets()
	if w.evenFlow() {
		sources = float64(len(w.symmetry().Endpoints))
	}
	arcs := w.channels()
	if w.severalPorts() {
		arcs += 2 * float64(w.size.EndpointPorts) * float64(w.size.Endpoints)
	}
	vertices := w.vertices()
	if w.severalPorts() {
		vertices += float64(w.size.Endpoints)
	}
	groups := arcs / 2
	if w.evenFlow() {
		groups = topology.MaxClasses
	}
	return flow.ThroughputNs(sources, arcs, vertices, groups)
}

// uniformFlow encloses the largest uniform load under the best routing. The load that the natural
// routing carries is one too.
func (w *work) uniformFlow(ctx context.Context) (lo, hi float64, text string, err error) {
	if w.optimal.Hi == 0 {
		classes := w.classIn(w.net)
		by, orbits := flow.EachEdge, []flow.Orbit(nil)
		w.optimalText = "every link by itself"
		if w.evenFlow() {
			by = flow.EachClass
			for _, o := range w.symmetry().Endpoints {
				orbits = append(orbits, flow.Orbit{Endpoint: o.Rep, Count: o.Count})
			}
			w.optimalText = "one source of each claimed orbit, links of a class alike"
		}
		g, at := flowGraph(w.net, &classes, w.rates.Bandwidth, by)
		if lo, hi, err = g.Throughput(ctx, flow.Uniform(at, orbits)); err != nil {
			return 0, 0, "", err
		}
		if w.throughput > lo && hi > 0 {
			lo = math.Min(w.throughput, hi)
		}
		w.optimal = metric.Interval{Lo: lo, Hi: hi}
	}
	return w.optimal.Lo, w.optimal.Hi, w.optimalText, nil
}

func runOptimal(w *work) error {
	lo, hi, text, err := w.uniformFlow(w.ctx)
	switch {
	case err != nil:
		return err
	case hi == 0:
		w.absent(metric.UniformThroughputOptimal, "some endpoint pairs are unreachable")
	case math.IsInf(lo, 1):
		w.exact(metric.UniformThroughputOptimal, 1, insideSwitches)
	default:
		w.between(metric.UniformThroughputOptimal, lo, lo, hi, fmt.Sprintf("maximum concurrent flow, %s: a flow that carries lo, lengths that prove hi, %.2g %% apart", text, 100*(hi-lo)/hi))
	}
	return nil
}

// usualFlowNs is the graph and some rounds of searches: one where the natural routing fills the network, as the first bound meets it then; some twenty
// by classes of links; and link by link two fifths of all.
func (w *work) usualFlowNs() float64 {
	round := 25 * w.arcs()
	if w.evenFlow() {
		round *= float64(len(w.symmetry().Endpoints))
	} else {
		round *= w.attached()
	}
	switch graph := 100 * w.channels(); {
	case w.fills():
		return graph + round
	case w.evenFlow():
		return graph + 22*round
	default:
		return 0.4 * w.uniformFlowNs()
	}
}
