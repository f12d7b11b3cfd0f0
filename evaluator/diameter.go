package evaluator

import (
	"math"

	"toposearch/evaluator/metric"
	"toposearch/topology"
)

var diameterGroup = group{
	keys: []metric.Key{metric.GraphDiameter},
	methods: []method{
		{name: "every switch has endpoints", level: 1, applies: func(w *work) string {
			// Then the switches are as far apart as the endpoints on them. One port each, or the
			// best of several would hide the worst; or an embedded switch each.
			if w.size.Endpoints < 2 || w.shortPaths() == nil {
				return "no closed form"
			}
			if !w.everySwitchAttached() && !w.everySwitchEmbedded() {
				return "some switch has no endpoint, or endpoints have several ports"
			}
			return ""
		}, run: func(w *work) error {
			hops := w.shortPaths().Sums.MaxHops
			if w.everySwitchEmbedded() {
				hops = w.shortPaths().Sums.MaxLinks
			}
			w.setDiameter(hops, true, "closed form: every switch has endpoints")
			return nil
		}},
		{name: "closed form", level: 1, applies: func(w *work) string {
			if w.d.Family.Diameter == nil || w.e.scaled(w.d.Family) || w.e.opt.built {
				return "no closed form"
			}
			return ""
		}, run: func(w *work) error {
			w.setDiameter(w.d.Family.Diameter(w.d.V), true, "closed form")
			return nil
		}},
		{name: "search from one switch of each kind", level: 1, built: true, longest: longNs, applies: func(w *work) string {
			if w.symmetry().Switches == nil {
				return "no symmetry claimed"
			}
			return ""
		}, cost: func(w *work) float64 {
			k := float64(len(w.symmetry().Switches))
			return math.Min(k*w.reachNs(), math.Ceil(k/256)*w.switchPassNs())
		}, run: func(w *work) error {
			return runDiameter(w, w.symmetry().Switches, "search from one switch of each claimed orbit, exact")
		}},
		{name: "search between all switches", level: 1, built: true, longest: longNs,
			cost: func(w *work) float64 { return (w.vertices()/256 + 1) * w.switchPassNs() },
			run: func(w *work) error {
				if err := w.tooDeep("search between all switches", w.vertices()); err != nil {
					return err
				}
				return runDiameter(w, nil, "search between all switches, exact")
			}},
		{name: "searches from some switches", level: 1, built: true,
			cost: (*work).apartNs, run: runDiameterWithin},
		enclosedDiameter,
	},
}

// switchPassNs is the cost of distances from 256 switches to all, and reachNs of those from one.
func (w *work) switchPassNs() float64 { return 5 * (1.3*w.channels() + 10*w.vertices()) }
func (w *work) reachNs() float64      { return 2.5*w.channels() + 8*w.vertices() }

// diameterSearches is from how many switches a diameter is bounded: as many as take a tenth of a second, and two at least, which are
// what bounds it from both sides.
func (w *work) diameterSearches() float64 {
	return math.Max(2, math.Min(math.Floor(1e8/w.reachNs()), w.vertices()))
}

// apartNs is the cost of howFar.
func (w *work) apartNs() float64 {
	if w.apart.known {
		return 0
	}
	return w.diameterSearches() * w.reachNs()
}

// howFar encloses how far switches are apart.
func (w *work) howFar() (x *apart, err error) {
	if x = &w.apart; !x.known {
		x.lo, x.hi, x.connected, err = w.net.DiameterWithin(w.ctx, int(w.diameterSearches()))
		x.known = err == nil
	}
	return x, err
}

// runDiameterWithin bounds the diameter where a search between all switches takes too long.
func runDiameterWithin(w *work) error {
	x, err := w.howFar()
	switch {
	case err != nil:
		return err
	case !x.connected || x.lo == x.hi:
		w.setDiameter(x.lo, x.connected, "searches from some switches bound it to what is found, exact")
		return nil
	}
	w.between(metric.GraphDiameter, float64(x.lo), float64(x.lo), float64(x.hi), "the furthest found by searches from some switches; none is further apart than hi, by the triangle inequality")
	return nil
}

func runDiameter(w *work, orbits []topology.Orbit, text string) error {
	d, connected, err := w.net.Diameter(w.ctx, orbits, w.e.opt.Workers)
	if err != nil {
		return err
	}
	w.setDiameter(d, connected, text)
	return nil
}

func (w *work) setDiameter(d int, connected bool, text string) {
	if !connected {
		w.absent(metric.GraphDiameter, "some switches do not reach each other")
		return
	}
	w.exact(metric.GraphDiameter, float64(d), text)
}
