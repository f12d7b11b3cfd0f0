package branch

import (
	"cmp"
	"context"
	"math"
	"slices"

	"toposearch/objectives"
	"toposearch/search"
)

// How many designs are evaluated before the front is read again: a part of the result as well. Certain designs are gathered to a batch
// (search.Problem.Batch).
const (
	askDives  = 8 // the first of all, so that there is a front soon,
	askFirst  = 4 // then the fourth part of a batch, since the first ones prune the most,
	askedMost = 2 // then more, up to two batches
)

// Ask gives the most promising tuples that are neither rejected nor dominated yet.
func (e *Enumeration) Ask(ctx context.Context) ([]search.Candidate, error) {
	if !e.started {
		e.started = true
		if e.pending = e.seeds(); len(e.pending) > 0 {
			e.seeding = true
			rank(e.pending, len(e.p.Objectives))
		}
	}
	if e.seeding {
		e.pending = slices.DeleteFunc(e.pending, func(s Survivor) bool { return e.front.Covers(s.Best) })
		most := e.p.Batch() / askFirst
		if !e.blind {
			most = askDives
		}
		if n := min(len(e.pending), most); n > 0 {
			return e.take(n), ctx.Err()
		}
		e.seeding = false
	}
	for {
		if e.Paused() {
			return nil, ctx.Err()
		}
		e.prunePending()
		if n := len(e.pending); n >= e.p.Batch() || n > 0 && (e.open.len() == 0 || !e.certain()) {
			n = min(n, e.ask)
			e.ask = min(2*e.ask, askedMost*e.p.Batch())
			return e.take(n), ctx.Err()
		}
		if e.open.len() == 0 {
			if e.finer() {
				continue
			}
			return nil, ctx.Err()
		}
		if err := e.batch(ctx); err != nil {
			return nil, err
		}
		rank(e.pending, len(e.p.Objectives))
		e.ask = e.p.Batch() / askFirst
		if len(e.pending) < e.p.Batch() {
			return []search.Candidate{}, nil // nothing to score, but a border at which to stop
		}
	}
}

// seeds make a first front: by dives into wide spaces, whose tree takes long until it has one, and by random descents
// where no objective has bounds.
func (e *Enumeration) seeds() []Survivor {
	var out []Survivor
	for i := range e.p.Spaces {
		if !e.whole[i] {
			continue
		}
		seen := map[string]bool{}
		visit := func(s Survivor) {
			if k := search.Key(i, s.V); !seen[k] {
				seen[k] = true
				out = append(out, s)
			}
		}
		if e.wide {
			Dives(e.p, i, visit)
		}
		if e.blind {
			Samples(e.p, i, visit)
		}
	}
	return out
}

// take asks for the first n that are pending.
func (e *Enumeration) take(n int) []search.Candidate {
	e.asked, e.pending, e.untold = e.pending[:n], e.pending[n:], !e.seeding // the tree comes to seeds again
	cs := make([]search.Candidate, n)
	for i := range e.asked {
		cs[i] = e.asked[i].Candidate
	}
	return cs
}

// certain means that all that is pending is in the front already: its evaluation can wait.
func (e *Enumeration) certain() bool {
	if e.eps > 0 {
		return false
	}
	for i := range e.pending {
		if !e.pending[i].certain {
			return false
		}
	}
	return true
}

// prunePending drops what the front has come to dominate.
func (e *Enumeration) prunePending() {
	keep := e.pending[:0]
	near := newEasing(e.p, e.eps)
	for _, s := range e.pending {
		switch {
		case e.front.Covers(s.Best):
			e.Tally[s.Space].Add(search.Dominated, len(s.V)-1, 1)
		case e.eps > 0 && e.front.Covers(near.ease(s.Best)):
			s.within = finest(s.within, e.eps)
			e.laterDesigns = append(e.laterDesigns, s)
		default:
			keep = append(keep, s)
		}
	}
	e.pending = keep
}

// Tell takes feasible designs into the front and counts what became of the tuples. Seeds are
// counted when the tree comes to them.
func (e *Enumeration) Tell(scores []search.Score) {
	if len(scores) == 0 {
		return
	}
	for i := range scores {
		s, c := &scores[i], e.asked[i].Candidate
		what := s.Constraint
		if s.Evaluated {
			e.spent[c.Space] += e.Each[c.Space]
			if !e.seeding {
				e.learn(&e.asked[i], s)
			}
		}
		if s.Feasible() {
			what = search.Feasible
			e.told++
			e.add(search.Member{Candidate: c, Vector: s.V, Held: e.p.Held(s.V)})
		}
		if !e.seeding {
			e.count(c, what)
		}
	}
	e.untold = false
	e.abandon()
}

// count counts what became of a design.
func (e *Enumeration) count(c search.Candidate, what string) {
	k := search.Key(c.Space, c.V)
	if e.counted[k] {
		what = search.Duplicate
	}
	e.counted[k] = true
	e.Tally[c.Space].Add(what, len(c.V)-1, 1)
}

// rank puts first what is good in all objectives together, relative to the range among those
// pending, so that the front is soon as strong as it will be.
func rank(pending []Survivor, objs int) {
	if len(pending) == 0 {
		return
	}
	lo, hi := make(objectives.Vector, objs), make(objectives.Vector, objs)
	for j := range objs {
		lo[j], hi[j] = math.Inf(1), math.Inf(-1)
		for i := range pending {
			if x := pending[i].Best[j]; !math.IsInf(x, 0) {
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
	rs := make([]ranked, len(pending))
	for i := range pending {
		rs[i] = ranked{pending[i], sum(&pending[i])}
	}
	slices.SortStableFunc(rs, func(a, b ranked) int { // stable: equal ones stay in tree order
		return cmp.Compare(a.at, b.at)
	})
	for i := range rs {
		pending[i] = rs[i].Survivor
	}
}

// Paused reports whether it has come to its pause with something left.
func (e *Enumeration) Paused() bool {
	return e.Pause > 0 && e.Spent() >= e.Pause && e.left() > 0
}
