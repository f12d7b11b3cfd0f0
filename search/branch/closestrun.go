package branch

import (
	"context"
	"math"

	"toposearch/evaluator/bound"
	"toposearch/internal/stream"
	"toposearch/search"
	"toposearch/topology"
)

// Constants of an attempt's order.
const (
	// After that many steps it takes up the best of the tuples that it has come by, whatever boxes may hold
	// better ones, and then ever less often: what is found excludes boxes, and there is an answer also where
	// not everything can be visited.
	firstWait = 200
	// diveEvery is how many times the steps of a dive are taken in order before the next one.
	diveEvery = 4
	// An evaluation up to level 1 costs hundreds of steps. What one above costs is bounded by effort.evaluationNs.
	mostEvaluations = 100
)

// effort is how hard an attempt tries: deterministic, so that what is found does not depend on the machine.
type effort struct {
	steps        int
	evaluationNs float64 // that evaluations may take, as modelled
}

// search goes through a family's space until nothing left can be closer, or as long as its effort lasts. The sum over all limits has
// an answer even if no evaluation is short enough: the design with the least bound, without what takes long.
func (c *closest) search(ctx context.Context, allowed effort) error {
	all, ok := root(c.p, c.family)
	if !ok {
		c.exhausted = true
		return nil
	}
	a := c.newAttempt()
	a.left = allowed.evaluationNs
	if err := a.run(ctx, all, allowed.steps); err != nil || c.found != nil || a.beyond == nil || c.target.kind != everything {
		return err
	}
	d := a.wide.Design(c.family, a.beyond.v)
	j, err := judgeBriefly(ctx, c.p, d)
	if err == nil && len(c.loose) > 0 && j.NoPart {
		j, _, _, err = nearest(c.loose, func(q *search.Problem) (Judged, bool, error) {
			j, err := judgeBriefly(ctx, q, d)
			return j, true, err
		})
	}
	if err == nil {
		c.offer(&j)
	}
	return err
}

// run takes steps in order, and dives between them.
func (a *attempt) run(ctx context.Context, all box, steps int) error {
	c := a.closest
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
	d := a.wide.Design(a.family, t.v)
	if a.known[d.String()] {
		return nil
	}
	a.evals++
	a.effort += bound.EvaluationEffort
	j, done, err := a.judge(ctx, a.closest.p, d)
	if err == nil && done && len(a.loose) > 0 && j.NoPart {
		j, _, done, err = nearest(a.loose, func(q *search.Problem) (Judged, bool, error) { return a.judge(ctx, q, d) })
	}
	if err != nil {
		return err
	}
	if !done {
		a.partial = true
		if a.beyond == nil || t.bound < a.beyond.bound {
			a.beyond = t
		}
		return nil
	}
	a.judged = append(a.judged, j)
	if a.offer(&j) {
		a.widen()
		a.refine(t.v)
	}
	return nil
}

// judge judges a design within what evaluations may still take.
func (a *attempt) judge(ctx context.Context, p *search.Problem, d topology.Design) (j Judged, done bool, err error) {
	j, ns, done, err := judgeWithin(ctx, p, d, a.left)
	a.left -= ns
	return j, done, err
}
