package evaluator

import (
	"math"
	"slices"

	"toposearch/evaluator/metric"
	"toposearch/evaluator/route"
	"toposearch/topology"
)

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
		{name: "search from one endpoint of each kind", level: 1, built: true, quick: longestNs, longest: longNs, applies: func(w *work) string {
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
			run: func(w *work) error {
				if err := w.tooDeep("search between all endpoints", w.sets()); err != nil {
					return err
				}
				return runSearch(w, nil, ", search between all endpoints, exact")
			}},
		sampledDistances,
		enclosedDistances,
	},
}

func runClosedDistances(w *work) error {
	w.setDistances(&pathFigures{Figures: route.FiguresOf(&w.routePaths().Sums), text: w.routesText() + ", closed form, exact"})
	return nil
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
	if _, err := w.routeLoads(); err != nil {
		return err
	}
	over := float64(f.Pairs) * (1 - w.without(w.nicLinks())) // nic links
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
