package evaluator

import (
	"fmt"
	"math"
	"slices"

	"toposearch/evaluator/metric"
	"toposearch/evaluator/route"
	"toposearch/routing"
	"toposearch/topology"
)

// uniform_throughput of networks without symmetry that are too large for the loads of every channel, where many designs are compared by
// worst_throughput or bounds are asked for (Request.Enclosed), by counting pairs of endpoints whose routes may cross a channel: certified, and with a wide gap.

// uniformMostNs is what loads of every channel may take where uniform_throughput itself was asked for by name, and no bounds; where it was not, longNs.
const uniformMostNs = 2e10

// enclosedLoadsNs is what they may take where bounds are asked for: less than a second with the network made.
const enclosedLoadsNs = 6e8

// loadsMostNs is what loads of every channel take at most: above that they are enclosed where counting bounds them.
func (w *work) loadsMostNs() float64 {
	switch {
	case w.req.Enclosed:
		return math.Max(enclosedLoadsNs, w.patienceNs())
	case slices.Contains(w.req.Keys, metric.UniformThroughput):
		return uniformMostNs
	}
	return longNs
}

// loadsEnclosed says why loads are not summed where many designs are compared, or bounds asked for, and counting bounds them, "" if they are.
func (w *work) loadsEnclosed() string {
	if ns := exactLoadNs(w); ns > w.loadsMostNs() && w.uniformCounts() == "" {
		return fmt.Sprintf("the loads of every channel take about %s, and an interval that is certified does: ask for level 2", seconds(ns))
	}
	return ""
}

// boundsLoads tells whether bounds of uniform_throughput are enough for whoever asks: designs are compared by worst_throughput, or bounds are read, and what else is asked for takes no
// more than a bound of it. The bisection takes lo.
func (w *work) boundsLoads() bool {
	others := slices.ContainsFunc(w.req.Keys, func(k metric.Key) bool {
		return metric.Keys[k].Level > 1 && k != metric.UniformThroughput && k != metric.WorstThroughput && !(w.req.Enclosed && k == metric.Bisection)
	})
	return (w.e.opt.EncloseWorst || w.req.Enclosed) && w.req.Level < 2 && !others
}

// uniformCounts says why pairs are not counted, "" if they are: what takes more than a bound of it asks for all loads.
func (w *work) uniformCounts() string {
	switch {
	case w.size.Endpoints < 2:
		return "there is no pair of endpoints"
	case w.res.Reject.Constraint == metric.RejectRate:
		return w.res.Reject.Words()
	case !w.boundsLoads():
		return "its bounds are for many designs compared by worst_throughput, and for those who ask for bounds"
	case w.dist == nil:
		return "how far endpoints are apart is not known: " + w.res.Absent[metric.MeanPathLinks]
	case w.d.Family.Unidirectional || w.severalPorts() || w.e.scaled(w.d.Family) || w.byTables() || !knownRouting(w.e.opt.Routing):
		return "pairs are counted where channels have partners, along routes of the rule alone, and endpoints one port or relay"
	}
	return w.legsText()
}

// runCountedThroughput: a route of at most so many hops crosses a channel as the hop after i others, from one of the endpoints i hops before it to one
// of those that the rest of the hops reach behind it; each pair has a share of 1/(N-1) of what an endpoint sends. No routing carries more than all
// capacity over all hops.
func runCountedThroughput(w *work) error {
	n, far, hops := w.net, w.reached(w.takesShortest()), w.mostHops()
	most, class, capacity := 0.0, 0, w.linkCapacity()
	w.eachStanding(func(s topology.SwitchID) {
		for c, end := n.Out(s); c < end; c++ {
			k := n.LinkClass(c)
			if n.LinkClasses[k].Name == topology.ClassInternal {
				continue
			}
			if x := w.pairsOver(s, n.To(c), far, hops, most*capacity(k)) / capacity(k); x > most {
				most, class = x, k
			}
		}
	})
	carried := float64(n.Endpoints()) * (w.dist.MeanLinks() - w.drawn.below - float64(w.endLinks()))
	if most == 0 || carried <= 0 {
		w.absent(metric.UniformThroughput, "counting pairs within so many hops does not bound it: ask for it by name")
		return nil
	}
	lo := 1 / most
	if !w.encloseThroughput(lo, w.allCapacity()/carried, w.classIn(n)[class].class,
		"lo counts the pairs of endpoints whose routes may cross a channel, hi is of all capacity over all hops: the loads of every channel take "+seconds(exactLoadNs(w))) {
		return nil
	}
	return w.estimateThroughput(lo)
}

// encloseThroughput records bounds, the lower one by links of a class, and tells whether a likely value may stand between them: designs are compared by what is
// certified.
func (w *work) encloseThroughput(lo, hi float64, class int, text string) bool {
	w.looseness = hi / lo
	w.setThroughput(route.Limit{Throughput: lo, Class: class, Limited: true}, text)
	w.res.Bottleneck = "" // which links limit is not known: those that pairs may cross most are those of lo
	return !w.e.opt.EncloseWorst && w.res.Have[metric.UniformThroughput]
}

// capacityThroughput is for networks that take too long to be made, of which distances are enclosed by counts.
var capacityThroughput = method{name: "capacity over the hops of any network of its degree", level: 1, applies: func(w *work) string {
	if why := w.uniformCounts(); why != "" {
		return why
	}
	return w.notRegular()
}, run: runCapacityThroughput}

// runCapacityThroughput: shortest routes that cross a channel from s to t lead from endpoints that are nearer to s to others that are nearer to t, a quarter of
// the square of all at most.
func runCapacityThroughput(w *work) error {
	n := float64(w.size.Endpoints)
	all, class := w.capacityByCounts()
	least := w.rates.Link[class] / w.rates.Bandwidth
	hops := w.dist.MeanLinks() - w.drawn.below - float64(w.endLinks())
	lo := least / (n * n / 4 / (n - 1))
	if w.encloseThroughput(lo, all/(n*hops), class, "lo takes all routes between two halves over one channel, hi is of all capacity over the fewest hops that any network of as many switches and links has; "+w.undrawn()) {
		m := &w.res.Metrics[metric.UniformThroughput]
		m.Value = math.Min(math.Max(w.ofRouting/lo*all/(n*(w.likely-float64(w.endLinks()))), m.Lo), m.Hi)
		m.Method += "; the value takes all channels to be loaded alike, along the hops of random networks"
	}
	return nil
}

// estimateNs is what loads of some destinations may take, a few tenths of a second beside counting.
const estimateNs = 2e8

// estimateThroughput puts a likely value between the bounds, of which lo is the lower one of direct routes: that of channels of a kind that are loaded alike, from some
// destinations; where the network is too large for two of them, of all channels loaded alike.
func (w *work) estimateThroughput(lo float64) error {
	m := &w.res.Metrics[metric.UniformThroughput]
	m.Method += " (level 2)"
	few := min(64, int((estimateNs-w.compileNs())/exactPassNs(w))) // 64: means of kinds are then known to a few percent
	if few < 2 {
		m.Value = m.Hi
		m.Method += "; the value takes all channels to be loaded alike"
		return nil
	}
	l, err := routing.UniformLoads(w.ctx, w.net, w.rule(), routing.LoadOptions{Workers: w.e.opt.Workers, Sample: few})
	if err != nil || l.UnreachablePairs > 0 {
		return err
	}
	m.Value = math.Min(math.Max(w.ofRouting*w.loadLimit(l).Throughput/lo, m.Lo), m.Hi)
	m.Method += fmt.Sprintf("; the value takes channels of a kind to be loaded alike, as %d destinations load them", few)
	return nil
}

// capacityByCounts is that of all channels between switches of a network that is not made (allCapacity), in bandwidths of an endpoint, and the class of the slowest.
func (w *work) capacityByCounts() (all float64, slowest int) {
	for c := 1; c < len(w.d.Family.LinkClasses); c++ {
		if links := float64(w.size.Link[c]); links > 0 {
			all += 2 * links * w.rates.Link[c] / w.rates.Bandwidth
			if slowest == 0 || w.rates.Link[c] < w.rates.Link[slowest] {
				slowest = c
			}
		}
	}
	return all, slowest
}

// pairsOver is the load of uniform traffic on a channel from s to t at most, along routes of at most so many hops: from each source at a distance from s to
// all within the hops that are left behind t, and, where that is above enough, the other way round.
func (w *work) pairsOver(s, t topology.SwitchID, far *walks, hops int, enough float64) float64 {
	ends := float64(w.net.Endpoints())
	before, behind := far.from(s), far.from(t)
	x := mostPairs(before, behind, hops, ends) / (ends - 1)
	if x > enough {
		x = math.Min(x, mostPairs(behind, before, hops, ends)/(ends-1))
	}
	return math.Min(x, ends)
}

// mostPairs bounds the pairs of one of first[i] things at distance i with one of the others at distance j of i + j < hops, of so many in all; those further away than
// is counted are the rest. The nearer a thing is, the more others it is paired with at most, so that as many as possible are near.
func mostPairs(first, others []float64, hops int, ends float64) (pairs float64) {
	known := len(others) - 1
	within, j := 0.0, 0 // others at distances below j
	for ; j < hops && j <= known; j++ {
		within += others[j]
	}
	left := ends
	for i := 0; i < hops && left > 0; i++ {
		x, each := left, ends-1
		if i < len(first) {
			x = math.Min(first[i], left)
		}
		if hops-i <= len(others) { // all of these distances were counted
			for ; j > hops-i; j-- {
				within -= others[j-1]
			}
			each = math.Min(within, ends-1)
		}
		pairs += x * each
		left -= x
	}
	return pairs
}
