package search

import (
	"slices"

	"toposearch/evaluator/bound"
	"toposearch/evaluator/metric"
	"toposearch/objectives"
)

// survivor is a tuple that closed forms cannot exclude.
type survivor struct {
	Candidate
	best objectives.Vector // the best that is known to be possible
	// certain tells that it meets every limit; worst is then the worst that is possible.
	certain bool
	worst   objectives.Vector
}

// leaf looks at one tuple: value i of the last parameter.
func (w *walker) leaf(sp *space, n *node, i int32) {
	w.visits++
	w.effort++
	k := len(sp.dims)
	v := w.lo[:k]
	for d := range k - 1 {
		v[d] = sp.dims[d].at(int(n.at[d]))
	}
	v[k-1] = sp.dims[k-1].at(int(i))
	if sp.fam.SlowPaths {
		one := *n
		one.lo, one.hi = i, i
		if why := w.cut(sp, &one); why != "" {
			w.tally[n.space].add(why, k-1, 1)
			return
		}
	}
	if why := w.judge(sp, v); why != "" {
		w.tally[n.space].add(why, k-1, 1)
		return
	}
	w.designs++
	if w.counting {
		return
	}
	if w.rng != nil { // samples need no more
		w.survive(n.space, k)
		return
	}
	t := *n
	t.lo, t.hi, t.judged = i, i, true
	if w.best[w.first] > w.limit {
		w.putAside(&t)
		return
	}
	w.climb(&t, v)
}

// tuple takes up a tuple that was put aside.
func (w *walker) tuple(sp *space, n *node) {
	v := w.lo[:len(sp.dims)]
	for d := range v[:len(v)-1] {
		v[d] = sp.dims[d].at(int(n.at[d]))
	}
	v[len(v)-1] = sp.dims[len(v)-1].at(int(n.lo))
	w.visits++
	w.effort++
	if why := w.judge(sp, v); why != "" {
		w.tally[n.space].add(why, len(v)-1, 1)
		return
	}
	w.climb(n, v)
}

// survive records a tuple that nothing excludes; its canonical form is in w.canon.
func (w *walker) survive(space int16, k int) {
	s := survivor{Candidate: Candidate{int(space), append([]int(nil), w.canon[:k]...)}, best: clone(w.best)}
	if w.rng == nil && w.p.certain(&w.iv, w.worst) {
		s.certain, s.worst = true, clone(w.worst)
		w.sure.add(member{Candidate: s.Candidate, v: s.worst})
	}
	w.out = append(w.out, s)
}

// judge tells why level 0 excludes a tuple, "" if it does not; its best corner is then in w.best.
func (w *walker) judge(sp *space, v []int) string {
	if sp.fam.Size(v, &w.bl) != nil {
		return NoNetwork
	}
	if w.bl.Endpoints < w.p.min || w.bl.Endpoints > w.p.max {
		return Window
	}
	if sp.duplicate(v, w.canon[:len(v)]) {
		return duplicate
	}
	if !sp.whole && !slices.Equal(v, w.canon[:len(v)]) { // the design is the one of the canonical form
		copy(v, w.canon[:len(v)])
		if sp.fam.Size(v, &w.bl) != nil {
			return NoNetwork
		}
	}
	w.iv = metric.Intervals{}
	w.p.model.Enclose(bound.One(v, &w.bl), &w.ladder, &w.iv)
	return w.verdict()
}

// climb judges again what judge has let pass, step by step of its ladder. What is worse than the limit
// waits.
func (w *walker) climb(n *node, v []int) {
	if why := w.closer(n, v); why != "" {
		w.tally[n.space].add(why, len(v)-1, 1)
	}
}

func (w *walker) closer(n *node, v []int) string {
	l := &w.ladder
	for step := l.Next(); step != nil; step = l.Next() {
		w.effort += step.Effort(&w.bl)
		l.Climb(&w.iv)
		if why := w.verdict(); why != "" {
			return why
		}
		if l.Next() != nil && int(n.steps) < l.Steps() && w.best[w.first] > w.limit {
			n.steps = int8(l.Steps())
			w.putAside(n)
			return ""
		}
	}
	w.survive(n.space, len(v))
	return ""
}

// covers tells whether something is known to dominate the best corner.
func (w *walker) covers() bool { return w.front.covers(w.best) || w.sure.covers(w.best) }

// verdict is why the intervals of w exclude what they are of, "" if they do not; the best corner is
// then in w.best, unless designs are only counted.
func (w *walker) verdict() string {
	if why := w.iv.Reject.Constraint; why != "" {
		return why
	}
	if i, _ := w.p.broken(&w.iv); i >= 0 {
		return w.p.limits[i].Name
	}
	if why := w.p.lacking(&w.iv); why != "" || w.counting {
		return why
	}
	w.p.corner(&w.iv, w.best)
	if w.covers() {
		return dominated
	}
	return ""
}
