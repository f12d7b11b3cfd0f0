package branch

import (
	"slices"
	"testing"

	"toposearch/constraints"
	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/searchtest"
)

// What is estimated to be ahead of an enumeration that stopped half way is what it then takes, within a factor of five while a search runs and of two in a plan, and all is done in
// the end, and not before.
func TestAhead(t *testing.T) {
	racing.Figures(t)
	st := searchtest.Small(t, 500, 600)
	p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
	e := NewEnumeration(p, 1, nil)
	e.Steps = 1 << 8
	d := search.NewDriver(p, nil, search.Options{Workers: 1})
	type look struct{ effort, ahead, plan float64 }
	var looks []look
	d.Opt.Progress = func(pr search.Progress) {
		if pr.Fraction < 0 || pr.Fraction > 1 || pr.Fraction == 1 && pr.Done < pr.Families || pr.Done > pr.Families {
			t.Errorf("%+v", pr)
		}
		if e.Spent() < firstLook && e.looking > 0 {
			t.Errorf("looked ahead after %g ns", e.Spent())
		}
		live, plan := e.Ahead(LiveLook), e.Ahead(PlanLook)
		if live.Looked > LiveLook || plan.Looked < live.Looked || plan.Looked > PlanLook {
			t.Errorf("looks judged %g, and %g in a plan", live.Looked, plan.Looked)
		}
		looks = append(looks, look{float64(e.effort), live.Visits, plan.Visits})
	}
	if _, err := d.Search(t.Context(), e, false); err != nil {
		t.Fatal(err)
	}
	if _, done := e.Progress(); done != 1 {
		t.Errorf("%g is done in the end", done)
	}
	if done, all := e.Families(); done != all || all != len(p.Spaces) {
		t.Errorf("%d of %d families are decided in the end, of %d", done, all, len(p.Spaces))
	}
	all := float64(e.effort)
	tried := 0
	for _, l := range looks {
		left := all - l.effort
		if left < all/4 || l.effort == 0 {
			continue
		}
		if tried++; l.ahead < left/5 || l.ahead > 5*left || l.plan < left/2 || l.plan > 2*left {
			t.Errorf("after %g of %g judgements %g are estimated to be left, in a plan %g", l.effort, all, l.ahead, l.plan)
		}
	}
	if tried == 0 {
		t.Errorf("it was never looked at half way: %v", looks)
	}
}

// What tuples are foreseen to be is what those evaluated turned out to be: of bounds that were twice too good no front is foreseen that is better than half of them, where none
// was feasible none is foreseen, and of tuples that dominate one another few last.
func TestForesee(t *testing.T) {
	p := searchtest.ProblemOf(t, searchtest.Small(t, 500, 600), &searchtest.SizeModel{})
	e := NewEnumeration(p, 1, nil)
	rng := stream.New(1, "test")
	var met []Survivor
	for i := range 1000 {
		x := 1 + rng.Float64()
		best := slices.Repeat(objectives.Vector{x}, len(p.Objectives)) // each dominates all that are larger
		met = append(met, Survivor{Candidate: search.Candidate{V: []int{i}}, Best: best})
	}
	front := new(search.Archive)
	e.foresee(front, met, rng)
	if !front.Covers(met[0].Best) || front.Len() > 3 {
		t.Errorf("a front of %d is foreseen", front.Len())
	}
	if part := e.lasting(new(search.Archive), met, 1e6, rng); part > 1e-3 {
		t.Errorf("%g of tuples that dominate one another last", part)
	}
	for range 100 {
		worse := slices.Repeat(objectives.Vector{2 * met[0].Best[0]}, len(p.Objectives))
		e.learn(&met[0], &search.Score{Evaluated: true, V: worse})
	}
	front = new(search.Archive)
	e.foresee(front, met, rng)
	if front.Len() == 0 || front.Covers(slices.Repeat(objectives.Vector{1.99}, len(p.Objectives))) {
		t.Error("better than twice the best is foreseen, or nothing")
	}
	if part := e.lasting(new(search.Archive), met, 1000, rng); part != 1 {
		t.Errorf("%g of tuples last that are twice their bounds", part)
	}
	for range 1000 {
		e.learn(&met[0], &search.Score{Evaluated: true, Verdict: constraints.Verdict{Constraint: "limit"}})
	}
	front = new(search.Archive)
	e.foresee(front, met[:1], rng)
	e.foresee(front, met[:1], rng)
	if front.Len() > 1 {
		t.Error("designs are foreseen where none was feasible")
	}
}
