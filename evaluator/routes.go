package evaluator

import (
	"fmt"

	"toposearch/evaluator/route"
	"toposearch/topology"
)

// Which routes figures are of: those of the routing that the options ask for, the natural one of the family
// unless it is all shortest paths. Throughput, paths and latency all ask here.

func knownRouting(name string) bool {
	switch name {
	case "", RoutingNatural, RoutingMinimal, RoutingValiant, RoutingLASH, RoutingDFSSSP:
		return true
	}
	return false
}

// byTables tells whether the routing that is asked for has one path for each pair, a shortest one.
func (w *work) byTables() bool {
	return w.e.opt.Routing == RoutingLASH || w.e.opt.Routing == RoutingDFSSSP
}

// rule is the routing that throughput is computed under; Valiant's phases use the natural one.
func (w *work) rule() topology.Rule {
	if w.e.opt.Routing == RoutingMinimal || w.byTables() {
		return topology.Minimal()
	}
	return w.natural
}

// routingText names the routing in a method.
func (w *work) routingText() string {
	switch a := w.routing(); {
	case a.Always:
		return "valiant routing over " + w.rule().Name + " routes"
	case a.Detours:
		return w.splitText() + ": all direct, since detours load every channel more"
	case a.Tables:
		return fmt.Sprintf("%s, one shortest path for each pair, in %d layers", a.Name, w.named[a.Name].layers)
	case a.Single && w.hashes != nil:
		return a.Name + " (" + w.rule().Name + "), each flow on one path: " + w.hashes.words()
	}
	return w.routesText()
}

// splitText names a routing that chooses between direct routes and detours.
func (w *work) splitText() string {
	return w.routing().Name + ", the best split into direct routes (" + w.rule().Name + ") and detours"
}

// words say what the throughput is, and its bounds.
func (h *hashed) words() string {
	switch {
	case h.sure:
		return "no flow has a choice, so that it is that of an even split"
	case h.text == "":
		return "shown is an even split, of which hashes carry a part that is not computed where loads are only enclosed, so that lo is 0"
	}
	return "one over the load of the busiest channel that is expected of random hashes (each hash carries its own, a simulation that of one), from " + h.text +
		"; hi is all capacity over all hops, for any hash, lo 0 since nothing is proven of one"
}

// routesText names the routing in a method of what is said of single routes, of which those of Valiant's
// routing are the legs.
func (w *work) routesText() string {
	text := "natural routing (" + w.rule().Name + ")"
	switch {
	case w.e.opt.Routing == RoutingMinimal:
		return "shortest paths"
	case w.byTables():
		return w.e.opt.Routing + ", one shortest path for each pair"
	case w.e.opt.Routing == RoutingValiant:
		text += " without detours"
	}
	return text
}

// naturalPaths is the closed form of the natural routes, nil if there is none.
func (w *work) naturalPaths() *topology.Paths {
	if w.havePaths == 0 {
		w.havePaths = -1
		f := w.d.Family
		if f.Paths != nil && !w.e.scaled(f) && !w.e.opt.built {
			if route.Natural(f, w.d.V, &w.paths) {
				w.havePaths = 1
			}
		}
	}
	if w.havePaths < 0 {
		return nil
	}
	return &w.paths
}

// shortPaths is the closed form of the shortest routes, nil if there is none.
func (w *work) shortPaths() *topology.Paths {
	p := w.naturalPaths()
	if p != nil && p.Shortest {
		return p
	}
	f := w.d.Family
	if w.haveShort == 0 {
		w.haveShort = -1
		if f.Distances != nil && !w.e.scaled(f) && !w.e.opt.built {
			if route.Shortest(f, w.d.V, &w.shortest) {
				w.haveShort = 1
			}
		}
	}
	if w.haveShort < 0 {
		return nil
	}
	return &w.shortest
}

// routePaths is the closed form of the routes that the routing asked for takes, nil if there is none. Those of
// Valiant's routing are the legs of its detours.
func (w *work) routePaths() *topology.Paths {
	switch {
	case w.byTables(): // which of the shortest is taken
		return nil
	case w.e.opt.Routing == RoutingMinimal:
		return w.shortPaths()
	}
	return w.naturalPaths()
}

// takesShortest tells whether routes are known to be shortest paths.
func (w *work) takesShortest() bool {
	p := w.routePaths()
	r := w.rule()
	return p != nil && p.Shortest || r.Free()
}
