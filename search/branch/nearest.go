package branch

import (
	"context"
	"math"
	"slices"

	"toposearch/constraints"
	"toposearch/internal/stream"
	"toposearch/search"
)

// What a nearest looks at besides the index of one limit.
const (
	mustMeet   = -3 // nothing may be missed
	anyLimit   = -2 // all of them: the smallest sum
	onlyWindow = -1 // the number of endpoints
)

// farther is added to the violation of designs that need a part which may not be bought: what they cost or
// draw is not known, so that others come first, whatever these miss.
const farther = 1e12

// A nearest looks at the best of the tuples that it has come by after so many steps, whatever boxes may
// hold better ones, and then ever less often: what is found excludes boxes, and there is an answer also
// where not everything can be looked at.
const nearSteps = 200

// nearest is a best-first branch and bound for the smallest violation, of all limits together or of one
// with all others met. Boxes are bounded as in an enumeration; a tuple by level 0, then by its floor plan and
// cables, and at last it is evaluated.
type nearest struct {
	p      *search.Problem
	family int // index of its space
	only   int
	// loose is p with larger switches and longer cables than may be bought, by which a design is judged that
	// needs them; nil: without.
	loose *search.Problem
	// relaxed is the setting that p has changed, nil if none.
	relaxed *relaxed

	value     float64 // the smallest so far
	design    string
	Misses    []constraints.Miss
	exhausted bool       // nothing left can be closer
	seen      []nearSeen // evaluated since others were told

	open, leaves boxHeap
	wide         search.Problem // p with the window in which what is closer must lie
	w            *walker
	evals        int
	partial      bool // not all of the space is looked at: seeds
	kept         map[string]bool
}

// nearSeen is an evaluated design.
type nearSeen struct {
	design string
	Misses []constraints.Miss
	noPart bool // it needs a part that may not be bought
}

// offer takes a design that is closer than the closest so far.
func (n *nearest) offer(s *nearSeen) {
	sum := violationOf(s.Misses)
	switch {
	case n.only == anyLimit && s.noPart:
		sum += farther
	case n.only == anyLimit, len(s.Misses) == 0:
	case n.only == mustMeet, s.noPart, len(s.Misses) > 1, s.Misses[0].Absent, !n.mine(s.Misses[0].Constraint):
		return
	}
	if sum < n.value {
		n.value, n.Misses, n.design = sum, s.Misses, s.design
		n.widen()
	}
}

// widen bounds the endpoints of what is closer than the closest so far.
func (n *nearest) widen() {
	n.wide.Min, n.wide.Max = n.p.Min, n.p.Max
	if n.only != anyLimit && n.only != onlyWindow {
		return
	}
	n.wide.Min, n.wide.Max = 1, mostWithin
	n.wide.Min = max(1, int64(float64(n.p.Min)/(1+n.value*(1+1e-9))))
	if v := float64(n.p.Max) * (1 + n.value*(1+1e-9)); v < mostWithin {
		n.wide.Max = int64(math.Ceil(v))
	}
}

// search goes through a family's space until nothing left can be closer, or for so many steps.
func (n *nearest) search(ctx context.Context, visits int) error {
	root, ok := Root(n.p, n.family)
	if !ok {
		n.exhausted = true
		return nil
	}
	n.wide = *n.p
	n.widen()
	n.w = NewWalker(&n.wide)
	n.open, n.leaves, n.evals, n.partial, n.kept = boxHeap{}, boxHeap{}, 0, false, map[string]bool{}
	n.admit(&box{Node: root})
	defer func() { n.open, n.leaves, n.w, n.kept = boxHeap{}, boxHeap{}, nil, nil }()
	next, wait, plunge := nearSteps, nearSteps, int64(0)
	rng := stream.New(n.p.Seed, "closest", uint64(n.family), uint64(n.only-mustMeet), uint64(visits))
	for n.w.effort < int64(visits) && n.evals < closestEvaluations {
		if err := ctx.Err(); err != nil {
			return err
		}
		boxes, leaves := n.open.least(), n.leaves.least()
		if least := min(boxes, leaves); least >= n.value || math.IsInf(least, 1) {
			n.exhausted = !n.partial
			return nil
		}
		if n.w.effort >= plunge {
			before := n.w.effort
			n.plunge(root, rng)
			plunge = n.w.effort + (n.w.effort-before)*plungeEvery
			continue
		}
		early := n.w.effort >= int64(next) && leaves < n.value
		if leaves > boxes && !early {
			b := n.open.pop()
			n.split(&b)
			continue
		}
		b := n.leaves.pop()
		if err := n.look(ctx, &b, early); err != nil {
			return err
		}
		if early {
			wait += wait / 4
		}
		next = int(n.w.effort) + wait
	}
	return nil
}

// split opens the halves of a box, or what follows where it is of one value of a parameter.
func (n *nearest) split(b *box) {
	sp := n.p.Spaces[b.space]
	if int(b.depth) == len(sp.Dims)-1 && b.hi-b.lo < leafRun {
		for i := b.lo; i <= b.hi; i++ {
			n.tuple(sp, b, i)
		}
		return
	}
	if b.lo == b.hi { // the same tuples, by the next parameter
		n.next(sp, b)
		n.admit(b)
		return
	}
	mid := b.lo + (b.hi-b.lo)/2
	left, right := *b, *b
	left.hi, right.lo = mid, mid+1
	n.admit(&right) // the lower half is the next if they are equal
	n.admit(&left)
}

// next fixes the parameter of a box that has one value of it, and goes on to the next.
func (n *nearest) next(sp *search.Space, b *box) {
	b.at[b.depth] = b.lo
	b.depth++
	b.lo, b.hi = 0, int32(sp.Dims[b.depth].N)-1
	if p := &sp.Fam.Params[b.depth]; (p.Name == "seed" || p.Name == "tries") && p.Default != nil && b.hi > 0 {
		// Which random numbers are drawn moves no metric far: the default stands for all.
		n.partial = true
		i, _ := sp.Dims[b.depth].Index(p.Default(nil))
		b.lo = min(int32(i), b.hi)
		b.hi = b.lo
	}
}

// admit opens a box unless nothing in it is closer than what is known.
func (n *nearest) admit(b *box) {
	sp := n.p.Spaces[b.space]
	n.w.effort++
	if !n.w.shrink(sp, &b.Node) {
		return
	}
	if b.bound = max(b.bound, n.boxBound(sp, &b.Node)); b.bound < n.value {
		n.open.push(b)
	}
}

// tuple bounds one design by its closed forms: value i of the last parameter.
func (n *nearest) tuple(sp *search.Space, b *box, i int32) {
	w := n.w
	w.effort++
	v := w.lo[:len(sp.Dims)]
	for d := range v[:len(v)-1] {
		v[d] = sp.Dims[d].At(int(b.at[d]))
	}
	v[len(v)-1] = sp.Dims[len(v)-1].At(int(i))
	if sp.Fam.Size(v, &w.enc.Low) != nil || sp.Duplicate(v, w.canon[:len(v)]) {
		return
	}
	n.keep(slices.Clone(w.canon[:len(v)]), b.bound)
}

// keep puts a tuple among those to be looked at, once, unless what is known is closer than it can be.
func (n *nearest) keep(v []int, bound float64) {
	leaf := box{Node: Node{space: int16(n.family), look: lookJudged}, leaf: v}
	leaf.bound = max(bound, n.leafBound(n.p.Spaces[n.family], v, lookJudged))
	if k := search.Key(n.family, v); leaf.bound < n.value && !n.kept[k] {
		n.kept[k] = true
		n.leaves.push(&leaf)
	}
}

// look lays a design's cables or, where that is done or it is to be done at once, evaluates it.
func (n *nearest) look(ctx context.Context, b *box, atOnce bool) error {
	if b.look == lookJudged {
		b.look = lookLaid
		b.bound = max(b.bound, n.leafBound(n.p.Spaces[n.family], b.leaf, lookLaid))
		if b.bound >= n.value {
			return nil
		}
		if !atOnce {
			n.leaves.push(b)
			return nil
		}
	}
	n.evals++
	n.w.effort += exactVisits
	d := n.p.Design(n.family, b.leaf)
	s, err := JudgeDesign(ctx, n.p, d)
	if err == nil && n.loose != nil && s.noPart {
		s, err = JudgeDesign(ctx, n.loose, d)
	}
	if err != nil {
		return err
	}
	n.seen = append(n.seen, s)
	before := n.value
	if n.offer(&s); n.value < before {
		n.polish(b.leaf)
	}
	return nil
}

// mine tells whether a constraint is the one that may be relaxed.
func (n *nearest) mine(constraint string) bool {
	if n.only == onlyWindow {
		return constraint == constraints.Window
	}
	return n.only >= 0 && n.p.Limits[n.only].Name == constraint
}
