package branch

import (
	"math"
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
	var found []Survivor
	for i := range 1000 {
		x := 1 + rng.Float64()
		best := slices.Repeat(objectives.Vector{x}, len(p.Objectives)) // each dominates all that are larger
		found = append(found, Survivor{Candidate: search.Candidate{V: []int{i}}, Best: best})
	}
	part := func(all float64) float64 { // of all, of the first space
		var sample []met
		for _, s := range found {
			sample = append(sample, met{s, all / float64(len(found))})
		}
		pass, lasting := make([]float64, len(p.Spaces)), make([]float64, len(p.Spaces))
		pass[0] = all
		e.lasting(new(search.Archive), [][]met{sample}, pass, lasting, rng)
		return lasting[0] / all
	}
	front := new(search.Archive)
	e.foresee(front, found, rng)
	if !front.Covers(found[0].Best) || front.Len() > 3 {
		t.Errorf("a front of %d is foreseen", front.Len())
	}
	if part := part(1e6); part > 1e-3 {
		t.Errorf("%g of tuples that dominate one another last", part)
	}
	for range 100 {
		worse := slices.Repeat(objectives.Vector{2 * found[0].Best[0]}, len(p.Objectives))
		e.learn(&found[0], &search.Score{Evaluated: true, V: worse})
	}
	front = new(search.Archive)
	e.foresee(front, found, rng)
	if front.Len() == 0 || front.Covers(slices.Repeat(objectives.Vector{1.99}, len(p.Objectives))) {
		t.Error("better than twice the best is foreseen, or nothing")
	}
	if part := part(1000); part != 1 {
		t.Errorf("%g of tuples last that are twice their bounds", part)
	}
	for range 1000 {
		e.learn(&found[0], &search.Score{Evaluated: true, Verdict: constraints.Verdict{Constraint: "limit"}})
	}
	front = new(search.Archive)
	e.foresee(front, found[:1], rng)
	e.foresee(front, found[:1], rng)
	if front.Len() > 1 {
		t.Error("designs are foreseen where none was feasible")
	}
}

// What looks tell against a front at hand is right in the mean, however narrow they are: 400 that go into four boxes of a stratum tell what one tells that goes into all, within a tenth.
func TestLookIsRightInTheMean(t *testing.T) {
	p := searchtest.ProblemOf(t, searchtest.Small(t, 100, 120), &searchtest.SizeModel{})
	e := NewEnumeration(p, 1, nil)
	rng := stream.New(1, "test")
	waits := e.waitings()
	for i := range waits {
		front := new(search.Archive)
		whole := e.look(front, waits[i], 1<<20, rng)
		e.foreseeMet(front, whole.found[:len(whole.found)/8], rng)
		if whole = e.look(front, waits[i], 1<<20, rng); !whole.whole || whole.ahead < 1000 {
			continue
		}
		ahead, pass, narrow := 0.0, 0.0, false
		const times = 400
		for range times {
			l := e.look(front, waits[i], 4, rng)
			ahead, pass, narrow = ahead+l.ahead/times, pass+l.pass/times, narrow || !l.whole
		}
		if !narrow || math.Abs(ahead-whole.ahead) > whole.ahead/10 || math.Abs(pass-whole.pass) > 1+whole.pass/4 {
			t.Errorf("%s: %g are left and %g pass, and narrow looks tell %g and %g", p.Spaces[i].Fam.Name, whole.ahead, whole.pass, ahead, pass)
		}
	}
}

// A space may outlast its limit where what is ahead of it is within the factor by which that is known, and does where it was abandoned; one without a limit, or with nothing ahead, does not.
func TestOutlasts(t *testing.T) {
	p := searchtest.ProblemOf(t, searchtest.Small(t, 20, 40), &searchtest.SizeModel{})
	n := len(p.Spaces)
	for _, c := range []struct {
		limit, spent, visits, off float64
		abandoned, want           bool
	}{
		{limit: 0, visits: 1e9, off: 9},
		{limit: 1000 * VisitNs, spent: 990 * VisitNs, off: 9},
		{limit: 1000 * VisitNs, visits: 300, off: 1},
		{limit: 1000 * VisitNs, spent: 200 * VisitNs, visits: 300, off: 1, want: true},
		{limit: 1000 * VisitNs, visits: 300, off: 4, want: true},
		{limit: 1000 * VisitNs, off: 1, abandoned: true, want: true},
	} {
		e := NewEnumeration(p, 1, nil)
		w := Work{BySpace: make([]float64, n), Evaluations: make([]float64, n), Off: slices.Repeat([]float64{1}, n)}
		e.Limit[0], e.spent[0], w.BySpace[0], w.Off[0], e.Abandoned[0] = c.limit, c.spent, c.visits, c.off, c.abandoned
		if got := e.Outlasts(w, 3); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}
