package search

import (
	"context"

	"toposearch/objectives"
	"toposearch/topology"
)

// Candidate is a design proposed for scoring: a family of the problem and canonical values.
type Candidate struct {
	Space int
	V     []int
}

// Strategy proposes candidates and learns from their scores. It is deterministic: what it asks
// follows from the problem and from what it was told.
type Strategy interface {
	// Ask gives the next batch, nil when the strategy has nothing left to ask. An error is a
	// cancellation.
	Ask(ctx context.Context) ([]Candidate, error)
	// Tell gives the scores of the last batch, in its order.
	Tell(scores []Score)
}

// canonical gives the candidate of values, with a copy of them in canonical order.
func (p *Problem) canonical(sp int, v []int) Candidate {
	c := append([]int(nil), v...)
	if f := p.spaces[sp].fam; f.Canonical != nil {
		f.Canonical(c)
	}
	return Candidate{sp, c}
}

func (p *Problem) name(c Candidate) string { return p.design(c.Space, c.V).String() }

// member is a design on a front.
type member struct {
	Candidate
	v    objectives.Vector
	name string
}

// front is a set of designs of which none dominates another; equal vectors are all kept, so that
// the set does not depend on the order of arrival.
type front struct {
	at []member
}

// add takes a design in unless it is dominated, and drops what it dominates. It tells whether the
// front has changed.
func (f *front) add(m member) bool {
	for i := range f.at {
		if objectives.Dominates(f.at[i].v, m.v) {
			f.at[0], f.at[i] = f.at[i], f.at[0] // who dominates once, dominates often
			return false
		}
	}
	keep := f.at[:0]
	for _, x := range f.at {
		if !objectives.Dominates(m.v, x.v) {
			keep = append(keep, x)
		}
	}
	f.at = append(keep, m)
	return true
}

// snapshot is a copy of the vectors for readers on other goroutines.
func (f *front) snapshot() []objectives.Vector {
	vs := make([]objectives.Vector, len(f.at))
	for i := range f.at {
		vs[i] = f.at[i].v
	}
	return vs
}

// shadow answers whether vectors are dominated by a snapshot. It belongs to one goroutine.
type shadow struct {
	vs []objectives.Vector
}

// covers tells whether a member of the snapshot dominates v.
func (s *shadow) covers(v objectives.Vector) bool {
	for i, x := range s.vs {
		if objectives.Dominates(x, v) {
			if i > 0 { // towards the front: neighbours in the tree fall to the same member
				s.vs[0], s.vs[i] = s.vs[i], s.vs[0]
			}
			return true
		}
	}
	return false
}

// sizeOf counts a design; the error wraps topology.ErrInfeasible.
func (p *Problem) sizeOf(c Candidate, s *topology.Size) error {
	return p.spaces[c.Space].fam.Size(c.V, s)
}
