package search

import (
	"slices"

	"toposearch/constraints"
	"toposearch/evaluator/metric"
	"toposearch/objectives"
)

// StandIns are metrics that closed forms and graphs give, and that go with the measured ones: the
// load at which the busiest channel is full bounds the saturation load, and at half of it a packet
// spends most of its time on its hops.
var StandIns = map[metric.Key]metric.Key{
	metric.SimSaturation:      metric.UniformThroughput,
	metric.SimLatencyHalfLoad: metric.MeanHops,
}

// SimulatedKey reports whether only the simulator measures a metric.
func SimulatedKey(k metric.Key) bool { return metric.Keys[k].Level >= 4 }

// standFor replaces measured metrics by their stand-ins, and keeps the limits on them apart.
func standFor(objs []objectives.Objective, limits []constraints.Limit) (steered []objectives.Objective, judged []constraints.Limit,
	simulated []metric.Key, later []constraints.Limit) {
	for _, o := range objs {
		if !SimulatedKey(o.Key) {
			steered = append(steered, o)
		}
	}
	standIn := func(k metric.Key) {
		s := StandIns[k]
		if !slices.ContainsFunc(steered, func(o objectives.Objective) bool { return o.Key == s }) {
			steered = append(steered, objectives.Of(s, metric.Keys[s].Better))
		}
		simulated = append(simulated, k)
	}
	for _, o := range objs {
		if SimulatedKey(o.Key) {
			standIn(o.Key)
		}
	}
	for _, l := range limits {
		if SimulatedKey(l.Key) {
			standIn(l.Key)
			later = append(later, l)
		} else {
			judged = append(judged, l)
		}
	}
	slices.Sort(simulated)
	return steered, judged, slices.Compact(simulated), later
}
