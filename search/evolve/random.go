package evolve

import (
	"context"

	"toposearch/internal/stream"
	"toposearch/search"
)

// sampling proposes repaired random designs, family by family in turn.
type sampling struct {
	b     *breeder
	round uint64
}

// randomBatch is how many designs random sampling draws at a time.
const randomBatch = 100

// RandomRounds is how often it does so without a budget.
const RandomRounds = 1000

// NewSampling is the strategy "random" on the marked spaces.
func NewSampling(p *search.Problem, which []bool) search.Strategy {
	return &sampling{b: newBreeder(p, which)}
}

// Ask draws a batch from a stream of its own.
func (s *sampling) Ask(ctx context.Context) ([]search.Candidate, error) {
	if s.round >= RandomRounds {
		return nil, nil
	}
	rng := stream.New(s.b.p.Seed, "search.random", s.round)
	s.round++
	cs := make([]search.Candidate, randomBatch)
	for i := range cs {
		cs[i] = s.b.random(s.b.spaces[i%len(s.b.spaces)], rng.Float64).candidate()
	}
	return cs, ctx.Err()
}

// Progress is the number of designs drawn, and the part of those that are drawn without a budget.
func (s *sampling) Progress() (visited int64, fraction float64) {
	return int64(s.round) * randomBatch, float64(s.round) / RandomRounds
}

// Tell learns nothing.
func (s *sampling) Tell([]search.Score) {}
