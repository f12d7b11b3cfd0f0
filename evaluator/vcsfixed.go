package evaluator

import (
	"errors"
	"slices"
	"strings"

	"toposearch/evaluator/metric"
	"toposearch/routing"
)

// vcs_fixed: switches that map a service level to one lane (InfiniBand without a table that changes
// lanes) leave a packet in its VC all the way. A routing that changes VC to be free of deadlock then
// needs its routes shared out over layers, one VC each.

// Ordered pairs of attachment sets whose routes are shared out one by one, at up to 100 us each,
// where simple assignments fail: a second for a look at everything, a minute for a question.
const (
	fixedPairs      = 10_000
	fixedPairsAsked = 600_000
)

var fixedGroup = group{keys: []metric.Key{metric.VCsFixed}, after: []metric.Key{metric.VCsMinimal}, methods: []method{
	{name: "one VC", level: 2, applies: func(w *work) string {
		switch {
		case !w.res.Have[metric.VCsMinimal]:
			return w.res.Absent[metric.VCsMinimal]
		case w.res.Metrics[metric.VCsMinimal].Value != 1:
			return "the routing changes VC"
		}
		return ""
	}, run: func(w *work) error {
		w.exact(metric.VCsFixed, 1, "the natural routing needs one VC, so that none is changed: "+w.res.Metrics[metric.VCsMinimal].Method)
		return nil
	}},
	{name: "layers of routes", level: 2, built: true, bytes: waitingBytes, applies: func(w *work) string {
		switch {
		case w.d.Family.Unidirectional:
			return "routes over channels without a partner are not put into layers"
		case !w.res.Have[metric.VCsMinimal]:
			return w.res.Absent[metric.VCsMinimal]
		}
		return ""
	}, cost: fixedNs, usual: usualFixedNs, run: runFixed},
}}

// fixedNs is the cost of a walk per destination over all routes to it, three times.
func fixedNs(w *work) float64 {
	return w.sets() * 3 * 4 * (w.channels() + w.vertices())
}

// usualFixedNs is what layers take mostly: the dependencies of all routes, and, unless there are too many pairs to be shared out, a search
// for a cycle for each of them, which looks at a part of the channels.
func usualFixedNs(w *work) float64 {
	pairs, most := w.sets()*w.sets(), float64(fixedPairs)
	if slices.Contains(w.req.Keys, metric.VCsFixed) {
		most = fixedPairsAsked
	}
	if pairs > most {
		return 1.2 * fixedNs(w)
	}
	return 1.2*fixedNs(w) + 5*pairs*w.channels()
}

func runFixed(w *work) error {
	pairs := fixedPairs
	if slices.Contains(w.req.Keys, metric.VCsFixed) {
		pairs = fixedPairsAsked
	}
	found, least, err := routing.FixedLayers(w.ctx, w.net, w.natural, pairs)
	switch {
	case errors.Is(err, routing.ErrLayers):
		w.absent(metric.VCsFixed, strings.TrimPrefix(err.Error(), "routing: "))
	case err != nil:
		return err
	case found == 1:
		w.exact(metric.VCsFixed, 1, "all natural routes together have no cycle of dependencies in one layer")
	case found == least:
		w.exact(metric.VCsFixed, float64(found), "natural routes shared out over layers, all of a pair in one; fewer have a cycle of dependencies")
	default:
		w.between(metric.VCsFixed, float64(found), float64(least), float64(found),
			"natural routes shared out over layers, all of a pair in one, each pair in the first that stays without a cycle of dependencies; lo: one layer has a cycle")
	}
	return nil
}
