package branch

import (
	"context"
	"math"
	"slices"

	"toposearch/search"
)

// The sizes of an enumeration's steps. They decide at which points the front is read for pruning,
// and so which designs are journalled: they are part of the result, unlike the number of workers.
const (
	boxesPerTask = 128     // that the tasks of a batch share
	firstSteps   = 1 << 10 // of a task at least between two readings of the front: of the first tasks,
	growth       = 4       // then so many that a batch is that part of all before it, until they are Enumeration.Steps: the first designs exclude the most
	sweepAfter   = 256     // feasible designs after which waiting boxes are gone through: 0.3 us a box
	sweepPer     = 4096    // but one for that many boxes is enough: an evaluation costs 1 ms
)

// batch works on the boxes that may hold what is best by the first objective. A design is dominated
// only by designs that are no worse in it: taken in this order, boxes and tuples meet nearly all
// that can exclude them before they cost anything.
func (e *Enumeration) batch(ctx context.Context) error {
	e.sweep() // perhaps of all
	e.coarsen()
	n := min(e.width*boxesPerTask, e.open.len())
	tasks := min(e.width, n)
	stacks := make([][]node, tasks)
	limit := math.Inf(-1)
	full := e.open.len() > e.most
	for i := range n {
		b := e.pop()
		limit = b.key
		stacks[i%tasks] = append(stacks[i%tasks], b)
	}
	if full {
		limit = math.Inf(1) // depth first, which keeps few boxes
	}
	for len(e.tasks) < tasks {
		t := newTask(e.p)
		t.first = e.first
		e.tasks = append(e.tasks, t)
	}
	steps := e.Steps
	if e.wide && e.ref == nil { // else all is done soon
		steps = min(steps, max(firstSteps, e.effort/int64(growth*tasks)))
	}
	e.front.Tree.Prepare(max(e.p.ThroughputAt, 0))
	for i := range stacks {
		slices.Reverse(stacks[i]) // the last is the next
	}
	done, err := e.tasksElsewhere(ctx, stacks, limit, steps)
	if err != nil {
		return err
	}
	search.Each(ctx, e.workers, tasks, func(_, i int) {
		if done[i] {
			return
		}
		t := e.tasks[i]
		t.ref = e.ref
		t.easing = newEasing(e.p, e.eps)
		t.begin(&e.front, limit) // nobody adds to it before all are done
		stacks[i] = t.run(stacks[i], steps, taskSurvivors)
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	before := e.effort
	for i := range tasks {
		e.merge(e.tasks[i], stacks[i])
	}
	e.lately = e.effort - before
	e.abandon()
	return nil
}

// sweep drops the boxes that the front has come to dominate, where more wait than memory is planned for
// and the front has grown since the last time, by less where fewer may wait.
func (e *Enumeration) sweep() {
	if e.open.len() <= e.most || e.told-e.swept < int64(min(sweepAfter, e.most/sweepPer)) {
		return
	}
	e.swept = e.told
	e.drop(func(n *node) bool {
		if n.best == nil || !e.front.Covers(n.best) {
			return false
		}
		e.Tally[n.space].Add(search.Dominated, int(n.depth), n.width())
		return true
	})
}

// merge takes over what a task has found and what it leaves.
func (e *Enumeration) merge(t *task, left []node) {
	for i := range t.aside {
		e.push(&t.aside[i])
	}
	for i := range t.later {
		e.waiting[t.later[i].space]++
	}
	e.later = append(e.later, t.later...)
	slices.Reverse(left)
	for i := range left {
		left[i].checked = false // the front is better now
		e.push(&left[i])
	}
	e.await(t.out)
	e.visits += t.visits
	e.effort += t.effort
	for j := range t.tally {
		e.spent[j] += float64(t.spent[j]) * VisitNs
		e.Tally[j].Merge(&t.tally[j])
	}
}

// abandon puts aside what is left of spaces that have cost more than they may, for a proof.
func (e *Enumeration) abandon() {
	changed := false
	for i, l := range e.Limit {
		if l > 0 && e.spent[i] > l && !e.Abandoned[i] {
			e.Abandoned[i], changed = true, true
		}
	}
	if changed {
		e.drop(func(n *node) bool {
			if e.Abandoned[n.space] {
				e.parked = append(e.parked, *n)
			}
			return e.Abandoned[n.space]
		})
		e.pending = slices.DeleteFunc(e.pending, func(s Survivor) bool {
			if e.Abandoned[s.Space] {
				e.parkedDesigns = append(e.parkedDesigns, s)
			}
			return e.Abandoned[s.Space]
		})
	}
}
