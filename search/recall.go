package search

import "maps"

// recall is what a search remembers of candidates, by Key: of those that were evaluated everything, of those that bounds decided, which may be
// billions in a night, what they were told lately, and longer that they were asked for. What is forgotten and asked for again is
// judged again.
type recall struct {
	evaluated map[string]Score
	// What bounds decided lately, and before that: when the one is full it takes the place of the other.
	decided, older map[string]Score
	// Hashes of all that was asked for lately, and before that.
	seen, former map[uint64]struct{}

	mostDecided, mostSeen int // but in tests those below
}

// mostDecided and mostSeen are how many are remembered at least, of each twice as many at most: 300 bytes each of the first, and 20 of the second,
// 160 MB together.
const (
	mostDecided = 1 << 17
	mostSeen    = 1 << 21
)

func newRecall() recall {
	return recall{evaluated: map[string]Score{}, decided: map[string]Score{}, seen: map[uint64]struct{}{}, mostDecided: mostDecided, mostSeen: mostSeen}
}

// score is what was told of a candidate.
func (r *recall) score(key string) (s Score, ok bool) {
	if s, ok = r.evaluated[key]; ok {
		return s, true
	}
	if s, ok = r.decided[key]; ok {
		return s, true
	}
	s, ok = r.older[key]
	return s, ok
}

// put remembers what is told of a candidate.
func (r *recall) put(key string, s Score) {
	if h := hashOf(key); !r.asked(h) {
		if len(r.seen) >= r.mostSeen {
			r.seen, r.former = map[uint64]struct{}{}, r.seen
		}
		r.seen[h] = struct{}{}
	}
	if s.Evaluated {
		r.evaluated[key] = s
		return
	}
	if len(r.decided) >= r.mostDecided {
		r.decided, r.older = map[string]Score{}, r.decided
	}
	r.decided[key] = s
}

// asked tells whether a candidate of this hash was asked for before.
func (r *recall) asked(hash uint64) bool {
	_, now := r.seen[hash]
	_, was := r.former[hash]
	return now || was
}

// hashOf is FNV-1a of 64 bits: of two keys with the same hash the second would not be counted among those asked for, which
// happens in one of a million searches.
func hashOf(key string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(key) {
		h = (h ^ uint64(key[i])) * 1099511628211
	}
	return h
}

// apart is what a search with other objectives may know: what was evaluated.
func (r *recall) apart() recall {
	c := newRecall()
	c.evaluated = maps.Clone(r.evaluated)
	return c
}

// join takes over what such a search evaluated.
func (r *recall) join(c *recall) {
	for k, s := range c.evaluated {
		if _, known := r.score(k); !known {
			r.put(k, s)
		}
	}
}
