package evolve

import (
	"math/rand"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/MaxHalford/eaopt"
)

// These tests show which parts of eaopt v0.4.2 are unsound, and what this package does instead. If one
// fails, eaopt has been repaired.

// number is a genome that is its own fitness.
type number struct{ x float64 }

func (n *number) Evaluate() (float64, error) { return n.x, nil }
func (n *number) Mutate(*rand.Rand)          { n.x++ }
func (n *number) Clone() eaopt.Genome        { c := *n; return &c }
func (n *number) Crossover(mate eaopt.Genome, rng *rand.Rand) {
	m := mate.(*number)
	n.x, m.x = n.x+1, m.x-1
}

func numbers(t *testing.T, xs ...float64) eaopt.Individuals {
	var is eaopt.Individuals
	for _, x := range xs {
		is = append(is, eaopt.NewIndividual(&number{x}, newRand(1, "test.names", 0)))
	}
	if err := is.Evaluate(false); err != nil {
		t.Fatal(err)
	}
	return is
}

// Individual.Crossover takes the mate by value: the second child keeps its parent's fitness and is never
// evaluated. So a member's score is in its standing, which a child gets from the model alone.
func TestEaoptKeepsTheFitnessOfTheMate(t *testing.T) {
	is := numbers(t, 1, 5)
	is[0].Crossover(is[1], nil)
	if err := is.Evaluate(false); err != nil {
		t.Fatal(err)
	}
	if got := is[1].Genome.(*number).x; got != 4 || is[1].Fitness != 5 || !is[1].Evaluated {
		t.Errorf("after crossover the mate is %v with fitness %v", got, is[1].Fitness)
	}
}

// SelTournament gives index 0 for a winner that was drawn first. So tournament is our own.
func TestEaoptTournamentGivesWrongIndices(t *testing.T) {
	is, rng, wrong := numbers(t, 0, 1, 2, 3, 4, 5, 6, 7), newRand(1, "test.tournament", 0), 0
	for range 200 {
		won, at, err := eaopt.SelTournament{NContestants: 2}.Apply(1, is, rng)
		if err != nil {
			t.Fatal(err)
		}
		if is[at[0]].Fitness != won[0].Fitness {
			wrong++
		}
	}
	if wrong == 0 {
		t.Error("all indices are right")
	}
}

// SortByFitness is not stable, so what it makes of ties is up to the version of Go. The fitness that this
// package gives has none.
func TestEaoptSortMixesTies(t *testing.T) {
	var is eaopt.Individuals
	for i := range 100 {
		is = append(is, eaopt.Individual{Genome: &number{float64(i)}, Fitness: float64(i * 7 % 5), Evaluated: true})
	}
	want := slices.Clone(is)
	slices.SortStableFunc(want, func(a, b eaopt.Individual) int { return int(a.Fitness - b.Fitness) })
	is.SortByFitness()
	if slices.EqualFunc(is, want, func(a, b eaopt.Individual) bool { return a.Genome == b.Genome }) {
		t.Error("ties keep their order")
	}
}

// constant is a source of one number.
type constant int64

func (c constant) Int63() int64 { return int64(c) }
func (c constant) Seed(int64)   {}

// A population's generator is one of math/rand, seeded by a draw of which 31 bits matter. So each
// generation gets a stream of our own.
func TestEaoptPopulationsShareGenerators(t *testing.T) {
	var draws []uint64
	for _, seed := range []constant{1, 1 + (1<<31 - 1)} {
		ga, err := eaopt.GAConfig{NPops: 1, PopSize: 1, NGenerations: 1, HofSize: 1, Model: keep{}, RNG: rand.New(seed)}.NewGA()
		if err != nil {
			t.Fatal(err)
		}
		err = ga.Minimize(func(rng *rand.Rand) eaopt.Genome { draws = append(draws, rng.Uint64()); return &number{} })
		if err != nil {
			t.Fatal(err)
		}
	}
	if draws[0] != draws[1] {
		t.Errorf("%d and %d differ", draws[0], draws[1])
	}
}

// meeting is a model that waits until every population has come.
type meeting struct {
	all  *sync.WaitGroup
	late chan struct{} // closed when it has taken too long
}

func (m meeting) Validate() error { return nil }

func (m meeting) Apply(*eaopt.Population) error {
	m.all.Done()
	met := make(chan struct{})
	go func() { m.all.Wait(); close(met) }()
	select {
	case <-met:
	case <-m.late:
	}
	return nil
}

// Populations evolve at the same time, each on a goroutine: they would ask for scores in any order, and a
// journal would not repeat. So there is one population.
func TestEaoptPopulationsRace(t *testing.T) {
	m := meeting{new(sync.WaitGroup), make(chan struct{})}
	m.all.Add(2)
	late := time.AfterFunc(time.Minute, func() { close(m.late); t.Error("populations take turns"); m.all.Add(-1) })
	defer late.Stop()
	ga, err := eaopt.GAConfig{NPops: 2, PopSize: 2, NGenerations: 1, HofSize: 1, Model: m, RNG: newRand(1, "test.names", 0)}.NewGA()
	if err == nil {
		err = ga.Minimize(func(*rand.Rand) eaopt.Genome { return &number{} })
	}
	if err != nil {
		t.Fatal(err)
	}
}

// MigRing exchanges equal places and fails if a population is smaller than the one before it, as those
// are that run out of new designs.
func TestEaoptMigrationNeedsEqualSizes(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("populations of 9 and 1 exchange members")
		}
	}()
	ps := eaopt.Populations{{Individuals: numbers(t, 0, 1, 2, 3, 4, 5, 6, 7, 8)}, {Individuals: numbers(t, 0)}}
	eaopt.MigRing{NMigrants: 5}.Apply(ps, newRand(1, "test.migration", 0))
}

// The hall of fame takes the same individual again in each generation in which it is the best. So the
// archive is the search's own.
func TestEaoptHallOfFameRepeats(t *testing.T) {
	ga, err := eaopt.GAConfig{NPops: 1, PopSize: 9, NGenerations: 20, HofSize: 5, Model: keep{},
		RNG: newRand(1, "test.names", 0)}.NewGA()
	if err != nil {
		t.Fatal(err)
	}
	next := 0.0
	if err := ga.Minimize(func(*rand.Rand) eaopt.Genome { next++; return &number{next} }); err != nil {
		t.Fatal(err)
	}
	best := map[float64]bool{}
	for _, x := range ga.HallOfFame {
		best[x.Fitness] = true
	}
	if len(best) == len(ga.HallOfFame) {
		t.Errorf("%d different of %d", len(best), len(ga.HallOfFame))
	}
}

// keep is a model that changes nothing.
type keep struct{}

func (keep) Validate() error               { return nil }
func (keep) Apply(*eaopt.Population) error { return nil }
