package evolve

import (
	"errors"
	"math/rand"

	"github.com/MaxHalford/eaopt"
)

// tournament selects parents: each is the better of two, by rank, then by crowding, then by lot. Nobody is drawn again before
// all have been, as in Deb's own code and pymoo: a good member that no lot brings up is lost with its front. It is an eaopt.Selector, which gives copies.
type tournament struct {
	lot bool // feasible ones by lot alone, as in NSGA-III
}

// Validate is part of eaopt.Selector.
func (tournament) Validate() error { return nil }

// Apply selects n parents.
func (t tournament) Apply(n uint, from eaopt.Individuals, rng *rand.Rand) (eaopt.Individuals, []int, error) {
	if len(from) == 0 {
		return nil, nil, errors.New("evolve: there is nobody to select from")
	}
	parents, at := make(eaopt.Individuals, n), make([]int, n)
	drawn := lots{left: make([]int, 0, len(from)), of: len(from)}
	for i := range parents {
		j, k := drawn.next(rng), drawn.next(rng)
		a, b := from[j].Genome.(member).place(), from[k].Genome.(member).place()
		if t.lot && a.point.Violation == 0 && b.point.Violation == 0 {
			if rng.Uint64()&1 == 0 {
				j = k
			}
		} else if b.rank < a.rank || b.rank == a.rank && (b.crowd > a.crowd || b.crowd == a.crowd && rng.Uint64()&1 == 0) {
			j = k
		}
		// Individual.Clone would spend draws on a random name.
		parents[i], at[i] = eaopt.Individual{Genome: from[j].Genome.Clone()}, j
	}
	return parents, at, nil
}

// lots draws the numbers below of in any order, each once before any again.
type lots struct {
	left []int
	of   int
}

func (l *lots) next(rng *rand.Rand) int {
	if len(l.left) == 0 {
		for i := range l.of {
			l.left = append(l.left, i)
		}
	}
	i, last := int((rng.Uint64()>>32)*uint64(len(l.left))>>32), len(l.left)-1
	x := l.left[i]
	l.left[i], l.left = l.left[last], l.left[:last]
	return x
}
