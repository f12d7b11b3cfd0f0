package search_test

import (
	"context"
	"testing"

	"toposearch/internal/stream"
	"toposearch/search"
	"toposearch/search/evolve"
	"toposearch/search/searchtest"
)

// What the gate decides, an evaluation confirms: what it calls dominated is so by the front that it was held against, what it rejects
// misses a limit, and what meets every limit for certain does.
func TestGateIsConfirmedByEvaluation(t *testing.T) {
	st := searchtest.Pods(t, "hyperx", "dragonfly", "fattree")
	st.MinEndpoints, st.MaxEndpoints = 60, 200
	p := searchtest.RealModel(t, st)
	var front search.Archive
	var e search.Enclosure
	ctx := context.Background()
	s := evolve.NewSampling(p, []bool{true, true, true})
	rng := stream.New(1, "test.gate")
	counts := map[string]int{}
	for range 30 {
		cs, err := s.Ask(ctx)
		searchtest.Must(t, err)
		for _, c := range cs {
			if e.Low.Reset(p.Spaces[c.Space].Fam); p.ScoreCounts(c, &e).Constraint != "" {
				continue
			}
			got := p.Gate(&e, &front)
			entry, err := p.Measure(ctx, p.Design(c.Space, c.V))
			searchtest.Must(t, err)
			want := p.ScoreEntry(entry)
			counts[got.Constraint]++
			switch {
			case got.Constraint == search.Dominated && want.Feasible() && !front.Covers(want.V):
				t.Errorf("%s passes for dominated, and has %v", p.Name(c), want.V)
			case got.Constraint == search.Dominated && got.Met && !want.Feasible():
				t.Errorf("%s passes for feasible, and misses %s", p.Name(c), want.Constraint)
			case got.Constraint != search.Dominated && got.Constraint != "" && want.Feasible():
				t.Errorf("%s is rejected for %s, and is feasible", p.Name(c), got.Constraint)
			}
			for j := range got.V {
				if want.Feasible() && want.V[j] < got.V[j]-1e-9*max(1, -got.V[j], got.V[j]) {
					t.Errorf("%s: the best of objective %d is %v, and it has %v", p.Name(c), j, got.V[j], want.V[j])
				}
			}
			if want.Feasible() && rng.Float64() < 0.5 {
				front.Add(search.Member{Candidate: c, Vector: want.V})
			}
		}
	}
	if counts[search.Dominated] < 20 || counts[""] < 8 {
		t.Errorf("decided %v: too little to compare", counts)
	}
}
