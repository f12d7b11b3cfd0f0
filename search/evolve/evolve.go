// Package evolve searches what is too large to enumerate: by NSGA-II, by Pareto local search around
// a front, and by random sampling. All three propose genomes, tuples of indices into the domains of a
// family, that are repaired: the derived parameter follows from the endpoints asked for, and a
// parameter that breaks a rule of its family moves to the nearest value that does not.
//
// NSGA-II is an eaopt.Model, evolution, with a Selector, tournament, and the operators of the
// genomes; NSGA2 makes a search.Strategy of it.
package evolve

import (
	"context"
	"errors"
	"iter"
	"math/rand"

	"toposearch/search"
	"toposearch/search/branch"
)

// Sizes of the population by the number of families, and when to stop without a budget: the
// archive has not changed for that many generations.
const (
	perFamily      = 25
	smallestPop    = 100
	largestPop     = 300
	stallLimit     = 40
	maxGenerations = 100_000
)

// NSGA2 is the strategy "nsga2". The evolution runs as a coroutine, which yields the candidates of
// each generation and continues with their scores.
type NSGA2 struct {
	b       *breeder
	next    func() ([]search.Candidate, bool)
	stop    func()
	asked   []search.Candidate
	scores  []search.Score // of asked
	err     error          // of an evolution that has ended
	archive search.Archive
	stalled int   // generations since the archive changed
	misses  []int // by space: samples without a network, in a row
}

// errClosed ends an evolution that nobody waits for.
var errClosed = errors.New("evolve: the search is closed")

// NewNSGA2 evolves designs of the marked spaces. The caller closes it.
func NewNSGA2(p *search.Problem, which []bool) *NSGA2 {
	s := &NSGA2{b: newBreeder(p, which), misses: make([]int, len(p.Spaces))}
	s.next, s.stop = iter.Pull(s.generations)
	return s
}

// generations yields what must be scored. eaopt runs a model on a goroutine of its own and waits for
// it, so that yield is never called twice at a time.
func (s *NSGA2) generations(yield func([]search.Candidate) bool) {
	e := &evolution{
		seed:      s.b.p.Seed,
		size:      min(max(perFamily*len(s.b.spaces), smallestPop), largestPop),
		mating:    tournament{},
		crossRate: crossRate,
		score: func(ms []member) ([]search.Score, error) {
			if len(ms) == 0 { // no new design was found
				s.stalled++
				return nil, nil
			}
			cs := make([]search.Candidate, len(ms))
			for i, m := range ms {
				cs[i] = m.(*genome).candidate()
			}
			if !yield(cs) {
				return nil, errClosed
			}
			return s.scores, nil
		},
	}
	_, s.err = e.run(s.first, maxGenerations, func() bool { return s.stalled >= stallLimit })
}

// first gives the i-th genome of the first population: the spaces in turn, each by samples as long
// as they are networks.
func (s *NSGA2) first(i int, rng *rand.Rand) member {
	b := s.b
	sp := b.spaces[i%len(b.spaces)]
	if s.misses[sp] < branch.SeedMisses {
		x, ok := branch.Sample(b.p, sp, uint64(i/len(b.spaces)))
		if s.misses[sp]++; x.V != nil {
			s.misses[sp] = 0
		}
		if g, known := b.genomeOf(x.Candidate); ok && known {
			return g
		}
	}
	return b.random(sp, rng.Float64)
}

// Ask gives the next generation.
func (s *NSGA2) Ask(ctx context.Context) ([]search.Candidate, error) {
	asked, more := s.next()
	if !more {
		return nil, s.err
	}
	s.asked = asked
	return asked, ctx.Err()
}

// Tell passes the scores on and watches whether the archive still changes.
func (s *NSGA2) Tell(scores []search.Score) {
	changed := false
	for i := range scores {
		if scores[i].Feasible() {
			changed = s.archive.Add(search.Member{Candidate: s.asked[i], Vector: scores[i].V}) || changed
		}
	}
	s.stalled++
	if changed {
		s.stalled = 0
	}
	s.scores = scores
}

// Close ends the evolution if it has not ended by itself.
func (s *NSGA2) Close() { s.stop() }
