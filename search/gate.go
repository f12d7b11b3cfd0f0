package search

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// The gate stands before every evaluation, whatever strategy asks: what intervals around a candidate show to be
// dominated by the front, or to miss a limit, is decided by that and never evaluated. The intervals are narrowed step by
// step (bound.Ladder), each step at a price far below an evaluation's. A strategy learns the best corner of the intervals, which
// is as good as the candidate can be.
//
// The front is that of fixed points, the beginning of a batch and of each chunk of it, so that what is decided depends on
// neither workers nor interruptions.

// firstChunk is the size of the first chunk of a batch behind the gate, of which each next is twice as large: the most promising
// candidates of a batch exclude many of the others.
const firstChunk = 32

// evaluateGated evaluates the candidates at the places todo, whose scores hold the best that they can be, the most promising first,
// but for those that the front has come to dominate. stop says why it did not do all.
func (d *Driver) evaluateGated(ctx context.Context, asked []Candidate, scores []Score, todo []int) (stop string, err error) {
	promising(scores, todo)
	for size := firstChunk; len(todo) > 0 && stop == "" && err == nil; size = min(2*size, chunk) {
		var next []int
		for len(todo) > 0 && len(next) < size {
			if s := &scores[todo[0]]; d.Front.Covers(s.V) {
				*s = dominated(s.V)
			} else {
				next = append(next, todo[0])
			}
			todo = todo[1:]
		}
		stop, err = d.evaluateSome(ctx, asked, scores, next)
	}
	return stop, err
}

// decidedPerEvaluation is how many candidates that bounds decide a budget of evaluations counts as one: closed forms and steps of
// the ladder take 1 to 60 us where an evaluation takes 100 us at least, so that whatever a budget is spent on takes about
// as long, and every search comes to its end.
const decidedPerEvaluation = 16

// decided counts those of a batch that were not evaluated, and notes the families of which one meets every limit.
func (d *Driver) decided(asked []Candidate, scores []Score, fresh []int) {
	n := int64(0)
	for _, i := range fresh {
		if !scores[i].Evaluated && scores[i].Constraint != "" {
			n++
			d.Met[asked[i].Space] = d.Met[asked[i].Space] || scores[i].Met
		}
	}
	d.Prog.Decided += n
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
