package evolve

import (
	"context"
	"math"

	"toposearch/internal/stream"
	"toposearch/objectives"
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
	thinning thinning // for its scale
}

// restarts is how many new designs of each space a round behind the first begins with.
const restarts = 16

// localBatch is how many members are explored between two looks at the front.
const localBatch = 8

// NewLocal is the strategy "local" on the marked spaces. It starts from members of a front, and from
// samples of the spaces of which there are none; scout looks for others, nil: nobody does.
func NewLocal(p *search.Problem, which []bool, start []search.Member, scout *Scout) *Local {
	l := &Local{b: newBreeder(p, which), scout: scout, which: which, explored: map[string]bool{}}
	l.Join(start)
	return l
}

// Join takes what others have found into the front; what spaces have contributed to it counts anew.
func (l *Local) Join(ms []search.Member) {
	clear(l.b.credits)
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
	l.asked = nil
	for _, m := range l.next() {
		l.explored[m.Name] = true
		l.asked = append(l.asked, l.neighbours(m.Candidate)...)
	}
	if l.asked != nil {
		l.asked = append(l.asked, l.newcomers()...)
	}
	return l.asked, ctx.Err()
}

// next are the members of the front that are explored now: of those that are not yet, one after the other the one that lies
// farthest from all that are or will be. In their order along the front a budget would go to one end of it (Dubois-Lacoste, López-Ibáñez, Stützle,
// "Anytime Pareto local search", EJOR 243(2), 2015, where the order of exploration is what makes it good early on).
func (l *Local) next() (out []search.Member) {
	ms := l.front.Ordered()
	if len(ms) == 0 {
		return nil
	}
	points := make([]*objectives.Point, len(ms))
	for i := range ms {
		points[i] = &objectives.Point{V: ms[i].Vector}
	}
	vs, _ := l.thinning.scaled(points)
	room := make([]float64, len(ms))
	left := 0
	for i := range ms {
		room[i] = math.Inf(1)
		if l.explored[ms[i].Name] || !l.which[ms[i].Space] {
			room[i] = -1
		} else {
			left++
		}
	}
	near := func(k int) {
		for i := range ms {
			if room[i] > 0 {
				room[i] = min(room[i], apart(vs[i], vs[k]))
			}
		}
	}
	for k := range ms {
		if l.explored[ms[k].Name] {
			near(k)
		}
	}
	for range min(left, localBatch) {
		k := 0
		for i := range ms {
			if room[i] > room[k] {
				k = i
			}
		}
		out, room[k] = append(out, ms[k]), -1
		near(k)
	}
	return out
}

// apart is the square of the distance of two vectors.
func apart(v, w objectives.Vector) (d float64) {
	for j := range v {
		d += (v[j] - w[j]) * (v[j] - w[j])
	}
	return d
}

// newcomers are what scout finds in the gaps of the front beside what is explored.
func (l *Local) newcomers() (cs []search.Candidate) {
	if l.scout == nil {
		return nil
	}
	l.scout.Next()
	rng := newRand(l.b.p.Seed, "search.local.newcomers", uint64(len(l.explored)))
	for range len(l.asked) / newcomersPart {
		if c, ok := l.scout.find(l.b.drawn(rng), &l.front); ok {
			cs = append(cs, c)
		}
	}
	return cs
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
			branch.Dives(l.b.p, sp, func(s branch.Survivor) { cs = append(cs, s.Candidate) })
			branch.Samples(l.b.p, sp, func(s branch.Survivor) { cs = append(cs, s.Candidate) })
		}
	}
	return cs
}

// Tell takes improvements into the front; they will be explored in turn.
func (l *Local) Tell(scores []search.Score) {
	l.b.forget()
	for i := range scores {
		if scores[i].Feasible() && l.front.Add(search.Member{Candidate: l.asked[i], Vector: scores[i].V}) {
			l.b.credit(l.asked[i].Space)
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
