package evaluator

import (
	"fmt"
	"slices"

	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/evaluator/route"
	"toposearch/topology"
)

// Latency is that of direct routes. A routing that chooses takes these in an idle network, and makes detours where queues
// are; what a packet on one takes without waiting is a figure of its own.

// detour encloses the mean zero-load latency of a packet that goes by way of an intermediate, the switch of an endpoint
// drawn evenly from all, whichever network it is; nil if the routing that is chosen makes no detours or the latency of
// direct routes L is not known.
//
// A leg goes between two of the N endpoints, the same one once in N times, and is a direct route less what both legs
// share: the nic links, one serialisation and the switch of the intermediate, together what two endpoints K of one switch
// take: K + 2 (N-1)/N (L - K) in the mean. An intermediate that relays is passed as one more hop of either leg.
func (w *work) detour() *metric.Figure {
	if !w.res.Have[metric.Latency] || !w.routing().Detours {
		return nil
	}
	l, m := w.res.Metrics[metric.Latency], &w.e.opt.Latency
	f := &metric.Figure{Value: 2*l.Hi + m.RelayNs, Lo: l.Lo, Hi: 2*l.Hi + m.RelayNs, Unit: l.Unit,
		Method: "one direct route at least, two and an intermediate that relays at most"}
	if w.severalPorts() || w.e.scaled(w.d.Family) || w.d.Family.LinkClasses[0].Name != topology.ClassNic {
		return f
	}
	c := route.Crossing{Links: 2, Switches: 1, SlowestGbps: w.rates.Link[0]}
	if w.rates.Kind[0] == market.Cable {
		c.CableM = 2 * w.spans[0].MeanM
	}
	k, n := m.Ns(&c), float64(w.size.Endpoints)
	by := func(l float64) float64 { return k + 2*(n-1)/n*(l-k) }
	f.Value, f.Hi = by(l.Value), by(l.Hi)
	f.Method = "two direct routes over one switch of the intermediate, any endpoint's, serialised once"
	slower := func(gbps float64) bool { return gbps > 0 && gbps < w.rates.Link[0] }
	if slices.ContainsFunc(w.rates.Link[:len(w.d.Family.LinkClasses)], slower) {
		f.Method += "; lo is one direct route, since slower links may add to either leg"
	} else {
		f.Lo = by(l.Lo)
	}
	return f
}

// noteDetour says beside the latency whose it is.
func (w *work) noteDetour(add func(string, ...any)) {
	if !w.settled() {
		return
	}
	a := w.chosen
	if t := w.named[a.Name]; t.tables != nil && a.Tables {
		add("latency, hops and path lengths are those of natural routes: the paths of %s cross %.4g channels in the mean, %d at most", a.Name, t.hops, t.most)
	}
	if !w.e.usesOwn() || !a.Detours {
		return
	}
	how := fmt.Sprintf("all that %s takes in an idle network", a.Name)
	if a.Always {
		how = fmt.Sprintf("of either leg of %s, whose packets all make detours", a.Name)
	}
	text := "latency, hops and path lengths are those of direct routes, " + how
	if d := w.detour(); d != nil {
		w.res.Detour = d
		w.res.Metrics[metric.Latency].Method += "; of direct routes, " + how
		text += fmt.Sprintf("; a packet on a detour takes %.4g ns in the mean", d.Value)
		if d.Hi > d.Lo*(1+same) {
			text += fmt.Sprintf(", between %.4g and %.4g", d.Lo, d.Hi)
		}
		text += " (" + d.Method + ")"
	}
	add("%s", text)
}
