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
	// offSimulated is that of simulations: their beginning is tried out, and how many loads they take is the mean of many.
	offSimulated = 2
)

// Measured on one core of 2.5 GHz.
const (
	reportNs  = 1.5e6 // a front in a report, for each of its designs,
	reportsNs = 1e8   // and the report with the files of its picks at least
	closestNs = 7e8   // finding the design of a family without a feasible one that comes closest
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
	r := newRehearsal(p, cpu, rehearseNs)
	begun := r.now()
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0) // as in a run
	}
	pl, err := plan(ctx, p, workers)
	if err == nil {
		planned := r.now() - begun
		pl.Assumed = st.Assumed()
		pl.Run, err = estimate(ctx, r, pl, workers, planned)
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
	trees   *trees
	tree    *branch.Enumeration // that is tried out, if one is
	begun   float64             // ns
	evalNs  float64             // in evaluations beyond those tried out
	treeNs  float64             // ns beside evaluations, beyond what was tried out
	more    float64             // evaluations beyond those tried out
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
	other     float64 // ns beside them
}

// estimate tries the search of a plan out, which itself took so many ns.
func estimate(ctx context.Context, r *rehearsal, pl *Plan, workers int, planned float64) (*Estimate, error) {
	p := r.of
	o := &outlook{r: r, pl: pl, factor: offTried, ends: "nothing is left to search", begun: r.now(), trees: newTrees(r.p)}
	o.d = search.NewDriver(r.p, nil, search.Options{Workers: 1, Stop: o.enough, Progress: func(search.Progress) { o.mark() }})
	complete := make([]bool, len(p.Spaces))
	for i, sp := range p.Spaces {
		complete[i] = sp.Size.Sign() == 0
	}
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
	e := &Estimate{Measured: r.cpu != nil, Evaluations: o.d.Prog.Evaluated + int64(o.more), Ends: o.ends, Planning: planned / 1e9}
	e.Evaluation = (r.ns(everyStep) + o.evalNs) / 1e9
	e.Search = e.Evaluation + (o.others()+o.treeNs)/1e9
	proof, err := o.proof(ctx, complete)
	if err != nil {
		return nil, err
	}
	e.Proof = proof / 1e9
	for i := range p.Spaces {
		if o.d.PerFam[i].Feasible == 0 && !o.d.Met[i] && o.more == 0 {
			e.Closest += closestNs / 1e9
		}
	}
	o.within(e, workers)
	ahead, err := verify.EstimateFinalists(ctx, p, o.d.Front.Ordered(), o.more > 0, r.cpu)
	if err != nil {
		return nil, err
	}
	e.Simulation = ahead.Seconds
	e.Report = (reportsNs + reportNs*float64(o.d.Front.Len())) / 1e9
	rest := e.Planning + e.Search + e.Proof + e.Closest + e.Report
	e.Seconds = rest + e.Simulation
	e.Low, e.High = rest/o.factor+e.Simulation/offSimulated, rest*o.factor+e.Simulation*offSimulated
	e.Dominates = o.dominates(e)
	return e, nil
}

// within cuts an estimate where the budget of time ends.
func (o *outlook) within(e *Estimate, workers int) {
	limit := time.Duration(o.r.of.Study.Search.Time)
	t := (limit.Seconds() - e.Planning) * float64(max(workers, 1))
	if limit == 0 || t >= e.Search+e.Proof {
		return
	}
	if t = max(t-e.Proof, t/2); t < e.Search {
		e.Evaluation, e.Search, e.Evaluations = e.Evaluation*t/e.Search, t, int64(float64(e.Evaluations)*t/e.Search)
		o.factor = offTried
		e.Ends = fmt.Sprintf("the budget of %s ends", limit)
	}
	e.Proof = min(e.Proof, max(0, (limit.Seconds()-e.Planning)*float64(max(workers, 1))-e.Search))
	e.Closest = 0 // a part of the budget
}

// effort is what the trial has judged, in enclosures by closed forms.
func (o *outlook) effort() float64 {
	n := o.d.Effort()
	for _, e := range o.trees.all {
		n += e.Effort()
	}
	return float64(n)
}

// others is what the trial took beside evaluations, ns.
func (o *outlook) others() float64 {
	if o.r.cpu == nil {
		return o.effort() * branch.VisitNs
	}
	return max(o.r.now()-o.begun-o.r.took, 0)
}

const (
	// rehearseShare of what a run is modelled to take may be tried out, and no more than rehearseMostNs.
	rehearseShare  = 0.1
	rehearseMostNs = 8e9
	// longestTrial is where a trial ends by the clock whatever its model says, ns of the processor.
	longestTrial = 12e9
)

// enough tells whether the trial of a stage ends.
func (o *outlook) enough() bool {
	if o.r.cpu != nil && o.r.now()-o.begun > longestTrial {
		return true
	}
	ran := o.r.ran + o.effort()*branch.VisitNs
	for ran >= o.r.limit {
		if o.r.limit *= 2; o.r.limit > rehearseMostNs || ran >= rehearseShare*o.total(ran) {
			o.r.limit /= 2
			return true
		}
	}
	return false
}

// total is what the stage that is tried out is modelled to take in all, where it has taken so many ns.
func (o *outlook) total(ran float64) float64 {
	switch {
	case o.tree != nil:
		return ran + o.tree.Ns(o.tree.Ahead())
	case len(o.samples) > 0 && o.samples[0].left > 0:
		first := o.samples[0].left
		return ran * float64(first) / float64(max(1, first-o.d.Left))
	}
	return math.Inf(1)
}

func (o *outlook) mark() {
	o.samples = append(o.samples, sample{o.d.Left, o.d.Border, o.d.Prog.Evaluated, o.r.modelled(), o.others()})
}

// try tries a stage out, and adds what is left of it.
func (o *outlook) try(ctx context.Context, st phase, complete []bool) error {
	o.samples = o.samples[:0]
	if st.name == study.Enumerate {
		return o.tryTree(ctx, st, complete)
	}
	stop, err := stage(ctx, o.d, st, complete, o.trees, nil)
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

// triedBatches are the batches that a proof is tried out for.
const triedBatches = 3

// proof is what proving how much the front may lack takes, ns.
func (o *outlook) proof(ctx context.Context, complete []bool) (ns float64, err error) {
	if !slices.Contains(complete, false) {
		return 0, nil
	}
	if o.r.cpu == nil {
		open := 0
		for _, c := range complete {
			if !c {
				open++
			}
		}
		return float64(min(open, 2)) * branch.ProofEffort * branch.VisitNs, nil // by the tree of the search, and one more
	}
	begun, cut := o.r.now(), 0
	p := &pace{d: o.d}
	p.more = func() bool {
		if p.batches++; p.batches%(triedBatches+1) == 0 {
			cut++
			return false
		}
		return true
	}
	if _, err := o.trees.proveAt(ctx, o.d, complete, p); err != nil {
		return 0, err
	}
	ns = o.r.now() - begun
	if cut > 0 {
		ns *= branch.ProofEffort / (triedBatches * branch.TimedBatch)
	}
	return ns, nil
}

// tryTree is try for an enumeration.
func (o *outlook) tryTree(ctx context.Context, st phase, complete []bool) error {
	e := branch.NewEnumeration(o.d.P, 1, st.which)
	o.tree = e
	defer func() { o.tree = nil }()
	o.trees.add(e, st.which)
	e.Limit, e.Each = st.limit, st.each
	if opt := o.d.P.Study.Options; opt.BoundTraining || opt.BoundUptime || opt.BoundMoney {
		e.Steps = rehearseSteps
	}
	tree, took := o.r.now(), o.r.took
	stop, err := o.d.Search(ctx, e, false)
	if err != nil {
		return err
	}
	spent := stop == search.StopEvaluations
	if stop == search.StopInterrupted {
		spent = o.extrapolateTree(e, o.r.now()-tree-(o.r.took-took))
	}
	if spent {
		o.ends = "its evaluations are spent"
		return nil
	}
	for i := range complete { // what is left of the others is taken to fit their limits
		complete[i] = complete[i] || st.which[i] && !e.Abandoned[i]
	}
	return nil
}

// extrapolateTree adds what is left of an enumeration, and tells whether a budget of evaluations ends it.
func (o *outlook) extrapolateTree(e *branch.Enumeration, tree float64) (spent bool) {
	w := e.Ahead()
	perVisit := branch.VisitNs * 1.0
	if n := e.Effort(); tree > 0 && n > 0 {
		perVisit = tree / float64(n)
	}
	total, part := 0.0, 1.0 // of all that is left, as much as a budget of evaluations allows
	for _, n := range w.Evaluations {
		total += n
	}
	o.factor, o.ends = offUnending, "every family is enumerated"
	if left := float64(o.d.Left); left >= 0 && total > left {
		part, spent = left/total, true
	}
	for i, n := range w.Evaluations {
		o.evalNs += part * n * o.r.each(o.d.P.Spaces[i].Fam.Name, e.Each[i])
	}
	o.treeNs += part * w.Visits * perVisit
	o.more += part * total
	if o.d.Left > 0 {
		o.d.Left -= int64(part * total)
	}
	return spent
}

// unending is how many generations a search without a budget takes in all, about: the front changes for twice as many as
// it then has to stay.
const unending = 120

// extrapolate adds what is left of a stage that was tried out for a while: what bounds take at the pace of the later half of the trial, evaluations as the power of the
// work that the two halves show, since the better the front is the fewer candidates need one.
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
	o.treeNs += part * (last.other - first.other)
	evaluations := part * o.slowing(first, last, part)
	o.more += evaluations * float64(last.evaluated-first.evaluated)
	if o.r.modelled() > 0 { // as much more as was modelled, at the scale of what was measured
		o.evalNs += evaluations * (last.ns - first.ns) * o.r.ns(everyStep) / o.r.modelled()
	}
	if o.d.Left > 0 {
		o.d.Left = 0
	}
}

// slowing is how many evaluations are left for each that would be at the pace from first to last, where so many times that work is left.
func (o *outlook) slowing(first, last sample, part float64) float64 {
	begun := o.samples[0]
	half, whole := float64(first.evaluated-begun.evaluated), float64(last.evaluated-begun.evaluated)
	work := func(s sample) float64 {
		if begun.left > 0 {
			return float64(begun.left - s.left)
		}
		return float64(s.border - begun.border)
	}
	a, b := work(first), work(last)
	if half <= 0 || whole <= half || a <= 0 || b <= a || part <= 0 {
		return 1
	}
	power := min(1, math.Log(whole/half)/math.Log(b/a))
	return whole * (math.Pow(1+part*(b-a)/b, power) - 1) / (part * (whole - half))
}

// dominates says in words what takes most of the time.
func (o *outlook) dominates(e *Estimate) string {
	switch {
	case e.Simulation > e.Seconds/2:
		return fmt.Sprintf("the simulation of finalists takes %.0f %% of it", 100*e.Simulation/e.Seconds)
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
		return fmt.Sprintf("%s takes %.0f %% of it", best.text, 100*best.s/e.Seconds)
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
