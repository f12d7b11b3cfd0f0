package search

import (
	"context"
	"fmt"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/objectives"
	"toposearch/topology"
)

// Shown is what is computed of a design for people: as the search judges it, what stops a job exactly rather than by counts, and the times of the
// workload where there is one.
func (p *Problem) Shown() evaluator.Request {
	req := p.Request
	req.Wished = evaluator.UptimeKeys()
	if p.Study != nil && p.Study.Options.Training != nil {
		req.Wished = append(req.Wished, metric.StepTime, metric.AllreduceTime, metric.AlltoallTime)
	}
	return req
}

// lacks tells whether a result is without a metric that is wished for: the search has how often a job is stopped by counts, which may enclose it.
func lacks(r *evaluator.Result, k metric.Key) bool {
	if x := r.Metrics[metric.MTBF]; evaluator.OfUptime(k) {
		return r.Have[metric.MTBF] && x.Lo < x.Hi
	}
	return !r.Have[k]
}

// Show evaluates any design as one on the front is: the same figures, to the last digit.
func (p *Problem) Show(ctx context.Context, d topology.Design) (*Record, *evaluator.Result, error) {
	res, err := p.Model.Evaluate(ctx, d, p.Shown())
	if err != nil {
		return nil, nil, fmt.Errorf("evaluate %s: %w", d, err)
	}
	r := &Record{Design: d.String(), Family: d.Family.Name, Params: d.Params(), Objectives: map[string]float64{}}
	s := p.ScoreEntry(NewEntry(r.Design, res))
	for i, o := range p.Objectives {
		if x := o.Value(s.V[i]); x == JSONNumber(x) {
			r.Objectives[o.Name()] = x
		}
	}
	r.Fill(res)
	return r, res, nil
}

// Fill takes over figures, reasons and routing of an evaluation.
func (r *Record) Fill(res *evaluator.Result) {
	r.Metrics = map[string]metric.Figure{}
	for k := range res.Have {
		if res.Have[k] {
			r.Metrics[metric.Keys[k].Name] = res.Metrics[k]
		}
	}
	for name, x := range r.Objectives { // of vectors, which tell means apart to a few digits less
		if k, ok := metric.KeyOf(name); ok && res.Have[k] {
			r.Objectives[name] = (objectives.Objective{Key: k}).Figure(x, res.Metrics[k].Value)
		}
	}
	for k, why := range res.Absent {
		if r.Absent == nil {
			r.Absent = map[string]string{}
		}
		r.Absent[metric.Keys[k].Name] = why
	}
	r.Bottleneck, r.Routing, r.Unfit, r.Detour = res.Bottleneck, res.Routing, res.Unfit, res.Detour
}
