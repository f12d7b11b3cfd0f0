package evaluator

import (
	"math"

	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// noLengths tells why cable lengths are not known.
func (w *work) noLengths() string {
	switch {
	case w.unlaid != "":
		return "cable lengths are only enclosed: " + w.unlaid
	case w.res.Plan == nil:
		return "cable lengths are not known: " + w.res.Absent[metric.CableMax]
	}
	return ""
}

// boundedLatency is for routes whose loads take too long: what they cross of each class is not known, only of all together.
var boundedLatency = method{name: "mean path, whatever classes it crosses", level: 1, applies: func(w *work) string {
	switch {
	case w.dist == nil:
		return w.res.Absent[metric.MeanHops]
	case w.e.scaled(w.d.Family):
		return "links of scale-up domains"
	case w.unlaid != "":
		return ""
	}
	return w.noLengths()
}, run: runBoundedLatency}

// runBoundedLatency encloses the latency of a mean path of L links: each interior vertex is a switch or relays, and each link is of a
// class that costs between the least and the most; the first and the last are nic links where endpoints do not relay.
func runBoundedLatency(w *work) error {
	f, l := w.d.Family, &w.e.opt.Latency
	mtu := 8 * float64(l.MTUBytes)
	least, most, slow, fast := math.Inf(1), math.Inf(-1), math.Inf(1), 0.0
	ends, nicLo, nicHi := 0.0, 0.0, 0.0
	for c := range f.LinkClasses {
		if w.size.Link[c] == 0 || f.LinkClasses[c].Name == topology.ClassInternal {
			continue
		}
		// What a link of the class adds: its ends on switches each stand for half of one that is passed instead of a relay.
		half, length := float64(w.rates.Ends[c])/2*(l.SwitchNs-l.RelayNs), w.spans[c]
		if length.MaxM == 0 && w.unlaid == "" {
			length.MinM, length.MaxM = w.res.Plan.MeanM[c], w.res.Plan.MeanM[c]
		}
		lo, hi := half+l.CableNsPerM*length.MinM, half+l.CableNsPerM*length.MaxM
		slow, fast = math.Min(slow, w.rates.Link[c]), math.Max(fast, w.rates.Link[c])
		if c == 0 {
			ends, nicLo, nicHi = 2, 2*lo, 2*hi
			continue
		}
		least, most = math.Min(least, lo), math.Max(most, hi)
	}
	if math.IsInf(least, 1) {
		least, most = 0, 0
	}
	at := func(links, nic, each float64) float64 { return (links-1)*l.RelayNs + nic + (links-ends)*each }
	mean := w.dist.MeanLinks()
	few, many := math.Max(mean-w.drawn, ends), mean+w.drawn
	lo := l.NICNs + mtu/fast + math.Min(at(few, nicLo, least), at(many, nicLo, least))
	hi := l.NICNs + mtu/slow + math.Max(at(few, nicHi, most), at(many, nicHi, most))
	value, text := (lo+hi)/2, ", middle of what the mean path can cross of each class of links"
	if w.likely > 0 {
		value, text = l.NICNs+mtu/slow+at(w.likely, (nicLo+nicHi)/2, (least+most)/2), ", mean path of random networks over cables between the shortest and the longest; lo and hi of any connected ones"
		if w.unlaid != "" {
			text += "; " + w.unlaid
		}
	}
	w.between(metric.Latency, wholeSteps(value), wholeSteps(lo), wholeSteps(hi), w.routesText()+text)
	return nil
}
