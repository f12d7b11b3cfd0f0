package evolve

import (
	"context"

	"toposearch/internal/stream"
	"toposearch/search"
)

// sampling is the strategy "random": repaired random designs, family by family in turn.
type sampling struct {
	p     *search.Problem
	b     *breeder
	round uint64
}

// Without a budget, random sampling ends after so many batches of so many designs.
const (
	randomBatch  = 100
	randomRounds = 1000
)

func NewSampling(p *search.Problem, which []bool) *sampling {
	s := &sampling{p: p, b: &breeder{p: p}}
	for i, w := range which {
		if w {
			s.b.spaces = append(s.b.spaces, i)
		}
	}
	return s
}

// Ask draws a batch from a stream of its own.
func (s *sampling) Ask(ctx context.Context) ([]search.Candidate, error) {
	if s.round >= randomRounds {
		return nil, nil
	}
	rng := stream.New(s.p.Seed, "search.random", s.round)
	s.round++
	cs := make([]search.Candidate, randomBatch)
	for i := range cs {
		cs[i] = s.b.candidate(s.b.random(s.b.spaces[i%len(s.b.spaces)], rng))
	}
	return cs, ctx.Err()
}

// Tell learns nothing.
func (s *sampling) Tell([]search.Score) {}
