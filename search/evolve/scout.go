package evolve

import (
	"toposearch/search"
	"toposearch/search/branch"
)

// Scout finds designs that a front does not exclude, by descents through the boxes of branch and bound, most of them into gaps of the front,
// for each generation of a search. A space in which it finds nothing new rests for one, then for two, four and so on.
type Scout struct {
	p     *search.Problem
	found map[string]bool
	round int
	at    []beat        // by space
	sight *branch.Sight // of the front of this generation; nil: nobody has looked yet
}

// beat is what a Scout knows of a space.
type beat struct {
	draws  uint64 // descents so far
	misses int    // in a row
	rest   int    // generations that it rests next
	until  int    // the first one in which it does not
}

// NewScout has seen nothing yet.
func NewScout(p *search.Problem) *Scout {
	return &Scout{p: p, found: map[string]bool{}, at: make([]beat, len(p.Spaces)), round: 1}
}

// aimedOf: one of so many descents is a random one, the others are aimed, since bounds of boxes lead some directions astray: with one of 16 some
// parts of a front of 1,378 designs stay unknown.
const aimedOf = 4

// Next begins the next generation, from another front.
func (s *Scout) Next() { s.round, s.sight = s.round+1, nil }

// find is a design of a space that the front does not exclude and that was not found before.
func (s *Scout) find(sp int, front *search.Archive) (c search.Candidate, ok bool) {
	b := &s.at[sp]
	if s.round < b.until {
		return c, false
	}
	b.draws++
	if s.sight == nil {
		s.sight = branch.NewSight(front)
	}
	look := func() (branch.Survivor, bool) { return branch.Beyond(s.p, sp, front, b.draws) }
	if b.draws%aimedOf != 0 {
		look = func() (branch.Survivor, bool) { return s.sight.Find(s.p, sp, b.draws) }
	}
	if x, ok := look(); ok {
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
