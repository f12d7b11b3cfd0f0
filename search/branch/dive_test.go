package branch

import (
	"context"
	"testing"

	"toposearch/constraints"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/study"
	"toposearch/topology/family"
)

// TestDives: in spaces of 10^15 tuples and more the first designs that are asked for, before the tree takes a step, are
// feasible ones under a limit on throughput that few tuples meet.
func TestDives(t *testing.T) {
	racing.Figures(t)
	st := searchtest.Small(t, 65536, 73728)
	st.Options = evaluator.Options{BandwidthGbps: 400}
	st.Space = nil
	for _, name := range []string{"dragonfly", "hyperx", "multirail", "fattree"} {
		f, _ := family.ByName(name)
		sp := study.FamilySpace{Family: f}
		for _, p := range f.Params {
			sp.Domains = append(sp.Domains, study.Domain{Min: p.Min, Max: p.Max, Given: true})
		}
		st.Space = append(st.Space, sp)
	}
	st.Constraints = &constraints.Set{Limits: []constraints.Limit{searchtest.LimitOn(metric.UniformThroughput, false, 0.5)}}
	p := searchtest.RealModel(t, st)
	e := NewEnumeration(p, 1, nil)
	asked, err := e.Ask(context.Background())
	if err != nil || len(asked) != askDives || e.visits != 0 {
		t.Fatalf("%d designs asked for after %d visits of the tree (%v), want %d before any", len(asked), e.visits, err, askDives)
	}
	feasible := 0
	var enc search.Enclosure
	for _, c := range asked {
		s, err := p.Score(context.Background(), c, &enc, new(search.Archive), nil)
		if err != nil {
			t.Fatal(err)
		}
		if s.Feasible() {
			feasible++
		}
	}
	if feasible < 2 {
		t.Errorf("%d of the first %d designs are feasible", feasible, len(asked))
	}
}
