package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/objectives"
)

// The gate stands before every evaluation, whatever strategy asks: what intervals around a candidate show to be
// dominated by the front, or to miss a limit, is decided by that and never evaluated. The intervals are narrowed step by
// step (bound.Ladder), each step at a price far below an evaluation's. A strategy learns the best corner of the intervals, which
// is as good as the candidate can be.
//
// The front is that of fixed points, the beginning of a batch and of each chunk of it, so that what is decided depends on
// neither workers nor interruptions.

// firstPart is the part of a batch that the first chunk behind the gate has, of which each next is twice as large: the most promising
// candidates exclude many of the others.
const firstPart = 4

// evaluateGated evaluates the candidates at the places todo, whose scores hold the best that they can be, the most promising first,
// but for those that the front has come to dominate. stop says why it did not do all.
func (d *Driver) evaluateGated(ctx context.Context, asked []Candidate, scores []Score, todo []int) (stop string, err error) {
	promising(scores, todo)
	for size := d.P.Batch() / firstPart; len(todo) > 0 && stop == "" && err == nil; size = min(2*size, d.P.Batch()) {
		var next []int
		for len(todo) > 0 && len(next) < size {
			if s := &scores[todo[0]]; d.Front.Covers(s.V) {
				*s = dominated(s.V)
			} else {
				next = append(next, todo[0])
			}
			todo = todo[1:]
		}
		if next, err = d.cheapFirst(ctx, asked, scores, next); err != nil {
			return "", err
		}
		stop, err = d.evaluateSome(ctx, asked, scores, next)
	}
	return stop, err
}

// expensive are metrics that take longer than all of level 1 together.
const expensive = metric.KeySet(1)<<metric.Bisection | metric.KeySet(1)<<metric.WorstThroughput | metric.KeySet(1)<<metric.TUB |
	metric.KeySet(1)<<metric.UniformThroughputOptimal | metric.KeySet(1)<<metric.UniformThroughputFail | metric.KeySet(1)<<metric.MeanPathLinksFail |
	metric.KeySet(1)<<metric.DisjointPaths | metric.KeySet(1)<<metric.ShortestPaths | metric.KeySet(1)<<metric.VCsAfterFailure |
	metric.KeySet(1)<<metric.VCsLASH | metric.KeySet(1)<<metric.VCsDFSSSP | metric.KeySet(1)<<metric.StepTime |
	metric.KeySet(1)<<metric.AllreduceTime | metric.KeySet(1)<<metric.AlltoallTime | metric.KeySet(1)<<metric.JobsIsolated

// cheapFirst evaluates candidates without the expensive metrics, where the study asks for such, and gives those that this does not
// decide: with the rest at the best that is known, the front does not dominate them, and no limit is missed.
func (d *Driver) cheapFirst(ctx context.Context, asked []Candidate, scores []Score, todo []int) (left []int, err error) {
	req := d.P.Request
	req.Keys = slices.DeleteFunc(slices.Clone(req.Keys), expensive.Has)
	if len(req.Keys) == len(d.P.Request.Keys) {
		return todo, nil
	}
	within, cancel := d.within(ctx)
	defer cancel()
	errs := make([]error, len(todo))
	Each(within, d.Workers(), len(todo), func(_, k int) {
		errs[k] = d.P.cheaply(within, asked[todo[k]], req, &d.Front, &scores[todo[k]])
	})
	for k, i := range todo {
		if errs[k] != nil && within.Err() == nil {
			return nil, errs[k]
		}
		if scores[i].Constraint == "" {
			left = append(left, i) // also what the end of the time has cut: nothing more is evaluated then
		}
	}
	return left, ctx.Err()
}

// cheaply evaluates a candidate by a part of the metrics, and makes its score, the best that it can be, closer.
func (p *Problem) cheaply(ctx context.Context, c Candidate, req evaluator.Request, front *Archive, s *Score) error {
	r, err := p.Model.Evaluate(ctx, p.Design(c.Space, c.V), req)
	if err != nil {
		return err
	}
	in := metric.Intervals{Reject: r.Reject}
	for k := range r.Have {
		if r.Have[k] {
			in.Point(metric.Key(k), r.Metrics[k].Value)
		}
	}
	if v := p.Judge.Intervals(&in); v.Constraint != "" {
		*s = Score{Verdict: v}
		return nil
	}
	best := make(objectives.Vector, len(p.Objectives))
	objectives.FillBest(best, p.Objectives, &in)
	for j := range best {
		best[j] = max(best[j], s.V[j])
	}
	if s.V = best; front.Covers(best) {
		*s = dominated(best)
	}
	return nil
}

// decidedPerEvaluation is how many candidates that bounds decide a budget of evaluations counts as one: closed forms and steps of
// the ladder take 1 to 60 us where an evaluation takes 100 us at least, so that whatever a budget is spent on takes about
// as long, and every search comes to its end.
const decidedPerEvaluation = 16

// decided counts those of a batch that were not evaluated, for a budget also those that were forgotten and are judged again, and notes the families of which one meets every limit.
func (d *Driver) decided(asked []Candidate, scores []Score, fresh []int, again []bool) {
	n := int64(0)
	for _, i := range fresh {
		if !scores[i].Evaluated && scores[i].Constraint != "" {
			if n++; !again[i] {
				d.Prog.Decided++
			}
			d.Met[asked[i].Space] = d.Met[asked[i].Space] || scores[i].Met
		}
	}
	if d.Left >= 0 {
		d.owed += n
		d.Left = max(d.Left-d.owed/decidedPerEvaluation, 0)
		d.owed %= decidedPerEvaluation
	}
}

// promising orders candidates by the sum of their best values in the objectives, each by its range among them.
func promising(scores []Score, places []int) {
	sum := make([]float64, len(scores))
	for j := range scores[places[0]].V {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, i := range places {
			if x := scores[i].V[j]; !math.IsInf(x, 0) {
				lo, hi = min(lo, x), max(hi, x)
			}
		}
		for _, i := range places {
			if x := scores[i].V[j]; hi > lo && !math.IsInf(x, 0) {
				sum[i] += (x - lo) / (hi - lo)
			}
		}
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(sum[a], sum[b]) })
}
