package objectives

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// index answers Front.Best for a front of three objectives in a tenth of a microsecond: its points are
// sorted by objective p in blocks of blockSize, and before each block stands the front of all earlier
// points in the other two objectives, q and m, where a binary search finds the least m.
type index struct {
	m, p, q int
	points  []entry // ascending in p
	// fronts[i] is non-dominated in q and m among the points before block i: as q grows, m falls.
	fronts [][]entry
}

// entry holds the objectives of a point.
type entry struct{ p, q, m float64 }

// blockSize is how many points a query reads one by one at most; 32 to 128 cost the same.
const blockSize = 64

// newIndex indexes points of three objectives for queries of objective m.
func newIndex(points []*Point, m int) *index {
	x := &index{m: m, p: (m + 1) % 3, q: (m + 2) % 3, points: make([]entry, len(points))}
	for i, p := range points {
		x.points[i] = entry{p.V[x.p], p.V[x.q], p.V[x.m]}
	}
	slices.SortFunc(x.points, func(a, b entry) int { return cmp.Compare(a.p, b.p) })
	var front []entry
	for block := range slices.Chunk(x.points, blockSize) {
		x.fronts = append(x.fronts, front)
		merged := append(slices.Clone(front), block...)
		slices.SortFunc(merged, func(a, b entry) int { return cmp.Or(cmp.Compare(a.q, b.q), cmp.Compare(a.m, b.m)) })
		front = merged[:0]
		for _, s := range merged {
			if n := len(front); n == 0 || s.m < front[n-1].m {
				front = append(front, s)
			}
		}
	}
	return x
}

// best is Front.Best of objective m.
func (x *index) best(v Vector) float64 {
	n := sort.Search(len(x.points), func(i int) bool { return x.points[i].p > v[x.p] })
	if n == 0 {
		return math.Inf(1)
	}
	least, q := math.Inf(1), v[x.q]
	block := (n - 1) / blockSize
	front := x.fronts[block]
	if i := sort.Search(len(front), func(i int) bool { return front[i].q > q }); i > 0 {
		least = front[i-1].m
	}
	for i := block * blockSize; i < n; i++ {
		if s := &x.points[i]; s.q <= q && s.m < least {
			least = s.m
		}
	}
	return least
}
