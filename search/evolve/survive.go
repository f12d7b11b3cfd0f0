package evolve

import (
	"cmp"
	"math"
	"math/rand"
	"slices"

	"github.com/MaxHalford/eaopt"

	"toposearch/objectives"
)

// survive ranks scored individuals by constrained domination and keeps n, cutting the last front by
// thin, where it is infeasible by crowding, where by is not nil by directions. It writes the standing of those that it keeps.
func survive(all eaopt.Individuals, n int, by *niching, rng *rand.Rand) eaopt.Individuals {
	places := make([]*standing, len(all))
	rank, fronts := ranks(all, places)
	order := make([]int, 0, len(all))
	points := make([]*objectives.Point, 0, len(all))
	crowd := make([]float64, len(all))
	for r := 0; r < fronts && len(order) < n; r++ {
		first := len(order)
		points = points[:0]
		for i, x := range places {
			if rank[i] == r {
				order, points = append(order, i), append(points, &x.point)
			}
		}
		front := order[first:]
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
			for _, k := range thin(points, n-first) {
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

// ranks gives the front of each individual and how many fronts there are, and fills their places.
func ranks(all eaopt.Individuals, places []*standing) (rank []int, fronts int) {
	points := make([]*objectives.Point, len(all))
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
	rank = make([]int, len(all))
	return rank, objectives.Ranks(points, rank)
}
