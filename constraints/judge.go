package constraints

import (
	"math"

	"toposearch/evaluator/metric"
)

// Names under which designs are rejected that break no limit of a constraint file.
const (
	NoNetwork    = "no network"      // the values do not make a network
	Window       = "endpoints.count" // outside the endpoints that a study asks for
	AbsentPrefix = "absent "         // and the name of an objective: it has no value of it
)

// Violations that are no fraction of a limit.
const (
	impossible = 1e9  // of what is no network: farther off than anything that is one
	least      = 1e-9 // of a part that is missed by nothing that can be measured
)

// Judge decides what is out: designs by their counts and by the values of their metrics, sets of designs by
// intervals around these. It is the only place where that is decided.
type Judge struct {
	Min, Max int64 // endpoints that are asked for, both ends included
	Limits   []Limit
	// Compared are the metrics of the objectives: a design without a value of one cannot be compared, and is
	// out.
	Compared []metric.Key
}

// Verdict is what a judgement finds. The zero value: nothing speaks against the design.
type Verdict struct {
	Constraint string  // the name of what is missed most, "" if nothing is
	Violation  float64 // summed over all that is missed, each as a fraction of its bound
}

// WindowViolation is how far a number of endpoints lies outside the window, as a fraction of the smaller of
// the two: half of what is asked for is as far off as twice as much, and next to nothing is farther off than
// anything else.
func (j *Judge) WindowViolation(n int64) float64 {
	switch {
	case n < j.Min:
		return float64(j.Min-n) / float64(max(n, 1))
	case n > j.Max:
		return float64(n-j.Max) / float64(max(j.Max, 1))
	}
	return 0
}

// Size judges a design by what counting it gave: its endpoints, or an error where there is no such network.
// What is outside the window violates more than 1, so that a search comes into the window first.
func (j *Judge) Size(endpoints int64, err error) Verdict {
	if err != nil {
		return Verdict{NoNetwork, impossible}
	}
	if v := j.WindowViolation(endpoints); v > 0 {
		return Verdict{Window, v + 1}
	}
	return Verdict{}
}

// Excludes names what every design within the intervals misses for certain: a part that none has, the first
// limit in order, or a metric that all of them lack. It is "" if one of them may be feasible.
func (j *Judge) Excludes(iv *metric.Intervals) string {
	if iv.Reject.Constraint != "" {
		return iv.Reject.Constraint
	}
	for i := range j.Limits {
		if l := &j.Limits[i]; !iv.Lacks.Has(l.Key) && l.AtBest(iv) > 0 {
			return l.Name
		}
	}
	return j.lacking(iv)
}

// lacking names the first limit or objective whose metric all designs within the intervals lack.
func (j *Judge) lacking(iv *metric.Intervals) string {
	if iv.Lacks == 0 {
		return ""
	}
	for i := range j.Limits {
		if iv.Lacks.Has(j.Limits[i].Key) {
			return j.Limits[i].Name
		}
	}
	for _, k := range j.Compared {
		if iv.Lacks.Has(k) {
			return AbsentPrefix + metric.Keys[k].Name
		}
	}
	return ""
}

// Intervals sums what the best design within the intervals misses for certain.
func (j *Judge) Intervals(iv *metric.Intervals) Verdict {
	v := rejected(iv.Reject, 0)
	v.Violation += iv.Reject.Ports.Short().Violation()
	named, most := v.Constraint != "", 0.0
	for i := range j.Limits {
		x := j.Limits[i].AtBest(iv)
		v.Violation += x
		if x > most && !named {
			most, v.Constraint = x, j.Limits[i].Name
		}
	}
	if v.Constraint == "" {
		if why := j.lacking(iv); why != "" { // an absent metric of a limit is counted already
			v = Verdict{why, 1}
		}
	}
	return v
}

// Met reports whether every design within the intervals meets every limit.
func (j *Judge) Met(iv *metric.Intervals) bool {
	for i := range j.Limits {
		l := &j.Limits[i]
		if at := iv.At[l.Key]; !iv.Have[l.Key] || l.Violation(at.Lo) > 0 || l.Violation(at.Hi) > 0 {
			return false
		}
	}
	return true
}

// Values judges a design by its metrics, NaN for what is absent, and by the part that there is not for it, if
// any.
func (j *Judge) Values(part metric.Reject, values *[metric.Count]float64) Verdict {
	v := rejected(part, least)
	named, most, sum := v.Constraint != "", 0.0, 0.0
	for i := range j.Limits {
		l := &j.Limits[i]
		value := known(l, part, values)
		if unknown(part, value) {
			continue
		}
		x := l.Violation(value)
		sum += x
		if x > most && !named {
			most, v.Constraint = x, l.Name
		}
	}
	v.Violation += sum
	if short, also := j.short(part); also {
		v.Violation += short.Violation()
	}
	if v.Constraint == "" {
		for _, k := range j.Compared {
			if incomparable(k, values[k]) {
				return Verdict{AbsentPrefix + metric.Keys[k].Name, 1}
			}
		}
	}
	return v
}

// Misses lists what a design misses: the window, the part that there is not for it, then limits in their
// order.
func (j *Judge) Misses(part metric.Reject, values *[metric.Count]float64) []Miss {
	var ms []Miss
	if n := int64(values[metric.Endpoints]); j.WindowViolation(n) > 0 {
		bound := j.Min
		if n > j.Max {
			bound = j.Max
		}
		ms = append(ms, Miss{Constraint: Window, Metric: metric.Keys[metric.Endpoints].Name, Got: float64(n), Bound: float64(bound),
			Violation: j.WindowViolation(n)})
	}
	if v := rejected(part, 0); v.Constraint != "" {
		ms = append(ms, Miss{Constraint: v.Constraint, Got: part.Got, Bound: part.Bound, Violation: v.Violation, Why: part.Words()})
	}
	if short, also := j.short(part); also {
		ms = append(ms, Miss{Constraint: short.Constraint, Got: short.Got, Bound: short.Bound, Violation: short.Violation(), Why: short.Words()})
	}
	for i := range j.Limits {
		l := &j.Limits[i]
		value := known(l, part, values)
		if m, missed := l.Miss(value); missed && !unknown(part, value) {
			ms = append(ms, m)
		}
	}
	return ms
}

// known is the value of a limited metric, of physical ports where a rate is not sold those that a switch takes at least.
func known(l *Limit, part metric.Reject, values *[metric.Count]float64) float64 {
	if x := values[l.Key]; !math.IsNaN(x) || l.Key != metric.PhysicalPorts || !l.Max || part.Ports.Bound == 0 {
		return x
	}
	return part.Ports.Got
}

// short is the switch that has too few ports beside a rate that is not sold, unless a limit on ports that is as strict says so.
func (j *Judge) short(part metric.Reject) (short metric.Reject, also bool) {
	short = part.Ports.Short()
	for i := range j.Limits {
		if l := &j.Limits[i]; l.Key == metric.PhysicalPorts && l.Max && l.Bound <= short.Bound {
			return metric.Reject{}, false
		}
	}
	return short, short.Constraint != ""
}

// Incomparable lists the objectives, if they are not limited too, of which a design has no value; none where a
// part is missing, of which their absence follows.
func (j *Judge) Incomparable(part metric.Reject, values *[metric.Count]float64) []Miss {
	var ms []Miss
	for _, k := range j.Compared {
		if part.Constraint == "" && incomparable(k, values[k]) && !j.Limited(k) {
			name := metric.Keys[k].Name
			ms = append(ms, Miss{Constraint: AbsentPrefix + name, Metric: name, Violation: 1, Absent: true})
		}
	}
	return ms
}

// Limited reports whether there is a limit on a metric.
func (j *Judge) Limited(k metric.Key) bool {
	for i := range j.Limits {
		if j.Limits[i].Key == k {
			return true
		}
	}
	return false
}

// rejected is the verdict on a design for which there is no part, of at least the violation given.
func rejected(part metric.Reject, least float64) Verdict {
	if part.Constraint == "" {
		return Verdict{}
	}
	return Verdict{part.Constraint, math.Max(math.Abs(part.Violation()), least)}
}

// unknown means that a value is absent because a part is missing, which is not the design's fault twice.
func unknown(part metric.Reject, value float64) bool {
	return part.Constraint != "" && math.IsNaN(value)
}

// incomparable means that a value is no figure, or as bad as can be.
func incomparable(k metric.Key, value float64) bool {
	bad := 1
	if metric.Keys[k].Better == metric.Higher {
		bad = -1
	}
	return math.IsNaN(value) || math.IsInf(value, bad)
}
