package run

import (
	"context"
	"slices"
	"strings"
	"testing"

	"toposearch/constraints"
	"toposearch/evaluator/metric"
	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/study"
	"toposearch/topology/family/familytest"
)

// Each verdict is given for a design that earns it, with what would admit it.
func TestExplain(t *testing.T) {
	st := studyOf(t, study.Enumerate)
	p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
	out, _, _ := runIn(t, p, create(t, st), search.Options{})
	f := out.Front
	ask := func(name string) *Explanation {
		d := familytest.Parse(t, name)
		x, err := explain(context.Background(), p, d, f)
		searchtest.Must(t, err)
		return x
	}
	if x := ask(f.Front[0].Design); !x.OnFront || x.Verdict != OnFront {
		t.Errorf("%s: %+v", f.Front[0].Design, x)
	}
	// 256 endpoints, but far more switches than a fat tree of two levels needs.
	x := ask("dragonfly(p=1,a=8,h=4,g=32)")
	if x.Verdict != Dominated && x.Verdict != Rejected || len(x.Admit) == 0 {
		t.Errorf("%+v", x)
	}
	if x := ask("dragonfly(p=4,a=8,h=4)"); x.Verdict != Rejected || x.Misses[0].Constraint != constraints.Window || x.Misses[0].Bound != 300 {
		t.Errorf("1056 endpoints: %+v", x)
	}
	if x := ask("dragonfly(p=4,a=8,h=4,g=40)"); x.Verdict != NoDesign || !strings.Contains(x.Why, "g") {
		t.Errorf("no network: %+v", x)
	}
	if x := ask("torus(k1=16,k2=16)"); x.Verdict == OnFront {
		t.Errorf("a family that was not searched: %+v", x)
	}
	over := 0
	for _, name := range []string{"zcube(n=16,k=2)", "fattree(k=32,l=2)", "hyperx(s1=8,s2=8,t=4)", "dragonfly(p=2,a=4,h=4)"} {
		x := ask(name)
		for _, m := range x.Misses {
			for i := range p.Limits {
				if l := &p.Limits[i]; l.Name == m.Constraint && l.Violation(m.Got) == 0 {
					t.Errorf("%s: %+v is no miss", name, m)
				}
			}
			over++
		}
	}
	if over == 0 {
		t.Error("no design misses a limit")
	}
	for _, n := range x.DominatedBy {
		r := f.Find(n)
		if r == nil || r.Objectives["cost"] > x.Objectives["cost"] {
			t.Errorf("%s does not dominate %+v", n, x)
		}
	}
}

// What would admit a dominated design differs from what it has, however late their digits do, and of what is equal the other design is named. By hand: a latency
// is told apart to 1e-6 ns, and six digits are printed otherwise.
func TestExplainAdmitsApart(t *testing.T) {
	p := searchtest.ProblemOf(t, studyOf(t, study.Enumerate), &searchtest.SizeModel{})
	p.Objectives = []objectives.Objective{{Key: metric.Cost}, {Key: metric.Latency}, {Key: metric.UniformThroughput, Better: metric.Higher}}
	record := func(design string, cost, latency, throughput float64) search.Record {
		return search.Record{Design: design, Metrics: map[string]metric.Figure{"cost": {Value: cost}, "latency": {Value: latency}, "uniform_throughput": {Value: throughput}}}
	}
	f := &search.Front{Front: []search.Record{record("none", 9e9, 1, 1), record("one", 2000, 1032.3241, 0.5), record("two", 1500, 1032.3242, 0.61234567)}}
	_, _, got := dominators(p, objectives.Vector{2000, 1032.3243, -0.5}, f)
	want := []string{"cost below 1500 USD (it is 2000 USD)", "latency below 1032.3241 ns (it is 1032.3243 ns)", "uniform_throughput above 0.612346 (it is 0.5)"}
	if !slices.Equal(got, want) {
		t.Errorf("admitted by %q, want %q", got, want)
	}
	_, _, got = dominators(p, objectives.Vector{2000, 1032.3242, -0.61234567}, f)
	want = []string{"cost below 1500 USD (it is 2000 USD)", "latency below 1032.32 ns (at 1032.32 ns it ties with two)", "uniform_throughput above 0.612346 (at 0.612346 it ties with two)"}
	if !slices.Equal(got, want) {
		t.Errorf("admitted by %q, want %q", got, want)
	}
}
