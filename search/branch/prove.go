package branch

import (
	"context"
	"math"
	"slices"

	"toposearch/objectives"
	"toposearch/search"
)

// proofSteps are the steps of a proof, closer judgements in units of them, two thirds of a second on one core, in batches of which each task
// takes proofTask: what a proof shows depends on no clock. Where one decides about each batch (more), a task takes timedTask, so that
// a batch takes a twentieth of a second, and where routes have no closed form some ten times that.
const (
	proofSteps = 1 << 20
	proofTask  = 1 << 13
	timedTask  = 1 << 10

	// ProofEffort is what a proof may take, TimedBatch what one of its batches takes where one decides about each, in units of VisitNs.
	ProofEffort = proofSteps
	TimedBatch  = batchTasks * timedTask
)

// Effort is what the tree has taken: boxes and tuples judged by closed forms, closer judgements in units of them.
func (e *Enumeration) Effort() int64 { return e.effort }

// Visits are the boxes and tuples that the tree has judged.
func (e *Enumeration) Visits() int64 { return e.visits }

// Prove goes on with what an enumeration has left, against a front that others have found, without evaluating: boxes and designs that it
// dominates fall. known says what became of a design that was scored already, "" if it was not; more, asked before each batch, whether
// to go on, nil: always. The marked spaces that have nothing left afterwards are complete.
func (e *Enumeration) Prove(ctx context.Context, front *search.Archive, known func(c search.Candidate) string, more func() bool) error {
	e.Know(front)
	e.endStages()
	e.reopen()
	e.settle(known)
	e.Pause, e.Steps, e.width = 0, proofTask, batchTasks
	if more != nil {
		e.Steps = timedTask
	}
	e.byVolume(front)
	for end := e.effort + proofSteps; e.open.len() > 0 && e.effort < end && len(e.pending) < mostSurvivors && (more == nil || more()); {
		if err := e.batch(ctx); err != nil {
			return err
		}
		e.settle(known)
	}
	e.prunePending()
	return nil
}

// Know tells an enumeration of a front that others have found: what that dominates is excluded without being evaluated.
func (e *Enumeration) Know(front *search.Archive) {
	for _, m := range front.Ordered() {
		e.add(search.Member{Candidate: m.Candidate, Vector: m.Vector, Held: m.Held})
	}
}

// mostSurvivors is how many designs a proof may leave open: each further one takes the steps of a hundred boxes.
const mostSurvivors = 20_000

// reopen takes up what was asked and never told, and the spaces that were abandoned.
func (e *Enumeration) reopen() {
	if e.untold {
		e.pending, e.untold = append(slices.Clone(e.asked), e.pending...), false
	}
	e.pending = append(e.pending, e.parkedDesigns...)
	for i := range e.parked {
		e.push(&e.parked[i])
	}
	e.parked, e.parkedDesigns = nil, nil
	clear(e.Abandoned)
	clear(e.Limit)
}

// byVolume orders what is open by how much the front may gain from it.
func (e *Enumeration) byVolume(front *search.Archive) {
	corners, _, _ := e.Left(front)
	if _, e.ref = front.Proved(slices.Concat(corners...)); e.ref == nil {
		return
	}
	t := newTask(e.p)
	t.ref = e.ref
	var all []node
	e.drop(func(n *node) bool {
		all = append(all, *n)
		return true
	})
	for i := range all {
		n := &all[i]
		if n.key = math.Inf(-1); n.best != nil {
			n.key = t.key(n.best)
		}
		e.push(n)
	}
}

// settle counts the designs of which it is known what became of them.
func (e *Enumeration) settle(known func(c search.Candidate) string) {
	e.prunePending()
	e.pending = slices.DeleteFunc(e.pending, func(s Survivor) bool {
		what := known(s.Candidate)
		if what != "" {
			e.count(s.Candidate, what)
		}
		return what != ""
	})
}

// Left are the best corners of what is open, those that no other of the space dominates, how much is open, by space, and the epsilon within which a front is
// complete; +Inf if there is none. The tree must know the front.
func (e *Enumeration) Left(front *search.Archive) (corners [][]objectives.Vector, open []int64, within float64) {
	corners, open, within = make([][]objectives.Vector, len(e.p.Spaces)), make([]int64, len(e.p.Spaces)), e.p.Tolerance
	best := make([]objectives.Front, len(e.p.Spaces)) // of millions of corners thousands are left
	near, v := newEasing(e.p, 0), make(objectives.Vector, len(e.p.Objectives))
	take := func(space int, corner objectives.Vector, stage float64) {
		open[space]++
		for i, o := range e.p.Objectives {
			v[i] = o.Least()
			if corner != nil && !math.IsInf(corner[i], -1) {
				v[i] = max(v[i], corner[i])
			}
		}
		if !best[space].Covered(v) {
			best[space].Add(&objectives.Point{V: slices.Clone(v)})
		}
		if stage > 0 && stage <= within || math.IsInf(within, 1) {
			return
		}
		if !front.Covers(near.ease(v)) {
			x := front.Tree.Within(v, e.p.Objectives)
			if x = (1+x)*(1+e.p.Tolerance) - 1; stage > 0 {
				x = min(x, stage)
			}
			if x > within {
				within, near = x, newEasing(e.p, x)
			}
		}
	}
	bounds := newTask(e.p)
	e.open.each(func(n *node) {
		if n.best == nil { // not bounded yet, or its bound is not at hand
			if bounds.cut(e.p.Spaces[n.space], &n.box) == "" {
				take(int(n.space), bounds.best, n.within)
			} else {
				open[n.space]++ // nothing of it can be on the front, which the next step would have shown
			}
			return
		}
		take(int(n.space), n.best, n.within)
	})
	for _, list := range [][]node{e.parked, e.later} {
		for i := range list {
			take(int(list[i].space), list[i].best, list[i].within)
		}
	}
	for _, list := range [][]Survivor{e.pending, e.parkedDesigns, e.laterDesigns} {
		for _, s := range list {
			take(s.Space, s.Best, s.within)
		}
	}
	for i := range best {
		for _, p := range best[i].Points() {
			corners[i] = append(corners[i], p.V)
		}
	}
	return corners, open, within
}

// Proved is the part of the hypervolume that the front has for certain (objectives.Proved), and the epsilon within which it is complete, 0 if that is not
// known, for those who look on: of when half of the steps were taken, at least, and of a tree without boxes of when twice as many designs were open.
func (e *Enumeration) Proved() (part, within float64) {
	n := len(e.pending)
	if e.visits >= 2*e.measured || e.open.len() == 0 && (2*n <= e.unmeasured || n >= 2*e.unmeasured) {
		e.measured, e.unmeasured = e.visits, n
		corners, _, eps := e.Left(e.evaluated())
		e.proved, _ = e.front.Proved(slices.Concat(corners...))
		if e.within = eps; math.IsInf(eps, 1) {
			e.within = 0
		}
	}
	return e.proved, e.within
}
