package branch

import (
	"math"
	"math/rand/v2"

	"toposearch/internal/stream"
	"toposearch/objectives"
	"toposearch/search"
)

// Sight looks from a front for what it lacks: along a ray from the best corner of the front into a random direction, to where the front
// comes to lie on it. A design that is better there than all of the front closes a gap, however narrow the way to it is for
// steps from one design to another; boxes whose best corners are no better are cut, and of two halves the one that may come nearest to the
// corner is next (a tree search for the achievement scalarizing functions of Wierzbicki, "The use of reference objectives in multiobjective optimization",
// LNEMS 177, 1980, which reach every Pareto optimum, also those that no weighted sum prefers).
type Sight struct {
	front *search.Archive
	vs    []objectives.Vector // finite ones of the front
	lo    objectives.Vector   // their best corner,
	span  objectives.Vector   // and how far they reach from it
}

// NewSight looks from a front, which must not change while it is in use.
func NewSight(front *search.Archive) *Sight {
	s := &Sight{front: front}
	for _, p := range front.Tree.Points() {
		if !finite(p.V) {
			continue
		}
		if s.lo == nil {
			s.lo, s.span = append(s.lo, p.V...), append(s.span, p.V...)
		}
		s.vs = append(s.vs, p.V)
		for j, x := range p.V {
			s.lo[j], s.span[j] = min(s.lo[j], x), max(s.span[j], x)
		}
	}
	for j, x := range s.lo {
		if s.span[j] -= x; s.span[j] <= 0 { // all alike: in its own unit
			s.span[j] = max(math.Abs(x), 1)
		}
	}
	return s
}

// finite tells whether all bounds or values of a vector are known.
func finite(v objectives.Vector) bool {
	for _, x := range v {
		if math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

const (
	axisOf     = 4    // one of so many directions is an axis, on which lie the ends of a front: the best of an objective, and of those the best in others
	beside     = 0.01 // the part of the sum in a key, the usual small one
	leastShare = 1e-6 // keeps directions off the axes, so that what is divided by it stays finite
)

// aim draws a direction, evenly among all or among the axes, and tells where the front lies in it.
func (s *Sight) aim(rng *rand.Rand) (a *aim, at float64) {
	n := len(s.lo)
	a = &aim{from: s.lo, along: make(objectives.Vector, n), sum: make(objectives.Vector, n)}
	axis := rng.IntN(axisOf * n)
	for j := range n {
		share := max(rng.ExpFloat64(), leastShare)
		if axis < n {
			a.sum[j] = beside * share / s.span[j]
		} else {
			a.along[j] = 1 / (s.span[j] * share)
			a.sum[j] = beside * a.along[j]
		}
	}
	if axis < n {
		a.along[axis] = 1 / s.span[axis]
	}
	at = math.Inf(1)
	for _, v := range s.vs {
		at = min(at, a.key(v))
	}
	return a, at
}

// Find descends to a tuple that may lie before the front in the k-th direction, the nearest to its corner of a few; ok is false if none
// was found. Where there is no direction, for a family that draws its tuples and a front without members, it is Beyond.
func (s *Sight) Find(p *search.Problem, sp int, k uint64) (x Survivor, ok bool) {
	all, there := root(p, sp)
	if !there || p.Spaces[sp].Fam.Draws != nil || len(s.vs) == 0 {
		return Beyond(p, sp, s.front, k)
	}
	t := newTask(p)
	t.rng, t.front, t.diving = stream.New(p.Seed, "search.aimed", uint64(sp), k), s.front, true
	t.aim, t.limit = s.aim(t.rng)
	stack := []node{{box: all}}
	for found := 0; found < aimedFound && len(stack) > 0 && t.effort < aimedVisits; found++ {
		t.limit, t.out = math.Nextafter(t.limit, math.Inf(-1)), t.out[:0]
		if stack = t.run(stack, aimedVisits-t.effort, 1); len(t.out) == 0 {
			break
		}
		x, ok = t.out[0], true
		t.limit = t.aim.key(x.Best)
	}
	return x, ok
}

const (
	aimedVisits = beyondVisits // steps of a descent at most
	aimedFound  = 4            // tuples that it comes to at most, each better than the one before
)
