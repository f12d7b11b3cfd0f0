package evolve

import (
	"math/rand"
	"slices"

	"github.com/MaxHalford/eaopt"

	"toposearch/objectives"
)

// beyond are a few designs that miss a limit and that no design of the population dominates: what would be to be had if the limit were looser. Where
// the front lies on a limit, children of one from either side lie nearer to it than children of two from inside; and a feasible region
// behind a barrier is reached through what is in it. Constrained domination alone forgets all that once the population is feasible (Singh,
// Isaacs, Ray, Smith, "Infeasibility driven evolutionary algorithm (IDEA) for engineering design optimization", AI 2008, which keeps them in the
// population; here they are beside it and take no place in it).
type beyond struct {
	members  eaopt.Individuals
	thinning thinning
}

const (
	beyondPart = 5   // of the population: a fifth, as in IDEA
	beyondRate = 0.3 // of the pairs of parents have one of them: from 0.2 to 0.5 no rate was better on most problems
)

// mate is one of them by lot, in some pairs of parents; nil in the others.
func (b *beyond) mate(rng *rand.Rand) eaopt.Genome {
	if len(b.members) == 0 || rng.Float64() >= beyondRate {
		return nil
	}
	return b.members[rng.Intn(len(b.members))].Genome.Clone()
}

// take looks through all that a generation had. Of what no survivor dominates those stay that are best in objectives and violation together,
// thinned as a front of these.
func (b *beyond) take(all, kept eaopt.Individuals) {
	if len(kept) == 0 || kept[0].Genome.(member).place().point.Violation > 0 {
		b.members = nil
		return
	}
	was := b.members
	candidates := slices.Clone(was)
	for _, x := range all {
		if x.Genome.(member).place().missed != nil && !slices.ContainsFunc(was, func(y eaopt.Individual) bool { return y.Genome == x.Genome }) {
			candidates = append(candidates, x)
		}
	}
	points := make([]*objectives.Point, 0, len(candidates))
	candidates = slices.DeleteFunc(candidates, func(x eaopt.Individual) bool {
		at := x.Genome.(member).place()
		if dominated(at.missed, kept) {
			return true
		}
		points = append(points, &objectives.Point{V: append(slices.Clone(at.missed), at.point.Violation)})
		return false
	})
	rank := make([]int, len(points))
	objectives.Ranks(points, rank)
	b.members = nil
	var best []*objectives.Point
	for i, r := range rank {
		if r == 0 {
			b.members, best = append(b.members, candidates[i]), append(best, points[i])
		}
	}
	if most := max(1, len(kept)/beyondPart); len(best) > most {
		all := b.members
		b.members = nil
		for _, i := range b.thinning.thin(best, most) {
			b.members = append(b.members, all[i])
		}
	}
}

// dominated tells whether a feasible survivor dominates v.
func dominated(v objectives.Vector, kept eaopt.Individuals) bool {
	return slices.ContainsFunc(kept, func(x eaopt.Individual) bool {
		p := &x.Genome.(member).place().point
		return p.Violation == 0 && objectives.Dominates(p.V, v)
	})
}
