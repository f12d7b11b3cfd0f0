package evaluator

import (
	"toposearch/routing"
	"toposearch/topology"
)

// netClass maps a link class of the built network to that of the family (-1: added with servers)
// its rate, and for added ones how many of a link's ends are on scale-up switches.
type netClass struct {
	class int
	gbps  float64
	ends  float64
}

// classIn maps the classes of the built network: with added servers the family's move up by one.
func (w *work) classIn(n *topology.Network) (out [topology.MaxClasses]netClass) {
	f := w.d.Family
	shift := 0
	if len(n.LinkClasses) > len(f.LinkClasses) && n.LinkClasses[0].Name != f.LinkClasses[0].Name {
		shift = 1
	}
	dom := w.e.opt.ScaleupDomain()
	first, second := dom.LinkGbps(w.e.opt.ScaleupGbps)
	for i := range n.LinkClasses {
		c, name := i-shift, n.LinkClasses[i].Name
		own := c >= 0 && c < len(f.LinkClasses) && !(w.e.scaled(f) && topology.IsScaleup(name))
		switch {
		case own:
			out[i] = netClass{class: c, gbps: w.rates.Link[c]}
		case name == topology.ClassScaleup2:
			out[i] = netClass{-1, second, 2}
		case name == topology.ClassScaleup:
			out[i] = netClass{-1, first, float64(min(dom.Levels, 1))}
		default:
			out[i] = netClass{-1, w.rates.Bandwidth, 0}
		}
	}
	return out
}

// loadNs is the cost of the loads of a rule of so many states from all endpoints: a search and a sweep over all
// channels, once for about every third state, for each attachment set or each orbit.
func loadNs(w *work, states int) float64 {
	if w.byTables() {
		return tablesNs(w)
	}
	dests := w.sets()
	if o := w.symmetry().Endpoints; o != nil {
		dests = float64(len(o))
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
