package objectives

import (
	"math"
	"slices"
)

// Front is the set of non-dominated feasible points seen so far. It is exact and unbounded, and
// what it holds does not depend on the order of insertion: of points with equal vectors all are
// kept unless they have the same name. The zero value is empty.
//
// Points are held in a tree of boxes; Add, Covered and Best take time that grows much more slowly than
// the number of points.
type Front struct {
	root  *box
	n     int
	index *index // of all points, or nil: see Prepare
}

// Len is the number of points.
func (f *Front) Len() int { return f.n }

// Prepare makes Covered, and Best of an objective, fast until the next Add, where there are three
// objectives; it does nothing otherwise. It takes some 100 us for 2,000 points.
func (f *Front) Prepare(objective int) {
	if f.index != nil && f.index.m == objective || f.root == nil || len(f.root.lo) != 3 {
		return
	}
	points := make([]*Point, 0, f.n)
	f.root.each(func(p *Point) { points = append(points, p) })
	f.index = newIndex(points, objective)
}

// Add offers a point and reports whether it is now on the front. The front keeps the pointer. An
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

// Covered reports whether a point of the front dominates v.
func (f *Front) Covered(v Vector) bool {
	if x := f.index; x != nil {
		// Among the points at most v in the other two objectives the least value of this one decides,
		// unless it equals that of v.
		switch m := x.best(v); {
		case m < v[x.m]:
			return true
		case m > v[x.m]:
			return false
		}
	}
	return f.root != nil && f.root.covers(v)
}

// Best is the least value of an objective among the points that are at most v in every other objective;
// +Inf if there is none. It does not allocate.
func (f *Front) Best(v Vector, objective int) float64 {
	if f.root == nil {
		return math.Inf(1)
	}
	if f.index != nil && f.index.m == objective {
		return f.index.best(v)
	}
	return f.root.best(v, objective, math.Inf(1))
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
