package verify

import (
	"context"

	"toposearch/search"
	"toposearch/topology"
)

// progress is how much of a verification is done, by the modelled work of its simulations. Nothing is decided by it.
type progress struct {
	costs      []Cost
	done       []float64 // of each simulation, in [0, 1]
	all, shown float64   // modelled seconds; the part of them at which progress was last passed on
}

const (
	// almost is the most that a simulation under way counts for: it may take more flit-hops than were expected.
	almost = 0.95
	// shownStep is by how much the whole has to grow for it to be told.
	shownStep = 0.002
)

// newProgress estimates the simulations of a run, of which the first are known already. of gives the design and traffic of each.
func newProgress(ctx context.Context, p *search.Problem, lines []*Result, from int, of func(k int) (topology.Design, string)) *progress {
	x := &progress{costs: make([]Cost, len(lines)), done: make([]float64, len(lines))}
	for k := range lines {
		d, traffic := of(k)
		if c, err := Estimate(ctx, p, d, traffic); err == nil && c != nil {
			x.costs[k] = *c
		}
		x.all += x.costs[k].Seconds
		if k < from {
			x.done[k] = 1
		}
	}
	x.shown = x.fraction()
	return x
}

// told takes the flit-hops of a simulation into account, and reports whether the whole has grown enough to be told.
func (x *progress) told(k int, hops int64) bool {
	if x.costs[k].FlitHops > 0 {
		x.done[k] = max(x.done[k], min(almost, float64(hops)/x.costs[k].FlitHops))
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
	sum, n := 0.0, 0.0
	for k := range x.done {
		sum += x.done[k] * x.costs[k].Seconds
		n += x.done[k]
	}
	if x.all == 0 {
		return n / float64(len(x.done))
	}
	return min(sum/x.all, 1)
}

// left is what is modelled to be left, s on one worker.
func (x *progress) left() float64 { return x.all * (1 - x.fraction()) }
