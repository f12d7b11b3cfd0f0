package branch

import (
	"context"
	"math"

	"toposearch/evaluator/bound"
	"toposearch/internal/stream"
)

// Constants of an attempt's order.
const (
	// After that many steps it takes up the best of the tuples that it has come by, whatever boxes may hold
	// better ones, and then ever less often: what is found excludes boxes, and there is an answer also where
	// not everything can be visited.
	firstWait = 200
	// diveEvery is how many times the steps of a dive are taken in order before the next one.
	diveEvery = 4
	// An evaluation costs a thousand steps, and far more where a limit asks for a metric of level 2.
	mostEvaluations = 100
)

// search goes through a family's space until nothing left can be closer, or for a number of steps.
func (c *closest) search(ctx context.Context, steps int) error {
	all, ok := root(c.p, c.family)
	if !ok {
		c.exhausted = true
		return nil
	}
	a := c.newAttempt()
	a.admit(&openBox{box: all})
	next, wait, nextDive := firstWait, firstWait, int64(0)
	rng := stream.New(c.p.Seed, "closest", uint64(c.family), c.target.number(), uint64(steps))
	for a.effort < int64(steps) && a.evals < mostEvaluations {
		if err := ctx.Err(); err != nil {
			return err
		}
		boxes, tuples := a.open.least(), a.tuples.least()
		if least := min(boxes, tuples); least >= c.best || math.IsInf(least, 1) {
			c.exhausted = !a.partial
			return nil
		}
		if a.effort >= nextDive {
			before := a.effort
			a.dive(all, rng)
			nextDive = a.effort + (a.effort-before)*diveEvery
			continue
		}
		early := a.effort >= int64(next) && tuples < c.best
		if tuples > boxes && !early {
			b := a.open.pop()
			a.split(&b)
			continue
		}
		t := a.tuples.pop()
		if err := a.takeUp(ctx, &t, early); err != nil {
			return err
		}
		if early {
			wait += wait / 4
		}
		next = int(a.effort) + wait
	}
	return nil
}

// takeUp bounds a design by its cables or, where that is done or it is to be done at once, evaluates it.
func (a *attempt) takeUp(ctx context.Context, t *openTuple, atOnce bool) error {
	if !t.refined {
		t.refined = true
		t.bound = max(t.bound, a.tupleBound(t.v, true))
		if t.bound >= a.best {
			return nil
		}
		if !atOnce {
			a.tuples.push(t.bound, t)
			return nil
		}
	}
	a.evals++
	a.effort += bound.EvaluationEffort
	d := a.wide.Design(a.family, t.v)
	j, err := JudgeDesign(ctx, a.closest.p, d)
	if err == nil && a.loose != nil && j.NoPart {
		j, err = JudgeDesign(ctx, a.loose, d)
	}
	if err != nil {
		return err
	}
	a.judged = append(a.judged, j)
	if a.offer(&j) {
		a.widen()
		a.refine(t.v)
	}
	return nil
}
