package evaluator

import (
	"fmt"
	"slices"

	"toposearch/evaluator/metric"
	"toposearch/routing"
	"toposearch/workload"
	"toposearch/workload/collective"
	"toposearch/workload/placed"
)

// Which paths an all-to-all of a step may take besides the routes of a design: what packets may do of which the routing that the
// design can take is one that makes detours, or whose switches take any path that a source names (topology.Family.AllPaths).

// detours are they, with the words for them; nil: packets keep to the routes. r has the routes; nil: the design is a shape.
func (w *work) detours(r *routing.Router) (*placed.Detours, string) {
	if w.e.opt.Routing == RoutingMinimal || w.byTables() || w.severalPorts() {
		return nil, ""
	}
	d, words := &placed.Detours{}, ""
	if all := w.allowed(); slices.ContainsFunc(all, makesDetours) {
		d.Endpoints, words = true, "detours of "+all[slices.IndexFunc(all, makesDetours)].Name
	}
	if w.d.Family.AllPaths && w.e.deployed && w.fitsAllPaths() {
		d.Lines, d.Endpoints, words = true, true, "paths that sources name"
	}
	if words == "" {
		return nil, ""
	}
	if r != nil {
		d.Split = placed.AnyEndpoint(r, w.linkCapacity(), false, w.e.opt.Workers).Split
	}
	return d, fmt.Sprintf("; all-to-alls also over %s, in as good a part as there is", words)
}

func makesDetours(a Algorithm) bool { return a.Detours }

// fitsAllPaths tells whether paths of sources, which need twice the VCs of the rule (simcore/route, apr_detour), fit.
func (w *work) fitsAllPaths() bool {
	return w.e.opt.MaxVCs == 0 || w.res.Have[metric.VCsMinimal] && 2*w.res.Metrics[metric.VCsMinimal].Value <= float64(w.e.opt.MaxVCs)
}

// overPaths says over which paths the all-to-alls of a step go, "" if it has none or they keep to the routes.
func (w *work) overPaths(x *workload.Training) string {
	if !slices.ContainsFunc(x.Communications(), func(c workload.Communication) bool { return c.Kind == collective.AllToAll }) {
		return ""
	}
	return w.pathsText
}
