package branch

import (
	"cmp"
	"context"
	"math"
	"slices"

	"toposearch/objectives"
	"toposearch/search"
)

// The sizes of an enumeration's steps. They decide at which points the front is read for pruning,
// and so which designs are journalled: they are part of the result, unlike the number of workers.
// What work costs, fixed so that what is planned never depends on the machine or on its load. Measured on
// one core of 2024 with the built-in families; see the benchmarks of this package.
const (
	VisitNs    = 600       // a box or a tuple by closed forms
	EvaluateNs = 1_000_000 // a design at level 1
)

const (
	seedsPerFamily = 48      // designs of random shape that give pruning a front to begin with
	seedVisits     = 20_000  // steps that the search for one seed may take,
	seedLinks      = 500_000 // links that a seed may have
	descent        = 100     // the first descent at most so many, each next twice as many
	batchTasks     = 32      // tasks worked on between two looks at the front,
	batchBoxes     = 4096    // of so many boxes together
	mostOpen       = 3 << 20 // boxes that may wait, some 180 bytes each; beyond, none is put aside
	sweepAfter     = 256     // feasible designs after which those are looked through: 0.3 us a box
	sweepPer       = 4096    // but one for so many boxes is enough: an evaluation costs 1 ms
	taskVisits     = 1 << 16 // steps of one of them, about 50 ms
	taskSurvivors  = 512     // tuples that one may leave to be evaluated
	gather         = 128     // certain designs that are evaluated together
	askFirst       = 32      // designs evaluated before the front is looked at again: a few at
	askMost        = 256     // first, since the first ones prune the most, then more
)

// enumeration is branch and bound over all spaces, best first: a queue of boxes by the best that the
// first objective can be in them, of which a batch at a time is worked on in parallel against the
// same front. Tuples that bounds let pass wait in the same queue, by what closer looks have shown.
type enumeration struct {
	p       *search.Problem
	workers int
	open    queue
	told    int64   // feasible designs that came in
	swept   int64   // told when the boxes that the front dominates were dropped last
	most    int     // mostOpen
	left    float64 // shares of what is open
	started bool
	seeding bool
	pending []Survivor // to evaluate, best first
	asked   []Survivor
	ask     int
	front   search.Archive
	Tally   []search.Tally
	visits  int64
	walkers []*walker
	first   int    // the objective whose bound orders boxes,
	blind   bool   // if there is one: otherwise samples make a first front
	whole   []bool // by space: enumerated by this strategy
	done    float64
	// limitOn is what a space may cost, ns by the fixed costs of a plan, 0 for no limit; what has
	// spent more is abandoned, and left to another strategy.
	Limit, spent []float64
	Abandoned    []bool
	// counted are the designs that the tree has come to. A narrowed space may hold two ways to write
	// a design and not its canonical one: the second is a duplicate.
	counted map[string]bool
}

// newEnumeration enumerates the spaces that which marks; nil: all of them.
func NewEnumeration(p *search.Problem, workers int, which []bool) *enumeration {
	e := &enumeration{p: p, workers: workers, most: mostOpen, Tally: make([]search.Tally, len(p.Spaces)), whole: which, counted: map[string]bool{},
		Limit: make([]float64, len(p.Spaces)), spent: make([]float64, len(p.Spaces)), Abandoned: make([]bool, len(p.Spaces))}
	if which == nil {
		e.whole = make([]bool, len(p.Spaces))
		for i := range e.whole {
			e.whole[i] = true
		}
	}
	for i := range p.Spaces {
		if n, ok := Root(p, i); ok && e.whole[i] {
			e.push(&n)
		}
	}
	e.first, e.blind = first(p, e.whole)
	return e
}

// Ask gives the most promising tuples that are neither rejected nor dominated yet.
func (e *enumeration) Ask(ctx context.Context) ([]search.Candidate, error) {
	if !e.started && e.blind {
		e.started, e.seeding = true, true
		e.pending = e.seeds()
		e.rank()
	}
	if e.seeding {
		e.pending = slices.DeleteFunc(e.pending, func(s Survivor) bool { return e.front.Covers(s.Best) })
		if n := min(len(e.pending), askFirst); n > 0 {
			e.asked, e.pending = e.pending[:n], e.pending[n:]
			return e.candidates(), ctx.Err()
		}
		e.seeding = false
	}
	for {
		e.prunePending()
		if n := len(e.pending); n >= gather || n > 0 && (e.open.len() == 0 || !e.certain()) {
			n = min(n, e.ask)
			e.ask = min(2*e.ask, askMost)
			e.asked, e.pending = e.pending[:n], e.pending[n:]
			return e.candidates(), ctx.Err()
		}
		if e.open.len() == 0 {
			return nil, ctx.Err()
		}
		if err := e.step(ctx); err != nil {
			return nil, err
		}
		if len(e.pending) < gather {
			return []search.Candidate{}, nil // nothing to score, but a border at which to stop
		}
	}
}

// certain tells that all that is pending is in the front already: its evaluation can wait.
func (e *enumeration) certain() bool {
	for i := range e.pending {
		if !e.pending[i].certain {
			return false
		}
	}
	return true
}

func (e *enumeration) candidates() []search.Candidate {
	cs := make([]search.Candidate, len(e.asked))
	for i := range e.asked {
		cs[i] = e.asked[i].Candidate
	}
	return cs
}

// Tell takes feasible designs into the front and counts what became of the tuples. Seeds are
// counted when the tree comes to them.
func (e *enumeration) Tell(scores []search.Score) {
	if len(scores) == 0 {
		return
	}
	for i := range scores {
		s, c := &scores[i], e.asked[i].Candidate
		what := s.Constraint
		if s.Evaluated {
			e.spent[c.Space] += EvaluateNs
		}
		if s.Feasible() {
			what = search.Feasible
			e.told++
			e.front.Add(search.Member{Candidate: c, Vector: s.V})
		}
		if !e.seeding {
			k := search.Key(c.Space, c.V)
			if e.counted[k] {
				what = search.Duplicate
			}
			e.counted[k] = true
			e.Tally[c.Space].Add(what, len(c.V)-1, 1)
		}
	}
	e.abandon()
}

// abandon drops what is left of spaces that have cost more than they may.
func (e *enumeration) abandon() {
	changed := false
	for i, l := range e.Limit {
		if l > 0 && e.spent[i] > l && !e.Abandoned[i] {
			e.Abandoned[i], changed = true, true
		}
	}
	if changed {
		e.open.keep(func(n *Node) bool {
			if e.Abandoned[n.space] {
				e.left -= share(e.p, n)
			}
			return !e.Abandoned[n.space]
		})
		e.pending = slices.DeleteFunc(e.pending, func(s Survivor) bool { return e.Abandoned[s.Space] })
	}
}

// push opens a box.
func (e *enumeration) push(n *Node) {
	e.left += share(e.p, n)
	e.open.push(n)
}

// step works on the boxes that may hold what is best by the first objective. A design is dominated
// only by designs that are no worse in it: taken in this order, boxes and tuples meet nearly all
// that can exclude them before they cost anything.
func (e *enumeration) step(ctx context.Context) error {
	e.sweep() // perhaps of all
	n := min(batchBoxes, e.open.len())
	tasks := min(batchTasks, n)
	stacks := make([][]Node, tasks)
	limit := math.Inf(-1)
	full := e.open.len() > e.most
	for i := range n {
		b := e.open.pop()
		e.left -= share(e.p, &b)
		limit = b.key
		stacks[i%tasks] = append(stacks[i%tasks], b)
	}
	if full {
		limit = math.Inf(1) // depth first, which keeps few boxes
	}
	for len(e.walkers) < tasks {
		w := NewWalker(e.p)
		w.first = e.first
		e.walkers = append(e.walkers, w)
	}
	e.front.Tree.Prepare(max(e.p.ThroughputAt, 0))
	search.Each(ctx, e.workers, tasks, func(_, i int) {
		w := e.walkers[i]
		w.front = &e.front // nobody adds before all are done
		w.limit, w.aside = limit, w.aside[:0]
		w.out, w.Visits, w.effort, w.sure = nil, 0, 0, search.Archive{}
		clear(w.spent)
		for j := range w.tally {
			w.tally[j] = search.Tally{}
		}
		slices.Reverse(stacks[i])
		stacks[i] = w.Run(stacks[i], taskVisits, taskSurvivors)
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for i := range tasks {
		e.merge(e.walkers[i], stacks[i])
	}
	e.abandon()
	e.rank()
	e.ask = askFirst
	return nil
}

// sweep drops the boxes that the front has come to dominate, where so many wait that memory is short
// and the front has grown since the last time, by less where fewer may wait.
func (e *enumeration) sweep() {
	if e.open.len() <= e.most || e.told-e.swept < int64(min(sweepAfter, e.most/sweepPer)) {
		return
	}
	e.swept = e.told
	e.open.drop(func(n *Node) bool {
		if n.best == nil || !e.front.Covers(n.best) {
			return false
		}
		e.Tally[n.space].Add(search.Dominated, int(n.depth), int64(n.hi-n.lo)+1)
		e.left -= share(e.p, n)
		return true
	})
}

// merge takes over what a task has found and what it leaves.
func (e *enumeration) merge(w *walker, left []Node) {
	for i := range w.aside {
		e.push(&w.aside[i])
	}
	slices.Reverse(left)
	for i := range left {
		left[i].checked = false // the front is better now
		e.push(&left[i])
	}
	for i := range w.out {
		if s := &w.out[i]; s.certain {
			e.front.Add(search.Member{Candidate: s.Candidate, Vector: s.worst})
		}
	}
	e.pending = append(e.pending, w.out...)
	e.visits += w.Visits
	for j := range w.tally {
		e.spent[j] += float64(w.spent[j]) * VisitNs
		e.Tally[j].Merge(&w.tally[j])
	}
}

// rank puts first what is good in all objectives together, relative to the range among those
// pending, so that the front is soon as strong as it will be.
func (e *enumeration) rank() {
	if len(e.pending) == 0 {
		return
	}
	k := len(e.p.Objectives)
	lo, hi := make(objectives.Vector, k), make(objectives.Vector, k)
	for j := range k {
		lo[j], hi[j] = math.Inf(1), math.Inf(-1)
		for i := range e.pending {
			if x := e.pending[i].Best[j]; !math.IsInf(x, 0) {
				lo[j], hi[j] = min(lo[j], x), max(hi[j], x)
			}
		}
	}
	sum := func(s *Survivor) float64 {
		t := 0.0
		for j, x := range s.Best {
			if hi[j] > lo[j] && !math.IsInf(x, 0) {
				t += (x - lo[j]) / (hi[j] - lo[j])
			}
		}
		return t
	}
	type ranked struct {
		Survivor
		at float64
	}
	rs := make([]ranked, len(e.pending))
	for i := range e.pending {
		rs[i] = ranked{e.pending[i], sum(&e.pending[i])}
	}
	slices.SortStableFunc(rs, func(a, b ranked) int { // stable: equal ones stay in tree order
		return cmp.Compare(a.at, b.at)
	})
	for i := range rs {
		e.pending[i] = rs[i].Survivor
	}
}

// prunePending drops what the front has come to dominate.
func (e *enumeration) prunePending() {
	keep := e.pending[:0]
	for _, s := range e.pending {
		if e.front.Covers(s.Best) {
			e.Tally[s.Space].Add(search.Dominated, len(s.V)-1, 1)
			continue
		}
		keep = append(keep, s)
	}
	e.pending = keep
}

// Progress is the number of boxes and tuples looked at, and the part of the space that is decided.
func (e *enumeration) Progress() (visits int64, fraction float64) { return e.visits, e.fraction() }

// fraction of the tuples that are decided, never decreasing.
func (e *enumeration) fraction() float64 {
	var all float64
	for i, sp := range e.p.Spaces {
		if e.whole[i] && sp.Size.Sign() > 0 {
			all++
		}
	}
	if e.open.len() == 0 {
		e.left = 0 // sums round
	}
	if all > 0 {
		e.done = max(e.done, 1-max(e.left, 0)/all)
	}
	return e.done
}

// share is the part of its space that a box holds.
func share(p *search.Problem, n *Node) float64 {
	x := 1.0
	for d := range int(n.depth) {
		x /= float64(p.Spaces[n.space].Dims[d].N)
	}
	return x * float64(n.hi-n.lo+1) / float64(p.Spaces[n.space].Dims[n.depth].N)
}

// first is the first objective that bounds of boxes say something of in every family; blind tells that
// there is none.
func first(p *search.Problem, which []bool) (objective int, blind bool) {
	w := NewWalker(p)
	for j := range p.Objectives {
		known := true
		for i, sp := range p.Spaces {
			if n, ok := Root(p, i); ok && which[i] && w.cut(sp, &n) == "" {
				known = known && !math.IsInf(w.best[j], -1)
			}
		}
		if known {
			return j, false
		}
	}
	return 0, true
}
