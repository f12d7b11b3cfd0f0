package branch

import (
	"math"
	"math/rand/v2"

	"toposearch/constraints"
	"toposearch/objectives"
	"toposearch/search"
)

// node is a box of tuples: parameters before depth are fixed, the one at depth ranges over the
// indices lo..hi, those behind are free.
type Node struct {
	space  int16
	depth  int16
	lo, hi int32
	at     [search.MaxParams]int32 // indices of the fixed parameters
	// checked tells that a box with the same tuples has passed already.
	checked bool
	// key orders what is open: no tuple of the box is better in the objective of Problem.first.
	key float64
	// best is the best corner of a box that was put aside, nil if it is not at hand.
	best objectives.Vector
	look look
	seen int32 // the size of the front when it was put aside
}

// walker does branch and bound on one goroutine. Ranges are halved rather than walked value by
// value, so that a wide domain of which little fits costs its logarithm.
type walker struct {
	p     *search.Problem
	tally []search.Tally  // by space
	front *search.Archive // what it prunes against
	// sure holds tuples of this task that meet every limit for certain, at the worst that their
	// intervals allow: what they dominate needs no evaluation.
	sure   search.Archive
	worst  objectives.Vector
	out    []Survivor
	Visits int64
	effort int64 // visits, and what closer looks cost in units of them
	// first is the objective whose bound orders boxes; what exceeds limit is put aside.
	first int
	limit float64
	aside []Node
	spent []int64 // effort by space
	// counting keeps limits but not dominance, and no survivors: for plans.
	Counting bool
	Designs  int64
	rng      *rand.Rand // descend into a random half first: to sample; nil: in order

	lo, hi, canon  [search.MaxParams]int
	hullLo, hullHi [search.MaxParams]int
	enc            search.Enclosure
	best           objectives.Vector
}

func NewWalker(p *search.Problem) *walker {
	return &walker{p: p, tally: make([]search.Tally, len(p.Spaces)), front: new(search.Archive), limit: math.Inf(1), spent: make([]int64, len(p.Spaces)),
		best: make(objectives.Vector, len(p.Objectives)), worst: make(objectives.Vector, len(p.Objectives))}
}

// run works on the stack, whose last node is the next, until it is empty or a number of visits or
// of survivors is reached, and returns what is left of it.
func (w *walker) Run(stack []Node, visits int64, survivors int) []Node {
	end := w.effort + visits
	for len(stack) > 0 && w.effort < end && len(w.out) < survivors {
		n := stack[len(stack)-1]
		before := w.effort
		stack = w.visit(&n, stack[:len(stack)-1])
		w.spent[n.space] += w.effort - before
	}
	return stack
}

// leafRun is the width of a range of the last parameter from which tuples are looked at one by
// one: bounds of so small a box cost as much as its tuples.
const leafRun = 4

func (w *walker) visit(n *Node, stack []Node) []Node {
	sp := w.p.Spaces[n.space]
	if n.best != nil { // put aside: the front is better now
		if w.front.Covers(n.best) || w.sure.Covers(n.best) {
			w.tally[n.space].Add(search.Dominated, int(n.depth), int64(n.hi-n.lo)+1)
			return stack
		}
		n.checked = true
		if n.look == lookBox && w.later(sp, n) {
			return stack
		}
	}
	if n.look != lookBox {
		w.tuple(sp, n)
		return stack
	}
	if !n.checked && !w.admit(sp, n) {
		return stack
	}
	if int(n.depth) == len(sp.Dims)-1 && n.hi-n.lo < leafRun {
		for i := n.lo; i <= n.hi; i++ {
			w.leaf(sp, n, i)
		}
		return stack
	}
	if n.lo == n.hi { // the same tuples, by the next parameter
		next := *n
		next.at[n.depth] = n.lo
		next.depth++
		next.lo, next.hi, next.checked, next.best = 0, int32(sp.Dims[next.depth].N)-1, true, nil
		if !w.shrink(sp, &next) {
			return stack
		}
		return append(stack, next)
	}
	return w.split(sp, n, stack)
}

// leastRise is by how much the bound of a box must have risen to wait again rather than to be split. It is looked at
// again if the front has grown by a share of 1/leastGrowth since: else the bound is seldom another.
const (
	leastRise   = 0.02
	leastGrowth = 16
)

// later tells that a box that was put aside is dominated now, or waits again.
func (w *walker) later(sp *search.Space, n *Node) bool {
	if w.p.ThroughputAt < 0 || w.p.CostAt != w.first || w.front.Len() < int(n.seen)+int(n.seen)/leastGrowth {
		return false
	}
	before := n.key
	if !w.admit(sp, n) {
		return true
	}
	if n.key > w.limit && n.key > before*(1+leastRise) {
		w.putAside(n)
		return true
	}
	return false
}

// split halves a range. The half that may hold what is best by the first objective comes first, the
// lower one if they are equal: a front of such designs soon excludes most of the rest.
func (w *walker) split(sp *search.Space, n *Node, stack []Node) []Node {
	mid := n.lo + (n.hi-n.lo)/2
	if w.rng != nil { // most parameters multiply: small values matter as much as large ones
		mid = min(int32(math.Sqrt(float64(n.lo+1)*float64(n.hi+1))), n.hi) - 1
		mid = max(mid, n.lo)
	}
	halves := [2]Node{*n, *n}
	halves[0].best, halves[1].best = nil, nil
	halves[0].hi, halves[1].lo = mid, mid+1
	if w.rng != nil {
		if w.rng.Uint64()&1 == 0 {
			halves[0], halves[1] = halves[1], halves[0]
		}
		for i := range halves {
			halves[i].checked = false
		}
		return append(stack, halves[1], halves[0])
	}
	first := math.Inf(1)
	for i := range halves {
		h := &halves[i]
		if !w.admit(sp, h) {
			continue
		}
		if h.key > w.limit {
			w.putAside(h)
			continue
		}
		stack = append(stack, *h)
		if k := len(stack); i == 0 {
			first = h.key
		} else if !math.IsInf(first, 1) && first <= h.key { // the last is the next
			stack[k-1], stack[k-2] = stack[k-2], stack[k-1]
		}
	}
	return stack
}

// putAside keeps a box whose best corner is in w.best for later.
func (w *walker) putAside(n *Node) {
	n.best = clone(w.best)
	n.key, n.seen = n.best[w.first], int32(w.front.Len())
	w.aside = append(w.aside, *n)
}

// admit tells whether a box must be looked into. Without bounds per endpoint, those of the smallest
// boxes cost as much as their tuples.
func (w *walker) admit(sp *search.Space, n *Node) bool {
	if !w.shrink(sp, n) {
		return false
	}
	n.checked = true
	if int(n.depth) == len(sp.Dims)-1 && n.hi-n.lo < leafRun && sp.Fam.PerEndpoint == nil {
		return true
	}
	w.Visits++
	w.effort++
	if why := w.cut(sp, n); why != "" {
		w.tally[n.space].Add(why, int(n.depth), int64(n.hi-n.lo)+1)
		return false
	}
	n.key = math.Inf(-1)
	if !w.Counting {
		n.key = w.best[w.first]
	}
	return true
}

// shrink drops from both ends of a range what the family says makes no network, and tells whether
// anything is left.
func (w *walker) shrink(sp *search.Space, n *Node) bool {
	if sp.Fam.Next == nil && sp.Fam.Within == nil {
		return true
	}
	d := int(n.depth)
	dim, v := &sp.Dims[d], w.lo[:len(sp.Dims)]
	for i := range d {
		v[i] = sp.Dims[i].At(int(n.at[i]))
	}
	if sp.Fam.Within != nil && !w.within(n, v) {
		return false
	}
	if sp.Fam.Next == nil {
		return true
	}
	next := func(i int32) int32 { // the least index from i on that may be valid
		if i > n.hi {
			return i
		}
		for x := dim.At(int(i)); ; {
			y := sp.Fam.Next(v, d, x)
			j, ok := dim.Index(y)
			if ok || j >= dim.N || int32(j) > n.hi {
				return min(int32(j), n.hi+1)
			}
			x = dim.At(j)
		}
	}
	first := next(n.lo)
	w.none(n, first-n.lo)
	if n.lo = first; first > n.hi {
		return false
	}
	if second := next(first + 1); second > n.hi {
		w.none(n, n.hi-first)
		n.hi = first
	}
	return true
}

// mostWithin bounds the endpoints of which a family's Within is asked: products with a few more
// values do not overflow. Networks have less than 2^31 of anything.
const mostWithin = 1 << 40

// within drops from both ends of a range what the family says has too few or too many endpoints, and
// tells whether anything is left. The values before it are in v.
func (w *walker) within(n *Node, v []int) bool {
	if w.p.Min > mostWithin {
		return true
	}
	dim := &w.p.Spaces[n.space].Dims[n.depth]
	lo, hi := w.p.Spaces[n.space].Fam.Within(v, int(n.depth), max(w.p.Min, 1), min(max(w.p.Max, 1), mostWithin))
	first, last := int64(n.lo), int64(n.hi)
	if lo > int64(dim.At(int(n.lo))) {
		i, _ := dim.Index(int(min(lo, math.MaxInt32)))
		first = min(int64(i), last+1)
	}
	if hi < int64(dim.At(int(n.hi))) {
		i, _ := dim.Index(int(max(hi, -1) + 1)) // the first that is too large
		last = max(int64(i)-1, first-1)
	}
	if drop := first - int64(n.lo) + int64(n.hi) - last; drop > 0 {
		w.tally[n.space].Add(constraints.Window, int(n.depth), drop)
	}
	n.lo, n.hi = int32(first), int32(last)
	return first <= last
}

// none counts values that make no network.
func (w *walker) none(n *Node, values int32) {
	if values > 0 {
		w.tally[n.space].Add(constraints.NoNetwork, int(n.depth), int64(values))
	}
}

// cut tells why no tuple of the box can be on the front, "" if one might.
func (w *walker) cut(sp *search.Space, n *Node) string {
	lo, hi := w.bounds(sp, n)
	sp.Fam.SizeBounds(lo, hi, &w.enc.Low, &w.enc.High)
	if w.enc.High.Endpoints < w.p.Min || w.enc.Low.Endpoints > w.p.Max {
		return constraints.Window
	}
	if w.unordered(sp, int(n.depth), lo, hi, n.lo == n.hi) {
		return search.Duplicate
	}
	// Only designs inside the window count from here on.
	w.enc.Low.Endpoints, w.enc.High.Endpoints = max(w.enc.Low.Endpoints, w.p.Min), min(w.enc.High.Endpoints, w.p.Max)
	sp.Fam.BoundPerEndpoint(lo, hi, w.enc.Low.Endpoints, w.enc.High.Endpoints, &w.enc.PerEndpoint)
	w.enc.PerEndpoint.Tighten(&w.enc.Low, &w.enc.High)
	w.enc.Box(w.p.Model)
	if why := w.verdict(); why != "" || w.Counting {
		return why
	}
	if w.rise() {
		return search.Dominated
	}
	return ""
}

// bounds are the least and the largest values of the designs of a box.
func (w *walker) bounds(sp *search.Space, n *Node) (lo, hi []int) {
	k := len(sp.Dims)
	lo, hi = w.lo[:k], w.hi[:k]
	corners(sp, n, lo, hi)
	if !sp.Whole && sp.Fam.Hull != nil { // of a space that does not hold every canonical form
		lo, hi = w.hullLo[:k], w.hullHi[:k]
		copy(lo, w.lo[:k])
		copy(hi, w.hi[:k])
		sp.Fam.Hull(lo, hi)
	}
	return lo, hi
}

// mostRises bounds how often a bound of cost is raised at a time: later looks raise it further.
const mostRises = 8

// rise raises the bound of cost in w.best by what throughput costs, and tells whether nothing is left:
// what the front does not dominate at a cost must have more throughput than it has there, and that
// costs more in turn.
func (w *walker) rise() bool {
	i, j := w.p.CostAt, w.p.ThroughputAt
	if i < 0 || j < 0 || !w.enc.Metrics.CostCurve.Known() {
		return false
	}
	reached := 0.0
	for range mostRises {
		// A bound of cost is below every cost: what has no more throughput is worse in cost.
		t := -w.front.Tree.Best(w.best, j)
		if t >= -w.best[j] {
			return true
		}
		if t <= reached {
			break
		}
		reached = t
		w.best[i] = math.Max(w.best[i], w.enc.Metrics.CostCurve.CostAt(t))
	}
	return false
}

// unordered tells whether the fixed parameters are already out of canonical order, whatever
// follows. Canonical forms sort groups of parameters; fixed values out of order stay so whether
// the rest is as small as can be or as large as can be, and values in order are canonical with
// one of the two.
func (w *walker) unordered(sp *search.Space, depth int, lo, hi []int, fixed bool) bool {
	if !fixed || !sp.Whole || sp.Fam.Canonical == nil {
		return false
	}
	return w.moves(sp, depth, lo) && w.moves(sp, depth, hi)
}

// moves tells whether the canonical form of v changes one of the first depth+1 values.
func (w *walker) moves(sp *search.Space, depth int, v []int) bool {
	c := w.canon[:len(v)]
	copy(c, v)
	sp.Fam.Canonical(c)
	for i := 0; i <= depth; i++ {
		if c[i] != v[i] {
			return true
		}
	}
	return false
}

// root is the box of a whole space; ok is false if the space is empty.
func Root(p *search.Problem, sp int) (n Node, ok bool) {
	if p.Spaces[sp].Size.Sign() == 0 || len(p.Spaces[sp].Dims) == 0 {
		return Node{}, false
	}
	return Node{space: int16(sp), hi: int32(p.Spaces[sp].Dims[0].N) - 1}, true
}

// corners writes the values of the box of a node: fixed before its depth, a range at it, and whole
// domains behind.
func corners(sp *search.Space, n *Node, lo, hi []int) {
	for i := range sp.Dims {
		d := &sp.Dims[i]
		switch {
		case i < int(n.depth):
			lo[i] = d.At(int(n.at[i]))
			hi[i] = lo[i]
		case i == int(n.depth):
			lo[i], hi[i] = d.At(int(n.lo)), d.At(int(n.hi))
		default:
			lo[i], hi[i] = d.At(0), d.At(d.N-1)
		}
	}
}
