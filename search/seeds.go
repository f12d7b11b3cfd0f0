package search

import "toposearch/internal/stream"

// seeds samples each space by random descents.
func (e *enumeration) seeds() []survivor {
	var out []survivor
	for i := range e.p.spaces {
		if !e.whole[i] {
			continue
		}
		seen := map[string]bool{}
		for k := range seedsPerFamily {
			s, ok := e.p.sample(i, uint64(k))
			if ok && !seen[key(i, s.V)] {
				seen[key(i, s.V)] = true
				out = append(out, s)
			}
		}
	}
	return out
}

// sample descends at random to a tuple that level 0 does not exclude. The k-th sample of a space
// is always the same.
func (p *Problem) sample(sp int, k uint64) (survivor, bool) {
	root, ok := p.root(sp)
	if !ok {
		return survivor{}, false
	}
	w := newWalker(p)
	w.rng = stream.New(p.seed, "search.sample", uint64(sp), k)
	for visits := int64(descent); w.effort < seedVisits; visits = min(2*visits, seedVisits) {
		if w.run([]node{root}, visits, 1); len(w.out) > 0 {
			// The last tuple that was judged. Seeds are to be cheap: what has many links takes long.
			return w.out[0], w.bl.SwitchLinks() <= seedLinks
		}
	}
	return survivor{}, false
}
