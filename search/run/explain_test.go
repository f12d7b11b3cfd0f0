package run

import (
	"context"
	"strings"
	"testing"

	"toposearch/constraints"
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
