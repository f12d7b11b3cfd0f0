package branch

import (
	"toposearch/internal/stream"
	"toposearch/search"
)

// seeds samples each space by random descents.
func (e *enumeration) seeds() []Survivor {
	var out []Survivor
	for i := range e.p.Spaces {
		if !e.whole[i] {
			continue
		}
		seen := map[string]bool{}
		Samples(e.p, i, func(s Survivor) {
			if !seen[search.Key(i, s.V)] {
				seen[search.Key(i, s.V)] = true
				out = append(out, s)
			}
		})
	}
	return out
}

// seedMisses is how many descents in a row may find nothing in a space before others are not tried: each
// of them has then taken seedVisits steps, and all of them the like.
const SeedMisses = 3

// samples visits the samples of a space that are fit for seeds.
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

// sample descends at random to a tuple that level 0 does not exclude. The k-th sample of a space
// is always the same. It is not fit for a seed if it has too many links, and none if nothing was found.
func Sample(p *search.Problem, sp int, k uint64) (Survivor, bool) {
	root, ok := Root(p, sp)
	if !ok {
		return Survivor{}, false
	}
	w := NewWalker(p)
	w.rng = stream.New(p.Seed, "search.sample", uint64(sp), k)
	for visits := int64(descent); w.effort < seedVisits; visits = min(2*visits, seedVisits) {
		left := w.Run([]Node{root}, visits, 1)
		if len(w.out) > 0 {
			// The last tuple that was judged. Seeds are to be cheap: what has many links takes long.
			return w.out[0], w.enc.Low.SwitchLinks() <= seedLinks
		}
		if len(left) == 0 { // all of the space was looked at
			break
		}
	}
	return Survivor{}, false
}
