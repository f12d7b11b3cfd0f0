package evaluator

import (
	"context"
	"fmt"

	"toposearch/internal/crew"
	"toposearch/topology"
)

// Histogram counts ordered pairs of distinct endpoints by the links of their routes.
type Histogram struct {
	Pairs []int64 `json:"pairs"` // by path_links; exact
	// Method says over which routes.
	Method string `json:"method"`
	// Why says why there is none, "" where there is one.
	Why string `json:"why,omitempty"`
}

// histogramNs bounds, by the cost model, the search behind a histogram: two designs side by side stay within seconds.
const histogramNs = 4e9

// Histogram counts how long the routes are that mean_path_links is a mean of: exact, by a search on the network. It has none of a network
// whose search would take too long or too much memory, or that has endpoints apart, and says so. The error is for designs that do not exist
// and for cancellation.
func (e *Evaluator) Histogram(ctx context.Context, d topology.Design) (h *Histogram, err error) {
	defer crew.Doing(func() string { return fmt.Sprintf("counting the distances of %s", d) })
	defer topology.Finish(&err)
	e = e.of(d)
	w := &work{e: e, ctx: ctx, d: d, res: &Result{Design: d}}
	w.size = &w.res.Size
	if err := d.Family.Size(d.V, w.size); err != nil {
		return nil, fmt.Errorf("%s: %w", d, err)
	}
	defer w.done()
	w.prepare()
	if w.size.Endpoints < 2 {
		return &Histogram{Why: "there is no pair of endpoints"}, nil
	}
	if why := w.tooMuch("the network", w.networkBytes()); why != "" {
		return &Histogram{Why: why}, nil
	}
	if ns := 10 * (w.channels() + w.vertices()); ns > histogramNs { // building it, 10 ns a channel
		return &Histogram{Why: fmt.Sprintf("building the network would take some %.0f s", ns/1e9)}, nil
	}
	if err := w.build(); err != nil {
		return nil, err
	}
	orbits := w.symmetry().Endpoints
	if ns := searchNs(w) * w.ruleWork(); ns > histogramNs {
		return &Histogram{Why: fmt.Sprintf("a search between all endpoints would take some %.0f s", ns/1e9)}, nil
	}
	dist, err := w.net.Distances(ctx, topology.DistanceOptions{Workers: e.opt.Workers, Orbits: orbits, Rule: w.rule()})
	if err != nil {
		return nil, err
	}
	if dist.Unreachable > 0 {
		return &Histogram{Why: fmt.Sprintf("%d endpoint pairs are unreachable by %s", dist.Unreachable, w.routesText())}, nil
	}
	ends := 2 // the links by which endpoints hang
	if w.net.LinkClasses[0].Name == topology.ClassInternal {
		ends = 0
	}
	h = &Histogram{Method: w.routesText() + ", search between all endpoints, exact"}
	for l, n := range dist.Pairs {
		for n > 0 && len(h.Pairs) <= l+ends {
			h.Pairs = append(h.Pairs, 0)
		}
		if n > 0 {
			h.Pairs[l+ends] = n
		}
	}
	return h, nil
}
