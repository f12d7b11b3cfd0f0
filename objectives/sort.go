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
	order := sorted(points)
	var fronts []layer
	n := 0
	for ; n < len(order) && order[n].violation == 0; n++ {
		v := points[order[n].at].V
		if n > 0 {
			if i := order[n-1].at; slices.Equal(points[i].V, v) {
				rank[order[n].at] = rank[i]
				continue
			}
		}
		lo, hi := 0, len(fronts)
		for lo < hi {
			if mid := (lo + hi) / 2; fronts[mid].dominates(v) {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		if lo == len(fronts) {
			fronts = append(fronts, nil)
		}
		fronts[lo].add(v)
		rank[order[n].at] = lo
	}
	ranks := len(fronts)
	for k := n; k < len(order); k++ {
		if k == n || order[k].violation != order[k-1].violation {
			ranks++
		}
		rank[order[k].at] = ranks - 1
	}
	return ranks
}

// place is where a point stands in a list, with what mostly decides how two compare.
type place struct {
	violation, first float64
	at               int
}

// sorted gives the places of points by violation, then in Order, then as they stand.
func sorted(points []*Point) []place {
	order := make([]place, len(points))
	for i, p := range points {
		order[i] = place{violation: p.Violation, at: i}
		if len(p.V) > 0 {
			order[i].first = p.V[0]
		}
	}
	slices.SortFunc(order, func(a, b place) int {
		if a.violation == b.violation {
			if a.first < b.first {
				return -1
			} else if a.first > b.first {
				return 1
			}
		}
		return cmp.Or(cmp.Compare(a.violation, b.violation), Order(points[a.at], points[b.at]), cmp.Compare(a.at, b.at))
	})
	return order
}

// layer is what decides whether a front dominates vectors behind it in Order that none of its members equals: their first objective is
// no better than that of any member. Of two objectives that is the least of the second; of three the least of the third that can be had at
// each of the second, a staircase (Kung, Luccio, Preparata, "On finding the maxima of a set of vectors", J. ACM 22(4), 1975); of more all
// members, one behind the other.
type layer []float64

// step is the place behind the last step of a staircase whose second objective is at most x.
func (l layer) step(x float64) int {
	lo, hi := 0, len(l)/2
	for lo < hi {
		if mid := (lo + hi) / 2; l[2*mid] <= x {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return 2 * lo
}

func (l layer) dominates(v Vector) bool {
	switch m := len(v); m {
	case 1:
		return true
	case 2:
		return l[0] <= v[1]
	case 3:
		at := l.step(v[1])
		return at > 0 && l[at-1] <= v[2]
	default: // the last is the nearest, and dominates most often
		for k := len(l) - m; k >= 0; k -= m {
			if noWorse(Vector(l[k:k+m]), v) {
				return true
			}
		}
		return false
	}
}

// add takes a vector that the layer does not dominate.
func (l *layer) add(v Vector) {
	switch len(v) {
	case 1:
	case 2:
		*l = append((*l)[:0], v[1])
	case 3:
		from := l.step(v[1])
		if from > 0 && (*l)[from-2] == v[1] {
			from -= 2
		}
		to := from
		for to < len(*l) && (*l)[to+1] >= v[2] {
			to += 2
		}
		*l = slices.Replace(*l, from, to, v[1], v[2])
	default:
		*l = append(*l, v...)
	}
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
	order := make([]place, len(front))
	for m := range front[0].V {
		for i, p := range front {
			order[i] = place{first: p.V[m], at: i}
		}
		slices.SortFunc(order, func(a, b place) int {
			if a.first < b.first {
				return -1
			} else if a.first > b.first {
				return 1
			}
			return cmp.Or(Order(front[a.at], front[b.at]), cmp.Compare(a.at, b.at))
		})
		first, last := order[0], order[len(order)-1]
		span := last.first - first.first
		distance[first.at], distance[last.at] = math.Inf(1), math.Inf(1)
		if !(span > 0) || math.IsInf(span, 0) {
			continue
		}
		for k := 1; k+1 < len(order); k++ {
			distance[order[k].at] += (order[k+1].first - order[k-1].first) / span
		}
	}
}
