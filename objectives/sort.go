package objectives

import (
	"cmp"
	"math"
	"slices"
)

// Ranks sorts points into fronts by constrained dominance and writes the rank of each, 0 for the
// first front, into rank, which has one place per point. Feasible points take the first ranks;
// infeasible ones follow by violation, equal violations sharing a rank. It gives the number of
// ranks.
//
// Feasible points are taken in Order and put into the first front none of whose members dominates
// them, found by binary search (Zhang et al., "An efficient approach to nondominated sorting for
// evolutionary multiobjective optimization", IEEE Trans. Evol. Comput. 19(2), 2015: ENS-BS).
func Ranks(points []*Point, rank []int) int {
	order := make([]int, len(points))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		p, q := points[a], points[b]
		return cmp.Or(cmp.Compare(p.Violation, q.Violation), Order(p, q), cmp.Compare(a, b))
	})
	var fronts [][]int
	n := 0
	for n < len(order) && points[order[n]].Violation == 0 {
		i := order[n]
		lo, hi := 0, len(fronts)
		for lo < hi {
			if mid := (lo + hi) / 2; dominatedBy(points, fronts[mid], points[i].V) {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		if lo == len(fronts) {
			fronts = append(fronts, nil)
		}
		fronts[lo] = append(fronts[lo], i)
		rank[i] = lo
		n++
	}
	ranks := len(fronts)
	for k := n; k < len(order); k++ {
		if k == n || points[order[k]].Violation != points[order[k-1]].Violation {
			ranks++
		}
		rank[order[k]] = ranks - 1
	}
	return ranks
}

// dominatedBy looks from the last member, the nearest in Order, which dominates most often.
func dominatedBy(points []*Point, front []int, v Vector) bool {
	for k := len(front) - 1; k >= 0; k-- {
		if Dominates(points[front[k]].V, v) {
			return true
		}
	}
	return false
}

// Crowding writes the crowding distance of each point of one front (Deb et al., NSGA-II, 2002):
// the sum over objectives of the gap between its neighbours, as a fraction of the front's range;
// infinite at the ends. Ties are ordered by Order, so the result does not depend on the order of
// arrival.
func Crowding(front []*Point, distance []float64) {
	for i := range distance {
		distance[i] = 0
	}
	if len(front) == 0 {
		return
	}
	order := make([]int, len(front))
	for i := range order {
		order[i] = i
	}
	for m := range front[0].V {
		slices.SortFunc(order, func(a, b int) int {
			return cmp.Or(cmp.Compare(front[a].V[m], front[b].V[m]), Order(front[a], front[b]), cmp.Compare(a, b))
		})
		first, last := order[0], order[len(order)-1]
		span := front[last].V[m] - front[first].V[m]
		distance[first], distance[last] = math.Inf(1), math.Inf(1)
		if !(span > 0) || math.IsInf(span, 0) {
			continue
		}
		for k := 1; k+1 < len(order); k++ {
			distance[order[k]] += (front[order[k+1]].V[m] - front[order[k-1]].V[m]) / span
		}
	}
}
