package objectives

import (
	"math"
	"slices"
)

// Front is the set of non-dominated feasible points seen so far. It is exact and unbounded, and
// what it holds does not depend on the order of insertion: of points with equal vectors all are
// kept unless they have the same name. The zero value is empty.
//
// Points are held in a tree of boxes (Jaszkiewicz and Lust, "ND-Tree-based update: a fast algorithm
// for the dynamic nondominance problem", IEEE Trans. Evol. Comput. 22(5), 2018), here split by
// planes: a box whose best corner is somewhere worse than a vector holds nothing that dominates
// it, one whose worst corner the vector does not reach holds nothing that it dominates.
type Front struct {
	root  *box
	n     int
	index *stairs // of all points, or nil
}

var inf = math.Inf(1)

// box is a part of the front: a leaf with points, or two boxes either side of a plane. lo and hi
// enclose its points; they are exact after insertions and may be wide after removals.
type box struct {
	lo, hi      Vector
	pts         []*Point
	left, right *box
	axis        int
	plane       float64 // left: V[axis] < plane
}

// leafSize is how many points a leaf holds before it is split; 8 to 32 cost the same.
const leafSize = 16

// Len is the number of points.
func (f *Front) Len() int { return f.n }

// Add offers a point and tells whether it is on the front now. The front keeps the pointer. An
// infeasible point is refused, and one that is there by name and vector.
func (f *Front) Add(p *Point) bool {
	if p.Violation > 0 || f.root != nil && (f.root.covers(p.V) || f.root.has(p)) {
		return false
	}
	if f.root != nil {
		f.root = f.root.drop(p.V, &f.n)
	}
	if f.root == nil {
		f.root = &box{}
	}
	f.root.insert(p)
	f.n++
	f.index = nil
	return true
}

// Covered tells whether a point of the front dominates v.
func (f *Front) Covered(v Vector) bool {
	if x := f.index; x != nil {
		// The best that is nowhere else above v decides, unless it is equal there.
		switch m := x.best(v); {
		case m < v[x.m]:
			return true
		case m > v[x.m]:
			return false
		}
	}
	return f.root != nil && f.root.covers(v)
}

// Best is the least value of an objective among the points that are nowhere else above v; +Inf if
// there is none. It does not allocate.
func (f *Front) Best(v Vector, objective int) float64 {
	if f.root == nil {
		return inf
	}
	if f.index != nil && f.index.m == objective {
		return f.index.best(v)
	}
	return f.root.best(v, objective, inf)
}

// Points gives the front ordered by objectives, then by name, in a new slice.
func (f *Front) Points() []*Point {
	out := make([]*Point, 0, f.n)
	if f.root != nil {
		f.root.each(func(p *Point) { out = append(out, p) })
	}
	slices.SortFunc(out, Order)
	return out
}

// noWorse tells whether a is nowhere above b.
func noWorse(a, b Vector) bool {
	for i, x := range a {
		if x > b[i] {
			return false
		}
	}
	return true
}

func (b *box) covers(v Vector) bool {
	if !noWorse(b.lo, v) {
		return false
	}
	if Dominates(b.hi, v) { // then so do all its points
		return true
	}
	if b.left != nil {
		return b.left.covers(v) || b.right.covers(v)
	}
	for _, q := range b.pts {
		if Dominates(q.V, v) {
			return true
		}
	}
	return false
}

// best is the least value of axis m that is nowhere else above v, at most least.
func (b *box) best(v Vector, m int, least float64) float64 {
	if b.lo[m] >= least || !noWorseBut(b.lo, v, m) {
		return least
	}
	// Where all are within v, one is the least, or a point elsewhere that has driven it out.
	if noWorseBut(b.hi, v, m) {
		return b.lo[m]
	}
	if b.left != nil {
		first, second := b.left, b.right
		if second.lo[m] < first.lo[m] { // more likely to exclude the other
			first, second = second, first
		}
		return second.best(v, m, first.best(v, m, least))
	}
	for _, q := range b.pts {
		if q.V[m] < least && noWorseBut(q.V, v, m) {
			least = q.V[m]
		}
	}
	return least
}

// noWorseBut tells whether a is nowhere above b, axis m aside.
func noWorseBut(a, b Vector, m int) bool {
	for i, x := range a {
		if x > b[i] && i != m {
			return false
		}
	}
	return true
}

func (b *box) has(p *Point) bool {
	for b.left != nil {
		if p.V[b.axis] < b.plane {
			b = b.left
		} else {
			b = b.right
		}
	}
	return slices.ContainsFunc(b.pts, func(q *Point) bool { return q.Name == p.Name && slices.Equal(q.V, p.V) })
}

// drop removes what v dominates and gives the box that is left, nil if none is.
func (b *box) drop(v Vector, n *int) *box {
	if !noWorse(v, b.hi) {
		return b
	}
	if b.left == nil {
		before := len(b.pts)
		b.pts = slices.DeleteFunc(b.pts, func(q *Point) bool { return Dominates(v, q.V) })
		*n -= before - len(b.pts)
		if len(b.pts) == 0 {
			return nil
		}
		return b
	}
	l, r := b.left.drop(v, n), b.right.drop(v, n)
	switch {
	case l == nil:
		return r
	case r == nil:
		return l
	}
	b.left, b.right = l, r
	return b
}

func (b *box) insert(p *Point) {
	for {
		b.enclose(p.V)
		if b.left == nil {
			break
		}
		if p.V[b.axis] < b.plane {
			b = b.left
		} else {
			b = b.right
		}
	}
	b.pts = append(b.pts, p)
	if len(b.pts) > leafSize {
		b.split()
	}
}

func (b *box) enclose(v Vector) {
	if b.lo == nil {
		b.lo, b.hi = slices.Clone(v), slices.Clone(v)
		return
	}
	for i, x := range v {
		b.lo[i], b.hi[i] = min(b.lo[i], x), max(b.hi[i], x)
	}
}

// split halves a leaf across the axis whose points are spread over most distinct values: counting
// values rather than distance makes the choice independent of units. A leaf of equal vectors
// stays whole.
func (b *box) split() {
	x := make([]float64, len(b.pts))
	most, axis := 1, -1
	plane := 0.0
	for m := range b.lo {
		for i, p := range b.pts {
			x[i] = p.V[m]
		}
		slices.Sort(x)
		mid := len(x) / 2
		cut, distinct := 0.0, 1
		nearest := len(x)
		for i := 1; i < len(x); i++ {
			if x[i] != x[i-1] {
				distinct++
				if d := max(i-mid, mid-i); d < nearest {
					nearest, cut = d, x[i]
				}
			}
		}
		// Prefer the axis not used just above on a tie, by its place in the round of axes.
		if distinct > most || distinct == most && axis >= 0 && b.after(m) < b.after(axis) {
			most, axis, plane = distinct, m, cut
		}
	}
	if axis < 0 {
		return
	}
	l, r := &box{axis: axis}, &box{axis: axis}
	for _, p := range b.pts {
		if p.V[axis] < plane {
			l.insert(p)
		} else {
			r.insert(p)
		}
	}
	b.left, b.right, b.pts, b.axis, b.plane = l, r, nil, axis, plane
}

// after counts the axes from the one by which the box's parent was split to m: 0 for the next.
func (b *box) after(m int) int { return (m - b.axis - 1 + 2*len(b.lo)) % len(b.lo) }

// each visits all points.
func (b *box) each(visit func(*Point)) {
	if b.left != nil {
		b.left.each(visit)
		b.right.each(visit)
		return
	}
	for _, p := range b.pts {
		visit(p)
	}
}
