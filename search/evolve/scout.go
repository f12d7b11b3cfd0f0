package evolve

import (
	"toposearch/search"
	"toposearch/search/branch"
)

// Scout finds designs that a front does not exclude, by descents through the boxes of branch and bound, for the rounds of a search.
// A space in which it finds nothing new rests for a round, then for two, four and so on.
type Scout struct {
	p     *search.Problem
	found map[string]bool
	round int
	at    []beat // by space
}

// beat is what a Scout knows of a space.
type beat struct {
	draws  uint64 // descents so far
	misses int    // in a row
	rest   int    // rounds that it rests next
	until  int    // the first round in which it does not
}

// NewScout has seen nothing yet.
func NewScout(p *search.Problem) *Scout {
	return &Scout{p: p, found: map[string]bool{}, at: make([]beat, len(p.Spaces)), round: 1}
}

// Next begins the next round.
func (s *Scout) Next() { s.round++ }

// find is a design of a space that the front does not exclude and that was not found before.
func (s *Scout) find(sp int, front *search.Archive) (c search.Candidate, ok bool) {
	b := &s.at[sp]
	if s.round < b.until {
		return c, false
	}
	b.draws++
	if x, ok := branch.Beyond(s.p, sp, front, b.draws); ok {
		if k := search.Key(sp, x.V); !s.found[k] {
			s.found[k] = true
			b.misses, b.rest = 0, 0
			return x.Candidate, true
		}
	}
	if b.misses++; b.misses >= branch.SeedMisses {
		b.rest = max(1, 2*b.rest)
		b.until, b.misses = s.round+1+b.rest, 0
	}
	return c, false
}
