package evolve

import (
	"errors"
	"math/rand"

	"github.com/MaxHalford/eaopt"

	"toposearch/internal/crew"
	"toposearch/objectives"
	"toposearch/search"
)

// evolution is NSGA-II (Deb, Pratap, Agarwal, Meyarivan, "A fast and elitist multiobjective
// genetic algorithm: NSGA-II", IEEE Trans. Evol. Comput. 6(2), 2002) as an eaopt.Model: eaopt
// drives the generations, a Selector chooses parents, the genomes' own Crossover and Mutate make
// children of them, and the best of both survive. A child that was there before, in any generation,
// is not born again.
//
// There is one population. Several of eaopt's would ask for scores in any order (eaopt_test.go), and
// they search no better: with migration every ten generations four islands of 25 reach a hypervolume
// of .857 on ZDT1 and 5220 on BNH, one population .868 and 5250; one population for each family finds
// more of some fronts and less of others.
//
// Each generation draws from a stream of its own, so there is no generator to save.
type evolution struct {
	seed      uint64
	round     int // of several with the same seed
	size      int
	mating    eaopt.Selector
	crossRate float64
	by        *niching                  // NSGA-III: directions cut the last front in the place of crowding; nil: NSGA-II
	fresh     func(*rand.Rand) []member // newcomers among the children of a generation; nil: none
	score     func([]member) ([]search.Score, error)

	beyond   beyond
	seen     map[string]struct{} // keys
	scratch  []byte              // of keys
	survival survival
	both     eaopt.Individuals // parents and children
}

// tries bounds the children bred for each one wanted: a small space runs out of new ones.
const tries = 8

// mutateRate is the part of the children that are mutated: the others are what crossover has made of good parents, or, without crossover, were there
// before and are not born again. Mutating all spoils what took long to be found. pymoo mutates 0.9; with 0.7 most medians of 31 seeds of problems of
// the literature are better, .739 for .736 on DTLZ2 and .8639 for .8630 on ZDT4, and that of ZDT6 is .4857 for .4876.
const mutateRate = 0.7

// mender is a member that mutation, where there is any, would also put in order.
type mender interface{ mend() }

// run evolves from size genomes until stop, asked before each generation of children, says so or that
// many generations are done; it gives the last population.
func (e *evolution) run(first func(i int, rng *rand.Rand) member, generations int, stop func() bool) (eaopt.Individuals, error) {
	cfg := eaopt.GAConfig{
		NPops: 1, PopSize: uint(e.size), NGenerations: uint(generations), HofSize: 1, Model: e,
		RNG:       newRand(e.seed, "search.nsga2.names", 0), // of individuals
		EarlyStop: func(*eaopt.GA) bool { return stop() },
	}
	ga, err := cfg.NewGA()
	if err != nil {
		return nil, err
	}
	e.seen = map[string]struct{}{}
	rng, next := e.rand(0), 0
	err = ga.Minimize(func(*rand.Rand) eaopt.Genome {
		m := first(next, rng)
		m.put(&standing{order: next})
		next++
		return m
	})
	if err != nil {
		return nil, err
	}
	return ga.Populations[0].Individuals, nil
}

// rand is the stream of a generation.
func (e *evolution) rand(generation uint64) *rand.Rand {
	return newRand(e.seed, "search.nsga2", uint64(e.round)<<32+generation)
}

// Validate is part of eaopt.Model.
func (e *evolution) Validate() error {
	if e.size < 2 {
		return errors.New("evolve: a population needs two members")
	}
	return e.mating.Validate()
}

// Apply is one generation, on a goroutine of eaopt's, which knows nothing of panics.
func (e *evolution) Apply(pop *eaopt.Population) (err error) {
	defer crew.Catch(&err)
	pop.RNG = e.rand(uint64(pop.Generations) + 1)
	if pop.Generations == 0 {
		start := e.unseen(pop.Individuals)
		if err := e.evaluate(start); err != nil {
			return err
		}
		e.renew(pop, start)
	}
	children, err := e.breed(pop)
	if err != nil {
		return err
	}
	if err := e.evaluate(children); err != nil {
		return err
	}
	e.both = append(append(e.both[:0], pop.Individuals...), children...)
	e.renew(pop, e.both)
	return nil
}

// renew makes the next population of all that there are.
func (e *evolution) renew(pop *eaopt.Population, all eaopt.Individuals) {
	pop.Individuals = e.survival.survive(all, e.size, e.by, pop.RNG)
	e.beyond.take(all, pop.Individuals)
}

// breed makes as many new children as there are members, or as it finds.
func (e *evolution) breed(pop *eaopt.Population) (eaopt.Individuals, error) {
	children := make(eaopt.Individuals, 0, e.size)
	if e.fresh != nil {
		for _, m := range e.fresh(pop.RNG) {
			children = append(children, eaopt.Individual{Genome: m})
		}
		children = e.unseen(children)
	}
	for tried := 0; len(children) < e.size && tried < tries*e.size; {
		missing := e.size - len(children)
		bred, _, err := e.mating.Apply(uint(missing+missing%2), pop.Individuals, pop.RNG)
		if err != nil {
			return nil, err
		}
		for i := 0; i < len(bred); i += 2 {
			if g := e.beyond.mate(pop.RNG); g != nil {
				bred[i+1].Genome = g
			}
			if pop.RNG.Float64() < e.crossRate {
				bred[i].Crossover(bred[i+1], pop.RNG)
			}
		}
		bred = bred[:missing] // without the second of the last pair, if one is too many
		for i := range bred {
			if pop.RNG.Float64() < mutateRate {
				bred[i].Mutate(pop.RNG)
			} else if g, ok := bred[i].Genome.(mender); ok {
				g.mend()
			}
		}
		children = append(children, e.unseen(bred)...)
		tried += missing
	}
	return children, nil
}

// unseen keeps, in place, the individuals whose genomes appear for the first time.
func (e *evolution) unseen(all eaopt.Individuals) eaopt.Individuals {
	kept := all[:0]
	for _, x := range all {
		e.scratch = x.Genome.(member).key(e.scratch[:0])
		if _, ok := e.seen[string(e.scratch)]; !ok {
			e.seen[string(e.scratch)] = struct{}{}
			kept = append(kept, x)
		}
	}
	return kept
}

// evaluate scores individuals in one batch; eaopt would do so one by one, after survival.
func (e *evolution) evaluate(all eaopt.Individuals) error {
	ms := make([]member, len(all))
	for i := range all {
		ms[i] = all[i].Genome.(member)
	}
	scores, err := e.score(ms)
	if err != nil {
		return err
	}
	places := make([]standing, len(ms))
	for i, m := range ms {
		if scores[i].Violation > 0 {
			places[i].missed = scores[i].V
		}
		places[i].point = objectives.Point{V: scores[i].V, Violation: scores[i].Violation}
		m.put(&places[i])
	}
	return nil
}
