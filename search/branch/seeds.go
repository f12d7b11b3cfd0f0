package branch

import (
	"math/rand/v2"

	"toposearch/internal/stream"
	"toposearch/search"
)

const (
	seedsPerFamily = 48      // designs of random shape that give pruning a front to begin with
	seedVisits     = 20_000  // steps that the search for one seed may take,
	seedLinks      = 500_000 // links that a seed may have
	firstDescent   = 100     // steps of the first descent at most, of each next twice as many

	wideBits   = 30   // binary digits of the tuples of a space of which the tree has the first designs after a second or later
	diveVisits = 4096 // steps of a dive, some 3 ms; a space has one for each objective,
	diveFound  = 4    // of which each ends with so many tuples
)

// Dives visits tuples that level 0 does not exclude and that are good in one objective: the tree goes depth first into
// the half that may hold what is best by it, limits kept, and comes back where nothing is left. Those that take long
// to evaluate are left to the tree.
func Dives(p *search.Problem, sp int, visit func(Survivor)) {
	all, ok := root(p, sp)
	if !ok {
		return
	}
	for j := range p.Objectives {
		t := newTask(p)
		t.first, t.diving = j, true
		t.run([]node{{box: all}}, diveVisits, diveFound)
		for _, s := range t.out {
			visit(s)
		}
	}
}

// SeedMisses is how many descents in a row may find nothing in a space before others are not tried: each
// of them has then taken seedVisits steps, and others would take as many.
const SeedMisses = 3

// Samples visits the samples of a space that are fit for seeds.
func Samples(p *search.Problem, sp int, visit func(Survivor)) {
	for k, misses := 0, 0; k < seedsPerFamily && misses < SeedMisses; k++ {
		switch s, ok := Sample(p, sp, uint64(k)); {
		case ok:
			misses = 0
			visit(s)
		case s.V == nil:
			misses++
		}
	}
}

// Sample descends at random to a tuple that level 0 does not exclude. The k-th sample of a space
// is always the same. It is not fit for a seed if it has too many links, and none if nothing was found.
func Sample(p *search.Problem, sp int, k uint64) (Survivor, bool) {
	return descend(p, sp, nil, stream.New(p.Seed, "search.sample", uint64(sp), k), seedVisits)
}

// beyondVisits are the steps that Beyond may take, a millisecond: where it needs more, nearly all is dominated.
const beyondVisits = 2000

// Beyond descends like Sample, to a tuple that a front does not dominate for certain either: boxes that it dominates are cut on
// the way. ok is false if none was found.
func Beyond(p *search.Problem, sp int, front *search.Archive, k uint64) (s Survivor, ok bool) {
	s, _ = descend(p, sp, front, stream.New(p.Seed, "search.beyond", uint64(sp), k), beyondVisits)
	return s, s.V != nil
}

func descend(p *search.Problem, sp int, front *search.Archive, rng *rand.Rand, steps int64) (s Survivor, fit bool) {
	all, ok := root(p, sp)
	if !ok {
		return Survivor{}, false
	}
	t := newTask(p)
	if t.rng = rng; front != nil {
		t.front = front
	}
	if p.Spaces[sp].Fam.Draws != nil {
		return t.drawn(sp)
	}
	for visits := int64(firstDescent); t.effort < steps; visits = min(2*visits, steps) {
		left := t.run([]node{{box: all}}, visits, 1)
		if len(t.out) > 0 {
			// The last tuple that was judged. Seeds are to be cheap: what has many links takes long.
			return t.out[0], t.enc.Low.SwitchLinks() <= seedLinks
		}
		if len(left) == 0 { // nothing of the space is left
			break
		}
	}
	return Survivor{}, false
}

// ownDraws is how many tuples of a family that draws them itself are drawn for a sample: a few are no networks, or too small.
const ownDraws = 20

// drawn is a tuple that level 0 does not exclude, as the family draws them.
func (t *task) drawn(sp int) (Survivor, bool) {
	for range ownDraws {
		v := t.lo[:len(t.p.Spaces[sp].Dims)]
		t.p.Draw(sp, t.rng.IntN, v)
		if t.judge(t.p.Spaces[sp], v) == "" {
			t.survive(&node{box: box{space: int16(sp)}}, len(v))
			return t.out[0], t.enc.Low.SwitchLinks() <= seedLinks
		}
	}
	return Survivor{}, false
}
