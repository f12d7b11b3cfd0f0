package branch

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"toposearch/constraints"
	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/study"
)

func EnumerateNames(t testing.TB, p *search.Problem) ([]string, *search.Driver, *Enumeration) {
	t.Helper()
	return enumerateWithin(t, p, mostOpen)
}

// enumerateWithin enumerates with at most so many boxes put aside.
func enumerateWithin(t testing.TB, p *search.Problem, most int) ([]string, *search.Driver, *Enumeration) {
	t.Helper()
	d := search.NewDriver(p, nil, search.Options{})
	e := NewEnumeration(p, 2, nil)
	e.most, e.wide = most, true // dives change no front
	if stop, err := d.Search(context.Background(), e, false); stop != "" || err != nil {
		t.Fatal(stop, err)
	}
	var names []string
	for _, m := range d.Front.Ordered() {
		names = append(names, m.Name)
	}
	return names, d, e
}

// Enumeration with pruning finds exactly the front of brute force, and accounts for every tuple.
func TestEnumerationIsBruteForce(t *testing.T) {
	windows := [][2]int64{{100, 140}, {500, 600}, {250, 300}}
	for _, win := range windows {
		p := searchtest.ProblemOf(t, searchtest.Small(t, win[0], win[1]), &searchtest.SizeModel{})
		want, _ := searchtest.BruteForce(t, p)
		wide := *p
		st := *p.Study
		wide.Study, st.Search.Batch = &st, 1024
		if got, _, _ := EnumerateNames(t, &wide); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%v: enumeration in batches of 1,024 found %v, brute force %v", win, got, want)
		}
		got, d, e := EnumerateNames(t, p)
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%v: enumeration found %v, brute force %v", win, got, want)
		}
		if len(want) < 5 {
			t.Errorf("%v: a front of %d designs tests little", win, len(want))
		}
		sum := new(big.Int)
		for i := range e.Tally {
			for _, n := range e.Tally[i].Tuples(p.Spaces[i]) {
				sum.Add(sum, n)
			}
		}
		all := new(big.Int)
		for _, sp := range p.Spaces {
			all.Add(all, sp.Size)
		}
		if sum.Cmp(all) != 0 {
			t.Errorf("%v: %v tuples accounted for, the spaces hold %v", win, sum, all)
		}
		t.Logf("%v: %v tuples, %d steps, %d evaluations, front %d", win, all, e.visits, d.Prog.Evaluated, len(got))
	}
}

// The driver is told how far an enumeration is, up to all of it.
func TestProgressIsTold(t *testing.T) {
	p := searchtest.ProblemOf(t, searchtest.Small(t, 100, 140), &searchtest.SizeModel{})
	last := search.Progress{}
	d := search.NewDriver(p, nil, search.Options{Progress: func(x search.Progress) {
		if x.Visited < last.Visited {
			t.Errorf("progress %+v after %+v", x, last)
		}
		last = x
	}})
	_, err := d.Search(context.Background(), NewEnumeration(p, 2, nil), false)
	if searchtest.Must(t, err); last.Visited < 1000 || last.Fraction == 0 {
		t.Errorf("the last progress is %+v", last)
	}
}

// A sample of a space of which the family says at once that it holds nothing is none, and is come by.
func TestSampleOfNothing(t *testing.T) {
	p, none := searchtest.ProblemOf(t, searchtest.Small(t, 1, 1), &searchtest.SizeModel{}), 0
	for i := range p.Spaces {
		w := newTask(p)
		all, ok := root(p, i)
		if ok && len(w.run([]node{{box: all}}, firstDescent, 1)) == 0 && w.effort == 0 {
			none++
		}
		if s, ok := Sample(p, i, 0); ok && s.V == nil {
			t.Errorf("%s: a sample without values", p.Spaces[i].Fam.Name)
		}
	}
	if none == 0 {
		t.Error("no space is left without a step: the window tests nothing")
	}
}

// As TestEnumerationIsBruteForce for random limits and windows.
func TestEnumerationIsBruteForceRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("brute force over many spaces")
	}
	keys := []metric.Key{metric.Cost, metric.Power, metric.Latency, metric.UniformThroughput, metric.Radix}
	rapid.Check(t, func(r *rapid.T) {
		lo := rapid.Int64Range(1, 1500).Draw(r, "min")
		hi := lo + rapid.Int64Range(0, 200).Draw(r, "width")
		st := searchtest.Small(t, lo, hi)
		st.Space = []study.FamilySpace{rapid.SampledFrom(st.Space).Draw(r, "family")}
		for i := range st.Space[0].Domains { // half as wide: brute force is the slow side
			d := &st.Space[0].Domains[i]
			d.Max = d.Min + (d.Max-d.Min+1)/2
		}
		base := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
		var ls []constraints.Limit
		for range rapid.IntRange(0, 3).Draw(r, "limits") {
			k := rapid.SampledFrom(keys).Draw(r, "key")
			d, ok := Sample(base, 0, rapid.Uint64Range(0, 5).Draw(r, "sample"))
			if !ok {
				continue
			}
			e, err := base.Measure(context.Background(), base.Design(0, d.V))
			if err != nil {
				r.Fatal(err)
			}
			isMax := rapid.Bool().Draw(r, "max")
			ls = append(ls, searchtest.LimitOn(k, isMax, e.Values[k]*rapid.Float64Range(0.7, 1.5).Draw(r, "slack")))
		}
		st.Constraints = &constraints.Set{Limits: ls}
		p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
		want, counts := searchtest.BruteForce(t, p)
		got, _, e := enumerateWithin(t, p, rapid.SampledFrom([]int{0, 20, mostOpen}).Draw(r, "most"))
		if fmt.Sprint(got) != fmt.Sprint(want) {
			r.Fatalf("%s in %d..%d with %v: enumeration found %v, brute force %v", st.Space[0].Family.Name, lo, hi, ls, got, want)
		}
		tuples := e.Tally[0].Tuples(p.Spaces[0])
		if n := tuples[search.Feasible]; n != nil && n.Int64() > counts[search.Feasible] {
			r.Fatalf("%v feasible tuples, brute force %d", n, counts[search.Feasible])
		}
	})
}
