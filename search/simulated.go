package search

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"toposearch/constraints"
	"toposearch/evaluator/metric"
	"toposearch/objectives"
)

// Simulated says how metrics that only the simulator measures came into a front. A simulation
// takes seconds where a search asks for a hundred thousand designs, so that it is steered by a
// stand-in for each of them; finalists of the front found are simulated, and the front is judged
// again among those, by what was measured.
type Simulated struct {
	Objectives []string `json:"objectives,omitempty"` // of the study, measured
	Limits     []string `json:"limits,omitempty"`
	// StandIns gives the metric by which the search was steered in the place of a measured one.
	StandIns   map[string]string `json:"stand_ins"`
	Candidates int               `json:"candidates"` // designs on the front of the search
	Measured   int               `json:"measured"`   // of them
	// Why candidates are not on the front.
	Rejected    []SimMiss `json:"rejected,omitempty"`
	Dominated   []string  `json:"dominated,omitempty"`
	NotMeasured []string  `json:"not_measured,omitempty"`
	Note        string    `json:"note"`
}

// SimMiss is a measured limit that a design does not meet.
type SimMiss struct {
	Design string `json:"design"`
	Miss
}

// standIns are metrics that closed forms and graphs give, and that go with the measured ones: the
// load at which the busiest channel is full bounds the saturation load, and at half of it a packet
// spends most of its time on its hops.
var standIns = map[metric.Key]metric.Key{
	metric.SimSaturation:      metric.UniformThroughput,
	metric.SimLatencyHalfLoad: metric.MeanHops,
}

// promising is the part of a limit on the saturation load that a design's bound has to reach for
// the design to be simulated: 97 % of the load is asked to be accepted, of traffic of which not
// all needs the busiest channel.
const promising = 0.9

func simulatedKey(k metric.Key) bool { return metric.Keys[k].Level == 4 }

// standFor replaces measured metrics by their stand-ins, and keeps the limits on them for later.
func (p *Problem) standFor() {
	var objs []objectives.Objective
	for _, o := range p.study.Objectives {
		if !simulatedKey(o.Key) {
			objs = append(objs, o)
		}
	}
	standIn := func(k metric.Key) {
		s := standIns[k]
		if !slices.ContainsFunc(objs, func(o objectives.Objective) bool { return o.Key == s }) {
			o := objectives.Objective{Key: s, Better: metric.Keys[s].Better}
			o.Enough = objectives.Enough(o) // no endpoint sends more: measurements change no more
			objs = append(objs, o)
		}
		p.simulated = append(p.simulated, k)
	}
	for _, o := range p.study.Objectives {
		if simulatedKey(o.Key) {
			standIn(o.Key)
		}
	}
	var limits []constraints.Limit
	for _, l := range p.limits {
		if simulatedKey(l.Key) {
			standIn(l.Key)
			p.simLimits = append(p.simLimits, l)
		} else {
			limits = append(limits, l)
		}
	}
	if len(p.simulated) > 0 {
		slices.Sort(p.simulated)
		p.simulated = slices.Compact(p.simulated)
		p.objectives, p.limits = objs, limits
	}
}

// SimulatedNote says in a sentence what is measured on finalists only; "" if nothing is.
func (p *Problem) SimulatedNote() string {
	if len(p.simulated) == 0 {
		return ""
	}
	var names, by []string
	for _, k := range p.simulated {
		names = append(names, metric.Keys[k].Name)
		by = append(by, metric.Keys[standIns[k]].Name)
	}
	verb := "is"
	if len(names) > 1 {
		verb = "are"
	}
	return fmt.Sprintf("%s %s measured on at most %d finalists, not on the whole space: the search is steered by %s in its place, and the front is judged again among the finalists by what was measured",
		strings.Join(names, " and "), verb, p.study.Verify.Finalists, strings.Join(by, " and "))
}

// worthSimulating are the members of a front that a measured limit can still admit; all, if
// there are none.
func (p *Problem) worthSimulating(ms []member) []bool {
	ok := make([]bool, len(ms))
	some := false
	for i, m := range ms {
		ok[i] = true
		for _, l := range p.simLimits {
			j := slices.IndexFunc(p.objectives, func(o objectives.Objective) bool { return o.Key == standIns[l.Key] })
			if l.Key == metric.SimSaturation && !l.Max && p.objectives[j].Value(m.vector[j]) < promising*l.Bound {
				ok[i] = false
			}
		}
		some = some || ok[i]
	}
	if !some {
		for i := range ok {
			ok[i] = true
		}
	}
	return ok
}

// simFinalists chooses finalists among the members that measured limits can admit.
func (p *Problem) simFinalists(ms []member) []int {
	ok := p.worthSimulating(ms)
	var some []member
	var at []int
	for i, m := range ms {
		if ok[i] {
			some, at = append(some, m), append(at, i)
		}
	}
	chosen := p.finalists(some, p.study.Verify.Finalists)
	for i, c := range chosen {
		chosen[i] = at[c]
	}
	return chosen
}

// rejudge makes the front of what was measured.
func (p *Problem) rejudge(f *Front) {
	if len(p.simulated) == 0 {
		return
	}
	s := &Simulated{StandIns: map[string]string{}, Candidates: len(f.Front), Note: p.SimulatedNote()}
	for _, k := range p.simulated {
		s.StandIns[metric.Keys[k].Name] = metric.Keys[standIns[k]].Name
	}
	f.Objectives = nil
	for _, o := range p.study.Objectives {
		f.Objectives = append(f.Objectives, o.Name())
		if simulatedKey(o.Key) {
			s.Objectives = append(s.Objectives, o.Name())
		}
	}
	for _, l := range p.simLimits {
		s.Limits = append(s.Limits, l.Name)
	}
	f.Simulated = s
	kept, vectors := p.admit(f, s)
	f.Front = []Record{}
	for i := range kept {
		if slices.ContainsFunc(vectors, func(v objectives.Vector) bool { return objectives.Dominates(v, vectors[i]) }) {
			s.Dominated = append(s.Dominated, kept[i].Design)
			continue
		}
		f.Front = append(f.Front, kept[i])
	}
	p.order(f)
	f.Complete, f.LocallyComplete = false, false
	for i := range f.Counts.Families {
		c := &f.Counts.Families[i]
		c.OnFront = 0
		for j := range f.Front {
			if f.Front[j].Family == c.Family {
				c.OnFront++
			}
		}
	}
}

// admit gives the candidates that were measured and meet the measured limits, with their vectors.
func (p *Problem) admit(f *Front, s *Simulated) (kept []Record, vectors []objectives.Vector) {
	for _, r := range f.Front {
		missing := r.Verified == nil
		for _, k := range p.simulated {
			_, ok := p.valueOf(k, &r)
			missing = missing || !ok
		}
		if missing {
			s.NotMeasured = append(s.NotMeasured, r.Design)
			continue
		}
		s.Measured++
		met := true
		for _, l := range p.simLimits {
			x, _ := p.valueOf(l.Key, &r)
			if v := l.Violation(x); v > 0 {
				met = false
				s.Rejected = append(s.Rejected, SimMiss{r.Design, Miss{Constraint: l.Name, Metric: metric.Keys[l.Key].Name, Got: x,
					Bound: l.Bound, Violation: v, Origin: originOf(l.Origin)}})
			}
		}
		if !met {
			continue
		}
		v := p.vectorOf(&r)
		r.Objectives = map[string]float64{}
		for i, o := range p.study.Objectives {
			r.Objectives[o.Name()] = o.Value(v[i])
		}
		p.addMeasured(&r)
		kept, vectors = append(kept, r), append(vectors, v)
	}
	return kept, vectors
}

// satWidth is how far above the load found the saturation load may lie, as a fraction of that.
const satWidth = 0.02

// addMeasured puts what was measured among the metrics.
func (p *Problem) addMeasured(r *Record) {
	for _, k := range p.simulated {
		x, _ := p.valueOf(k, r)
		m := metric.Figure{Value: x, Lo: x, Hi: x, Unit: metric.Keys[k].Unit, Method: "flit-level simulation, uniform traffic, routing " + r.Verified.Routing}
		if k == metric.SimSaturation {
			m.Hi = min(1, x/(1-satWidth))
		}
		name := metric.Keys[k].Name
		delete(r.Absent, name)
		r.Metrics[name] = m
	}
}

// noneSimulated says why a front is empty after finalists were simulated.
func (p *Problem) noneSimulated(s *Simulated) string {
	if s.Candidates == 0 {
		return "the search ended before a feasible design was found"
	}
	text := fmt.Sprintf("none of the %d finalists that were simulated, of %d candidates, meets what the simulator is asked to measure", s.Measured, s.Candidates)
	if len(s.Rejected) > 0 {
		best := s.Rejected[0]
		for _, m := range s.Rejected {
			if m.Violation < best.Violation {
				best = m
			}
		}
		text += fmt.Sprintf(": the nearest is %s with %s %s against %s", best.Design, best.Metric, p.amount(best.Metric, best.Got), p.amount(best.Metric, best.Bound))
	}
	if len(s.NotMeasured) > 0 {
		text += "; more finalists in [verify] would simulate more of them"
	}
	return text
}

// vectorOf is a record's vector in the objectives of the study.
func (p *Problem) vectorOf(r *Record) objectives.Vector {
	v := make(objectives.Vector, len(p.study.Objectives))
	for i, o := range p.study.Objectives {
		x, ok := p.valueOf(o.Key, r)
		if v[i] = o.Cost(x); !ok {
			v[i] = math.Inf(1)
		}
	}
	return v
}

// order sorts a front by objectives, then by name.
func (p *Problem) order(f *Front) {
	slices.SortFunc(f.Front, func(a, b Record) int {
		if c := slices.Compare(p.vectorOf(&a), p.vectorOf(&b)); c != 0 {
			return c
		}
		return strings.Compare(a.Design, b.Design)
	})
}
