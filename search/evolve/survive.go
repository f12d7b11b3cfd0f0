package evolve

import (
	"cmp"
	"math"
	"math/rand"
	"slices"

	"github.com/MaxHalford/eaopt"

	"toposearch/objectives"
)

// survival is what selecting a generation takes of memory, kept for the next: an evolution makes thousands.
type survival struct {
	places      []*standing
	points      []*objectives.Point // of all, then of a front
	rank, order []int
	crowd       []float64
	from, dealt []int
	fronts      [][]int
	thinning    thinning
}

// survive ranks scored individuals by constrained domination and keeps n, cutting the last front by
// thin, where it is infeasible by crowding, where by is not nil by directions. It writes the standing of those that it keeps.
func (v *survival) survive(all eaopt.Individuals, n int, by *niching, rng *rand.Rand) eaopt.Individuals {
	places := sized(&v.places, len(all))
	rank, fronts := v.ranks(all, places)
	order := sized(&v.order, len(all))[:0]
	points := sized(&v.points, len(all))[:0]
	crowd := sized(&v.crowd, len(all))
	for r, front := range v.byRank(rank, fronts) {
		if len(order) >= n {
			break
		}
		first := len(order)
		points, order = points[:0], append(order, front...)
		front = order[first:]
		for _, i := range front {
			points = append(points, &places[i].point)
		}
		thinned := len(order) > n && by == nil && points[0].Violation == 0 && len(points[0].V) > 1
		if !thinned {
			objectives.Crowding(points, crowd[:len(points)])
		}
		for k, i := range front {
			x := places[i]
			x.rank, x.crowd = r, crowd[k]
			if math.IsNaN(x.crowd) {
				x.crowd = 0
			}
		}
		if len(order) > n && by != nil && points[0].Violation == 0 {
			kept := make([]*objectives.Point, first)
			for k, i := range order[:first] {
				kept[k] = &places[i].point
			}
			chosen := make([]int, 0, n-first)
			for _, k := range by.choose(kept, points, n-first, rng) {
				chosen = append(chosen, front[k])
			}
			slices.Sort(chosen)
			order = append(order[:first], chosen...)
		} else if thinned {
			chosen := make([]int, 0, n-first)
			for _, k := range v.thinning.thin(points, n-first) {
				chosen = append(chosen, front[k])
			}
			order = append(order[:first], chosen...)
			points = points[:0]
			for _, i := range chosen {
				points = append(points, &places[i].point)
			}
			objectives.Crowding(points, crowd[:len(points)])
			for k, i := range chosen {
				if places[i].crowd = crowd[k]; math.IsNaN(crowd[k]) {
					places[i].crowd = 0
				}
			}
		} else if len(order) > n {
			slices.SortStableFunc(front, func(i, j int) int { return cmp.Compare(places[j].crowd, places[i].crowd) })
			order = order[:n]
		}
	}
	kept := make(eaopt.Individuals, len(order))
	for k, i := range order {
		places[i].order = k
		kept[k] = eaopt.Individual{Genome: all[i].Genome, Fitness: float64(k), Evaluated: true}
	}
	return kept
}

// byRank gives the members of each front as they stand.
func (v *survival) byRank(rank []int, fronts int) [][]int {
	from := sized(&v.from, fronts+1)
	for _, r := range rank {
		from[r+1]++
	}
	for r := range fronts {
		from[r+1] += from[r]
	}
	all, out := sized(&v.dealt, len(rank)), sized(&v.fronts, fronts)
	for r := range out {
		out[r] = all[from[r]:from[r]:from[r+1]]
	}
	for i, r := range rank {
		out[r] = append(out[r], i)
	}
	return out
}

// ranks gives the front of each individual and how many fronts there are, and fills their places.
func (v *survival) ranks(all eaopt.Individuals, places []*standing) (rank []int, fronts int) {
	points := sized(&v.points, len(all))
	width := 0
	for i := range all {
		places[i] = all[i].Genome.(member).place()
		points[i] = &places[i].point
		width = max(width, len(points[i].V))
	}
	none := make(objectives.Vector, width)
	for _, p := range points {
		if p.Violation > 0 { // their objectives are never compared
			p.V = none
		}
	}
	rank = sized(&v.rank, len(all))
	return rank, objectives.Ranks(points, rank)
}
