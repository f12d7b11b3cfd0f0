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
	ends, nicLo, nicHi, cable := 0.0, 0.0, 0.0, math.Inf(1)
	added, links := 0.0, 0.0 // by all links but nic ones, and these
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
		cable = math.Min(cable, l.CableNsPerM*length.MinM)
		slow, fast = math.Min(slow, w.rates.Link[c]), math.Max(fast, w.rates.Link[c])
		if c == 0 {
			ends, nicLo, nicHi = 2, 2*lo, 2*hi
			continue
		}
		least, most = math.Min(least, lo), math.Max(most, hi)
		n := float64(w.size.Link[c])
		added, links = added+n*(lo+hi)/2, links+n
	}
	if math.IsInf(least, 1) {
		least, most = 0, 0
	}
	at := func(links, nic, each float64) float64 { return (links-1)*l.RelayNs + nic + (links-ends)*each }
	mean := w.dist.MeanLinks()
	few, many := math.Max(mean-w.drawn.below, ends), mean+w.drawn.above
	lo := l.NICNs + mtu/fast + math.Min(at(few, nicLo, least), at(many, nicLo, least))
	// Halves of switches add up to more than there are on a path between relays: no vertex is passed in less than the faster of the two takes.
	lo = math.Max(lo, l.NICNs+mtu/fast+(few-1)*math.Min(l.SwitchNs, l.RelayNs)+few*cable)
	hi := l.NICNs + mtu/slow + math.Max(at(few, nicHi, most), at(many, nicHi, most))
	text := ", mean path over links of each class as there are such; lo and hi whatever it crosses of them"
	if w.likely > 0 {
		mean, text = w.likely, ", mean path of random networks over links of each class as there are such, each between the shortest and the longest cable; lo and hi of any connected ones"
		if w.unlaid != "" {
			text += "; " + w.unlaid
		}
	}
	value := math.Min(math.Max(l.NICNs+mtu/slow+at(mean, (nicLo+nicHi)/2, added/math.Max(links, 1)), lo), hi)
	w.between(metric.Latency, wholeSteps(value), wholeSteps(lo), wholeSteps(hi), w.routesText()+text)
	return nil
}
