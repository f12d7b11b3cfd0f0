package evaluator

import (
	"math"

	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/evaluator/route"
	"toposearch/topology"
)

var latencyGroup = group{
	keys:  []metric.Key{metric.Latency},
	after: []metric.Key{metric.MeanHops, metric.CableMax},
	methods: []method{
		{name: "closed form of the routes", level: 1, applies: func(w *work) string {
			switch {
			case w.size.Endpoints < 2:
				return "there is no pair of endpoints"
			case w.routePaths() == nil:
				return "no closed form"
			}
			return w.noLengths()
		}, run: runClosedLatency},
		{name: "mean hops, one class of links", level: 1, applies: func(w *work) string {
			switch {
			case w.dist == nil:
				return w.res.Absent[metric.MeanHops]
			case !w.oneKind():
				return "links of several classes"
			}
			return w.noLengths()
		}, run: runOneKindLatency},
		{name: "loads of all routes", level: 1, built: true, quick: 1e8, longest: longNs, applies: func(w *work) string {
			if w.dist == nil {
				return w.res.Absent[metric.MeanHops]
			}
			return w.noLengths()
		}, cost: func(w *work) float64 {
			if w.loads != nil {
				return 0
			}
			return loadNs(w, w.rule().States)
		}, run: runLoadLatency},
		boundedLatency,
	},
}

const latencyText = ": switches + one MTU at the slowest link + cables as bought, each class at its mean length"

func runClosedLatency(w *work) error {
	p := w.routePaths()
	lo, hi := w.e.opt.Latency.MeanNs(w.size, &w.rates, p, w.res.Plan.MeanM)
	use := w.pathUsage(p, p == &w.paths)
	w.setLatency(hi, lo, hi, &use, w.routesText()+", closed form"+latencyText)
	return nil
}

// oneKind tells whether all routes cross the same kind of link between their ends: endpoints hang
// on one class, and one other class is bought with the same rate.
func (w *work) oneKind() bool {
	f := w.d.Family
	if f.LinkClasses[0].Name != topology.ClassNic || w.e.scaled(f) {
		return false
	}
	one := -1
	for c := 1; c < len(f.LinkClasses); c++ {
		if w.size.Link[c] == 0 {
			continue
		}
		if one >= 0 || w.rates.Kind[c] != market.Cable {
			return false
		}
		one = c
	}
	return one < 0 || w.rates.Link[one] >= w.rates.Link[0]
}

func runOneKindLatency(w *work) error {
	m := w.res.Plan.MeanM
	c := route.Crossing{Switches: w.dist.MeanLinks() - 1, SlowestGbps: w.rates.Link[0], CableM: 2 * m[0]}
	use := [topology.MaxClasses]usage{{times: 2, peak: math.Inf(1)}}
	if w.size.EndpointPorts == 1 {
		use[0].peak = 1
	}
	for i := 1; i < len(w.d.Family.LinkClasses); i++ {
		if w.size.Link[i] > 0 {
			c.CableM += w.dist.MeanHops() * m[i]
			use[i] = usage{w.dist.MeanHops(), math.Inf(1)}
			if w.symmetry().EvenLinks {
				use[i].peak = 1
			}
		}
	}
	x := w.e.opt.Latency.Ns(&c)
	most := 0.0 // of cables of the other class, of which there is one
	for i := 1; i < len(w.d.Family.LinkClasses); i++ {
		most = math.Max(most, m[i])
	}
	each := w.e.opt.Latency.SwitchNs + w.e.opt.Latency.CableNsPerM*most
	w.setLatency(x, x-w.drawn.below*each, x+w.drawn.above*each, &use, w.routesText()+", search"+latencyText)
	return nil
}

// runLoadLatency takes the mean number of links of each class that routes cross from the loads they
// make, and the share of routes whose links are all as fast as each rate.
func runLoadLatency(w *work) error {
	l, err := w.routeLoads()
	if err != nil {
		return err
	}
	n := w.net
	var mean [topology.MaxClasses]float64
	lanes := w.classIn(n)
	var c route.Crossing
	for _, k := range l.Kinds {
		i := int(k.Kind.Link)
		mean[i] += k.Total * float64(n.Endpoints()-1) / l.Pairs
	}
	f := w.d.Family
	var use [topology.MaxClasses]usage
	w.loadPeaks(l, &lanes, &use)
	for i := range n.LinkClasses {
		of := lanes[i].class
		count := mean[i]
		if i == 0 && n.LinkClasses[0].Name == topology.ClassNic {
			count = 2
		}
		if count == 0 || n.LinkClasses[i].Name == topology.ClassInternal {
			continue
		}
		c.Links += count
		if of >= 0 && of < len(f.LinkClasses) {
			c.Switches += count * float64(w.rates.Ends[of]) / 2
			c.CableM += count * w.res.Plan.MeanM[of]
			use[of].times = count
		} else {
			c.Switches += count * lanes[i].ends / 2
		}
	}
	c.Relays = math.Max(0, c.Links-1-c.Switches)
	c.SlowestGbps = w.meanSlowest()
	x := w.e.opt.Latency.Ns(&c)
	w.setLatency(x, x, x, &use, w.routesText()+", loads of all routes"+latencyText)
	return nil
}
