package evolve

import (
	"context"

	"toposearch/internal/stream"
	"toposearch/search"
	"toposearch/study"
)

// Sampling proposes repaired random designs, family by family in turn.
type Sampling struct {
	b            *breeder
	round, until uint64
}

// randomBatch is how many designs random sampling draws at a time, for every study.DefaultBatch of a batch.
const randomBatch = 100

// RandomRounds is how often it does so in a lap; without a budget there is one.
const RandomRounds = 1000

// NewSampling is the first lap of the strategy "random" on the marked spaces.
func NewSampling(p *search.Problem, which []bool) *Sampling {
	return &Sampling{b: newBreeder(p, which), until: RandomRounds}
}

// Lap begins another, of other designs.
func (s *Sampling) Lap() { s.until += RandomRounds }

func (s *Sampling) batch() int { return randomBatch * s.b.p.Batch() / study.DefaultBatch }

// Ask draws a batch from a stream of its own.
func (s *Sampling) Ask(ctx context.Context) ([]search.Candidate, error) {
	if s.round >= s.until {
		return nil, nil
	}
	rng := stream.New(s.b.p.Seed, "search.random", s.round)
	s.round++
	cs := make([]search.Candidate, s.batch())
	for i := range cs {
		cs[i] = s.b.random(s.b.spaces[i%len(s.b.spaces)], rng.Float64).candidate()
	}
	return cs, ctx.Err()
}

// Progress is the number of designs drawn, and the part of those that are drawn in the laps begun.
func (s *Sampling) Progress() (visited int64, fraction float64) {
	return int64(s.round) * int64(s.batch()), float64(s.round) / float64(s.until)
}

// Tell learns nothing.
func (s *Sampling) Tell([]search.Score) {}
