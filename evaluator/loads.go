package evaluator

import (
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
	return w.sets()*max(1, 3*float64(w.rule().States)/8)*(7*w.channels()+120*w.vertices()) + w.compileNs()
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
// less work, of kinds of them; and the share of routes without nic links where some have none.
func (w *work) routeLoads() (*routing.Loads, error) {
	if w.loads != nil {
		return w.loads, nil
	}
	opt := routing.LoadOptions{Workers: w.e.opt.Workers, NoNic: w.net.LinkClasses[0].Name == topology.ClassInternal}
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
	if o := w.symmetry(); o.Endpoints != nil && o.EvenLinks {
		opt.Orbits, opt.Even = o.Endpoints, true
	}
	return w.keepLoads(opt)
}

func (w *work) keepLoads(opt routing.LoadOptions) (l *routing.Loads, err error) {
	if w.byTables() {
		t, err := w.makeTables(w.e.opt.Routing)
		if err == nil {
			w.loads, err = t.UniformLoads(w.ctx)
		}
		return w.loads, err
	}
	if l, err = routing.UniformLoads(w.ctx, w.net, w.rule(), opt); err == nil {
		w.loads = l
	}
	return l, err
}
