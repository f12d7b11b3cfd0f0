package evolve_test

import (
	"context"
	"testing"

	"toposearch/search"
	"toposearch/search/evolve"
	"toposearch/search/searchtest"
)

// TestLaps: a budget that one lap does not spend goes on to designs that were not drawn before.
func TestLaps(t *testing.T) {
	p := searchtest.RealModel(t, searchtest.Pods(t, "hyperx", "dragonfly"))
	s := evolve.NewSampling(p, []bool{true, true})
	seen := map[string]bool{}
	drawn := func() (all, fresh int) {
		for {
			cs, err := s.Ask(context.Background())
			searchtest.Must(t, err)
			if cs == nil {
				return all, fresh
			}
			for _, c := range cs {
				all++
				if name := p.Design(c.Space, c.V).String(); !seen[name] {
					fresh++
					seen[name] = true
				}
			}
		}
	}
	first, _ := drawn()
	if again, _ := drawn(); again != 0 {
		t.Errorf("%d were drawn after the end of a lap", again)
	}
	s.Lap()
	if second, fresh := drawn(); second != first || fresh < second/100 {
		t.Errorf("the second lap drew %d, of them %d new; the first %d", second, fresh, first)
	}
}

var _ search.Strategy = (*evolve.Sampling)(nil)
