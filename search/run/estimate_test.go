package run

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/search"
	"toposearch/search/branch"
	"toposearch/search/searchtest"
	"toposearch/study"
	"toposearch/topology"
	"toposearch/topology/family"
)

// estimateOf is the estimate of a study without a clock.
func estimateOf(t *testing.T, p *search.Problem) *Estimate {
	t.Helper()
	pl, err := plan(t.Context(), p, 1, true)
	if err != nil {
		t.Fatal(err)
	}
	e, err := estimate(t.Context(), newRehearsal(p, nil, rehearseMostNs), pl, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// What is small is tried out to its end: a plan says as many evaluations as the run makes, with every strategy, and the same each time.
func TestEstimateOfSmallStudies(t *testing.T) {
	racing.Figures(t)
	for _, strategy := range []string{study.Enumerate, study.NSGA2, study.Random, study.Local} {
		st := searchtest.Small(t, 20, 40)
		st.Search.Strategy, st.Search.Evaluations = strategy, 300
		m, err := evaluator.New(st.Options)
		if err != nil {
			t.Fatal(err)
		}
		p := searchtest.ProblemOf(t, st, m)
		e := estimateOf(t, p)
		d := search.NewDriver(p, nil, search.Options{Workers: 2})
		pl, err := plan(t.Context(), p, 2, true)
		if err != nil {
			t.Fatal(err)
		}
		complete := make([]bool, len(p.Spaces))
		for _, st := range stages(p, pl) {
			if _, err := stage(t.Context(), d, st, complete, newTrees(p), nil); err != nil {
				t.Fatal(err)
			}
		}
		if e.Evaluations != d.Prog.Evaluated || e.Seconds <= 0 || e.Low > e.Seconds || e.High < e.Seconds || e.Measured {
			t.Errorf("%s: %+v, and %d designs were evaluated", strategy, e, d.Prog.Evaluated)
		}
		a, _ := json.Marshal(e)
		if b, _ := json.Marshal(estimateOf(t, p)); string(a) != string(b) {
			t.Errorf("%s: %s, then %s", strategy, a, b)
		}
	}
}

// Guesses lie between bounds as values did that were computed: those of the family in turns, those of others where it has none, the middle where nobody has any.
func TestGuessesLieAsValuesDo(t *testing.T) {
	r := newRehearsal(&search.Problem{}, nil, 0)
	if at := r.lie(metric.Bisection, "torus"); at != 0.5 {
		t.Errorf("%g of nothing", at)
	}
	r.learn(metric.Bisection, "torus", 0.25)
	r.learn(metric.Bisection, "torus", 0.75)
	r.learn(metric.Bisection, "ring", 1)
	count := func(family string) map[float64]int {
		seen := map[float64]int{}
		for range 6 {
			seen[r.lie(metric.Bisection, family)]++
		}
		return seen
	}
	if seen := count("torus"); seen[0.25] != 3 || seen[0.75] != 3 {
		t.Error(seen)
	}
	if seen := count("mesh"); seen[0.25] != 2 || seen[0.75] != 2 || seen[1] != 2 {
		t.Error(seen)
	}
	if at := r.lie(metric.Cost, "torus"); at != 0.5 {
		t.Errorf("%g of another metric", at)
	}
}

// What is left of a budget goes on at the pace of the later half of the trial: after 100 of 1,000 evaluations, of which the last 50 took
// 2 s, 900 more take 36 s.
func TestExtrapolate(t *testing.T) {
	r := newRehearsal(&search.Problem{}, nil, rehearseMostNs)
	r.step(stepKey{method: eachEvaluation}).ran = 3e9
	o := &outlook{r: r, d: &search.Driver{Left: 900}, samples: []sample{{left: 1000}, {left: 950, evaluated: 50, ns: 1e9}, {left: 900, evaluated: 100, ns: 3e9}}}
	o.extrapolate(phase{name: study.NSGA2})
	if o.more != 900 || o.evalNs != 36e9 || o.d.Left != 0 || o.factor != offBudget {
		t.Errorf("%g evaluations more, %g s, %d left, a factor of %g", o.more, o.evalNs/1e9, o.d.Left, o.factor)
	}
}

// One batch of designs tells nothing of those behind it, however long it took, as long as some more can be tried.
func TestTrialTakesBatches(t *testing.T) {
	for _, c := range []struct {
		took time.Duration
		want int
	}{{10 * time.Second, leastBorders}, {30 * time.Second, 1}} {
		r := newRehearsal(&search.Problem{}, nil, rehearseMostNs)
		o := &outlook{r: r, d: &search.Driver{P: r.p, Left: 1600}, trees: newTrees(r.p)}
		if o.enough() {
			t.Fatal("a trial ended before it began")
		}
		r.ran = float64(c.took)
		batches := 1
		for o.d.Left -= 80; !o.enough(); o.d.Left -= 80 {
			batches++
		}
		if batches != c.want {
			t.Errorf("a trial whose first batch took %s ended after %d", c.took, batches)
		}
	}
}

// The studies that a command comes to after the one that runs are those behind it.
func TestWaiting(t *testing.T) {
	m := Manifest{Command: []string{"toposearch", "run", "a.toml", "b.toml", "--out", "runs", "c.toml"}, Inputs: []ManifestInput{{Path: "a.toml"}}}
	if got := m.waiting(); len(got) != 2 || got[0] != "b.toml" || got[1] != "c.toml" {
		t.Errorf("after a.toml come %q", got)
	}
	if m.Inputs[0].Path = "c.toml"; m.waiting() != nil {
		t.Errorf("after c.toml come %q", m.waiting())
	}
}

// What was guessed is scaled by what the method took on designs on which it is modelled to take long, not by those on which it ended early:
// of 10 s that were guessed a quarter, as of 4 s that were tried, although all that was run took a hundredth.
func TestScaleByLongOnes(t *testing.T) {
	r := newRehearsal(&search.Problem{}, func() time.Duration { return 0 }, rehearseMostNs)
	s := r.step(stepKey{metric: metric.Bisection, method: "cut", family: "a"})
	s.ran, s.took, s.guessed, s.longsTried, s.longsTook = 100e9, 1e9, 10e9, 4e9, 1e9
	if got := r.ns(everyStep); got != 1e9+2.5e9 {
		t.Errorf("%g ns", got)
	}
	r.step(stepKey{metric: metric.Bisection, method: "cut", family: "b"}).guessed = 8e9 // as on designs of the other family
	if got := r.ns(everyStep); got != 1e9+2.5e9+2e9 {
		t.Errorf("with another family %g ns", got)
	}
}

// Judgements to come take what those of the later half of a trial took where the first half took longer, and never more than all on the mean.
func TestPaceOfTrial(t *testing.T) {
	for _, c := range []struct {
		samples []sample
		want    float64
	}{
		{[]sample{{}, {effort: 400, other: 8000}, {effort: 500, other: 8500}, {effort: 1000, other: 10_000}}, 3},
		{[]sample{{}, {effort: 500, other: 2000}, {effort: 1000, other: 10_000}}, 10},
		{[]sample{{}, {effort: 1000, other: 10_000}}, 10},
		{nil, 10},
	} {
		o := &outlook{samples: c.samples}
		if got := o.pace(10_000, 1000); got != c.want {
			t.Errorf("%v: %g ns, not %g", c.samples, got, c.want)
		}
	}
}

// Of a budget of time that counting the families takes all of nothing is left to search, not less than nothing.
func TestPlanningTakesBudget(t *testing.T) {
	racing.Figures(t)
	p := searchtest.ProblemOf(t, searchtest.Small(t, 20, 40), &searchtest.SizeModel{})
	p.Study.Search.Time = time.Second
	pl, err := plan(t.Context(), p, 1, true)
	if err != nil {
		t.Fatal(err)
	}
	e, err := estimate(t.Context(), newRehearsal(p, nil, rehearseMostNs), pl, 1, 2e9)
	if err != nil {
		t.Fatal(err)
	}
	if e.Search != 0 || e.Evaluation != 0 || e.Evaluations != 0 || e.EvaluationsLow != 0 || e.EvaluationsHigh != 0 || e.Ends != "the budget of 1s ends" {
		t.Errorf("%+v", e)
	}
}

// A trial in whose later half nothing was evaluated does not tell how many designs will be.
func TestNothingLeftIsNotKnown(t *testing.T) {
	o := &outlook{r: newRehearsal(&search.Problem{}, nil, rehearseMostNs), d: &search.Driver{Left: -1}, spread: 1,
		samples: []sample{{}, {border: 5, evaluated: 347, ns: 1}, {border: 10, evaluated: 347, ns: 2}}}
	if o.extrapolate(phase{name: study.NSGA2}); o.more != 0 || o.spread != offUnending {
		t.Errorf("%g more evaluations, off by a factor of %g", o.more, o.spread)
	}
}

// With a budget of time NSGA-II and random sampling go on until it is spent, whatever the front does: of 10 s on all workers, of which 3 are gone, 7 at a pace of 2 s for 5 batches are left.
func TestTimeIsSpent(t *testing.T) {
	for _, name := range []string{study.NSGA2, study.Random} {
		r := newRehearsal(&search.Problem{Study: &study.Study{}}, nil, rehearseMostNs)
		r.step(stepKey{method: eachEvaluation}).ran = 3e9
		r.of.Study.Search.Time = 5 * time.Second
		o := &outlook{r: r, d: &search.Driver{Left: -1}, trees: newTrees(r.p), budget: 10e9, spread: 1,
			samples: []sample{{}, {border: 5, evaluated: 50, ns: 1e9}, {border: 10, evaluated: 100, ns: 3e9}}}
		if o.extrapolate(phase{name: name}); o.evalNs != 7e9 || o.more != 175 || o.ends != "the budget of 5s ends" {
			t.Errorf("%s: %g s and %g evaluations more; ends when %s", name, o.evalNs/1e9, o.more, o.ends)
		}
	}
}

// What is known is told as it is; what is not in two digits, and as off by a fourth at least.
func TestEvaluationsTold(t *testing.T) {
	var none Estimate
	if none.evaluations(false, 347, 0, 0, 0); none.EvaluationsLow != 280 || none.Evaluations != 350 || none.EvaluationsHigh != 430 {
		t.Errorf("%+v", none)
	}
	for _, c := range []struct{ some, low, more, high, wantLow, want, wantHigh float64 }{
		{1234, 0, 0, 0, 1234, 1234, 1234},
		{1000, 100, 234, 3000, 990, 1200, 4000},
		{1000, 10, 11, 12, 810, 1000, 1300},
	} {
		var e Estimate
		e.evaluations(c.high == 0, c.some, c.low, c.more, c.high)
		if got := [3]int64{e.EvaluationsLow, e.Evaluations, e.EvaluationsHigh}; got != [3]int64{int64(c.wantLow), int64(c.want), int64(c.wantHigh)} {
			t.Errorf("%v: %d", c, got)
		}
	}
}

// What a round of NSGA-II takes in the trial of an enumeration is not taken from it, and of the evaluations that the next one may take as many are told as that took.
func TestLeadsOfTrial(t *testing.T) {
	p := searchtest.ProblemOf(t, searchtest.Small(t, 20, 40), &searchtest.SizeModel{})
	r := newRehearsal(p, nil, rehearseMostNs)
	o := &outlook{r: r, d: search.NewDriver(r.p, nil, search.Options{}), trees: newTrees(r.p), spread: 1}
	e := branch.NewEnumeration(r.p, 1, nil)
	o.tree = e
	at := func(left, evaluated int64, ran float64, uncounted bool) bool {
		o.d.Left, o.d.Prog.Evaluated, o.d.Uncounted, r.ran = left, evaluated, uncounted, ran
		return o.enough()
	}
	if at(-1, 10, 0, false) || at(1000, 10, 0, true) || at(900, 60, 2*rehearseMostNs, true) || at(-1, 60, 2*rehearseMostNs, false) {
		t.Error("a round of NSGA-II has ended the trial of its tree")
	}
	if !at(-1, 60, 3*rehearseMostNs, false) {
		t.Error("the trial goes on")
	}
	which := make([]bool, len(p.Spaces))
	which[0] = true
	o.leadsAhead(e, phase{which: which}, pauseOf(0)+1)
	if n := float64(mostOf(leads(e, which, pauseOf(0)))); math.Abs(o.more-n*50/1000) > 1e-9 {
		t.Errorf("%g more evaluations, of %g that a round may take", o.more, n)
	}
}

// What shown designs take follows their lists: those of 2.6 million boxes, endpoints and cables were written in 3.5 s, those of 4,480 in 0.2. A line costs a tenth where
// a list is too long for the workbook.
func TestShownSeconds(t *testing.T) {
	st := searchtest.Small(t, 64, 100_000)
	p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
	for _, x := range []struct {
		design string
		lo, hi float64
	}{{"dragonflyplus(l=62,m=57,p=68,h=62,g=250)", 2, 8}, {"fattree(k=16,l=3)", 0.06, 0.4}} {
		d, err := topology.ParseDesign(x.design, family.All())
		searchtest.Must(t, err)
		if s := shownSeconds(t.Context(), p, d); s < x.lo || s > x.hi {
			t.Errorf("%s takes %.3g s in a report, should be between %g and %g", x.design, s, x.lo, x.hi)
		}
	}
}
