package search

import (
	"fmt"
	"slices"
	"strings"

	"toposearch/constraints"
	"toposearch/evaluator/metric"
	"toposearch/objectives"
)

// standIns are metrics that closed forms and graphs give, and that go with the measured ones: the
// load at which the busiest channel is full bounds the saturation load, and at half of it a packet
// spends most of its time on its hops.
var StandIns = map[metric.Key]metric.Key{
	metric.SimSaturation:      metric.UniformThroughput,
	metric.SimLatencyHalfLoad: metric.MeanHops,
}

func SimulatedKey(k metric.Key) bool { return metric.Keys[k].Level == 4 }

// standFor replaces measured metrics by their stand-ins, and keeps the limits on them for later.
func (p *Problem) standFor() {
	var objs []objectives.Objective
	for _, o := range p.Study.Objectives {
		if !SimulatedKey(o.Key) {
			objs = append(objs, o)
		}
	}
	standIn := func(k metric.Key) {
		s := StandIns[k]
		if !slices.ContainsFunc(objs, func(o objectives.Objective) bool { return o.Key == s }) {
			o := objectives.Objective{Key: s, Better: metric.Keys[s].Better}
			o.Enough = objectives.Enough(o) // no endpoint sends more: measurements change no more
			objs = append(objs, o)
		}
		p.Simulated = append(p.Simulated, k)
	}
	for _, o := range p.Study.Objectives {
		if SimulatedKey(o.Key) {
			standIn(o.Key)
		}
	}
	var limits []constraints.Limit
	for _, l := range p.Limits {
		if SimulatedKey(l.Key) {
			standIn(l.Key)
			p.SimLimits = append(p.SimLimits, l)
		} else {
			limits = append(limits, l)
		}
	}
	if len(p.Simulated) > 0 {
		slices.Sort(p.Simulated)
		p.Simulated = slices.Compact(p.Simulated)
		p.Objectives, p.Limits = objs, limits
	}
}

// SimulatedNote says in a sentence what is measured on finalists only; "" if nothing is.
func (p *Problem) SimulatedNote() string {
	if len(p.Simulated) == 0 {
		return ""
	}
	var names, by []string
	for _, k := range p.Simulated {
		names = append(names, metric.Keys[k].Name)
		by = append(by, metric.Keys[StandIns[k]].Name)
	}
	verb := "is"
	if len(names) > 1 {
		verb = "are"
	}
	return fmt.Sprintf("%s %s measured on at most %d finalists, not on the whole space: the search is steered by %s in its place, and the front is judged again among the finalists by what was measured",
		strings.Join(names, " and "), verb, p.Study.Verify.Finalists, strings.Join(by, " and "))
}
