package search

import (
	"context"
	"fmt"

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

// Problem is a study as a search sees it: spaces, what is asked of designs, and the model that scores.
type Problem struct {
	constraints.Judge // the window of endpoints, the limits, and that objectives have values
	Spaces            []*Space
	Objectives        []objectives.Objective
	Require           []constraints.Limit // what a design of the front has to reach, for the exit status
	Model             Model
	Request           evaluator.Request // what an evaluation is asked for
	Seed              uint64
	Study             *study.Study
	// Simulated are the metrics that are measured on finalists and stood for in the search; SimLimits the
	// limits on them, which are not among Limits.
	Simulated []metric.Key
	SimLimits []constraints.Limit
	// Slack is by what part a design may be worse than another in each objective and not be dominated by it, for the layers behind a
	// front; nil: by nothing.
	Slack []float64
	// Tolerance is by what part a design may be better than one of the front in each objective and still be left out; 0: by nothing.
	Tolerance float64
	// CostAt and ThroughputAt are the places of these objectives, -1 if they are none.
	CostAt, ThroughputAt int
}

// NewProblem prepares a study to be searched under a model.
func NewProblem(st *study.Study, m Model) (*Problem, error) {
	p := &Problem{Require: st.Require, Model: m, Seed: st.Seed, Study: st, Tolerance: st.Search.Tolerance}
	p.Min, p.Max, p.Objectives = st.MinEndpoints, st.MaxEndpoints, st.Objectives
	if st.Constraints != nil {
		p.Limits = st.Constraints.Limits
	}
	// First, since it changes the places of objectives.
	p.Objectives, p.Limits, p.Simulated, p.SimLimits = standFor(p.Objectives, p.Limits)
	p.CostAt, p.ThroughputAt = -1, -1
	for i, o := range p.Objectives {
		p.Compared = append(p.Compared, o.Key)
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
		if sp.Fam.Draws != nil && sp.Size.Sign() > 0 {
			sp.drawWithin(p.Min, p.Max)
		}
		p.Spaces = append(p.Spaces, sp)
	}
	p.Request = p.request()
	return p, nil
}

// Batch is how many designs are evaluated before the front is read again.
func (p *Problem) Batch() int { return max(p.Study.Search.Batch, study.DefaultBatch) }

// request asks for what limits, objectives and requirements need beyond level 1, which is always computed, and for what
// level 1 only brackets where it is not asked for by name.
func (p *Problem) request() evaluator.Request {
	r := evaluator.Request{Level: 1}
	need := [metric.Count]bool{}
	for _, o := range p.Objectives {
		need[o.Key] = true
	}
	for _, l := range p.Limits {
		need[l.Key] = true
	}
	for _, l := range p.Require {
		if !SimulatedKey(l.Key) { // those are measured on finalists
			need[l.Key] = true
		}
	}
	for k, n := range need {
		if n && (metric.Keys[k].Level > 1 || evaluator.OfUptime(metric.Key(k))) {
			r.Keys = append(r.Keys, metric.Key(k))
		}
	}
	return r
}

// Design names the design of a space and values.
func (p *Problem) Design(sp int, v []int) topology.Design {
	return topology.Design{Family: p.Spaces[sp].Fam, V: v}
}
