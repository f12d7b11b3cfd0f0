package branch

import (
	"context"
	"math/big"
	"slices"
	"strings"
	"testing"

	"toposearch/evaluator"
	"toposearch/internal/racing"
	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/searchtest"
)

// fromTheStart has trees begin with coarse stages.
func fromTheStart(t *testing.T) {
	old := coarseFrom
	coarseFrom = 0
	t.Cleanup(func() { coarseFrom = old })
}

// inStages has the enumeration of one of problems begin with coarse stages.
func (e *Enumeration) inStages(t *testing.T, name string) {
	if name == "fullmesh" {
		fromTheStart(t)
		e.wide = true
	}
}

// staged is an enumeration of which is told what each of its stages ended with.
type staged struct {
	*Enumeration
	ended func(eps float64)
	at    int
	eps   float64
}

func (s *staged) Ask(ctx context.Context) ([]search.Candidate, error) {
	cs, err := s.Enumeration.Ask(ctx)
	if s.stages != s.at {
		if s.at > 0 {
			s.ended(s.eps)
		}
		s.at, s.eps = s.stages, s.Enumeration.eps
	}
	return cs, err
}

// TestStages: a tree that goes in stages finds the front of brute force and accounts for every tuple, also where more waits than may, and with a tolerance; at the end of each stage the front
// is complete within its epsilon.
func TestStages(t *testing.T) {
	racing.Figures(t)
	fromTheStart(t)
	stages := 0
	for _, x := range realSpaces {
		if testing.Short() && x.name != "fullmesh" && x.name != "dragonflyplus" {
			continue
		}
		p := searchtest.RealModel(t, x.study(t, x.max, evaluator.Options{}))
		want, _ := searchtest.BruteForce(t, p)
		_, whole, _ := EnumerateNames(t, p)
		for _, most := range []int{mostOpen, 50} {
			got, _, e := enumerateWithin(t, p, most)
			if strings.Join(got, " ") != strings.Join(want, " ") {
				t.Errorf("%s: stages found %v, brute force %v", x.name, got, want)
			}
			if e.left() != 0 || e.stages != len(epsilons) {
				t.Errorf("%s: %d left behind stage %d", x.name, e.left(), e.stages)
			}
			sum := new(big.Int)
			for _, n := range e.Tally[0].Tuples(p.Spaces[0]) {
				sum.Add(sum, n)
			}
			if sum.Cmp(p.Spaces[0].Size) != 0 {
				t.Errorf("%s: %v tuples accounted for, the space holds %v", x.name, sum, p.Spaces[0].Size)
			}
		}
		for _, tolerance := range []float64{0, 0.03} {
			p.Tolerance = tolerance
			d := search.NewDriver(p, nil, search.Options{})
			e := NewEnumeration(p, 2, nil)
			e.wide = true
			s := &staged{Enumeration: e}
			s.ended = func(eps float64) {
				if stages++; eps <= tolerance {
					t.Errorf("%s: a stage of %g where %g is tolerated", x.name, eps, tolerance)
				}
				for _, m := range whole.Front.Ordered() {
					if !slices.ContainsFunc(d.Front.Vectors(), func(v objectives.Vector) bool { return within(v, m.Vector, eps) }) {
						t.Errorf("%s, tolerance %g: behind the stage of %g nothing stands for %s %v", x.name, tolerance, eps, m.Name, m.Vector)
					}
				}
			}
			_, err := d.Search(context.Background(), s, false)
			searchtest.Must(t, err)
		}
	}
	if stages < 6 {
		t.Errorf("%d stages ended", stages)
	}
}
