package evaluator

import (
	"fmt"
	"math"
	"toposearch/evaluator/metric"

	"toposearch/evaluator/flow"
	"toposearch/routing"
)

// worst_throughput: the permutation of endpoints with the longest shortest routes in all, which is near
// the worst traffic of most networks (Jyothi et al., SC 2016), under the routing that is best for it.
// Several permutations may be as long: the answer is that of the one found, and another may be worse.
var worstGroup = group{keys: []metric.Key{metric.WorstThroughput}, after: []metric.Key{metric.MeanPathLinks}, methods: []method{
	{name: "longest matching by concurrent flow", level: 3, built: true, bytes: matchingBytes, applies: func(w *work) string {
		if s := worstApplies(w); s != "" {
			return s
		}
		if ns := w.worstNs(); ns > flowMostNs {
			return fmt.Sprintf("the concurrent flow of the longest matching takes about %s", seconds(ns))
		}
		return ""
	}, cost: (*work).worstNs, run: runWorst},
	{name: "longest matching over natural routes", level: 3, built: true, bytes: matchingBytes, applies: worstApplies,
		cost: func(w *work) float64 {
			s := w.sets()
			return 2*s*6*(w.channels()+w.vertices())*float64(max(w.rule().States, 1)) + 12*s*s + w.compileNs()
		}, run: runWorstNatural},
}}

func worstApplies(w *work) string {
	switch {
	case w.dist == nil:
		return w.res.Absent[metric.MeanPathLinks]
	case w.res.Reject.Constraint == metric.RejectRate:
		return w.res.Reject.Words()
	case w.d.Family.Unidirectional:
		return "channels have no partner: the flow is not computed"
	case w.sets() > routing.MaxMatched:
		return fmt.Sprintf("the longest matching is exact up to %d different attachments of endpoints", routing.MaxMatched)
	}
	return ""
}

// runWorstNatural is for networks on which the flow takes too long: what natural routes carry, and
// all capacity over all hops.
func runWorstNatural(w *work) error {
	l, m, err := routing.WorstLoads(w.ctx, w.net, w.rule(), routing.LoadOptions{Workers: w.e.opt.Workers})
	switch {
	case err != nil:
		return err
	case m.Hops == 0:
		w.absent(metric.WorstThroughput, "matched endpoints share switches: no network link limits them")
		return nil
	case l.UnreachablePairs > 0:
		w.absent(metric.WorstThroughput, "some endpoint pairs are unreachable")
		return nil
	}
	lo, hi := w.loadLimit(l).Throughput, w.allCapacity()/float64(m.Hops)
	w.between(metric.WorstThroughput, math.Min(lo, hi), math.Min(lo, hi), hi, fmt.Sprintf(
		"longest matching (%s): lo is what %s carries, hi all capacity over all hops; another permutation may be worse", m.Method, w.routingText()))
	return nil
}

// worstNs is the cost of the matching (see tubGroup) and of a flow from every attachment.
func (w *work) worstNs() float64 {
	s, arcs, vertices := w.sets(), w.channels(), w.vertices()
	match := s*6*(arcs+vertices) + 12*s*s
	if w.severalPorts() {
		arcs += 2 * float64(w.size.EndpointPorts) * float64(w.size.Endpoints)
		vertices += float64(w.size.Endpoints)
	}
	return match + flow.ThroughputNs(s, arcs, vertices, arcs)
}

func runWorst(w *work) error {
	m, err := routing.LongestMatching(w.ctx, w.net)
	if err != nil {
		return err
	}
	classes := w.classIn(w.net)
	g, at := flowGraph(w.net, &classes, w.rates.Bandwidth, flow.EachDirection)
	lo, hi, err := g.Throughput(w.ctx, flow.Permutation(at, m.To))
	switch {
	case err != nil:
		return err
	case hi == 0:
		w.absent(metric.WorstThroughput, "some endpoint pairs are unreachable")
	case math.IsInf(lo, 1):
		w.absent(metric.WorstThroughput, "matched endpoints share switches: no network link limits them")
	default:
		w.between(metric.WorstThroughput, lo, lo, hi, fmt.Sprintf("longest matching (%s), maximum concurrent flow: a flow that carries lo, lengths that prove hi, %.2g %% apart; another permutation may be worse",
			m.Method, 100*(hi-lo)/hi))
	}
	return nil
}
