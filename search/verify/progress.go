package verify

import (
	"context"

	"toposearch/search"
)

// progress is how much of a verification is done, by the modelled work of its simulations. Nothing is decided by it.
type progress struct {
	costs      []Cost
	done       []float64 // of each simulation, in [0, 1]
	all, shown float64   // modelled seconds; the part of them at which progress was last passed on
}

const (
	// almost is the most that a simulation under way counts for: it may take more than was expected.
	almost = 0.95
	// shownStep is by how much the whole has to grow for it to be told.
	shownStep = 0.002
)

// newProgress estimates the simulations of a run, of which some are known already.
func newProgress(ctx context.Context, p *search.Problem, jobs []job, known []bool) *progress {
	x := &progress{costs: make([]Cost, len(jobs)), done: make([]float64, len(jobs))}
	for k := range jobs {
		if c, err := estimate(ctx, p, jobs[k].design, jobs[k].traffic, jobs[k].routing); err == nil && c != nil {
			x.costs[k] = *c
		}
		x.all += x.costs[k].Seconds
		if known[k] {
			x.done[k] = 1
		}
	}
	x.shown = x.fraction()
	return x
}

// told takes the work of a simulation into account, and reports whether the whole has grown enough to be told.
func (x *progress) told(k int, work float64) bool {
	if x.costs[k].Work > 0 {
		x.done[k] = max(x.done[k], min(almost, work/x.costs[k].Work))
	}
	if f := x.fraction(); f >= x.shown+shownStep {
		x.shown = f
		return true
	}
	return false
}

// finished says that a simulation is done.
func (x *progress) finished(k int) { x.done[k] = 1 }

// fraction is the part of the whole that is done; by number where none of it takes any time.
func (x *progress) fraction() float64 {
	if x.all == 0 {
		return x.simulations() / float64(len(x.done))
	}
	sum := 0.0
	for k := range x.done {
		sum += x.done[k] * x.costs[k].Seconds
	}
	return min(sum/x.all, 1)
}

// simulations is how many are done, those under way in part.
func (x *progress) simulations() (n float64) {
	for _, f := range x.done {
		n += f
	}
	return n
}

// left is what is modelled to be left, s on one worker.
func (x *progress) left() float64 { return x.all * (1 - x.fraction()) }
