package evaluator

import (
	"errors"
	"slices"
	"strings"

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

var fixedGroup = group{keys: []Key{VCsFixed}, after: []Key{VCsMinimal}, methods: []method{
	{name: "one VC", level: 2, applies: func(w *work) string {
		switch {
		case !w.res.Have[VCsMinimal]:
			return w.res.Absent[VCsMinimal]
		case w.res.Metrics[VCsMinimal].Value != 1:
			return "the routing changes VC"
		}
		return ""
	}, run: func(w *work) error {
		w.exact(VCsFixed, 1, "the natural routing needs one VC, so that none is changed: "+w.res.Metrics[VCsMinimal].Method)
		return nil
	}},
	{name: "layers of routes", level: 2, built: true, applies: func(w *work) string {
		switch {
		case w.d.Family.Unidirectional:
			return "routes over channels without a partner are not put into layers"
		case !w.res.Have[VCsMinimal]:
			return w.res.Absent[VCsMinimal]
		}
		return ""
	}, cost: fixedNs, run: runFixed},
}}

// fixedNs is the cost of a walk per destination over all routes to it, three times.
func fixedNs(w *work) float64 {
	return w.sets() * 3 * 4 * (w.channels() + w.vertices())
}

func runFixed(w *work) error {
	pairs := fixedPairs
	if slices.Contains(w.req.Keys, VCsFixed) {
		pairs = fixedPairsAsked
	}
	found, least, err := routing.FixedLayers(w.ctx, w.net, w.natural, pairs)
	switch {
	case errors.Is(err, routing.ErrLayers):
		w.absent(VCsFixed, strings.TrimPrefix(err.Error(), "routing: "))
	case err != nil:
		return err
	case found == 1:
		w.exact(VCsFixed, 1, "all natural routes together have no cycle of dependencies in one layer")
	case found == least:
		w.exact(VCsFixed, float64(found), "natural routes shared out over layers, all of a pair in one; fewer have a cycle of dependencies")
	default:
		w.between(VCsFixed, float64(found), float64(least), float64(found),
			"natural routes shared out over layers, all of a pair in one, each pair in the first that stays without a cycle of dependencies; lo: one layer has a cycle")
	}
	return nil
}
