package search

import (
	"context"
	"fmt"

	"toposearch/internal/pack"
	"toposearch/objectives"
)

// A search can be saved between two batches and continued from there: what it learnt from evaluations is in the journal, the rest is packed here. Who
// reads it must have the same problem, by the same version of the program.

// Save packs a candidate.
func (c Candidate) Save(w *pack.Writer) {
	w.Int(int64(c.Space))
	for _, x := range c.V {
		w.Int(int64(x))
	}
}

// LoadCandidate reads what Candidate.Save packed.
func (p *Problem) LoadCandidate(r *pack.Reader) Candidate {
	c := Candidate{Space: int(r.Within(0, int64(len(p.Spaces)-1)))}
	c.V = make([]int, len(p.Spaces[c.Space].Dims))
	for i := range c.V {
		c.V[i] = int(r.Int())
	}
	return c
}

// Save packs an archive whose designs are named by their values.
func (f *Archive) Save(w *pack.Writer) {
	w.Int(int64(f.Len()))
	for _, m := range f.Ordered() {
		m.Candidate.Save(w)
		w.Floats(m.Vector)
		w.Floats(m.Held)
	}
}

// LoadArchive reads what Archive.Save packed.
func (p *Problem) LoadArchive(r *pack.Reader) (f Archive) {
	for n := r.Count(2); n > 0; n-- {
		m := Member{Candidate: p.LoadCandidate(r), Vector: r.Floats(), Held: r.Floats()}
		if k := len(p.Objectives); len(m.Vector) != k || m.Held != nil && len(m.Held) != k {
			r.Fail("a design of other objectives")
			break
		}
		f.Add(m)
	}
	return f
}

// Save packs what was counted.
func (t *Tally) Save(w *pack.Writer) {
	n := 0
	t.Each(func(string, int, int64) { n++ })
	w.Int(int64(n))
	t.Each(func(name string, depth int, values int64) {
		w.Text(name)
		w.Int(int64(depth))
		w.Int(values)
	})
}

// Load adds what Save packed.
func (t *Tally) Load(r *pack.Reader, sp *Space) {
	for n := r.Count(3); n > 0; n-- {
		name := r.Text()
		depth := r.Within(0, int64(len(sp.Dims)-1))
		t.Add(name, int(depth), r.Within(0, 1<<62))
	}
}

// Save packs how far the search is.
func (d *Driver) Save(w *pack.Writer) {
	for _, x := range []int64{d.Border, d.Left, d.owed, d.Asked, d.Prog.Decided, d.Prog.Visited} {
		w.Int(x)
	}
	for i := range d.Tally {
		d.Tally[i].Save(w)
		w.Bool(d.Met[i])
	}
	w.Int(int64(len(d.order)))
	for _, k := range d.order {
		ofKey(k).Save(w)
	}
	d.recall.save(w)
}

// Load takes over what Save packed; lines gives the next entries of the journal, from its first on, so many at once.
func (d *Driver) Load(ctx context.Context, r *pack.Reader, lines func(n int) ([]*Entry, error)) error {
	for _, x := range []*int64{&d.Border, &d.Left, &d.owed, &d.Asked, &d.Prog.Decided, &d.Prog.Visited} {
		*x = r.Int()
	}
	for i := range d.Tally {
		d.Tally[i].Load(r, d.P.Spaces[i])
		d.Met[i] = r.Bool()
	}
	left := d.Left // took counts down
	for n := r.Count(1); n > 0; {
		entries, err := lines(min(n, loadedAtOnce))
		if err != nil {
			return err
		}
		cs := make([]Candidate, len(entries))
		for i := range cs {
			cs[i] = d.P.LoadCandidate(r)
		}
		if r.Failed() {
			return r.End()
		}
		scores, wrong := make([]Score, len(cs)), make([]bool, len(cs))
		Each(ctx, d.Workers(), len(cs), func(_, i int) {
			wrong[i] = entries[i].Design != d.P.Name(cs[i])
			scores[i] = d.P.ScoreEntry(entries[i])
		})
		if err := ctx.Err(); err != nil {
			return err
		}
		for i, c := range cs {
			if wrong[i] {
				return fmt.Errorf("%w: it holds %s where %s was evaluated", ErrInputsChanged, entries[i].Design, d.P.Name(c))
			}
			d.recall.put(Key(c.Space, c.V), scores[i])
			d.took(c, entries[i].Design, &scores[i], &answer{entry: entries[i], known: true})
		}
		n -= len(cs)
	}
	d.Left = left
	d.recall.load(r, d.P)
	return nil
}

// loadedAtOnce is enough to keep all cores busy, and little to hold.
const loadedAtOnce = 1 << 12

func (r *recall) save(w *pack.Writer) {
	for _, m := range []map[string]Score{r.decided, r.older} {
		w.Int(int64(len(m)))
		for k, s := range m {
			ofKey(k).Save(w)
			w.Text(s.Constraint)
			w.Float(s.Violation)
			w.Floats(s.V)
			w.Bool(s.Met)
		}
	}
	for _, m := range []map[uint64]struct{}{r.seen, r.former} {
		w.Int(int64(len(m)))
		for h := range m {
			w.Fixed(h)
		}
	}
}

func (r *recall) load(in *pack.Reader, p *Problem) {
	for _, m := range []*map[string]Score{&r.decided, &r.older} {
		*m = map[string]Score{}
		for n := in.Count(4); n > 0; n-- {
			c := p.LoadCandidate(in)
			var s Score
			s.Constraint, s.Violation = in.Text(), in.Float()
			s.V, s.Met = objectives.Vector(in.Floats()), in.Bool()
			(*m)[Key(c.Space, c.V)] = s
		}
	}
	for _, m := range []*map[uint64]struct{}{&r.seen, &r.former} {
		n := in.Count(8)
		*m = make(map[uint64]struct{}, n)
		for ; n > 0; n-- {
			(*m)[in.Fixed()] = struct{}{}
		}
	}
}
