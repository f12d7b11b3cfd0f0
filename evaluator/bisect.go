package evaluator

import (
	"fmt"
	"math"
	"strings"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"

	"toposearch/evaluator/cut"
)

var bisectionGroup = group{keys: []metric.Key{metric.Bisection}, after: []metric.Key{metric.UniformThroughput}, methods: []method{
	{name: "cut and bounds", level: 2, built: true, longest: bisectMostNs, usual: (*work).usualBisectNs, applies: (*work).uncut, cost: func(w *work) float64 {
		arcs := w.cutArcs()
		ns := cut.SpectralNs(arcs) + cut.SearchNs(arcs, cutStarts(arcs)) + w.cutFlowNs()
		if w.vertices() <= 3*cut.SidesMost { // of which a third may have to be tried
			ns += cut.SidesNs
		}
		return ns
	}, run: runBisection},
	{name: "cut and tree bound", level: 2, built: true, applies: (*work).uncut, cost: func(w *work) float64 { return cut.SearchNs(w.cutArcs(), 1) }, usual: (*work).usualQuickCutNs, run: runQuickBisection},
	{name: "least cut of random networks", level: 2, applies: func(w *work) string {
		if why := w.uncut(); why != "" {
			return why
		}
		return w.notRegular()
	}, run: runRandomCut},
}}

// uncut is why there is nothing to cut, "" if there is.
func (w *work) uncut() string {
	switch {
	case w.size.Endpoints < 2:
		return "there is no pair of endpoints"
	case w.res.Reject.Constraint == metric.RejectRate:
		return w.res.Reject.Words()
	}
	return ""
}

// parisi is the ground state energy of the Sherrington-Kirkpatrick model: halves of random graphs are cut by so many times sqrt(k)/2 links a switch less than
// halves at random.
const parisi = 0.7632

// runRandomCut is for networks that take too long to be made. The least cut of large random networks of n switches with k links each is n(k/4 - parisi
// sqrt(k)/2) links (A. Dembo, A. Montanari, S. Sen, Extremal Cuts of Sparse Random Graphs, Annals of Probability 45, 2017).
func runRandomCut(w *work) error {
	n, k := float64(w.size.Switches()), float64(w.neighbours())
	all, _ := w.capacityByCounts()
	lo := math.Min(w.flowBound(w.throughput, 0), 1)
	likely := n * (k/4 - parisi*math.Sqrt(k)/2) * all / (n * k) / (float64(w.size.Endpoints) / 2)
	w.between(metric.Bisection, math.Min(math.Max(likely, lo), 1), lo, 1, "the value of random networks of as many switches and links, lo of uniform traffic that the natural routing carries, hi of the ports of endpoints; "+w.undrawn())
	return nil
}

// bisectMostNs is what cut and bounds may take where the bisection is asked for by name, as in a study over it: what takes longer is
// enclosed less tightly.
const bisectMostNs = 1e9

// usualBisectNs is what cut and bounds takes mostly, as measured on designs of 100 to 100,000 endpoints of 25 families. What the
// natural routing carries is known by then, and may be all there is to cut; where the best routing is found by classes of links it
// meets the first cut mostly, and nothing else is tried.
func (w *work) usualBisectNs() float64 {
	arcs := w.cutArcs()
	ns := cutGraphNs * arcs
	if w.flowBound(w.throughput, 0) >= 1 {
		return ns
	}
	switch v := w.vertices(); {
	case v <= cut.SidesMost:
		return ns + cut.SidesNs/20
	case v <= 3*cut.SidesMost:
		ns += cut.SidesNs / 100
	}
	rest := cut.SpectralNs(arcs) + cut.SearchNs(arcs, cutStarts(arcs))
	if w.cutFlowNs() > 0 {
		if w.evenFlow() {
			return ns + math.Min(w.cutFlowNs(), w.uniformFlowNs()/60) + rest/5
		}
		ns += math.Min(w.cutFlowNs(), 0.4*w.uniformFlowNs())
	}
	return ns + 0.8*rest
}

// cutGraphNs is what the graph of a cut takes for each arc, with the bounds that need no search.
const cutGraphNs = 60

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

// bisect encloses the smallest balanced cut. Endpoints are divided into halves that are as equal as their number
// allows, and servers, which stay whole; switches stand on the side where that costs least. The cut is the capacity
// from one half to the other, in the direction in which it is less where channels lead one way, as a fraction of
// the bandwidth of the endpoints of the smaller half: floor(N/2) of them without servers. Links of endpoints count.
// So 1, the most that is stated, says that all of the smaller half can be cut off no cheaper than at their ports,
// whether N is even or odd.
//
// It is exact where the network is small or regular enough; otherwise the best cut found bounds it from above, and
// what certainly crosses every cut from below.
func (w *work) bisect(starts int, spectral bool) error {
	classes := w.classIn(w.net)
	g := cut.New(newCutInput(w.net, &classes, w.rates.Bandwidth).spec)
	if g.Imbalance() >= int64(w.net.Endpoints()) {
		w.absent(metric.Bisection, "a single server cannot be halved")
		return nil
	}
	if x, ok := g.ByCounts(); ok {
		w.exact(metric.Bisection, x, "least cut, exact: switches of a class are interchangeable, and all numbers of them on one side were tried")
		return nil
	}
	if x, ok := g.BySides(w.ctx); ok {
		w.exact(metric.Bisection, x, "least cut, exact: every way of putting the switches on sides was tried")
		return nil
	}
	low := lowBound{why: "nothing certified"}
	if err := w.carried(g, spectral, &low); err != nil {
		return err
	}
	if x, ok := w.hoseThroughput(); ok {
		// Such as one that sends everything from the smaller half across.
		low.raise(math.Min(x, 1), "any permutation spread over the top of the tree")
	}
	var vec []float64
	if spectral && low.x < 1 {
		var x float64
		x, vec = g.SpectralBound(w.ctx)
		low.raise(math.Min(x, 1), fmt.Sprintf("spectral, at a risk of %g", cut.SpectralRisk))
	}
	hi := 1.0
	if low.x < 1-1e-12 {
		var parts cut.Blocks
		if w.placed {
			parts = blocksOf(&w.place)
		}
		hi = g.Search(w.ctx, vec, parts, starts)
	}
	if err := w.ctx.Err(); err != nil {
		return err
	}
	lo := math.Min(low.x, hi)
	text := fmt.Sprintf("smallest cut found from %d starts; no cut is below lo (%s)", starts, low.why)
	if hi-lo < 1e-9 {
		text = "cut found = certified lower bound (" + strings.TrimPrefix(low.why, "nothing ") + ")"
		lo = hi
	}
	w.between(metric.Bisection, hi, lo, hi, text)
	return nil
}

// carried raises the bound by uniform traffic that the natural and the best routing carry.
func (w *work) carried(g *cut.Graph, best bool, low *lowBound) error {
	imbalance := float64(g.Imbalance())
	low.raise(math.Min(w.flowBound(w.throughput, imbalance), 1), "uniform traffic that the natural routing carries")
	if best && (w.optimal.Hi > 0 || w.cutFlowNs() > 0) {
		x, _, _, err := w.uniformFlow(w.ctx)
		if err != nil {
			return err
		}
		low.raise(math.Min(w.flowBound(x, imbalance), 1), "uniform traffic that the best routing carries")
	}
	return nil
}

// flowBound: in uniform traffic at load theta every endpoint sends theta/(N-1) to each other one, so that a cut
// into a endpoints and the b others, a <= b, carries theta a b/(N-1) each way, b/(N-1) of what a can send. If k
// hanging endpoints stand on the other side than their switch, the links between switches carry what goes between
// the switches' sides, at least theta (a-k) (b+k)/(N-1), and k links of endpoints are cut: concave in k, and all of
// what a can send at k = a.
func (w *work) flowBound(throughput, imbalance float64) float64 {
	n := float64(w.size.Endpoints)
	if math.IsInf(throughput, 1) {
		return 0
	}
	return throughput * (n + imbalance) / 2 / (n - 1)
}
