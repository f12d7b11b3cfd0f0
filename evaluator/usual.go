package evaluator

import (
	"math"

	"toposearch/evaluator/market"
	"toposearch/evaluator/route"
)

// What methods take mostly, ns (method.usual): sums over what each of them goes through, on the sizes of a design and how far it is across. Their
// coefficients are those under which most of 22 families with 100 to 100,000 endpoints are within a factor of two of the processor time that they
// took on one core of 2.5 GHz (TestModels -models), all families alike.

// attached is how many different sets of switches endpoints are attached to: of those with one port, the switches that have endpoints.
func (w *work) attached() float64 {
	if w.size.EndpointPorts > 1 || w.e.scaled(w.d.Family) {
		return w.sets()
	}
	k := int64(0)
	for c := range w.d.Family.SwitchClasses {
		if w.size.Switch[c].Ports[0] > 0 {
			k += w.size.Switch[c].Count
		}
	}
	return math.Min(math.Max(float64(k), 1), w.sets())
}

// routed are the lengths of routes as far as they are known without a search, nil if they are not.
func (w *work) routed() *route.Figures {
	if w.dist != nil && w.dist.Pairs > 0 {
		return &w.dist.Figures
	}
	if p := w.routePaths(); p != nil && p.Sums.Pairs > 0 {
		f := route.FiguresOf(&p.Sums)
		return &f
	}
	return nil
}

// across is how many links routes have in the mean and at most: those of a leaf-spine network with its endpoints' where that is not known.
func (w *work) across() (mean, most float64) {
	if f := w.routed(); f != nil {
		return f.MeanLinks(), float64(f.MaxLinks)
	}
	return 4, 6
}

// arcs are channels and switches, which searches and sweeps go through.
func (w *work) arcs() float64 { return w.channels() + w.vertices() }

// kinds is how many endpoints are searched from: of each claimed orbit one.
func (w *work) kinds() float64 {
	if o := w.symmetry().Endpoints; o != nil {
		return float64(len(o))
	}
	return w.attached()
}

// usualUptimeNs: connected parts, and what each cuts off.
func (w *work) usualUptimeNs() float64 { return 10*w.channels() + 60*w.vertices() + 120*w.attached() }

// usualRoutesNs: a search and a sweep from each kind of endpoint.
func (w *work) usualRoutesNs() float64 {
	return 23*w.kinds()*w.arcs() + 10*w.channels() + 860*w.attached()
}

// usualFailNs: all distances for each failed switch, level by level for 256 endpoints at a time.
func (w *work) usualFailNs() float64 {
	failed := float64(w.size.Switches())
	if o := w.symmetry().Switches; o != nil {
		failed = float64(len(o))
	}
	_, most := w.across()
	s := w.attached()
	return failed * (2.5*math.Ceil(s/256)*w.channels()*most + 430*s*float64(max(w.size.EndpointPorts, 1)))
}

// usualFailureNs: for each failure a walk over all routes of the rule.
func (w *work) usualFailureNs() float64 {
	return (w.channels()/2 + w.vertices()) * w.arcs() * (w.attached()*(17+5.8*float64(max(w.natural.States, 1))) + 790)
}

// usualMatchNs: distances from 256 sets at a time, and augmenting paths, which are the longer the more distances there are.
func (w *work) usualMatchNs() float64 {
	s := w.attached()
	mean, most := w.across()
	return 9.7*math.Ceil(s/256)*(w.channels()*mean+3*w.vertices()) + s*s*(13+10.6*math.Log(most+1)) + 2100*s
}

// usualNaturalNs: the same matching over the lengths of routes.
func (w *work) usualNaturalNs() float64 {
	s := w.attached()
	_, most := w.across()
	return 27*math.Ceil(s/256)*w.channels()*most + s*s*(29+1.2*most) + 8*w.channels()
}

// usualLASHNs: a search and tables for each switch with endpoints, and a layer for each pair of them.
func (w *work) usualLASHNs() float64 {
	s := w.attached()
	mean, _ := w.across()
	return 5.2*s*w.arcs() + 32*s*s*mean + 230*w.channels() + 5.2*float64(w.size.Endpoints)*w.vertices()
}

// usualDFSSSPNs: shortest paths by weight from each endpoint, and the dependencies of the paths to it.
func (w *work) usualDFSSSPNs() float64 {
	mean, _ := w.across()
	return float64(w.size.Endpoints) * (10*w.arcs() + 31*w.attached()*mean)
}

// usualQuickCutNs: the graph, and a search from one cut.
func (w *work) usualQuickCutNs() float64 {
	return 83*w.channels() + 1640*w.vertices() + 2000*w.attached()
}

// fills tells whether the natural routing leaves no capacity between switches idle, so that no routing carries more uniform traffic.
func (w *work) fills() bool {
	routes := w.routed()
	if routes == nil || w.throughput == 0 {
		return false
	}
	all := 0.0
	for c := 1; c < len(w.d.Family.LinkClasses); c++ {
		all += 2 * float64(w.size.Link[c]) * w.rates.Capacity(c)
	}
	hops := routes.MeanLinks()
	if w.rates.Kind[0] != market.Inside {
		hops -= 2
	}
	const rounding = 1e-3
	return w.throughput*float64(w.size.Endpoints)*hops >= (1-rounding)*all
}
