package evaluator

import (
	"fmt"

	"toposearch/evaluator/metric"
	"toposearch/routing"
)

const noLink = "all endpoints share a switch: no network link limits them"

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

// usualMatchNs is what it takes mostly: distances from 256 sets at a time, and augmenting paths that are short.
func (w *work) usualMatchNs() float64 {
	s := w.sets()
	return 3e5 + s*0.4*(w.channels()+w.vertices()) + 15*s*s
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
