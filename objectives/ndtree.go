package objectives

import "slices"

// box is a part of a front: a leaf with points, or two boxes either side of a plane. lo and hi enclose
// its points; they are exact after insertions and may be wide after removals. A box whose best corner
// is worse than a vector in some objective holds nothing that dominates the vector; a box whose worst
// corner is better than it in some objective holds nothing that the vector dominates.
//
// The tree follows Jaszkiewicz and Lust, "ND-Tree-based update: a fast algorithm for the dynamic
// nondominance problem", IEEE Trans. Evol. Comput. 22(5), 2018, but is split by planes.
type box struct {
	lo, hi      Vector
	pts         []*Point
	left, right *box
	axis        int
	plane       float64 // left: V[axis] < plane
}

// leafSize is how many points a leaf holds before it is split; 8 to 32 cost the same.
const leafSize = 16

// covers reports whether a point of the box dominates v.
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

// best is the least of least and the values of axis m of points that are at most v on every other axis.
func (b *box) best(v Vector, m int, least float64) float64 {
	if b.lo[m] >= least || !noWorseBut(b.lo, v, m) {
		return least
	}
	// Where all points qualify, the least is lo[m]: a point of the box has it, or one elsewhere that has
	// removed that point from the front.
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

// has reports whether the box holds a point of the same name and vector.
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

// insert adds a point and splits its leaf if that is full.
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

// enclose widens lo and hi to hold v.
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

// each calls visit for every point.
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
