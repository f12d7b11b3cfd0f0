package evaluator

import (
	"fmt"
	"math"

	"toposearch/evaluator/adversary"
	"toposearch/evaluator/flow"
	"toposearch/evaluator/metric"
	"toposearch/routing"
)

const noLink = "all endpoints share a switch: no network link limits them"

// worstInside is of networks on which nothing crosses a link between switches, one switch above all: endpoints get what
// they send. Absent, it would fail every limit, and no front would hold one.
var worstInside = method{name: "no link between switches", level: 1, applies: func(w *work) string {
	switch {
	case !w.res.Have[metric.UniformThroughput]:
		return w.res.Absent[metric.UniformThroughput]
	case w.limit.Limited || w.pretended[metric.UniformThroughput]:
		return "links between switches carry traffic"
	}
	return ""
}, run: func(w *work) error {
	w.exact(metric.WorstThroughput, 1, insideSwitches)
	return nil
}}

// worstApplies is why no worst traffic is looked for, "" if it is.
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

// matchNs is the cost of the longest matching: distances from every set, then augmenting paths over small integers
// with many ties.
func (w *work) matchNs() float64 {
	s := w.sets()
	return s*6*(w.channels()+w.vertices()) + 12*s*s
}

// bestPossible is why the methods of the best possible routing do not apply.
func bestPossible(w *work) string {
	if w.e.usesOwn() {
		return "it is of the routings that are named"
	}
	return worstApplies(w)
}

const (
	twoPhasesText = "lo carries anything in two phases over all endpoints"
	bestText      = ", each by the best routing of uniform traffic"
)

// worstSearchNs is the time that a search for worst traffic may take at level 1 where closed forms enclose it and a study weighs it: of
// such a study hundreds of designs are evaluated within a minute. Level 2 searches longer.
const worstSearchNs = 2e7

// searchNs is the cost of looking for it.
func (w *work) searchNs() float64 {
	if w.e.usesOwn() {
		return w.routedNs()
	}
	return w.worstNs()
}

// worstNs is the cost of the adversary and of the flow that carries anything.
func (w *work) worstNs() float64 {
	s, arcs, vertices := w.sets(), w.channels(), w.vertices()
	if !w.severalPorts() {
		ns := adversary.Ns(s, arcs, vertices)
		if w.optimal.Hi == 0 {
			ns += w.uniformFlowNs()
		}
		return ns
	}
	arcs += 2 * float64(w.size.EndpointPorts) * float64(w.size.Endpoints)
	vertices += float64(w.size.Endpoints)
	return adversary.Ns(s, arcs, vertices) + flow.ThroughputNs(s, arcs, vertices, arcs/2)
}

// oneForAll tells whether a channel of each kind stands for all (alikeLinks).
func (w *work) oneForAll() bool {
	y := w.symmetry()
	return w.rule().Free() && (y.EvenLinks || y.Alike != nil) && !w.severalPorts()
}

// oneForAllNs is the cost of distances from every set, three times, and of the channels that lead nearer to it, which are half of all at most and no more than there are hops to go.
func (w *work) oneForAllNs() float64 {
	mean, _ := w.across()
	fan := w.channels() / max(w.vertices(), 1)
	return w.sets()*w.vertices()*(190+53*math.Min(mean, fan/2)+3*fan) + w.compileNs()
}

// routedNs is the cost of what direct routes carry of their worst traffic.
func (w *work) routedNs() float64 {
	if w.oneForAll() {
		return w.oneForAllNs()
	}
	return w.everyPairNs()
}

// everyPairNs is the cost of following every pair twice over its routes, which fan out over the channels of some switches,
// and of two matchings.
func (w *work) everyPairNs() float64 {
	s := w.sets()
	fan := w.channels() / max(w.vertices(), 1)
	return s*s*(2*20*(10+4*fan)) + 2*w.matchNs() + w.compileNs()
}

// routedBytes is the memory that it takes.
func (w *work) routedBytes() float64 {
	if w.oneForAll() {
		return routing.AlikeBytes(w.sets())
	}
	return routing.WorstBytes(w.sets(), w.channels())
}

// usualRoutedNs: every pair over its routes, and two matchings.
func (w *work) usualRoutedNs() float64 {
	if w.oneForAll() {
		return w.oneForAllNs()
	}
	s := w.attached()
	mean, _ := w.across()
	return s*s*(67*mean+1470) + 3400*w.channels()
}
