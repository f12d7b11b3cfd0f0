package evaluator

import (
	"fmt"
	"math"
	"slices"

	"toposearch/evaluator/metric"
	"toposearch/evaluator/route"
	"toposearch/topology"
)

// uniform_throughput of networks without symmetry that are too large for the loads of every channel, where many designs are compared by
// worst_throughput, by counting pairs of endpoints whose routes may cross a channel: certified, and with a wide gap.

// uniformMostNs is what loads of every channel may take where uniform_throughput itself was asked for by name; where it was not, longNs.
const uniformMostNs = 2e10

// loadsEnclosed says why loads are not summed where many designs are compared and counting bounds them, "" if they are.
func (w *work) loadsEnclosed() string {
	most := longNs
	if slices.Contains(w.req.Keys, metric.UniformThroughput) {
		most = uniformMostNs
	}
	if ns := exactLoadNs(w); ns > most && w.uniformCounts() == "" {
		return fmt.Sprintf("the loads of every channel take about %s, and of many designs compared an interval that is certified does", seconds(ns))
	}
	return ""
}

// uniformCounts says why pairs are not counted, "" if they are: what takes more than a bound of it asks for all loads.
func (w *work) uniformCounts() string {
	others := slices.ContainsFunc(w.req.Keys, func(k metric.Key) bool {
		return metric.Keys[k].Level > 1 && k != metric.UniformThroughput && k != metric.WorstThroughput
	})
	switch {
	case w.size.Endpoints < 2:
		return "there is no pair of endpoints"
	case w.res.Reject.Constraint == metric.RejectRate:
		return w.res.Reject.Words()
	case !w.e.opt.EncloseWorst || w.req.Level >= 2 || others:
		return "its bounds are for many designs compared by worst_throughput"
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
	n, far := w.net, w.reached(w.takesShortest())
	most, class, capacity := 0.0, 0, w.linkCapacity()
	if far.hops < w.mostHops() {
		most = w.everybody()
	}
	w.eachStanding(func(s topology.SwitchID) {
		for c, end := n.Out(s); c < end; c++ {
			k := n.LinkClass(c)
			if n.LinkClasses[k].Name == topology.ClassInternal {
				continue
			}
			if x := w.pairsOver(s, n.To(c), far) / capacity(k); x > most {
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
	w.looseness = w.allCapacity() / carried / lo
	w.setThroughput(route.Limit{Throughput: lo, Class: w.classIn(n)[class].class, Limited: true},
		"lo counts the pairs of endpoints whose routes may cross a channel, hi is of all capacity over all hops: the loads of every channel take "+seconds(exactLoadNs(w)))
	if far.hops < w.mostHops() { // nothing was counted
		w.res.Bottleneck = ""
	}
	return nil
}

// pairsOver is the load of uniform traffic on a channel from s to t at most.
func (w *work) pairsOver(s, t topology.SwitchID, far *walks) float64 {
	ends, behind, load, before := float64(w.net.Endpoints()), 0.0, 0.0, far.from(s)
	for j, x := range far.from(t)[:far.hops] {
		behind += x
		load += before[far.hops-1-j] * math.Min(behind, ends-1)
	}
	return math.Min(load/(ends-1), ends)
}
