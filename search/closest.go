package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"toposearch/constraints"
	"toposearch/evaluator"
	"toposearch/topology"
)

// How hard the search for the closest design of a family tries, per family and per limit that
// might be relaxed. Best first, it mostly needs a few hundred steps; the bounds keep an
// infeasible study from costing more than a feasible one.
const (
	closestVisits      = 200_000
	closestEvaluations = 100
	// Searches that run together take at most so many steps of some 3 us, and each of them at least so
	// many, however many families and limits there are.
	closestAll   = 2_000_000
	closestFewer = 5_000
)

// closest looks, for each family of which no design was found feasible, for the design with the
// smallest violation, and for each limit for the smallest change of it alone that admits a design.
// Families that turn out to have a feasible design, which the front outdoes, are left out.
func (p *Problem) closest(ctx context.Context, workers int, families []int) ([]Closest, error) {
	jobs := make([]nearest, len(families))
	for i, f := range families {
		jobs[i] = nearest{p: p, family: f, only: anyLimit}
	}
	if err := searchAll(ctx, workers, jobs); err != nil {
		return nil, err
	}
	var out []Closest
	var single []nearest
	var of []int // of each in single, its place in out
	for i := range jobs {
		if n := &jobs[i]; n.design != "" && len(n.misses) == 0 {
			continue
		}
		for only := onlyReject; only < len(p.limits); only++ {
			single, of = append(single, nearest{p: p, family: families[i], only: only}), append(of, len(out))
		}
		out = append(out, Closest{Family: p.spaces[families[i]].fam.Name})
		jobs[i].tell(&out[len(out)-1])
	}
	if err := searchAll(ctx, workers, single); err != nil {
		return nil, err
	}
	for i := range single {
		single[i].tell(&out[of[i]])
	}
	// The search for the smallest sum may end on its effort before it comes by a design that the
	// search for a single limit has found.
	for i := range single {
		n, c := &single[i], &out[of[i]]
		if n.design != "" && len(n.misses) == 1 && (c.Design == "" || n.value < c.Violation) {
			c.Design, c.Violation, c.Misses = n.design, n.value, n.misses
		}
	}
	return out, nil
}

// searchAll runs searches in parallel.
func searchAll(ctx context.Context, workers int, jobs []nearest) error {
	errs := make([]error, len(jobs))
	each(ctx, workers, len(jobs), func(_, i int) {
		jobs[i].value = math.Inf(1)
		jobs[i].visits = min(closestVisits, max(closestAll/len(jobs), closestFewer))
		errs[i] = jobs[i].search(ctx)
	})
	return errors.Join(append(errs, ctx.Err())...)
}

// What a nearest looks at besides the index of one limit.
const (
	anyLimit   = -3 // all of them: the smallest sum
	onlyReject = -2 // the parts that the evaluator misses
	onlyWindow = -1 // the number of endpoints
)

// nearest is a best-first search for the smallest violation, of all limits together or of one
// with all others met.
type nearest struct {
	p      *Problem
	family int // index of its space
	only   int

	value     float64 // the smallest so far
	design    string
	misses    []Miss
	exhausted bool
	open      boxHeap
	w         *walker
	evals     int
	visits    int // steps that it may take
}

// tell adds what was found to the family's entry.
func (n *nearest) tell(c *Closest) {
	if n.only == anyLimit {
		c.Exhausted = n.exhausted
		if n.design != "" {
			c.Design, c.Violation, c.Misses = n.design, n.value, n.misses
		}
		return
	}
	if n.design == "" || len(n.misses) != 1 {
		return
	}
	m := n.misses[0]
	c.Relaxation = append(c.Relaxation, Relaxation{m.Constraint, m.Bound, m.Got, n.design, m.Origin})
}

// box is a node with the violation that none of its designs can undercut; a leaf if exact values
// are in it.
type box struct {
	node
	bound float64
	seq   int
	leaf  []int
}

// boxHeap gives the box with the smallest bound first; among equal ones a leaf, then the last pushed, so
// that it comes by a design before it has looked at everything else. Boxes stay where they are: what is
// sorted is their places.
type boxHeap struct {
	boxes []box
	free  []int32
	order []int32
	seq   int
}

func (h *boxHeap) less(i, j int32) bool {
	a, b := &h.boxes[i], &h.boxes[j]
	if a.bound != b.bound {
		return a.bound < b.bound
	}
	if (a.leaf != nil) != (b.leaf != nil) {
		return a.leaf != nil
	}
	return a.seq > b.seq
}

func (h *boxHeap) push(b *box) {
	h.seq++
	b.seq = h.seq
	at := int32(len(h.boxes))
	if n := len(h.free); n > 0 {
		at, h.free = h.free[n-1], h.free[:n-1]
		h.boxes[at] = *b
	} else {
		h.boxes = append(h.boxes, *b)
	}
	h.order = append(h.order, at)
	i := len(h.order) - 1
	for i > 0 && h.less(at, h.order[(i-1)/2]) {
		h.order[i] = h.order[(i-1)/2]
		i = (i - 1) / 2
	}
	h.order[i] = at
}

func (h *boxHeap) pop() box {
	top, n := h.order[0], len(h.order)-1
	last := h.order[n]
	h.order = h.order[:n]
	i := 0
	for n > 0 {
		c := 2*i + 1
		if c+1 < n && h.less(h.order[c+1], h.order[c]) {
			c++
		}
		if c >= n || !h.less(h.order[c], last) {
			h.order[i] = last
			break
		}
		h.order[i] = h.order[c]
		i = c
	}
	h.free = append(h.free, top)
	return h.boxes[top]
}

// least is the smallest bound of all; +Inf if nothing is open.
func (h *boxHeap) least() float64 {
	if len(h.order) == 0 {
		return math.Inf(1)
	}
	return h.boxes[h.order[0]].bound
}

// search goes through a family's space until nothing left can be closer.
func (n *nearest) search(ctx context.Context) error {
	root, ok := n.p.root(n.family)
	if !ok {
		n.exhausted = true
		return nil
	}
	n.w = newWalker(n.p)
	n.open.push(&box{node: root})
	for visits := 0; visits < n.visits && n.evals < closestEvaluations; visits++ {
		if least := n.open.least(); least >= n.value || math.IsInf(least, 1) {
			n.exhausted = true
			return nil
		}
		b := n.open.pop()
		if b.leaf != nil {
			if err := n.evaluate(ctx, b.leaf); err != nil {
				return err
			}
			continue
		}
		n.split(b)
	}
	return nil
}

// split pushes the halves of a box, or its one value of the last parameter as a leaf.
func (n *nearest) split(b box) {
	sp := n.p.spaces[b.space]
	if b.lo == b.hi && int(b.depth) == len(sp.dims)-1 {
		v := make([]int, len(sp.dims))
		for d := range v[:len(v)-1] {
			v[d] = sp.dims[d].at(int(b.at[d]))
		}
		v[len(v)-1] = sp.dims[len(v)-1].at(int(b.lo))
		n.leaf(sp, b, v)
		return
	}
	if b.lo == b.hi {
		b.at[b.depth] = b.lo
		b.depth++
		b.lo, b.hi = 0, int32(sp.dims[b.depth].n)-1
		n.open.push(&b)
		return
	}
	mid := b.lo + (b.hi-b.lo)/2
	left, right := b, b
	left.hi, right.lo = mid, mid+1
	for _, half := range []box{left, right} {
		if half.bound = n.boxBound(sp, &half.node); half.bound < n.value {
			n.open.push(&half)
		}
	}
}

// boxBound is a violation that no design in the box undercuts.
func (n *nearest) boxBound(sp *space, nd *node) float64 {
	w := n.w
	k := len(sp.dims)
	lo, hi := w.lo[:k], w.hi[:k]
	sp.corners(nd, lo, hi)
	sp.fam.SizeBounds(lo, hi, &w.bl, &w.bh)
	window := 0.0
	switch {
	case w.bh.Endpoints < n.p.min:
		window = n.p.windowViolation(w.bh.Endpoints)
	case w.bl.Endpoints > n.p.max:
		window = n.p.windowViolation(w.bl.Endpoints)
	}
	if window == 0 && n.only != anyLimit && n.only != onlyWindow { // no others than those in the window
		w.bl.Endpoints, w.bh.Endpoints = max(w.bl.Endpoints, n.p.min), min(w.bh.Endpoints, n.p.max)
	}
	sp.fam.BoundPerEndpoint(lo, hi, w.bl.Endpoints, w.bh.Endpoints, &w.per)
	w.per.Tighten(&w.bl, &w.bh)
	w.iv = evaluator.Intervals{}
	n.p.model.Box(&w.bl, &w.bh, &w.per, &w.iv)
	sum := n.bound(window, evaluator.Reject{}, &w.iv)
	if w.iv.Reject.Constraint != "" && n.only != anyLimit && n.only != onlyReject {
		return math.Inf(1) // how far off the best of them is, is not known
	}
	return sum
}

// bound adds up what is missed at best; infinite if a limit is missed that must be met.
func (n *nearest) bound(window float64, r evaluator.Reject, iv *evaluator.Intervals) float64 {
	sum := 0.0
	take := func(limit int, v float64) {
		switch {
		case v == 0:
		case n.only == anyLimit || n.only == limit:
			sum += v
		default:
			sum = math.Inf(1)
		}
	}
	take(onlyWindow, window)
	if r.Constraint != "" {
		take(onlyReject, math.Max(math.Abs(r.Violation()), 1e-9))
	}
	for i := range n.p.limits {
		take(i, n.p.atBest(i, iv))
	}
	return sum
}

// leaf bounds one design by its closed forms.
func (n *nearest) leaf(sp *space, b box, v []int) {
	w := n.w
	if sp.duplicate(v, w.canon[:len(v)]) || sp.fam.Size(v, &w.bl) != nil {
		return
	}
	w.iv = evaluator.Intervals{}
	r := n.p.model.Level0(v, &w.bl, &w.scratch, &w.iv)
	b.bound = n.bound(n.p.windowViolation(w.bl.Endpoints), r, &w.iv)
	if b.bound < n.value {
		b.leaf = slices.Clone(w.canon[:len(v)])
		n.open.push(&b)
	}
}

// evaluate finds what a design really misses.
func (n *nearest) evaluate(ctx context.Context, v []int) error {
	n.evals++
	c := Candidate{n.family, v}
	ms, err := n.p.judgeDesign(ctx, n.p.design(n.family, v))
	if err != nil {
		return err
	}
	sum := 0.0
	for _, m := range ms {
		sum += m.Violation
	}
	if n.only != anyLimit && (len(ms) != 1 || ms[0].Absent || !n.mine(ms[0].Constraint)) {
		return nil
	}
	if sum < n.value {
		n.value, n.misses, n.design = sum, ms, n.p.name(c)
	}
	return nil
}

// mine tells whether a constraint is the one that may be relaxed.
func (n *nearest) mine(constraint string) bool {
	switch n.only {
	case onlyWindow:
		return constraint == Window
	case onlyReject:
		return !slices.ContainsFunc(n.p.limits, func(l constraints.Limit) bool { return l.Name == constraint })
	}
	return n.p.limits[n.only].Name == constraint
}

// judgeDesign evaluates a design and lists what it misses, the endpoint window included.
func (p *Problem) judgeDesign(ctx context.Context, d topology.Design) ([]Miss, error) {
	e, err := p.measure(ctx, d)
	if err != nil {
		return nil, err
	}
	return p.allMisses(e), nil
}

func (p *Problem) measure(ctx context.Context, d topology.Design) (*entry, error) {
	r, err := p.model.Evaluate(ctx, d, p.request)
	if err != nil {
		return nil, fmt.Errorf("evaluate %s: %w", d, err)
	}
	return newEntry(d.String(), r), nil
}

// allMisses is misses with the endpoint window before them.
func (p *Problem) allMisses(e *entry) []Miss {
	ms := p.misses(e)
	n := int64(e.values[evaluator.Endpoints])
	if v := p.windowViolation(n); v > 0 {
		bound := p.min
		if n > p.max {
			bound = p.max
		}
		w := Miss{Constraint: Window, Metric: evaluator.Keys[evaluator.Endpoints].Name, Got: float64(n), Bound: float64(bound), Violation: v}
		ms = append([]Miss{w}, ms...)
	}
	return ms
}
