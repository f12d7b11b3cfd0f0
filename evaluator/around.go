package evaluator

import (
	"errors"
	"slices"

	"toposearch/evaluator/route"
	"toposearch/routing"
	"toposearch/topology"
)

// legsText is why no closed form knows what Valiant's routing carries, "" if one does.
func (w *work) legsText() string {
	if _, ok := w.phases(w.routing()); ok {
		return ""
	}
	return "legs of detours by way of endpoints with several ports, or of switches with more or fewer of them, are followed one by one"
}

// aroundLimit is what limits uniform traffic where its legs are followed one by one, of the network that is built.
func (w *work) aroundLimit(n *topology.Network) (l route.Limit, err error) {
	l = route.Limit{Throughput: 1, Lanes: 1}
	r, err := routing.New(n, w.rule())
	if err != nil {
		return l, err
	}
	t, err := r.Valiant(w.ctx, nil)
	switch {
	case err != nil:
		return l, err
	case t == nil:
		return l, errors.New("not every switch with endpoints is reached from where others' first legs end")
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
