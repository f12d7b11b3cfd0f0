package branch

import (
	"context"
	"fmt"
	"slices"

	"toposearch/constraints"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/topology"
)

// Judged is an evaluated design with what it misses.
type Judged struct {
	Design string
	Misses []constraints.Miss
	NoPart bool // it needs a part that may not be bought
}

// JudgeDesign evaluates a design and lists what it misses, the endpoint window and the objectives that it
// has no value of included.
func JudgeDesign(ctx context.Context, p *search.Problem, d topology.Design) (Judged, error) {
	return judge(ctx, p, d, p.Request)
}

// judge is JudgeDesign with what a request asks for.
func judge(ctx context.Context, p *search.Problem, d topology.Design, req evaluator.Request) (Judged, error) {
	r, err := p.Model.Evaluate(ctx, d, req)
	if err != nil {
		return Judged{}, fmt.Errorf("evaluate %s: %w", d, err)
	}
	e := search.NewEntry(d.String(), r)
	ms := append(p.Judge.Misses(e.Reject, &e.Values), p.Judge.Incomparable(e.Reject, &e.Values)...)
	for i := range ms {
		if k, ok := metric.KeyOf(ms[i].Metric); ok && ms[i].Absent {
			ms[i].Why = r.Absent[k]
		}
	}
	return Judged{d.String(), ms, e.Reject.Constraint != ""}, nil
}

// judgeWithin is JudgeDesign unless that is modelled to take more than most ns: done is false then, and what was run until that was
// seen is in ns, too.
func judgeWithin(ctx context.Context, p *search.Problem, d topology.Design, most float64) (j Judged, ns float64, done bool, err error) {
	req := p.Request
	ns, done = evaluator.BaseNs, true
	req.Trace = func(s evaluator.Step, run func() error) error {
		if done = done && ns+s.Ns <= most; !done {
			return evaluator.ErrSkipped
		}
		ns += s.Ns
		return run()
	}
	j, err = judge(ctx, p, d, req)
	return j, ns, done, err
}

// notEvaluated is why a design has no value of a metric that takes too long.
const notEvaluated = "to evaluate it takes longer than the search for the closest design may"

// judgeBriefly is JudgeDesign without the metrics above level 1, which it says were not evaluated.
func judgeBriefly(ctx context.Context, p *search.Problem, d topology.Design) (Judged, error) {
	req := p.Request
	above := func(k metric.Key) bool { return metric.Keys[k].Level > 1 }
	req.Keys = slices.DeleteFunc(slices.Clone(req.Keys), above)
	j, err := judge(ctx, p, d, req)
	for i := range j.Misses {
		m := &j.Misses[i]
		if k, ok := metric.KeyOf(m.Metric); ok && m.Absent && above(k) && slices.Contains(p.Request.Keys, k) {
			m.Why = notEvaluated
		}
	}
	return j, err
}
