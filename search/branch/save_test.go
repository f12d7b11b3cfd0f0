package branch

import (
	"context"
	"fmt"
	"testing"

	"toposearch/internal/pack"
	"toposearch/internal/racing"
	"toposearch/search"
	"toposearch/search/searchtest"
)

// saved is an enumeration that is saved and read again before each batch.
type saved struct {
	t *testing.T
	e *Enumeration
	n int
}

func (s *saved) Ask(ctx context.Context) ([]search.Candidate, error) {
	if s.n++; s.n < 300 || s.n%50 == 0 {
		s.e = reread(s.t, s.e)
	}
	return s.e.Ask(ctx)
}

func (s *saved) Tell(scores []search.Score) { s.e.Tell(scores) }

func reread(t *testing.T, e *Enumeration) *Enumeration {
	var w pack.Writer
	e.Save(&w)
	r := pack.NewReader(w)
	x, _ := LoadEnumeration(e.p, e.workers, e.Remote, r)
	if err := r.End(); err != nil {
		t.Fatal(err)
	}
	x.most, x.Steps, x.wide = e.most, e.Steps, e.wide
	return x
}

// TestSaved: an enumeration that is saved and read again before each batch does what it would have done, its proof as well.
func TestSaved(t *testing.T) {
	racing.Figures(t)
	for name, problem := range problems(t) {
		for _, proof := range []bool{false, true} {
			var want string
			for _, save := range []bool{false, true} {
				p := problem()
				d := search.NewDriver(p, nil, search.Options{})
				if proof {
					d.Left = 40
				}
				s := &saved{t: t, e: NewEnumeration(p, 2, nil)}
				s.e.most, s.e.Steps = 5000, 1<<12
				s.e.inStages(t, name)
				var strategy search.Strategy = s
				if !save {
					strategy = s.e
				}
				_, err := d.Search(context.Background(), strategy, false)
				searchtest.Must(t, err)
				e := s.e
				if proof {
					if save {
						e = reread(t, e)
					}
					e.Steps = 1 << 10
					searchtest.Must(t, e.Prove(context.Background(), &d.Front, d.Became, nil))
				}
				corners, open, within := e.Left(&d.Front)
				got := fmt.Sprint(e.visits, " visits, effort ", e.effort, e.spent, e.Tally, e.outcomes, open, d.Front.Ordered(), e.pending, corners, within)
				switch {
				case !save:
					want = got
				case got != want:
					t.Errorf("%s, proof %v: saved and read again\n%.500s\notherwise\n%.500s", name, proof, got, want)
				case s.n < 3:
					t.Errorf("%s: read again %d times", name, s.n)
				}
			}
		}
	}
}

// FuzzLoad: what is no saved enumeration is an error, and nothing worse.
func FuzzLoad(f *testing.F) {
	p := searchtest.ProblemOf(f, searchtest.Small(f, 500, 600), &searchtest.SizeModel{})
	e := NewEnumeration(p, 1, nil)
	e.Steps = 50
	searchtest.Must(f, e.batch(f.Context()))
	var w pack.Writer
	e.Save(&w)
	f.Add([]byte(w))
	f.Add([]byte(w[:len(w)/2]))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := pack.NewReader(b)
		LoadEnumeration(p, 1, nil, r)
		_ = r.End()
	})
}
