package evaluator

import (
	"errors"
	"slices"

	"toposearch/evaluator/route"
	"toposearch/routing"
	"toposearch/topology"
)

// legsText is why no closed form knows what Valiant's routing carries, "" if one does. It is asked before the limit of direct routes is known, so that nothing is
// chosen here where it need not be: what can take direct routes alone carries more than detours that all packets make.
func (w *work) legsText() string {
	unknown, direct := false, false
	for _, a := range w.allowed() {
		_, ok := w.phases(&a)
		unknown = unknown || !ok
		direct = direct || !a.Always && !a.Single && !a.Tables
	}
	if !unknown || direct {
		return ""
	}
	if _, ok := w.phases(w.routing()); ok {
		return ""
	}
	return "legs of detours by way of endpoints with several ports, or of switches with more or fewer of them, are followed one by one"
}

// errNoLegs is why nothing is said of legs that cannot go on.
var errNoLegs = errors.New("not every switch with endpoints is reached from where others' first legs end")

// aroundLimit is what limits uniform traffic where its legs are followed one by one over the routes of a rule, of the network that is built or what is left of it; direct is what
// limits it without detours, which there are none where endpoints hang on fewer than three sets of switches.
func (w *work) aroundLimit(n *topology.Network, rule topology.Rule, direct route.Limit) (l route.Limit, err error) {
	l = route.Limit{Throughput: 1, Lanes: 1}
	r, err := routing.New(n, rule)
	if err != nil {
		return l, err
	}
	if len(r.Sets) < 3 {
		return direct, nil
	}
	t, err := r.Valiant(w.ctx, nil)
	switch {
	case err != nil:
		return l, err
	case t == nil:
		return l, errNoLegs
	}
	classes := w.classIn(n)
	loads := t.Relative(func(link int) float64 { return classes[link].gbps / w.rates.Bandwidth })
	at := 0
	for i, x := range loads {
		if x > loads[at] {
			at = i
		}
	}
	if l.Limited = loads[at] > 0; l.Limited {
		l.Throughput, l.Lanes = 1/loads[at], 1/slices.Max(t.Relative(routing.OwnCapacity(n)))
		if at < n.Channels() {
			l.Class = classes[n.LinkClass(topology.ChannelID(at))].class
		}
		if l.Class < 0 {
			l.Class = len(w.d.Family.LinkClasses)
		}
	}
	return l, nil
}
