package branch

import (
	"context"
	"fmt"

	"toposearch/constraints"
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
	r, err := p.Model.Evaluate(ctx, d, p.Request)
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
