package run

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/search/verify"
	"toposearch/study"
)

// NewPlan counts the spaces of a study, decides how to search it and tries that out, which takes some seconds. cpu is the time of the
// processor that the program has used: by it what is modelled becomes seconds of this machine. nil: it stays as it is modelled.
func NewPlan(ctx context.Context, st *study.Study, workers int, cpu func() time.Duration) (*Plan, error) {
	m, err := evaluator.New(st.Options)
	if err != nil {
		return nil, err
	}
	p, err := search.NewProblem(st, m)
	if err != nil {
		return nil, err
	}
	r := newRehearsal(p, cpu, rehearseMostNs)
	begun := r.now()
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0) // as in a run
	}
	pl, err := plan(ctx, p, workers, true)
	if err == nil {
		planned := 0.0
		if st.Search.Auto() { // else a run does not count families
			planned = r.now() - begun
		}
		pl.Assumed = st.Assumed()
		pl.Run, err = estimate(ctx, r, pl, workers, planned)
	}
	return pl, err
}

// estimate tries the search of a plan out, which itself took so many ns.
func estimate(ctx context.Context, r *rehearsal, pl *Plan, workers int, planned float64) (*Estimate, error) {
	p := r.of
	o := &outlook{r: r, pl: pl, factor: offTried, spread: 1, ends: "nothing is left to search", begun: r.now(), trees: newTrees(r.p)}
	o.budget = float64(p.Study.Search.Time) * float64(max(workers, 1))
	o.d = search.NewDriver(r.p, nil, search.Options{Workers: 1, Stop: o.enough})
	complete := make([]bool, len(p.Spaces))
	for i, sp := range p.Spaces {
		complete[i] = sp.Size.Sign() == 0
	}
	all := stages(r.p, pl)
	for i, st := range all {
		r.limit = rehearseMostNs
		if i > 0 {
			r.limit = o.modelled() + rehearseNext*rehearseMostNs
		}
		if o.d.Left == 0 || !st.undone(complete) {
			continue
		}
		if err := o.try(ctx, st, complete); err != nil {
			return nil, err
		}
	}
	growing := o.more > 0
	pool, err := o.layers(ctx, complete)
	if err != nil {
		return nil, err
	}
	tried := float64(o.d.Prog.Evaluated)
	if r.guessed() > guessedShare*r.modelled() { // what is guessed decides what else is evaluated, too
		o.factor, tried, o.spread = max(o.factor, offBudget), 0, max(o.spread, offBudget)
	}
	e := &Estimate{Measured: r.cpu != nil, Ends: o.ends, Planning: planned / 1e9}
	more := float64(o.d.Prog.Evaluated) - tried + o.more
	e.evaluations(o.spread == 1, tried, more/o.spread, more, more*o.spread)
	e.Evaluation = (r.ns(everyStep) + o.evalNs) / 1e9
	e.Search = e.Evaluation + (o.others()+o.treeNs)/1e9
	proof, err := o.proof(ctx, complete)
	if err != nil {
		return nil, err
	}
	e.Proof = proof / 1e9
	for i := range p.Spaces {
		if o.d.PerFam[i].Feasible == 0 && !o.d.Met[i] && !growing {
			e.Closest += closestNs / 1e9
		}
	}
	o.within(e, workers)
	ahead, err := verify.EstimateFinalists(ctx, p, o.d.Front.Ordered(), pool, growing, r.cpu)
	if err != nil {
		return nil, err
	}
	e.Simulation, e.Finalists = ahead.Seconds, ahead.Seconds
	shown := shownOf(ctx, p, o.d.Front.Ordered())
	o.simulatedWithin(e, workers, shown)
	e.Report = reported(p, o.d.Front.Len(), shown)
	rest := e.Planning + e.Search + e.Proof + e.Closest + e.Report
	e.Seconds = rest + e.Simulation
	e.Low, e.High = rest/o.factor+e.Simulation/offSimulated, rest*o.factor+e.Simulation*offSimulated
	if limit := p.Study.Search.Time; limit > 0 {
		e.High = max(e.Seconds, min(e.High, limit.Seconds()*float64(max(workers, 1))))
	}
	e.Dominates = o.dominates(e)
	return e, nil
}

// offRest is the least factor by which a number of evaluations may be off that is not tried out to its end: what nothing in the trial tells of.
const offRest = 1.25

// evaluations tells how many designs will be evaluated: some, and more that are known, or within bounds, and then only two digits are told.
func (e *Estimate) evaluations(known bool, some, low, more, high float64) {
	all := some + more
	if known {
		e.Evaluations = int64(math.Round(all))
		e.EvaluationsLow, e.EvaluationsHigh = e.Evaluations, e.Evaluations
		return
	}
	e.Evaluations, e.EvaluationsLow, e.EvaluationsHigh = twoDigits(all), twoDigits(min(some+low, all/offRest)), twoDigits(max(some+high, all*offRest))
}

// twoDigits rounds to two digits.
func twoDigits(x float64) int64 {
	unit := math.Pow(10, max(0, math.Floor(math.Log10(max(x, 1)))-1))
	return int64(math.Round(x/unit) * unit)
}

// within cuts the estimate of the search where its part of a budget of time ends.
func (o *outlook) within(e *Estimate, workers int) {
	limit := time.Duration(o.r.of.Study.Search.Time)
	all := max(0, (limit-kept(o.r.of, o.pl, workers)-finishing(o.r.of, expectedFront, o.pl.shown())).Seconds()-e.Planning) // planning may take all of it
	t := all * float64(max(workers, 1))
	if limit == 0 {
		return
	}
	if t >= e.Search+e.Proof {
		if ends := budgetEnds(limit); t < (e.Search+e.Proof)*o.factor && e.Ends != ends {
			e.Ends += ", or " + ends
			e.EvaluationsLow = min(e.EvaluationsLow, twoDigits(o.evaluated(t/o.factor, e.Search)))
		}
		return
	}
	if t = max(t-e.Proof, t/2); t < e.Search {
		e.evaluations(false, 0, o.evaluated(t/offBudget, e.Search), o.evaluated(t, e.Search), o.evaluated(min(t*offBudget, e.Search), e.Search))
		e.Evaluation, e.Search = e.Evaluation*t/e.Search, t
		o.factor = offTried
		e.Ends = budgetEnds(limit)
	}
	e.Proof = min(e.Proof, max(0, all*float64(max(workers, 1))-e.Search))
	e.Closest = 0 // a part of the budget
}

// evaluated is how many designs are evaluated in the first t of the s that the search would take: the trial was its beginning.
func (o *outlook) evaluated(t, all float64) float64 {
	tried, first := float64(o.d.Prog.Evaluated), all-(o.evalNs+o.treeNs)/1e9
	if t <= first {
		return tried * t / first
	}
	return tried + o.more*(t-first)/(all-first)
}

// simulatedWithin cuts that of simulations where the budget of time ends; a design takes shown seconds in the report.
func (o *outlook) simulatedWithin(e *Estimate, workers int, shown float64) {
	limit := time.Duration(o.r.of.Study.Search.Time)
	all := (limit - finishing(o.r.of, o.d.Front.Len(), shown)).Seconds() - e.Planning
	left := max(0, all*float64(max(workers, 1))-e.Search-e.Proof)
	if limit == 0 || e.Simulation <= left {
		return
	}
	n := o.r.of.Study.Verify.Finalists
	e.Ends += fmt.Sprintf(", and simulations when the budget of %s does: about %d of %d finalists", limit, int(float64(n)*left/e.Simulation), n)
	e.Simulation = left
}

// dominates says in words what takes most of the time.
func (o *outlook) dominates(e *Estimate) string {
	switch {
	case e.Simulation > e.Seconds/2:
		return fmt.Sprintf("the simulation of finalists takes about %d %% of it", tens(e.Simulation/e.Seconds))
	case e.Evaluation < e.Search/2 && e.Search > e.Seconds/2:
		return "bounds of families and designs take most of it, evaluations less"
	case e.Search < e.Seconds/2:
		parts := []struct {
			s    float64
			text string
		}{{e.Planning, "counting the families"}, {e.Proof, "proving how much the front may lack"}, {e.Closest, "finding what comes closest to the limits"}, {e.Report, "the report"}, {e.Simulation, "the simulation of finalists"}, {e.Search, "the search"}}
		best := slices.MaxFunc(parts, func(a, b struct {
			s    float64
			text string
		}) int {
			return cmp.Compare(a.s, b.s)
		})
		return fmt.Sprintf("%s takes about %d %% of it", best.text, tens(best.s/e.Seconds))
	}
	all := o.r.ns(everyStep)
	best, of := 0.0, stepKey{}
	for _, k := range o.r.sorted() {
		if x := o.r.ns(func(j stepKey) bool { return j.metric == k.metric && j.method == k.method && j.family == k.family }); x > best {
			best, of = x, k
		}
	}
	what := metric.Keys[of.metric].Name + " (" + of.method + ")"
	if of.method == eachEvaluation {
		what = "what every evaluation takes"
	}
	return fmt.Sprintf("%s of %s takes about %d %% of the evaluations' time", what, of.family, tens(best/max(all, 1)))
}

// tens is a part in per cent, in tens: what is measured differs by some of them from call to call.
func tens(part float64) int { return 10 * int(math.Round(10*part)) }
