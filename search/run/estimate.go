package run

import (
	"context"
	"fmt"
	"math"
	"time"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/search/branch"
	"toposearch/search/evolve"
	"toposearch/search/verify"
	"toposearch/study"
)

// By how much an estimate may be off either way, as a factor: of what was tried out to its end, the noise of a machine; of a budget that is
// extrapolated, what methods are modelled to take; of what no budget bounds, how fronts grow, too.
const (
	offTried    = 1.5
	offBudget   = 2
	offUnending = 3
	// Simulations of 512 to 1,100 endpoints took 2.2 to 2.8 times what is modelled on a machine that others used as well.
	offSimulated = 3
)

// reportNs is what writing the front takes for each of its designs, and reportsNs what a report takes at least: the files of the
// picks, mostly.
const (
	reportNs  = 2e6
	reportsNs = 4e8
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
	pl, err := plan(ctx, p, workers)
	if err == nil {
		pl.Assumed = st.Assumed()
		pl.Run, err = estimate(ctx, p, pl, workers, cpu)
	}
	return pl, err
}

// rehearseSteps are the steps of a task between two borders of a trial, which ends at one, where bounds take a hundred times as long as others.
const rehearseSteps = 1 << 7

// outlook is an estimate under way.
type outlook struct {
	r       *rehearsal
	d       *search.Driver
	pl      *Plan
	evalNs  float64 // in evaluations beyond those tried out
	treeNs  float64 // ns beside evaluations, beyond what was tried out
	more    float64 // evaluations beyond those tried out
	factor  float64
	ends    string
	samples []sample
}

// sample is where the trial stood at a border.
type sample struct {
	left      int64 // of the budget of evaluations
	border    int64
	evaluated int64
	ns        float64 // in evaluations
}

// estimate tries the search of a plan out.
func estimate(ctx context.Context, p *search.Problem, pl *Plan, workers int, cpu func() time.Duration) (*Estimate, error) {
	r := newRehearsal(p, cpu, rehearseNs)
	o := &outlook{r: r, pl: pl, factor: offTried, ends: "nothing is left to search"}
	opt := search.Options{Workers: 1, Stop: func() bool { return r.ran+float64(o.d.Prog.Visited)*branch.VisitNs >= r.limit }, Progress: func(search.Progress) { o.mark() }}
	o.d = search.NewDriver(r.p, nil, opt)
	begun := r.now()
	complete := make([]bool, len(p.Spaces))
	all := stages(r.p, pl)
	for i, st := range all {
		r.limit = rehearseNs * float64(i+1) / float64(len(all))
		if o.d.Left == 0 || !st.undone(complete) {
			continue
		}
		if err := o.try(ctx, st, complete); err != nil {
			return nil, err
		}
	}
	tried := r.now() - begun
	e := &Estimate{Measured: cpu != nil, Evaluations: o.d.Prog.Evaluated + int64(o.more), Ends: o.ends}
	e.Evaluation = (r.ns(everyStep) + o.evalNs) / 1e9
	tree := max(tried-r.took, 0)
	if cpu == nil {
		tree = float64(o.d.Prog.Visited) * branch.VisitNs
	}
	e.Search = e.Evaluation + (tree+o.treeNs)/1e9
	if t := time.Duration(p.Study.Search.Time).Seconds() * float64(max(workers, 1)); t > 0 && t < e.Search {
		e.Evaluation, e.Search, e.Evaluations = e.Evaluation*t/e.Search, t, int64(float64(e.Evaluations)*t/e.Search)
		e.Ends, o.factor = fmt.Sprintf("the budget of %s ends", time.Duration(p.Study.Search.Time)), offTried
	}
	ahead, err := verify.EstimateFinalists(ctx, p, o.d.Front.Ordered())
	if err != nil {
		return nil, err
	}
	e.Simulation = ahead.Seconds
	e.Report = (reportsNs + reportNs*float64(o.d.Front.Len())) / 1e9
	e.Seconds = e.Search + e.Simulation + e.Report
	rest := e.Search + e.Report
	e.Low, e.High = rest/o.factor+e.Simulation/offSimulated, rest*o.factor+e.Simulation*offSimulated
	e.Dominates = o.dominates(e)
	return e, nil
}

func (o *outlook) mark() {
	o.samples = append(o.samples, sample{o.d.Left, o.d.Border, o.d.Prog.Evaluated, o.r.modelled()})
}

// try tries a stage out, and adds what is left of it.
func (o *outlook) try(ctx context.Context, st phase, complete []bool) error {
	o.samples = o.samples[:0]
	if st.name == study.Enumerate {
		return o.tryTree(ctx, st, complete)
	}
	stop, err := stage(ctx, o.d, st, complete, newTrees(o.d.P))
	switch {
	case err != nil:
		return err
	case stop == search.StopInterrupted && len(o.samples) > 0:
		o.extrapolate(st)
	case stop == search.StopEvaluations:
		o.ends = "its evaluations are spent"
	}
	return nil
}

// tryTree is try for an enumeration.
func (o *outlook) tryTree(ctx context.Context, st phase, complete []bool) error {
	e := branch.NewEnumeration(o.d.P, 1, st.which)
	e.Limit, e.Each = st.limit, st.each
	if opt := o.d.P.Study.Options; opt.BoundTraining || opt.BoundUptime || opt.BoundMoney {
		e.Steps = rehearseSteps
	}
	tree, took := o.r.now(), o.r.took
	stop, err := o.d.Search(ctx, e, false)
	if err != nil {
		return err
	}
	for i := range complete { // what is left of the others is taken to fit their limits
		complete[i] = complete[i] || st.which[i] && !e.Abandoned[i]
	}
	switch stop {
	case search.StopInterrupted:
		o.extrapolateTree(e, o.r.now()-tree-(o.r.took-took))
	case search.StopEvaluations:
		o.ends = "its evaluations are spent"
	}
	return nil
}

// extrapolateTree adds what is left of an enumeration.
func (o *outlook) extrapolateTree(e *branch.Enumeration, tree float64) {
	w := e.Ahead()
	perVisit := branch.VisitNs * 1.0
	if visits, _ := e.Progress(); tree > 0 && visits > 0 {
		perVisit = tree / float64(visits)
	}
	total, part := 0.0, 1.0 // of all that is left, as much as a budget of evaluations allows
	for _, n := range w.Evaluations {
		total += n
	}
	o.factor, o.ends = offUnending, "every family is enumerated"
	if left := float64(o.d.Left); left >= 0 && total > left {
		part, o.ends = left/total, "its evaluations are spent"
	}
	for i, n := range w.Evaluations {
		o.evalNs += part * n * o.r.each(o.d.P.Spaces[i].Fam.Name, e.Each[i])
	}
	o.treeNs += part * w.Visits * perVisit
	o.more += part * total
	if o.d.Left > 0 {
		o.d.Left -= int64(part * total)
	}
}

// unending is how many generations a search without a budget takes in all, about: the front changes for twice as many as
// it then has to stay.
const unending = 120

// extrapolate adds what is left of a stage that was tried out for a while, at the pace of the later half of the trial.
func (o *outlook) extrapolate(st phase) {
	first, last := o.samples[len(o.samples)/2], o.samples[len(o.samples)-1]
	if last.ns == first.ns {
		first = o.samples[0]
	}
	part := 0.0 // what is left, in trials like that
	switch {
	case o.d.Left > 0:
		part = float64(o.d.Left) / math.Max(1, float64(first.left-last.left))
		o.factor, o.ends = max(o.factor, offBudget), "its evaluations are spent"
	case st.name == study.Random:
		part = float64(evolve.RandomRounds-last.border) / math.Max(1, float64(last.border-first.border))
		o.factor, o.ends = max(o.factor, offBudget), "as many random designs are drawn as are without a budget"
	default:
		part = math.Max(0, float64(unending-last.border)) / math.Max(1, float64(last.border-first.border))
		o.factor, o.ends = offUnending, "the front stays as it is"
	}
	o.more += part * float64(last.evaluated-first.evaluated)
	if o.r.modelled() > 0 { // as much more as was modelled, at the scale of what was measured
		o.evalNs += part * (last.ns - first.ns) * o.r.ns(everyStep) / o.r.modelled()
	}
	if o.d.Left > 0 {
		o.d.Left = 0
	}
}

// dominates says in words what takes most of the time.
func (o *outlook) dominates(e *Estimate) string {
	switch {
	case e.Simulation > e.Seconds/2:
		return fmt.Sprintf("the simulation of finalists takes %.0f %% of it", 100*e.Simulation/e.Seconds)
	case e.Evaluation < e.Search/2 && e.Search > e.Report:
		return "bounds of families and designs take most of it, evaluations less"
	case e.Report > e.Search:
		return "the report takes most of it"
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
	return fmt.Sprintf("%s of %s takes %.0f %% of the evaluations' time", what, of.family, 100*best/max(all, 1))
}
