package branch

import (
	"slices"

	"toposearch/constraints"
	"toposearch/objectives"
	"toposearch/search"
)

// tuple judges one tuple of a box: index i of the last parameter.
func (t *task) tuple(sp *search.Space, n *node, i int32) {
	t.visits++
	t.effort++
	v := t.lo[:len(sp.Dims)]
	n.tuple(sp, i, v)
	if sp.Fam.SlowPaths {
		one := n.box
		one.lo, one.hi = i, i
		if why := t.cut(sp, &one); why != "" {
			t.exclude(why, n, i, i, t.best)
			return
		}
	}
	if why := t.judge(sp, v); why != "" {
		t.exclude(why, n, i, i, t.best)
		return
	}
	t.designs++
	if t.counting {
		return
	}
	if t.rng != nil || t.diving { // samples need no closer judgement
		if t.aim != nil && t.key(t.best) > t.limit {
			return
		}
		if !t.diving || t.quick() {
			t.survive(n, len(v))
		}
		return
	}
	one := *n
	one.lo, one.hi, one.stage = i, i, byCounts
	if t.key(t.best) > t.limit {
		t.putAside(&one)
		return
	}
	t.judgeCloser(&one, v)
}

// resume takes up a tuple that was put aside.
func (t *task) resume(sp *search.Space, n *node) {
	v := t.lo[:len(sp.Dims)]
	n.tuple(sp, n.lo, v)
	t.visits++
	t.effort++
	if why := t.judge(sp, v); why != "" {
		t.exclude(why, n, n.lo, n.lo, t.best)
		return
	}
	t.judgeCloser(n, v)
}

// judge says why closed forms exclude a tuple, "" if they do not; its best corner is then in t.best, and v its
// canonical form.
func (t *task) judge(sp *search.Space, v []int) string {
	if sp.Fam.Size(v, &t.enc.Low) != nil {
		return constraints.NoNetwork
	}
	if n := t.enc.Low.Endpoints; n < t.p.Min || n > t.p.Max {
		return constraints.Window
	}
	if sp.Duplicate(v, t.canon[:len(v)]) {
		return search.Duplicate
	}
	if !sp.Whole && !slices.Equal(v, t.canon[:len(v)]) { // the design is the one of the canonical form
		copy(v, t.canon[:len(v)])
		if sp.Fam.Size(v, &t.enc.Low) != nil {
			return constraints.NoNetwork
		}
	}
	t.enc.Design(t.p.Model, v)
	return t.excludes()
}

// judgeCloser judges again what judge has let pass, refinement by refinement of what is known of it. What is
// worse than the limit waits in between.
func (t *task) judgeCloser(n *node, v []int) {
	for effort := t.enc.Refine(); effort > 0; effort = t.enc.Refine() {
		t.effort += effort
		if why := t.excludes(); why != "" {
			t.exclude(why, n, n.lo, n.lo, t.best)
			return
		}
		steps, more := t.enc.Refined()
		if s := byCounts + stage(steps); more && n.stage < s && t.key(t.best) > t.limit {
			n.stage = s
			t.putAside(n)
			return
		}
	}
	t.survive(n, len(v))
}

// Links of a tuple that is evaluated in some 0.1 s: where closed forms know all that is compared, racks and cables take
// some 20 ns a link; where they do not, every channel may have to be followed.
const (
	quickLinksKnown = 8_000_000
	quickLinks      = 20_000
)

// quick tells whether the tuple at hand is such a one.
func (t *task) quick() bool {
	links := t.enc.Low.SwitchLinks()
	return links <= quickLinks || links <= quickLinksKnown && objectives.FillWorst(t.worst, t.p.Objectives, &t.enc.Metrics)
}

// survive records a tuple of a box that nothing excludes; its canonical form is in t.canon.
func (t *task) survive(n *node, k int) {
	s := Survivor{within: n.within, Candidate: search.Candidate{Space: int(n.space), V: slices.Clone(t.canon[:k])}, Best: slices.Clone(t.best)}
	if t.rng == nil && !t.diving && t.p.Judge.Met(&t.enc.Metrics) && objectives.FillWorst(t.worst, t.p.Objectives, &t.enc.Metrics) {
		s.certain, s.worst = true, slices.Clone(t.worst)
		t.sure.Add(search.Member{Candidate: s.Candidate, Vector: s.worst, Held: t.p.Slackened(s.worst)})
	}
	t.out = append(t.out, s)
}
