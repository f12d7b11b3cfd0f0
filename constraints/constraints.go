// Package constraints holds what procurement and the building allow: limits on metrics, read from
// constraint files, with the file and line behind each. Several files combine, the strictest
// limit winning. What changes an evaluation rather than judging it (reach, models, floor, rack
// limits) goes into evaluator.Options.
package constraints

import (
	"math"

	"toposearch/catalog"
	"toposearch/diag"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
)

// Origin is where something was written, and how.
type Origin struct {
	Name string   // constraint or setting: "building.power"
	Text string   // as written: `2 MW`
	Pos  diag.Pos // of the value
}

// Limit is a bound on a metric that must hold.
type Limit struct {
	Key   metric.Key
	Name  string // as printed in rejections: "switch.ports", "limits.mean_hops"
	Max   bool   // at most Bound; otherwise at least Bound
	Bound float64
	// Origin is the strictest; Weaker are the others in force on the same metric and side.
	Origin Origin
	Weaker []Origin
}

// Violation is 0 if got meets the limit, else the fraction of the bound by which it misses; past
// a bound of 0, the excess itself. An absent value (NaN) meets nothing: it counts as 1.
func (l *Limit) Violation(got float64) float64 {
	if math.IsNaN(got) {
		return 1
	}
	over := got - l.Bound
	if !l.Max {
		over = -over
	}
	// The slack forgives the last bits of sums, not a difference that anyone states.
	if scale := math.Abs(l.Bound); over > scale*1e-12 {
		if scale > 0 {
			over /= scale
		}
		return over
	}
	return 0
}

// Set is all limits that a study puts on its designs.
type Set struct {
	Limits   []Limit  // by level of the metric, then by key, minimum before maximum
	Settings []Origin // what was written that changes evaluation, by name
	// Unjudged is what was written and cannot be judged by this version; each is also a warning.
	Unjudged []Origin
	settings []setting
}

// Apply merges what changes evaluation into o; fields that no file sets stay as they are.
func (s *Set) Apply(o *evaluator.Options) {
	for i := range s.settings {
		s.settings[i].apply(o)
	}
}

// SwitchLimits is what a site allows of switches.
func SwitchLimits(s *evaluator.Site) catalog.SwitchLimits {
	return catalog.SwitchLimits{Models: s.SwitchModels, MaxPorts: s.MaxSwitchPorts, PortGbps: s.SwitchPortGbps, NoBreakout: s.NoBreakout, MaxBuffer: s.BufferBytes}
}

// Reach is what a site allows of cables.
func Reach(s *evaluator.Site) catalog.Reach {
	return catalog.Reach{MaxM: s.ReachM, MediumM: s.MediumReachM}
}

// OriginOf finds where the limit or setting of a name was written: the name of a rejection.
func (s *Set) OriginOf(name string) (Origin, bool) {
	for i := range s.Limits {
		if s.Limits[i].Name == name {
			return s.Limits[i].Origin, true
		}
	}
	for _, o := range s.Settings {
		if o.Name == name {
			return o, true
		}
	}
	return Origin{}, false
}

// UpTo gives the limits that can be judged with metrics of levels up to level: a prefix of
// Limits.
func (s *Set) UpTo(level int) []Limit {
	n := 0
	for n < len(s.Limits) && metric.Keys[s.Limits[n].Key].Level <= level {
		n++
	}
	return s.Limits[:n]
}

// Level is the highest level of the ladder that the limits need.
func (s *Set) Level() int {
	if n := len(s.Limits); n > 0 {
		return metric.Keys[s.Limits[n-1].Key].Level
	}
	return 0
}

// Judge sums the violations of limits by values, NaN for what is absent, and gives the index of
// the limit that is missed most, -1 if all are met. It does not allocate.
func Judge(limits []Limit, values *[metric.Count]float64) (total float64, worst int) {
	worst = -1
	most := 0.0
	for i := range limits {
		v := limits[i].Violation(values[limits[i].Key])
		total += v
		if v > most {
			most, worst = v, i
		}
	}
	return total, worst
}

// JudgeResult is Judge for the metrics of a result; a metric that it should have and lacks counts
// as missed. What there is no part for adds its own violation; worst is -1 if that, or nothing,
// is missed most.
func JudgeResult(limits []Limit, r *evaluator.Result) (total float64, worst int) {
	worst = -1
	most := r.Reject.Violation()
	total = most
	for i := range limits {
		l := &limits[i]
		got := math.NaN()
		if r.Have[l.Key] {
			got = r.Metrics[l.Key].Value
		}
		v := l.Violation(got)
		total += v
		if v > most {
			most, worst = v, i
		}
	}
	return total, worst
}

// Certain sums the violations that intervals leave no doubt of, and gives the index of the limit
// missed most, -1 if none is certain to be missed. It does not allocate.
func Certain(limits []Limit, in *metric.Intervals) (total float64, worst int) {
	worst = -1
	most := 0.0
	for i := range limits {
		l := &limits[i]
		if !in.Have[l.Key] {
			continue
		}
		best := in.At[l.Key].Lo
		if !l.Max {
			best = in.At[l.Key].Hi
		}
		v := l.Violation(best)
		total += v
		if v > most {
			most, worst = v, i
		}
	}
	return total, worst
}

// Text says the limit in words: `switch.ports at most 64 (site.toml:4:18)`.
func (l *Limit) Text() string {
	side := "at least "
	if l.Max {
		side = "at most "
	}
	s := l.Name + " " + side + l.format(l.Bound)
	if p := l.Origin.Pos.String(); p != "" {
		s += " (" + p + ")"
	}
	return s
}
