package evaluator

import (
	"fmt"
	"math"
	"strings"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
)

var bisectionGroup = group{keys: []metric.Key{metric.Bisection}, after: []metric.Key{metric.UniformThroughput}, methods: []method{
	{name: "cut and bounds", level: 2, built: true, applies: func(w *work) string {
		switch {
		case w.size.Endpoints < 2:
			return "there is no pair of endpoints"
		case w.res.Reject.Constraint == metric.RejectRate:
			return w.res.Reject.Words()
		}
		return ""
	}, cost: func(w *work) float64 {
		// Arcs of the cut graph: three to five pencils of 60 solves of about 20 products, and the passes.
		arcs := w.cutArcs()
		ns := arcs*(float64(len(weightsOf(arcs)))*60*20*1.5) + float64(cutStarts(arcs))*1.5*cutPasses*arcs*60 + w.cutFlowNs()
		if w.vertices() <= 3*smallCutMost { // of which a third may have to be tried
			ns += smallCutNs
		}
		return ns
	}, run: runBisection},
	{name: "cut and tree bound", level: 2, built: true, applies: func(w *work) string {
		if w.size.Endpoints < 2 {
			return "there is no pair of endpoints"
		}
		if w.res.Reject.Constraint == metric.RejectRate {
			return w.res.Reject.Words()
		}
		return ""
	}, cost: func(w *work) float64 { return w.cutArcs() * 60 * cutPasses }, run: runQuickBisection},
}}

const (
	cutPasses       = 6 // a start seldom improves beyond
	multilevelShare = 4 // to every so many starts there is one by way of coarser graphs
)

// cutStarts is the number of cuts to start from: more where they cost little.
func cutStarts(arcs float64) int {
	if arcs < 4e4 {
		return 27
	}
	return 9
}

// cutArcs bounds the arcs of the cut graph.
func (w *work) cutArcs() float64 {
	a := w.channels()
	if w.size.EndpointPorts > 1 && w.rates.Kind[0] != market.Inside {
		a += 2 * float64(w.size.EndpointPorts) * float64(w.size.Endpoints)
	}
	return a + w.vertices()
}

// cutFlowMostNs is what the best routing of uniform traffic may cost as a bound of the cut.
const cutFlowMostNs = 6e8

// cutFlowNs is what it costs, 0 if it is not computed.
func (w *work) cutFlowNs() float64 {
	if ns := w.uniformFlowNs(); ns <= cutFlowMostNs && !w.d.Family.Unidirectional {
		return ns
	}
	return 0
}

func runBisection(w *work) error { return w.bisect(cutStarts(w.cutArcs()), true) }

// runQuickBisection is for networks on which the spectral bound takes too long.
func runQuickBisection(w *work) error { return w.bisect(1, false) }

// bisect encloses the smallest balanced cut: from above by the best cut found, from below by
// what certainly crosses every one.
func (w *work) bisect(starts int, spectral bool) error {
	classes := w.classIn(w.net)
	g := newCutGraph(w.net, &classes, w.rates.Bandwidth)
	if g.imbalance() >= g.endpoints {
		w.absent(metric.Bisection, "a single server cannot be halved")
		return nil
	}
	if x, ok := g.exactEvenCut(); ok {
		w.exact(metric.Bisection, math.Min(x, 1), "least cut, exact: switches of a class are interchangeable, and all numbers of them on one side were tried")
		return nil
	}
	if x, ok := g.exactSmallCut(w.ctx); ok {
		w.exact(metric.Bisection, x, "least cut, exact: every way of putting the switches on sides was tried")
		return nil
	}
	lo, why := 0.0, "nothing certified"
	take := func(x float64, text string) {
		if x = math.Min(x, 1); x > lo {
			lo, why = x, text
		}
	}
	take(w.flowBound(w.throughput, float64(g.imbalance())), "uniform traffic that the natural routing carries")
	if spectral && (w.optimal.Hi > 0 || w.cutFlowNs() > 0) {
		x, _, _, err := w.uniformFlow(w.ctx)
		if err != nil {
			return err
		}
		take(w.flowBound(x, float64(g.imbalance())), "uniform traffic that the best routing carries")
	}
	if x, ok := hoseThroughput(g, w.net, &classes, w.rates.Bandwidth); ok {
		// A permutation sends everything from the smaller side across.
		n := float64(g.endpoints)
		take(math.Min(x, 1)*(n-float64(g.imbalance()))/n, "any permutation spread over the top of the tree")
	}
	var vec []float64
	if spectral && lo < 1 {
		var x float64
		x, vec = g.spectralBound(w.ctx)
		take(x, fmt.Sprintf("spectral, at a risk of %g", lowRisk))
	}
	hi := 1.0
	if lo < 1-1e-12 {
		place := &w.place
		if !w.placed {
			place = nil
		}
		hi = g.bestCut(w.ctx, vec, place, starts, cutPasses)
	}
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if lo > hi*(1-1e-9) {
		lo = math.Min(lo, hi)
	}
	text := fmt.Sprintf("smallest cut found from %d starts; no cut is below lo (%s)", starts, why)
	if hi-lo < 1e-9 {
		text = "cut found = certified lower bound (" + strings.TrimPrefix(why, "nothing ") + ")"
		lo = hi
	}
	w.between(metric.Bisection, hi, lo, hi, text)
	return nil
}

// flowBound: in uniform traffic at load theta every endpoint sends theta/(N-1) to each other one,
// so that a cut into halves carries theta (N/2)^2/(N-1) each way. If k hanging endpoints stand on
// the other side than their switch, the links between switches carry what goes between the
// switches' sides, at least theta ((N/2)^2 - k^2)/(N-1), and k links of endpoints are cut: concave
// in k, and 1 at k = N/2.
func (w *work) flowBound(throughput, imbalance float64) float64 {
	n := float64(w.size.Endpoints)
	if math.IsInf(throughput, 1) {
		return 0
	}
	return throughput * (n*n - imbalance*imbalance) / 4 / (n - 1) / (n / 2)
}
