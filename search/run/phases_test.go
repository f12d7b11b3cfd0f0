package run

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"toposearch/internal/racing"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/study"
)

// NSGA-II with local search finds the front that enumeration proves, without looking at
// everything.
func TestRecall(t *testing.T) {
	windows := [][2]int64{{250, 300}, {500, 600}}
	for _, win := range windows[:racing.Of(len(windows), 1)] {
		st := searchtest.Small(t, win[0], win[1])
		want, de := enumerated(t, searchtest.ProblemOf(t, st, &searchtest.SizeModel{}))
		st.Search.Strategy = study.NSGA2
		p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
		d := search.NewDriver(p, nil, search.Options{Workers: 2})
		all := []bool{true, true, true, true, true}
		if stop, err := stage(context.Background(), d, phase{name: study.NSGA2, which: all}, make([]bool, 5), newTrees(p), nil); stop != "" || err != nil {
			t.Fatal(stop, err)
		}
		var got []string
		for _, m := range d.Front.Ordered() {
			got = append(got, m.Name)
		}
		found := 0
		for _, n := range want {
			if slices.Contains(got, n) {
				found++
			}
		}
		if float64(found) < 0.9*float64(len(want)) {
			t.Errorf("%v: found %d of %d designs of the exact front", win, found, len(want))
		}
		t.Logf("%v: %d of %d, %d evaluations (enumeration: %d)", win, found, len(want), d.Prog.Evaluated, de.Prog.Evaluated)
	}
}

// A space that costs more than it may is left to evolution, and the run says that it is not
// complete; the same with any number of workers.
func TestAttempt(t *testing.T) {
	var runs []string
	for _, workers := range []int{1, 8} {
		st := searchtest.Small(t, 500, 600)
		p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
		d := search.NewDriver(p, nil, search.Options{Workers: workers})
		complete := make([]bool, len(p.Spaces))
		all := func() []bool { return []bool{true, true, true, true, true} }
		limits := []float64{0, 1, 0, 1, 0}
		if stop, err := stage(context.Background(), d, phase{name: "enumerate", which: all(), limit: limits}, complete, newTrees(p), nil); stop != "" || err != nil {
			t.Fatal(stop, err)
		}
		if fmt.Sprint(complete) != "[true false true false true]" {
			t.Errorf("complete %v", complete)
		}
		next := phase{name: "nsga2", which: all()}
		if !next.undone(complete) {
			t.Fatal("nothing left to evolve")
		}
		before := d.PerFam[1].Evaluated + d.PerFam[3].Evaluated
		if stop, err := stage(context.Background(), d, next, complete, newTrees(p), nil); stop != "" || err != nil {
			t.Fatal(stop, err)
		}
		if d.PerFam[1].Evaluated+d.PerFam[3].Evaluated <= before {
			t.Error("evolution evaluated nothing of the families left to it")
		}
		var names string
		for _, m := range d.Front.Ordered() {
			names += m.Name + " "
		}
		runs = append(runs, fmt.Sprint(names, d.Prog.Evaluated))
	}
	if runs[0] != runs[1] {
		t.Errorf("1 worker: %s\n8 workers: %s", runs[0], runs[1])
	}
}
