package evolve

import (
	"errors"
	"math"
	"math/rand"

	"github.com/MaxHalford/eaopt"
)

// tournament selects parents: each is the better of two drawn with replacement, by rank, then by
// crowding, then by lot. It is an eaopt.Selector, which gives copies.
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
	size := uint64(len(from))
	for i := range parents {
		coins := rng.Uint64() // 32 bits of it for each of the two
		j, k := int((coins>>32)*size>>32), int((coins&math.MaxUint32)*size>>32)
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
