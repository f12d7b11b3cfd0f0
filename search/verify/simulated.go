package verify

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"toposearch/evaluator/metric"
	"toposearch/objectives"
	"toposearch/search"
)

// promising is the part of a limit on the saturation load that a design's bound has to reach for
// the design to be simulated: 97 % of the load is asked to be accepted, of traffic of which not
// all needs the busiest channel.
const promising = 0.9

// worthSimulating are the members of a front that a measured limit can still admit; all, if
// there are none.
func worthSimulating(p *search.Problem, ms []search.Member) []bool {
	ok := make([]bool, len(ms))
	some := false
	for i, m := range ms {
		ok[i] = true
		for _, l := range p.SimLimits {
			j := slices.IndexFunc(p.Objectives, func(o objectives.Objective) bool { return o.Key == search.StandIns[l.Key] })
			if l.Key == metric.SimSaturation && !l.Max && p.Objectives[j].Value(m.Vector[j]) < promising*l.Bound {
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

// Finalists chooses designs of a front that are simulated, by their places in it, among those that measured limits can admit.
func Finalists(p *search.Problem, ms []search.Member) []int {
	ok := worthSimulating(p, ms)
	var some []search.Member
	var at []int
	for i, m := range ms {
		if ok[i] {
			some, at = append(some, m), append(at, i)
		}
	}
	chosen := finalists(p, some, p.Study.Verify.Finalists)
	for i, c := range chosen {
		chosen[i] = at[c]
	}
	return chosen
}

// rejudge makes the front of what was measured.
func Rejudge(p *search.Problem, f *search.Front) {
	if len(p.Simulated) == 0 {
		return
	}
	s := summary(p, f, len(f.Front))
	f.Simulated = s
	kept, vectors := admit(p, f, s)
	f.Front = []search.Record{}
	for i := range kept {
		if slices.ContainsFunc(vectors, func(v objectives.Vector) bool { return objectives.Dominates(v, vectors[i]) }) {
			s.Dominated = append(s.Dominated, kept[i].Design)
			continue
		}
		f.Front = append(f.Front, kept[i])
	}
	order(p, f)
	rejudged(f)
}

// summary begins to tell how measured metrics come into a front, of so many candidates, and names the objectives of the study.
func summary(p *search.Problem, f *search.Front, candidates int) *search.Simulated {
	s := &search.Simulated{StandIns: map[string]string{}, Candidates: candidates, Note: p.SimulatedNote()}
	for _, k := range p.Simulated {
		s.StandIns[metric.Keys[k].Name] = metric.Keys[search.StandIns[k]].Name
	}
	f.Objectives = nil
	for _, o := range p.Study.Objectives {
		f.Objectives = append(f.Objectives, o.Name())
		if search.SimulatedKey(o.Key) {
			s.Objectives = append(s.Objectives, o.Name())
		}
	}
	for _, l := range p.SimLimits {
		s.Limits = append(s.Limits, l.Name)
	}
	return s
}

// rejudged says that a front is no longer that of the search, which its completeness was about.
func rejudged(f *search.Front) {
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
func admit(p *search.Problem, f *search.Front, s *search.Simulated) (kept []search.Record, vectors []objectives.Vector) {
	for _, r := range f.Front {
		missing := r.Verified == nil
		for _, k := range p.Simulated {
			_, ok := ValueOf(p, k, &r)
			missing = missing || !ok
		}
		if missing {
			s.NotMeasured = append(s.NotMeasured, r.Design)
			continue
		}
		s.Measured++
		met := true
		for _, l := range p.SimLimits {
			x, _ := ValueOf(p, l.Key, &r)
			if m, missed := l.Miss(x); missed {
				met = false
				s.Rejected = append(s.Rejected, search.SimMiss{Design: r.Design, Miss: m})
			}
		}
		if !met {
			continue
		}
		v := vectorOf(p, &r)
		r.Objectives = map[string]float64{}
		for i, o := range p.Study.Objectives {
			r.Objectives[o.Name()] = o.Value(v[i])
		}
		addMeasured(p, &r)
		kept, vectors = append(kept, r), append(vectors, v)
	}
	return kept, vectors
}

// addMeasured puts what was measured among the metrics.
func addMeasured(p *search.Problem, r *search.Record) {
	for _, k := range p.Simulated {
		x, _ := ValueOf(p, k, r)
		l := &Result{Traffic: "uniform", Routing: r.Verified.Routing, Model: r.Verified.Model, VCs: r.Verified.VCs, Cycles: r.Verified.Cycles, Precision: r.Verified.Precision, Gbps: r.Verified.Gbps}
		m := metric.Figure{Value: x, Lo: x, Hi: x, Unit: metric.Keys[k].Unit, Method: l.how(p.Study.Verify.Packet)}
		text := saturationText
		if k == metric.SimSaturation {
			m.Hi = max(x, r.Verified.SaturatedAt["uniform"])
		} else {
			m.Lo, m.Hi, text = search.HalfLoadInterval(x, r.Verified.HalfLoadCI("uniform"))
		}
		m.Method += "; " + text
		name := metric.Keys[k].Name
		delete(r.Absent, name)
		r.Metrics[name] = m
	}
}

// noneSimulated says why a front is empty after finalists were simulated.
func NoneSimulated(p *search.Problem, s *search.Simulated) string {
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
		got, bound := p.Apart(best.Metric, best.Got, best.Bound)
		text += fmt.Sprintf(": the nearest is %s with %s %s against %s", best.Design, best.Metric, got, bound)
	}
	if len(s.NotMeasured) > 0 {
		text += "; more finalists in [verify] would simulate more of them"
	}
	return text
}

// vectorOf is a record's vector in the objectives of the study.
func vectorOf(p *search.Problem, r *search.Record) objectives.Vector {
	v := make(objectives.Vector, len(p.Study.Objectives))
	for i, o := range p.Study.Objectives {
		x, ok := ValueOf(p, o.Key, r)
		if v[i] = o.Cost(x); !ok {
			v[i] = math.Inf(1)
		}
	}
	return v
}

// order sorts a front by objectives, then by name.
func order(p *search.Problem, f *search.Front) {
	slices.SortFunc(f.Front, func(a, b search.Record) int {
		if c := slices.Compare(vectorOf(p, &a), vectorOf(p, &b)); c != 0 {
			return c
		}
		return strings.Compare(a.Design, b.Design)
	})
}
