package evolve

import (
	"context"
	"math/rand/v2"
	"toposearch/search"
	"toposearch/search/branch"
)

// Sizes of the population by the number of families, and when to stop without a budget: the
// archive has not changed for so many generations.
const (
	perFamily      = 25
	smallestPop    = 100
	largestPop     = 300
	stallLimit     = 40
	maxGenerations = 100_000
)

// nsga2 evolves the marked spaces as a Strategy.
type nsga2 struct {
	talk    *talk
	p       *search.Problem
	archive search.Archive
	stalled int
	asked   []search.Candidate
}

func NewNSGA2(p *search.Problem, which []bool, start []search.Candidate) *nsga2 {
	s := &nsga2{p: p, talk: newTalk()}
	b := &breeder{p: p}
	for i, w := range which {
		if w {
			b.spaces = append(b.spaces, i)
		}
	}
	e := &evolution[*genome]{
		size:        min(max(perFamily*len(b.spaces), smallestPop), largestPop),
		generations: maxGenerations,
		seed:        p.Seed,
		vary:        b.vary,
		key:         (*genome).key,
		stop:        func() bool { return s.stalled >= stallLimit },
	}
	misses := make([]int, len(p.Spaces)) // of samples, in a row
	e.first = func(i int, rng *rand.Rand) *genome {
		if i < len(start) {
			if g, ok := genomeOf(p, start[i]); ok {
				return g
			}
		}
		sp := b.spaces[i%len(b.spaces)]
		if misses[sp] < branch.SeedMisses {
			x, ok := branch.Sample(p, sp, uint64(i/len(b.spaces)))
			if misses[sp]++; x.V != nil {
				misses[sp] = 0
			}
			if g, known := genomeOf(p, x.Candidate); ok && known {
				return g
			}
		}
		return b.random(sp, rng)
	}
	e.score = func(gs []*genome) ([]search.Score, error) {
		cs := make([]search.Candidate, len(gs))
		for i := range gs {
			cs[i] = b.candidate(gs[i])
		}
		return s.talk.ask(cs)
	}
	s.talk.start(func() error { _, err := e.run(); return err })
	return s
}

// Ask gives the next generation.
func (s *nsga2) Ask(ctx context.Context) ([]search.Candidate, error) {
	var err error
	s.asked, err = s.talk.next(ctx)
	return s.asked, err
}

// Tell passes the scores on and watches whether the archive still moves.
func (s *nsga2) Tell(scores []search.Score) {
	moved := false
	for i := range scores {
		if scores[i].Feasible() {
			moved = s.archive.Add(search.Member{Candidate: s.asked[i], Vector: scores[i].V}) || moved
		}
	}
	s.stalled++
	if moved {
		s.stalled = 0
	}
	s.talk.tell(scores)
}

// Close ends the evolution if it has not ended by itself.
func (s *nsga2) Close() { s.talk.close() }
