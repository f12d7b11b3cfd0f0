package evaluator

import (
	"math"
	"slices"

	"toposearch/routing"
	"toposearch/topology"
)

// loadNs is the cost of the loads of a rule of so many states from all endpoints: a search and a sweep over all
// channels, once for about every third state, for each attachment set or each orbit.
func loadNs(w *work, states int) float64 {
	dests := w.sets()
	if o := w.symmetry().Endpoints; o != nil {
		dests = float64(len(o))
	}
	return loadsNs(w, states, dests)
}

// exactLoadNs is what loads of each channel mostly take: where those of a kind are not loaded alike all destinations are routed to. Sparse networks,
// of four links a switch, take three times as long as loadNs says: a switch costs as much as seventeen channels.
func exactLoadNs(w *work) float64 {
	if w.symmetry().EvenLinks {
		return loadNs(w, w.rule().States)
	}
	if w.byTables() {
		return tablesNs(w)
	}
	dests := w.sets()
	if w.maps() {
		dests = float64(len(w.symmetry().Endpoints))
	}
	return dests*exactPassNs(w) + w.compileNs()
}

// exactPassNs is what loads towards one destination mostly take.
func exactPassNs(w *work) float64 {
	return max(1, 3*float64(w.rule().States)/8) * (7*w.channels() + 120*w.vertices())
}

// loadsNs is what loads towards so many destinations take.
func loadsNs(w *work, states int, dests float64) float64 {
	if w.byTables() {
		return tablesNs(w)
	}
	return dests*max(8, 3*float64(states))*(w.channels()+w.vertices()) + w.compileNs()
}

// compileNs is the cost of preparing a network for routing: kinds and sources of channels, and
// the attachment sets.
func (w *work) compileNs() float64 { return 40*w.channels() + 150*w.sets() }

// routeLoads are the loads of uniform traffic over the routes of the rule, of all channels or, where that is
// less work, of kinds of them; and the shares of routes without some classes of links (avoided).
func (w *work) routeLoads() (*routing.Loads, error) {
	if w.loads != nil {
		return w.loads, nil
	}
	if w.maps() { // of every channel at hardly more
		return w.exactLoads()
	}
	opt := routing.LoadOptions{Workers: w.e.opt.Workers}
	if o := w.symmetry(); o.Endpoints != nil {
		opt.Orbits, opt.Even = o.Endpoints, o.EvenLinks
	}
	return w.keepLoads(opt)
}

// exactLoads are the same with the load of the busiest channel.
func (w *work) exactLoads() (*routing.Loads, error) {
	if w.loads != nil && w.loads.Exact {
		return w.loads, nil
	}
	opt := routing.LoadOptions{Workers: w.e.opt.Workers}
	switch o := w.symmetry(); {
	case o.Endpoints != nil && o.EvenLinks:
		opt.Orbits, opt.Even = o.Endpoints, true
	case w.maps():
		x, err := w.net.Equivalent(w.d.Family.Automorphisms(w.d.V))
		if err != nil {
			return nil, err
		}
		opt.Orbits, opt.Channels = x.Endpoints, x.Channels
	}
	return w.keepLoads(opt)
}

// maps tells whether automorphisms of the built network are known that tell which of its channels are equivalent.
func (w *work) maps() bool { return w.d.Family.Automorphisms != nil && w.symmetry().Endpoints != nil }

func (w *work) keepLoads(opt routing.LoadOptions) (l *routing.Loads, err error) {
	w.avoid = w.avoided()
	opt.Avoid = w.avoid
	if w.byTables() {
		t, err := w.makeTables(w.e.opt.Routing)
		if err == nil {
			w.loads, err = t.UniformLoads(w.ctx, w.avoid...)
		}
		return w.loads, err
	}
	if l, err = routing.UniformLoads(w.ctx, w.net, w.rule(), opt); err == nil {
		w.loads = l
	}
	return l, err
}

// avoided are the sets of link classes of which it is asked what share of routes crosses none: nic links where endpoints forward, so that some routes have none, and those slower than others.
func (w *work) avoided() (sets []uint64) {
	if w.net.LinkClasses[0].Name == topology.ClassInternal {
		sets = append(sets, w.nicLinks())
	}
	_, slower := w.slower()
	return append(sets, slower...)
}

// without is the share of routes that cross none of a set that is avoided.
func (w *work) without(set uint64) float64 { return w.loads.Without[slices.Index(w.avoid, set)] }

func (w *work) nicLinks() (set uint64) {
	for i, c := range w.net.LinkClasses {
		if c.Name == topology.ClassNic {
			set |= 1 << i
		}
	}
	return set
}

// slower are the rates that the slowest link of a route may have, the slowest first, and for each but the first the classes with a lower one. All routes cross ports of endpoints of class nic, if that is the
// first: no rate is above theirs.
func (w *work) slower() (rates []float64, sets []uint64) {
	n, classes := w.net, w.classIn(w.net)
	links := make([]bool, len(n.LinkClasses))
	links[0] = n.LinkClasses[0].Name == topology.ClassNic
	for c := range n.Channels() {
		links[n.LinkClass(topology.ChannelID(c))] = true
	}
	most := math.Inf(1)
	if n.LinkClasses[0].Name == topology.ClassNic {
		most = classes[0].gbps
	}
	for i := range links {
		if rate := min(classes[i].gbps, most); links[i] && n.LinkClasses[i].Name != topology.ClassInternal && !slices.Contains(rates, rate) {
			rates = append(rates, rate)
		}
	}
	slices.Sort(rates)
	for _, rate := range rates[min(1, len(rates)):] {
		set := uint64(0)
		for i := range links {
			if links[i] && n.LinkClasses[i].Name != topology.ClassInternal && classes[i].gbps < rate {
				set |= 1 << i
			}
		}
		sets = append(sets, set)
	}
	return rates, sets
}

// meanSlowest is one over the mean over routes of one over the rate of their slowest link: that by which a packet takes as long to be sent once as it does on average.
func (w *work) meanSlowest() (gbps float64) {
	rates, sets := w.slower()
	mean, faster := 0.0, 1.0 // share of routes whose links all have the rate at hand or more
	for i, rate := range rates {
		share := 0.0
		if i < len(sets) {
			share = w.without(sets[i])
		}
		mean += (faster - share) / rate
		faster = share
	}
	return 1 / mean
}
