package evolve

import (
	"cmp"
	"errors"
	"math"
	v1 "math/rand"
	"math/rand/v2"
	"slices"

	"github.com/MaxHalford/eaopt"

	"toposearch/internal/stream"
	"toposearch/objectives"
	"toposearch/search"
)

// evolution is NSGA-II (Deb, Pratap, Agarwal, Meyarivan, "A fast and elitist multiobjective
// genetic algorithm: NSGA-II", IEEE Trans. Evol. Comput. 6(2), 2002) for any genome G, as one
// generation inside an eaopt Model. eaopt drives the generations; selection, variation and
// survival are here, since its own have no notion of several objectives.
//
// Each generation draws from a stream of its own, so there is no generator to save.
type evolution[G any] struct {
	size        int
	generations int
	seed        uint64
	first       func(i int, rng *rand.Rand) G
	vary        func(a, b G, rng *rand.Rand) (G, G)
	// key appends to b bytes that tell a genome from others.
	key   func(g G, b []byte) []byte
	score func([]G) ([]search.Score, error)
	// stop, asked before each generation, ends the evolution. nil: never.
	stop func() bool

	seen    map[string]struct{}
	scratch []byte // of keys
}

// unseen tells whether a genome appears for the first time.
func (e *evolution[G]) unseen(g G) bool {
	e.scratch = e.key(g, e.scratch[:0])
	if _, ok := e.seen[string(e.scratch)]; ok {
		return false
	}
	e.seen[string(e.scratch)] = struct{}{}
	return true
}

// individual is a scored genome with its place in the population. It is what eaopt calls a
// Genome; its fitness is scalar there and says only who is sorted first.
type individual[G any] struct {
	g     G
	point objectives.Point
	rank  int
	crowd float64
}

// Evaluate gives eaopt the scalar by which it sorts: rank first, then crowding.
func (x *individual[G]) Evaluate() (float64, error) { return float64(x.rank) + 1/(2+x.crowd), nil }

// Mutate is part of eaopt.Genome; variation happens in the model.
func (x *individual[G]) Mutate(*v1.Rand) {}

// Crossover is part of eaopt.Genome; variation happens in the model.
func (x *individual[G]) Crossover(eaopt.Genome, *v1.Rand) {}

// Clone shares the genome: individuals are never changed.
func (x *individual[G]) Clone() eaopt.Genome { c := *x; return &c }

// run evolves until it is stopped or all generations are done, and gives the last population.
func (e *evolution[G]) run() ([]*individual[G], error) {
	e.seen = map[string]struct{}{}
	start, err := e.begin()
	if err != nil {
		return nil, err
	}
	if len(start) == 0 || e.generations < 2 {
		return start, nil
	}
	next := 0
	cfg := eaopt.GAConfig{
		NPops: 1, HofSize: 1, PopSize: uint(len(start)), NGenerations: uint(max(e.generations-1, 0)),
		Model: e, RNG: v1.New(v1.NewSource(1)), // only for names of individuals
		EarlyStop: func(*eaopt.GA) bool { return e.stop != nil && e.stop() },
	}
	ga, err := cfg.NewGA()
	if err != nil {
		return nil, err
	}
	err = ga.Minimize(func(*v1.Rand) eaopt.Genome { next++; return start[next-1] })
	if err != nil {
		return nil, err
	}
	return members[G](ga.Populations[0].Individuals), nil
}

// begin scores the first population; generation 1 in the literature's count.
func (e *evolution[G]) begin() ([]*individual[G], error) {
	rng := stream.New(e.seed, "search.nsga2", 0)
	var gs []G
	for i := range e.size {
		g := e.first(i, rng)
		if e.unseen(g) {
			gs = append(gs, g)
		}
	}
	xs, err := e.scored(gs)
	if err != nil {
		return nil, err
	}
	return survive(xs, len(xs)), nil
}

func (e *evolution[G]) scored(gs []G) ([]*individual[G], error) {
	ss, err := e.score(gs)
	if err != nil {
		return nil, err
	}
	xs, all := make([]*individual[G], len(gs)), make([]individual[G], len(gs))
	for i := range gs {
		all[i] = individual[G]{g: gs[i], point: objectives.Point{V: ss[i].V, Violation: ss[i].Violation}}
		xs[i] = &all[i]
	}
	return xs, nil
}

func members[G any](is eaopt.Individuals) []*individual[G] {
	xs := make([]*individual[G], len(is))
	for i := range is {
		xs[i] = is[i].Genome.(*individual[G])
	}
	return xs
}

// Validate is part of eaopt.Model.
func (e *evolution[G]) Validate() error {
	if e.size < 2 {
		return errors.New("search: a population needs two members")
	}
	return nil
}

// Apply is one generation: parents by crowded tournament, children that nobody has seen yet, and
// the best of both survive.
func (e *evolution[G]) Apply(pop *eaopt.Population) error {
	rng := stream.New(e.seed, "search.nsga2", uint64(pop.Generations)+1)
	parents := members[G](pop.Individuals)
	gs := make([]G, 0, e.size)
	// A small space runs out of unseen children; four rounds of trying are then enough.
	for tries := 0; len(gs) < e.size && tries < 4*e.size; tries++ {
		a, b := e.vary(tournament(parents, rng).g, tournament(parents, rng).g, rng)
		for _, g := range []G{a, b} {
			if len(gs) < e.size && e.unseen(g) {
				gs = append(gs, g)
			}
		}
	}
	children, err := e.scored(gs)
	if err != nil {
		return err
	}
	all := survive(append(parents, children...), e.size)
	pop.Individuals = pop.Individuals[:0]
	for _, x := range all {
		fit, _ := x.Evaluate()
		pop.Individuals = append(pop.Individuals, eaopt.Individual{Genome: x, Fitness: fit, Evaluated: true})
	}
	return nil
}

// tournament gives the better of two: by rank, then by crowding, then by lot.
func tournament[G any](xs []*individual[G], rng *rand.Rand) *individual[G] {
	a, b := xs[rng.IntN(len(xs))], xs[rng.IntN(len(xs))]
	switch {
	case a.rank < b.rank || a.rank == b.rank && a.crowd > b.crowd:
		return a
	case b.rank < a.rank || b.crowd > a.crowd:
		return b
	case rng.Uint64()&1 == 0:
		return a
	}
	return b
}

// survive ranks by constrained domination and keeps n, cutting the last front by crowding. It writes
// rank and crowding of those that it keeps.
func survive[G any](xs []*individual[G], n int) []*individual[G] {
	points := make([]*objectives.Point, len(xs))
	width := 0
	for i := range xs {
		points[i] = &xs[i].point
		width = max(width, len(xs[i].point.V))
	}
	none := make(objectives.Vector, width)
	for _, p := range points {
		if p.Violation > 0 { // their objectives are never compared
			p.V = none
		}
	}
	rank := make([]int, len(xs))
	fronts := objectives.Ranks(points, rank)
	out := make([]*individual[G], 0, len(xs))
	crowd := make([]float64, len(xs))
	for r := 0; r < fronts && len(out) < n; r++ {
		first, ps := len(out), points[:0] // ranks are known: the points are taken anew
		for i, x := range xs {
			if rank[i] == r {
				out, ps = append(out, x), append(ps, &x.point)
			}
		}
		objectives.Crowding(ps, crowd[:len(ps)])
		kept := out[first:]
		for i, x := range kept {
			x.rank, x.crowd = r, crowd[i]
			if math.IsNaN(x.crowd) {
				x.crowd = 0
			}
		}
		if len(out) > n {
			slices.SortStableFunc(kept, func(a, b *individual[G]) int { return cmp.Compare(b.crowd, a.crowd) })
			out = out[:n]
		}
	}
	return out
}
