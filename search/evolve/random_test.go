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

// TestBatch: what is asked for together grows with the batch that a study names.
func TestBatch(t *testing.T) {
	for batch, want := range map[int][2]int{0: {100, 100}, 512: {400, 512}} {
		st := searchtest.Pods(t, "hyperx", "dragonfly")
		st.Search.Batch = batch
		p := searchtest.RealModel(t, st)
		random := evolve.NewSampling(p, []bool{true, true})
		nsga2 := evolve.NewNSGA2(p, []bool{true, true}, 0, nil, evolve.NewScout(p))
		defer nsga2.Close()
		for i, s := range []search.Strategy{random, nsga2} {
			cs, err := s.Ask(context.Background())
			searchtest.Must(t, err)
			if len(cs) > want[i] || len(cs) < want[i]*3/4 { // of two ways to write a design one is asked for
				t.Errorf("batch %d: %T asks for %d designs, want about %d", batch, s, len(cs), want[i])
			}
		}
	}
}

var _ search.Strategy = (*evolve.Sampling)(nil)
