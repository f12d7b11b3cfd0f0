package search_test

import (
	"context"
	"testing"

	"toposearch/internal/stream"
	"toposearch/objectives"
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

// Where a study asks for metrics that take long, what the others decide is not measured by them: the front is the same, and fewer designs
// are evaluated as a whole.
func TestExpensiveMetricsComeLast(t *testing.T) {
	st := searchtest.Pods(t, "hyperx", "dragonfly", "dragonflyplus")
	o, err := objectives.New("bisection")
	searchtest.Must(t, err)
	st.Objectives = append(st.Objectives, o)
	p := searchtest.RealModel(t, st)
	s := evolve.NewSampling(p, []bool{true, true, true})
	d := search.NewDriver(p, nil, search.Options{})
	var want search.Archive
	var enc search.Enclosure
	all := 0
	for range 8 {
		cs, err := s.Ask(context.Background())
		searchtest.Must(t, err)
		if _, err := d.Search(context.Background(), &once{asked: cs}, true); err != nil {
			t.Fatal(err)
		}
		for _, c := range cs {
			if p.ScoreCounts(c, &enc).Constraint != "" { // no network, or outside the window
				continue
			}
			e, err := p.Measure(context.Background(), p.Design(c.Space, c.V))
			searchtest.Must(t, err)
			if x := p.ScoreEntry(e); x.Feasible() {
				all++
				want.Add(search.Member{Candidate: c, Vector: x.V, Name: p.Name(c)})
			}
		}
	}
	got, exact := d.Front.Ordered(), want.Ordered()
	if len(got) != len(exact) {
		t.Fatalf("the front has %d designs, want %d", len(got), len(exact))
	}
	for i := range got {
		if got[i].Name != exact[i].Name {
			t.Errorf("design %d of the front is %s, want %s", i, got[i].Name, exact[i].Name)
		}
	}
	if n := int(d.Prog.Evaluated); n >= all || len(got) < 2 {
		t.Errorf("%d of %d designs were evaluated for a front of %d", n, all, len(got))
	} else {
		t.Logf("%d of %d designs were evaluated for a front of %d", n, all, len(got))
	}
}
