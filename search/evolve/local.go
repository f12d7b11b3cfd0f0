package evolve

import (
	"context"

	"toposearch/internal/stream"
	"toposearch/search"
	"toposearch/search/branch"
)

// Local is Pareto local search (Paquete, Chiarandini, Stützle, "Pareto local optimum sets in the
// biobjective traveling salesman problem: an experimental study", in Metaheuristics for
// Multiobjective Optimisation, 2004): all neighbours of all members of the front are scored until
// no member is left whose neighbours are unknown. The front is then locally complete.
type Local struct {
	b        *breeder
	which    []bool
	front    search.Archive
	explored map[string]bool
	asked    []search.Candidate
	seeded   bool
	round    int
	scout    *Scout
}

// restarts is how many new designs of each space a round behind the first begins with.
const restarts = 16

// localBatch is how many members are explored between two looks at the front.
const localBatch = 8

// NewLocal is the strategy "local" on the marked spaces. It starts from members of a front, and from
// samples of the spaces of which there are none.
func NewLocal(p *search.Problem, which []bool, start []search.Member, scout *Scout) *Local {
	l := &Local{b: newBreeder(p, which), scout: scout, which: which, explored: map[string]bool{}}
	l.Join(start)
	return l
}

// Join takes what others have found into the front.
func (l *Local) Join(ms []search.Member) {
	for _, m := range ms {
		m.Name = "" // one kind of name, so that the same design is there once
		l.front.Add(m)
	}
}

// Ask gives the neighbours of the next members of the front.
func (l *Local) Ask(ctx context.Context) ([]search.Candidate, error) {
	if !l.seeded {
		l.seeded = true
		if l.asked = l.seeds(); len(l.asked) > 0 {
			return l.asked, ctx.Err()
		}
	}
	ms := l.front.Ordered()
	l.asked = []search.Candidate{}
	n := 0
	for _, m := range ms {
		if l.explored[m.Name] || !l.which[m.Space] {
			continue
		}
		l.explored[m.Name] = true
		l.asked = append(l.asked, l.neighbours(m.Candidate)...)
		if n++; n == localBatch {
			break
		}
	}
	if n == 0 {
		return nil, ctx.Err()
	}
	return l.asked, ctx.Err()
}

// Restart begins a round: 0 is the first. Those behind it begin with new designs, and explore the neighbours of what they bring to
// the front.
func (l *Local) Restart(round int) { l.seeded, l.round = false, round }

// seeds gives samples of the spaces from which the front has nothing, in later rounds of all spaces random designs, of which
// those come first that the front does not exclude.
func (l *Local) seeds() []search.Candidate {
	var cs []search.Candidate
	if l.round > 0 {
		rng := stream.New(l.b.p.Seed, "search.local", uint64(l.round))
		for _, sp := range l.b.spaces {
			for range restarts {
				if c, ok := l.scout.find(sp, &l.front); ok {
					cs = append(cs, c)
				} else {
					cs = append(cs, l.b.random(sp, rng.Float64).candidate())
				}
			}
		}
		return cs
	}
	have := make([]bool, len(l.which))
	for _, m := range l.front.Ordered() {
		have[m.Space] = true
	}
	for _, sp := range l.b.spaces {
		if !have[sp] {
			branch.Samples(l.b.p, sp, func(s branch.Survivor) { cs = append(cs, s.Candidate) })
		}
	}
	return cs
}

// Tell takes improvements into the front; they will be explored in turn.
func (l *Local) Tell(scores []search.Score) {
	for i := range scores {
		if scores[i].Feasible() {
			l.front.Add(search.Member{Candidate: l.asked[i], Vector: scores[i].V})
		}
	}
}

// neighbours moves each parameter to its next values, and repairs the derived one or not.
func (l *Local) neighbours(c search.Candidate) []search.Candidate {
	g, ok := l.b.genomeOf(c)
	if !ok {
		return nil
	}
	var out []search.Candidate
	sp := l.b.p.Spaces[c.Space]
	for i := range g.v {
		steps := []int32{g.v[i] - 1, g.v[i] + 1}
		if sp.Fam.Params[i].Choices != nil {
			steps = steps[:0]
			for k := range int32(sp.Dims[i].N) {
				steps = append(steps, k)
			}
		}
		for _, x := range steps {
			if x < 0 || int(x) >= sp.Dims[i].N || x == g.v[i] {
				continue
			}
			n := g.clone()
			n.v[i] = x
			out = append(out, n.candidate())
			if i != sp.Fam.Derived {
				n.repaired()
				out = append(out, n.candidate())
			}
		}
	}
	return out
}
