package search

import (
	"context"
	"fmt"
	"math"
	"path/filepath"

	"toposearch/constraints"
	"toposearch/evaluator"
	"toposearch/evaluator/bound"
	"toposearch/evaluator/metric"
	"toposearch/objectives"
	"toposearch/study"
	"toposearch/topology"
)

// Model is what a search needs of an evaluator; *evaluator.Evaluator is one. It is safe for
// concurrent use.
type Model interface {
	// Enclose encloses the metrics of all designs of a box. A single design then stands on the first step of l,
	// whose Climb narrows what is known of it.
	Enclose(b bound.Box, l *bound.Ladder, out *metric.Intervals)
	Evaluate(ctx context.Context, d topology.Design, req evaluator.Request) (*evaluator.Result, error)
}

// Problem is a study as a search sees it: spaces, limits, objectives and the model that scores.
type Problem struct {
	Spaces     []*Space
	Min, Max   int64 // endpoints, inclusive
	Limits     []constraints.Limit
	Objectives []objectives.Objective
	Require    []constraints.Limit
	Model      Model
	Request    evaluator.Request
	Seed       uint64
	Study      *study.Study
	// simulated are the metrics that are measured on finalists and stood for in the search;
	// simLimits the limits on them, which are not among limits.
	Simulated []metric.Key
	// costAt and throughputAt are the places of these objectives, -1 if they are none.
	CostAt, ThroughputAt int
	SimLimits            []constraints.Limit
}

// NewProblem prepares a study to be searched under a model.
func NewProblem(st *study.Study, m Model) (*Problem, error) {
	p := &Problem{
		Min: st.MinEndpoints, Max: st.MaxEndpoints, Objectives: st.Objectives,
		Require: st.Require, Model: m, Seed: st.Seed, Study: st,
	}
	if st.Constraints != nil {
		p.Limits = st.Constraints.Limits
	}
	p.standFor() // first, since it changes the places of objectives
	p.CostAt, p.ThroughputAt = -1, -1
	for i, o := range p.Objectives {
		switch {
		case o.Key == metric.Cost && o.Better == metric.Lower && o.Enough == 0:
			p.CostAt = i
		case o.Key == metric.UniformThroughput && o.Better == metric.Higher:
			p.ThroughputAt = i
		}
	}
	if v, most := st.Verify.VCs, st.Options.MaxVCs; v > 0 && most > 0 && v > most {
		return nil, fmt.Errorf("[verify] vcs = %d is above the %d that [routing] vcs allows", v, most)
	}
	for _, fs := range st.Space {
		sp, err := newSpace(fs)
		if err != nil {
			return nil, err
		}
		p.Spaces = append(p.Spaces, sp)
	}
	p.Request.Level = 1
	need := [metric.Count]bool{}
	for _, o := range p.Objectives {
		need[o.Key] = true
	}
	for _, l := range p.Limits {
		need[l.Key] = true
	}
	for _, l := range p.Require {
		if metric.Keys[l.Key].Level < 4 { // the simulator's are measured on finalists
			need[l.Key] = true
		}
	}
	for k, n := range need {
		if n && metric.Keys[k].Level > 1 {
			p.Request.Keys = append(p.Request.Keys, metric.Key(k))
		}
	}
	return p, nil
}

func (p *Problem) Design(sp int, v []int) topology.Design {
	return topology.Design{Family: p.Spaces[sp].Fam, V: v}
}

// broken gives the first limit that every design within the intervals misses, and by how much the
// best of them misses it; -1 if there is none.
func (p *Problem) Broken(iv *metric.Intervals) (limit int, violation float64) {
	for i := range p.Limits {
		if v := p.AtBest(i, iv); v > 0 && !iv.Lacks.Has(p.Limits[i].Key) {
			return i, v
		}
	}
	return -1, 0
}

// lacking is the name under which designs are rejected that lack, for certain, the metric of a limit or
// of an objective; "" if they need not.
func (p *Problem) Lacking(iv *metric.Intervals) string {
	if iv.Lacks == 0 {
		return ""
	}
	for i := range p.Limits {
		if iv.Lacks.Has(p.Limits[i].Key) {
			return p.Limits[i].Name
		}
	}
	for _, o := range p.Objectives {
		if iv.Lacks.Has(o.Key) {
			return AbsentPrefix + o.Name()
		}
	}
	return ""
}

// atBest is the violation of a limit by the best value within the intervals, 0 if unknown.
func (p *Problem) AtBest(limit int, iv *metric.Intervals) float64 {
	l := &p.Limits[limit]
	if iv.Lacks.Has(l.Key) {
		return l.Violation(math.NaN())
	}
	if !iv.Have[l.Key] {
		return 0
	}
	if l.Max {
		return l.Violation(iv.At[l.Key].Lo)
	}
	return l.Violation(iv.At[l.Key].Hi)
}

// corner writes the best objective values that intervals allow; -Inf where nothing is known.
func (p *Problem) Corner(iv *metric.Intervals, v objectives.Vector) {
	for i, o := range p.Objectives {
		switch {
		case !iv.Have[o.Key]:
			v[i] = math.Inf(-1)
		case o.Better == metric.Higher:
			v[i] = o.Cost(iv.At[o.Key].Hi)
		default:
			v[i] = iv.At[o.Key].Lo
		}
	}
}

// certain writes the worst objective values that intervals allow, and tells whether they are
// finite and every limit is met whatever the values are.
func (p *Problem) Certain(iv *metric.Intervals, v objectives.Vector) bool {
	for i := range p.Limits {
		l := &p.Limits[i]
		if at := iv.At[l.Key]; !iv.Have[l.Key] || l.Violation(at.Lo) > 0 || l.Violation(at.Hi) > 0 {
			return false
		}
	}
	for i, o := range p.Objectives {
		if !iv.Have[o.Key] {
			return false
		}
		if v[i] = iv.At[o.Key].Hi; o.Better == metric.Higher {
			v[i] = o.Cost(iv.At[o.Key].Lo)
		}
		if math.IsInf(v[i], 0) {
			return false
		}
	}
	return true
}

// windowViolation is how far a number of endpoints lies outside the window, as a fraction of the smaller of
// the two: half of what is asked for is as far off as twice as much, and next to nothing is farther than
// anything else.
func (p *Problem) WindowViolation(n int64) float64 {
	switch {
	case n < p.Min:
		return float64(p.Min-n) / float64(max(n, 1))
	case n > p.Max:
		return float64(n-p.Max) / float64(max(p.Max, 1))
	}
	return 0
}

// Score is what a strategy learns of a candidate.
type Score struct {
	V objectives.Vector // nil if it was rejected before it was evaluated
	// Violation is summed over limits, each as a fraction of its bound; 0 is feasible.
	Violation float64
	// Constraint is the limit that is missed most, "" if feasible.
	Constraint string
	// Evaluated tells that it reached level 1, and so stands in the journal.
	Evaluated bool
}

// Feasible tells whether every limit is met.
func (s *Score) Feasible() bool { return s.Violation == 0 && s.Constraint == "" }

// impossible is the violation of what is no network at all: farther away than anything that is.
const impossible = 1e9

// judge turns journalled metrics into a score.
func (p *Problem) Judge(r *Entry) Score {
	s := Score{Evaluated: true, V: make(objectives.Vector, len(p.Objectives))}
	objectives.Fill(s.V, p.Objectives, &r.Values)
	if r.Reject.Constraint != "" {
		s.Constraint = r.Reject.Constraint
		s.Violation = math.Max(math.Abs(r.Reject.Violation()), 1e-9)
	}
	total, worst := constraints.Judge(p.known(r), &r.Values)
	s.Violation += total
	if worst >= 0 && s.Constraint == "" {
		s.Constraint = p.Limits[worst].Name
	}
	if s.Constraint == "" {
		for i, o := range p.Objectives {
			if math.IsInf(s.V[i], 1) { // an objective that cannot be had cannot be compared
				s.Constraint, s.Violation = AbsentPrefix+o.Name(), 1
				break
			}
		}
	}
	return s
}

// AbsentPrefix precedes the metric in the name under which designs are rejected that lack an
// objective: an unpriced part, unreachable pairs.
const AbsentPrefix = "absent "

// known gives the limits to judge: all, but after a rejection by the evaluator only what is there
// (a missing part leaves metrics absent, which is not the design's fault twice).
func (p *Problem) known(r *Entry) []constraints.Limit {
	if r.Reject.Constraint == "" {
		return p.Limits
	}
	var ls []constraints.Limit
	for _, l := range p.Limits {
		if !math.IsNaN(r.Values[l.Key]) {
			ls = append(ls, l)
		}
	}
	return ls
}

// misses lists every limit that metrics do not meet, in the order of the limits.
func (p *Problem) Misses(r *Entry) []Miss {
	var ms []Miss
	if r.Reject.Constraint != "" {
		ms = append(ms, Miss{Constraint: r.Reject.Constraint, Got: r.Reject.Got, Bound: r.Reject.Bound,
			Violation: math.Abs(r.Reject.Violation())})
	}
	for _, l := range p.known(r) {
		if v := l.Violation(r.Values[l.Key]); v > 0 {
			got := r.Values[l.Key]
			ms = append(ms, Miss{l.Name, metric.Keys[l.Key].Name, JsonNumber(got), l.Bound, v, OriginOf(l.Origin), math.IsNaN(got), ""})
		}
	}
	return ms
}

// jsonNumber replaces what JSON cannot hold.
func JsonNumber(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

// originOf names the place of a limit by file name alone: results must not depend on where the
// inputs lay, since a resumed run reads copies.
func OriginOf(o constraints.Origin) string {
	pos := o.Pos
	if pos.File != "" {
		pos.File = filepath.Base(pos.File)
	}
	return pos.String()
}
