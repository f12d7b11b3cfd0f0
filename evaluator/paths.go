package evaluator

import (
	"fmt"
	"math"
	"slices"

	"toposearch/evaluator/metric"
	"toposearch/evaluator/route"
	"toposearch/topology"
)

var distanceKeys = []metric.Key{metric.MeanPathLinks, metric.MaxPathLinks, metric.MeanPathSwitches, metric.MaxPathSwitches, metric.MeanHops, metric.MaxHops}

var distanceGroup = group{
	keys: distanceKeys,
	methods: []method{
		{name: "closed form of the routes", level: 1, applies: func(w *work) string {
			switch {
			case w.size.Endpoints < 2:
				return "there is no pair of endpoints"
			case w.routePaths() == nil:
				return "no closed form"
			}
			return ""
		}, run: runClosedDistances},
		{name: "search from one endpoint of each kind", level: 1, built: true, quick: longestNs, applies: func(w *work) string {
			switch {
			case w.size.Endpoints < 2:
				return "there is no pair of endpoints"
			case w.symmetry().Endpoints == nil:
				return "no symmetry claimed"
			}
			return ""
		}, cost: func(w *work) float64 {
			kinds := float64(len(w.symmetry().Endpoints))
			if !w.rule().Free() { // each pass goes through more levels
				return kinds * (2.5*w.channels() + 4*w.sets()) * w.ruleWork()
			}
			return w.searchesNs(kinds)
		}, run: func(w *work) error {
			return runSearch(w, w.symmetry().Endpoints, ", search from one endpoint of each claimed orbit, exact")
		}},
		{name: "search between all endpoints", level: 1, built: true, quick: 1e8, longest: longNs, applies: func(w *work) string {
			if w.size.Endpoints < 2 {
				return "there is no pair of endpoints"
			}
			return ""
		}, cost: func(w *work) float64 { return allPairsNs(w) * w.ruleWork() },
			run: func(w *work) error { return runSearch(w, nil, ", search between all endpoints, exact") }},
		sampledDistances,
	},
}

// allPairsNs is the cost of distances between all endpoints.
func allPairsNs(w *work) float64 { return (w.sets()/256 + 1) * w.passNs() }

// passNs is the cost of distances from 256 sources: four levels of 1.3 ns a channel, and the counting.
func (w *work) passNs() float64 {
	return 4*1.3*w.channels() + 20*w.sets()*float64(max(w.size.EndpointPorts, 1))
}

// searchesNs is the cost of distances from so many sources: few are searched one by one (topology.Network.Distances).
func (w *work) searchesNs(sources float64) float64 {
	return math.Min(sources*(2.5*w.channels()+4*w.sets()), math.Ceil(sources/256)*w.passNs())
}

func runClosedDistances(w *work) error {
	w.setDistances(&pathFigures{Figures: route.FiguresOf(&w.routePaths().Sums), text: w.routesText() + ", closed form, exact"})
	return nil
}

// ruleWork is how many times as long a search of the routes of the rule takes as one of shortest paths: it goes
// through the switches again for every fourth state, as measured on rules of 4 to 19 states.
func (w *work) ruleWork() float64 {
	if r := w.rule(); !r.Free() {
		return 1 + float64(r.States)/4
	}
	return 1
}

// hopsNs bounds the loads that a search of distances may take for the mean of hops alone, as much as the search itself; where that is
// asked for by name as much as a second.
const (
	hopsNs        = 1e8
	maxHopLoadsNs = 1e9
)

// runSearch counts by breadth-first search on the built network, over the routes of the rule. A first and a last
// nic link are no hops: where routes of a pair, all of the same length, differ in whether they have those, the
// mean of hops is over what the routing splits equally hop by hop.
func runSearch(w *work, orbits []topology.Orbit, text string) error {
	d, err := w.net.Distances(w.ctx, topology.DistanceOptions{Workers: w.e.opt.Workers, Orbits: orbits, Rule: w.rule()})
	if err != nil {
		return err
	}
	f := figuresFrom(w.net, d)
	f.text = w.routesText() + text
	w.setDistances(&f)
	if w.dist == nil || f.bare == 0 || w.size.EndpointLinks() == 0 {
		return nil
	}
	if ns := loadNs(w, w.rule().States); ns > maxHopLoadsNs || ns > hopsNs && !slices.Contains(w.req.Keys, metric.MeanHops) {
		lo := f.MeanHops() - 2*float64(f.bare)/float64(f.Pairs)
		w.between(metric.MeanHops, f.MeanHops(), lo, f.MeanHops(), f.text+"; hi takes no nic link, lo takes them, where routes of the same length differ in that")
		return nil
	}
	l, err := w.routeLoads()
	if err != nil {
		return err
	}
	over := float64(f.Pairs) * (1 - l.NoNic) // nic links
	if whole := math.Round(over); math.Abs(over-whole) < 1e-9*float64(f.Pairs) {
		over = whole
	}
	w.exact(metric.MeanHops, (float64(f.Links)-2*over)/float64(f.Pairs), f.text+", split equally hop by hop")
	return nil
}

// shortestKnown is the figures of shortest paths where no search is needed for them, else nil.
func (w *work) shortestKnown() *pathFigures {
	switch {
	case w.nearest != nil:
	case w.dist != nil && w.takesShortest():
		w.nearest = w.dist
	case w.shortPaths() != nil:
		w.nearest = &pathFigures{Figures: route.FiguresOf(&w.shortPaths().Sums)}
	}
	return w.nearest
}

// searchShortest finds them on the built network.
func (w *work) searchShortest() error {
	d, err := w.net.Distances(w.ctx, topology.DistanceOptions{Workers: w.e.opt.Workers, Orbits: w.symmetry().Endpoints})
	if err != nil {
		return err
	}
	f := figuresFrom(w.net, d)
	w.nearest = &f
	return nil
}

// searchNs is the cost of that.
func searchNs(w *work) float64 {
	if o := w.symmetry().Endpoints; o != nil {
		return w.searchesNs(float64(len(o)))
	}
	return allPairsNs(w)
}

// figuresFrom sums a histogram.
func figuresFrom(n *topology.Network, d *topology.Distances) pathFigures {
	var f pathFigures
	embedded := n.LinkClasses[0].Name == topology.ClassInternal
	for l, k := range d.Pairs {
		if k == 0 {
			continue
		}
		if !embedded {
			f.Add(k, l+2, l)
			continue
		}
		bare := d.NoNic[l]
		if bare > 0 {
			f.bare += bare
			f.Add(bare, l, l)
		}
		if k > bare {
			f.Add(k-bare, l, l-2)
		}
	}
	f.unreachable = d.Unreachable
	f.total = f.Pairs + f.unreachable
	return f
}

func (w *work) setDistances(f *pathFigures) {
	if f.unreachable > 0 {
		why := fmt.Sprintf("%d of %d endpoint pairs are unreachable by %s", f.unreachable, f.total, w.routesText())
		for _, k := range distanceKeys {
			w.absent(k, why)
		}
		return
	}
	w.dist = f
	w.exact(metric.MeanPathLinks, f.MeanLinks(), f.text)
	w.exact(metric.MaxPathLinks, float64(f.MaxLinks), f.text)
	w.exact(metric.MeanPathSwitches, f.MeanLinks()-1, f.text)
	w.exact(metric.MaxPathSwitches, float64(f.MaxLinks-1), f.text)
	w.exact(metric.MeanHops, f.MeanHops(), f.text)
	w.exact(metric.MaxHops, float64(f.MaxHops), f.text)
}
