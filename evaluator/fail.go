package evaluator

import (
	"fmt"
	"slices"

	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/routing"
	"toposearch/topology"
)

var failGroup = group{keys: []metric.Key{metric.MeanPathLinksFail}, after: []metric.Key{metric.MeanPathLinks}, methods: []method{
	{name: "every single failed switch", level: 2, built: true, applies: func(w *work) string {
		switch {
		case w.size.Switches() == 0:
			return "there is no switch that is not embedded"
		case w.size.Endpoints < 2:
			return "there is no pair of endpoints"
		case w.dist == nil:
			return w.res.Absent[metric.MeanPathLinks]
		case w.orphans():
			return "endpoints with a single link are cut off when their switch fails"
		}
		return ""
	}, cost: func(w *work) float64 {
		failed := float64(w.size.Switches())
		if o := w.symmetry().Switches; o != nil {
			failed = float64(len(o))
		}
		return failed * allPairsNs(w)
	}, usual: (*work).usualFailNs, run: runFail},
}}

// orphans tells whether an endpoint hangs on one switch only, with nothing to relay over.
func (w *work) orphans() bool {
	return w.rates.Kind[0] != market.Inside && w.size.EndpointPorts == 1 && !w.e.scaled(w.d.Family)
}

// failing are the switches that can fail: those of claimed orbits that are not embedded, or else every one by itself.
func (w *work) failing(orbits []topology.Orbit) (out []topology.Orbit, claimed bool) {
	for _, o := range orbits {
		if !w.net.Embedded(topology.SwitchID(o.Rep)) {
			out = append(out, o)
		}
	}
	if orbits != nil {
		return out, true
	}
	for _, s := range w.net.Boxes() {
		out = append(out, topology.Orbit{Rep: int32(s), Count: 1})
	}
	return out, false
}

// runFail takes the mean over all pairs for every failed switch, or one of each claimed orbit.
// Sums are whole numbers, as in route.Figures; all failures have the same number of pairs, so one division
// remains.
func runFail(w *work) error {
	failures, claimed := w.failing(w.symmetry().Switches)
	text := "shortest paths, exact over every single failed switch"
	if claimed {
		text = "shortest paths, exact over one failed switch of each claimed orbit"
	}
	var links, pairs float64
	for _, f := range failures {
		d, err := w.net.Distances(w.ctx, topology.DistanceOptions{Workers: w.e.opt.Workers, Fail: true, Failed: topology.SwitchID(f.Rep)})
		if err != nil {
			return err
		}
		g := figuresFrom(w.net, d)
		if g.unreachable > 0 {
			w.absent(metric.MeanPathLinksFail, fmt.Sprintf("%d of %d endpoint pairs are unreachable when a %s switch fails",
				g.unreachable, g.total, w.net.SwitchClasses[w.net.Class(topology.SwitchID(f.Rep))].Name))
			return nil
		}
		links += float64(g.Links * float64(f.Count))
		pairs += float64(float64(g.Pairs) * float64(f.Count))
	}
	if slices.ContainsFunc(w.d.Family.SwitchClasses, func(c topology.SwitchClass) bool { return c.SharesBox }) {
		text += "; switches that may share a box fail one by one"
	}
	w.exact(metric.MeanPathLinksFail, links/pairs, text)
	return nil
}

var routesGroup = group{keys: []metric.Key{metric.ShortestPaths}, after: []metric.Key{metric.MeanPathLinks}, methods: []method{
	{name: "count of shortest routes", level: 2, built: true, applies: func(w *work) string {
		if w.dist == nil {
			return w.res.Absent[metric.MeanPathLinks]
		}
		return ""
	}, cost: func(w *work) float64 { return 1.5 * loadNs(w, 1) }, usual: (*work).usualRoutesNs, run: runRoutes},
}}

func runRoutes(w *work) error {
	opt := routing.LoadOptions{Workers: w.e.opt.Workers, Routes: true}
	text := "mean over all pairs, parallel links counted one by one, exact"
	if o := w.symmetry().Endpoints; o != nil {
		opt.Orbits = o
		text = "mean over pairs to one endpoint of each claimed orbit, parallel links counted one by one, exact"
	}
	l, err := routing.UniformLoads(w.ctx, w.net, topology.Minimal(), opt)
	if err != nil {
		return err
	}
	w.exact(metric.ShortestPaths, l.Routes, text)
	return nil
}
