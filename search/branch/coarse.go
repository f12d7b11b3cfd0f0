package branch

import (
	"math"
	"slices"

	"toposearch/objectives"
	"toposearch/search"
)

// A tree of wide spaces that has taken coarseFrom goes on in stages: what is better than the front by no more than an epsilon waits until nothing else is left.
// Then the front is complete within that (objectives.Front.Within), and what waits is taken up within the next epsilon, at last exactly. Bounds of boxes are loose
// by some parts in a hundred, which are most of them: of seven families at 65,536 endpoints (scale65k.toml) 5 % takes 200 CPU s, and 2 % are not enough after 550.
var epsilons = []float64{0.1, 0.05, 0.02, 0.01}

// coarseFrom is the work, ns as it is modelled, from which a tree takes stages: what ends before is complete without. var for tests.
var coarseFrom = 2e10

// coarsen begins the first stage, or ends all where too much waits.
func (e *Enumeration) coarsen() {
	switch {
	case len(e.later)+len(e.laterDesigns) > e.most:
		e.endStages()
	case e.stages == 0 && e.wide && e.ref == nil && e.p.Slack == nil && e.Spent() >= coarseFrom:
		// What is excluded for being near a design must not be near one that is excluded so in turn: that would be any number of epsilons from the front. So only
		// designs that were evaluated exclude by more than they dominate.
		e.front = *e.evaluated()
		if e.Remote != nil {
			e.log, e.logged = e.front.Held(), new(int)
		}
		e.nextStage()
	}
}

// nextStage goes on with the next epsilon that is more than the study tolerates.
func (e *Enumeration) nextStage() {
	for e.eps = 0; e.eps <= e.p.Tolerance && e.stages < len(epsilons); e.stages++ {
		e.eps = epsilons[e.stages]
	}
	if e.eps <= e.p.Tolerance {
		e.eps = 0
	}
}

// finer takes up what waits for the next stage, and reports whether there is one.
func (e *Enumeration) finer() bool {
	if e.eps == 0 {
		return false
	}
	e.nextStage()
	later, designs := e.later, e.laterDesigns
	e.later, e.laterDesigns = nil, nil
	for i := range later {
		n := &later[i]
		if e.waiting[n.space]--; e.Abandoned[n.space] {
			e.parked = append(e.parked, *n)
		} else {
			e.push(n)
		}
	}
	for _, s := range designs {
		if e.Abandoned[s.Space] {
			e.parkedDesigns = append(e.parkedDesigns, s)
		} else {
			e.await([]Survivor{s})
		}
	}
	return true
}

// endStages takes up all that waits, to be searched exactly.
func (e *Enumeration) endStages() {
	if e.stages = len(epsilons); e.eps > 0 {
		e.finer()
	}
}

// left is how much is left, boxes and designs.
func (e *Enumeration) left() int {
	return e.open.len() + len(e.pending) + len(e.later) + len(e.laterDesigns)
}

// stageOf has a task work in a stage of an epsilon; 0: exactly.
func (t *task) stageOf(eps float64) {
	t.eps, t.ratio = eps, 0
	if eps > 0 {
		t.ratio = (1+eps)/(1+t.p.Tolerance) - 1
	}
}

// ease is a corner worse by the epsilon of the stage, in t.eased; the corner itself where there is none.
func (t *task) ease(corner objectives.Vector) objectives.Vector {
	if t.eps == 0 {
		return corner
	}
	for j, o := range t.p.Objectives {
		t.eased[j] = o.Worsened(corner[j], t.ratio)
	}
	return t.eased
}

// exclude decides the values lo to hi of the range of a box, or keeps them for the next stage where nothing dominates the best corner of what they stand for.
func (t *task) exclude(why string, n *node, lo, hi int32, best objectives.Vector) {
	if why != search.Dominated || t.eps == 0 || t.front.Covers(best) || t.sure.Covers(best) {
		t.drop(why, &n.box, int64(hi-lo)+1)
		return
	}
	one := *n
	one.lo, one.hi, one.checked, one.seen = lo, hi, false, 0
	one.key, one.best, one.within = max(n.key, t.key(best)), slices.Clone(best), finest(n.within, t.eps)
	t.later = append(t.later, one)
}

// finest is the lesser of two epsilons of which 0 is none.
func finest(a, b float64) float64 {
	if a == 0 {
		return b
	}
	return math.Min(a, b)
}
