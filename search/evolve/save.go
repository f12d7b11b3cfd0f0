package evolve

import (
	"math"

	"toposearch/internal/pack"
	"toposearch/search"
)

// Save packs sampling between two batches.
func (s *Sampling) Save(w *pack.Writer) {
	w.Int(int64(s.round))
	w.Int(int64(s.until))
}

// Load takes over what Save packed.
func (s *Sampling) Load(r *pack.Reader) { s.round, s.until = uint64(r.Int()), uint64(r.Int()) }

// Save packs a scout between two rounds.
func (s *Scout) Save(w *pack.Writer) {
	w.Int(int64(s.round))
	for _, b := range s.at {
		w.Int(int64(b.draws))
		w.Int(int64(b.misses))
		w.Int(int64(b.rest))
		w.Int(int64(b.until))
	}
	saveKeys(w, s.found)
}

// Load takes over what Save packed.
func (s *Scout) Load(r *pack.Reader) {
	s.round = int(r.Within(0, math.MaxInt32))
	for i := range s.at {
		b := &s.at[i]
		b.draws = uint64(r.Int())
		for _, x := range []*int{&b.misses, &b.rest, &b.until} {
			*x = int(r.Int())
		}
	}
	s.found = loadKeys(r)
}

// Save packs local search between two rounds.
func (l *Local) Save(w *pack.Writer) {
	w.Bool(l.seeded)
	w.Int(int64(l.round))
	l.front.Save(w)
	saveKeys(w, l.explored)
}

// Load takes over what Save packed.
func (l *Local) Load(r *pack.Reader, p *search.Problem) {
	l.seeded, l.round = r.Bool(), int(r.Within(0, math.MaxInt32))
	l.front = p.LoadArchive(r)
	l.explored = loadKeys(r)
}

func saveKeys(w *pack.Writer, keys map[string]bool) {
	w.Int(int64(len(keys)))
	for k := range keys {
		w.Text(k)
	}
}

func loadKeys(r *pack.Reader) map[string]bool {
	keys := map[string]bool{}
	for n := r.Count(1); n > 0 && !r.Failed(); n-- {
		keys[r.Text()] = true
	}
	return keys
}
