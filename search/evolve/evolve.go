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
	"toposearch/study"
)

// A round ends when the archive has not changed for stallLimit generations: more find little that a new round from the archive does
// not find sooner.
const (
	stallLimit     = 15
	maxGenerations = 100_000
)

// NSGA2 is a round of the strategy "nsga2". The evolution runs as a coroutine, which yields the candidates of
// each generation and continues with their scores.
type NSGA2 struct {
	b       *breeder
	round   int
	scout   *Scout
	elite   []*genome // of the front so far
	next    func() ([]search.Candidate, bool)
	stop    func()
	asked   []search.Candidate
	scores  []search.Score // of asked
	err     error          // of an evolution that has ended
	archive search.Archive
	stalled int       // generations since the archive changed
	anchors []*genome // the best in an objective by bounds, with which the first round begins
	misses  []int     // by space: samples without a network, in a row
}

// errClosed ends an evolution that nobody waits for.
var errClosed = errors.New("evolve: the search is closed")

// NewNSGA2 evolves designs of the marked spaces, in the first of several rounds (0) or one behind it. Half of the population
// begins with members of front, as far as there are such, the rest with new designs: in later rounds what scout finds. The caller closes it.
func NewNSGA2(p *search.Problem, which []bool, round int, front []search.Member, scout *Scout) *NSGA2 {
	s := &NSGA2{b: newBreeder(p, which), round: round, scout: scout, misses: make([]int, len(p.Spaces))}
	for _, m := range front {
		s.archive.Add(search.Member{Candidate: m.Candidate, Vector: m.Vector})
		if g, ok := s.b.genomeOf(m.Candidate); ok && which[m.Space] {
			s.elite = append(s.elite, g)
		}
	}
	s.next, s.stop = iter.Pull(s.generations)
	return s
}

// size is that of the population.
func (s *NSGA2) size() int { return study.Generation(len(s.b.spaces), s.b.p.Batch()) }

// generations yields what must be scored. eaopt runs a model on a goroutine of its own and waits for
// it, so that yield is never called twice at a time.
func (s *NSGA2) generations(yield func([]search.Candidate) bool) {
	e := &evolution{
		seed:      s.b.p.Seed,
		round:     s.round,
		size:      s.size(),
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
	if s.scout != nil {
		e.fresh = s.newcomers
	}
	if n := len(s.b.p.Objectives); n >= manyObjectives {
		e.by, e.mating = newNiching(n, e.size), tournament{lot: true}
	}
	_, s.err = e.run(s.first, maxGenerations, func() bool { return s.stalled >= stallLimit })
}

// newcomers are what scout finds in the gaps of the front, for a part of a generation.
func (s *NSGA2) newcomers(rng *rand.Rand) (out []member) {
	s.scout.Next()
	for range s.size() / newcomersPart {
		if c, ok := s.scout.find(s.b.drawn(rng), &s.archive); ok {
			if g, ok := s.b.genomeOf(c); ok {
				out = append(out, g)
			}
		}
	}
	return out
}

// newcomersPart is the part of what is asked for that scouts are sent for, one design each: a fifth. A third found no more of most fronts.
const newcomersPart = 5

// first gives the i-th genome of the first population: members of the front, evenly chosen, then, in the first round, of each
// space in turn samples as long as they are networks, and in others designs that the front does not exclude.
func (s *NSGA2) first(i int, rng *rand.Rand) member {
	b := s.b
	if n := min(len(s.elite), s.size()/2); i < n {
		return s.elite[i*len(s.elite)/n].clone()
	}
	if s.round > 0 {
		sp := b.drawn(rng)
		if c, ok := s.scout.find(sp, &s.archive); ok {
			if g, ok := b.genomeOf(c); ok {
				return g
			}
		}
		return b.random(sp, rng.Float64)
	}
	if i == 0 {
		s.anchors = s.b.anchors(s.size() / 2)
	}
	if i < len(s.anchors) {
		return s.anchors[i]
	}
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
	s.b.forget()
	for i := range scores {
		if scores[i].Feasible() && s.archive.Add(search.Member{Candidate: s.asked[i], Vector: scores[i].V}) {
			s.b.credit(s.asked[i].Space)
			changed = true
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
