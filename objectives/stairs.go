package objectives

import (
	"cmp"
	"slices"
	"sort"
)

// stairs answers questions about the points of a front of three objectives in a tenth of a microsecond:
// sorted by one objective p, every stairsEvery of them with the stairs of all before them, the least of
// objective m by another, q.
type stairs struct {
	m, p, q int
	pts     []stair // by p
	before  [][]stair
}

// stair is the objectives of a point. In stairs, m falls as q grows, and p says nothing.
type stair struct{ p, q, m float64 }

// stairsEvery is how many points are looked at one by one at most; 32 to 128 cost the same.
const stairsEvery = 64

// Prepare makes Covered, and Best of an objective, fast until the next Add, where there are three
// objectives; it does nothing otherwise. It takes some 100 us for 2,000 points.
func (f *Front) Prepare(objective int) {
	if f.index != nil && f.index.m == objective || f.root == nil || len(f.root.lo) != 3 {
		return
	}
	x := &stairs{m: objective, p: (objective + 1) % 3, q: (objective + 2) % 3}
	f.root.each(func(p *Point) { x.pts = append(x.pts, stair{p.V[x.p], p.V[x.q], p.V[x.m]}) })
	slices.SortFunc(x.pts, func(a, b stair) int { return cmp.Compare(a.p, b.p) })
	var all []stair
	for at := 0; at < len(x.pts); at += stairsEvery {
		x.before = append(x.before, all)
		next := append(slices.Clone(all), x.pts[at:min(at+stairsEvery, len(x.pts))]...)
		slices.SortFunc(next, func(a, b stair) int { return cmp.Or(cmp.Compare(a.q, b.q), cmp.Compare(a.m, b.m)) })
		all = next[:0]
		for _, s := range next {
			if n := len(all); n == 0 || s.m < all[n-1].m {
				all = append(all, s)
			}
		}
	}
	f.index = x
}

// best is Front.Best of objective m.
func (x *stairs) best(v Vector) float64 {
	n := sort.Search(len(x.pts), func(i int) bool { return x.pts[i].p > v[x.p] })
	if n == 0 {
		return inf
	}
	least, q := inf, v[x.q]
	block := (n - 1) / stairsEvery
	if s := x.before[block]; len(s) > 0 {
		if i := sort.Search(len(s), func(i int) bool { return s[i].q > q }); i > 0 {
			least = s[i-1].m
		}
	}
	for i := block * stairsEvery; i < n; i++ {
		if s := &x.pts[i]; s.q <= q && s.m < least {
			least = s.m
		}
	}
	return least
}
