package run

import (
	"context"
	"fmt"
	"math"
	"slices"

	"toposearch/search"
	"toposearch/search/branch"
	"toposearch/search/evolve"
	"toposearch/study"
)

// By how much an estimate may be off either way, as a factor: of what was tried out to its end, the noise of a machine; of a budget that is
// extrapolated, and where evaluations were guessed, what methods are modelled to take; of what no budget bounds, how fronts grow, too.
const (
	offTried    = 1.5
	offBudget   = 2
	offUnending = 3
	// offSimulated is that of simulations: their beginning is tried out, and how many loads they take is the mean of many.
	offSimulated = 2
	// guessedShare is the part of the time of evaluations from which on it matters that they were guessed.
	guessedShare = 0.1
)

// outlook is an estimate under way.
type outlook struct {
	r       *rehearsal
	d       *search.Driver
	pl      *Plan
	trees   *trees
	tree    *branch.Enumeration   // that is tried out, if one is
	apart   []*branch.Enumeration // those of layers
	random  bool                  // it draws at random
	begun   float64               // ns
	evalNs  float64               // in evaluations beyond those tried out
	treeNs  float64               // ns beside evaluations, beyond what was tried out
	more    float64               // evaluations beyond those tried out,
	spread  float64               // and by how many they may be more or fewer, as a factor
	factor  float64
	budget  float64 // of time, on all workers, ns; 0: none
	ends    string
	samples []sample
	leads   []triedLead
}

// sample is where the trial stood at a border.
type sample struct {
	left      int64 // of the budget of evaluations
	border    int64
	evaluated int64
	ns        float64 // in evaluations
	other     float64 // ns beside them
	effort    float64 // outlook.effort
	modelled  float64 // outlook.modelled
	leading   bool    // a round of NSGA-II for an enumeration was under way
}

// effort is what the trial has judged, in enclosures by closed forms.
func (o *outlook) effort() float64 {
	n := o.d.Effort()
	for _, e := range slices.Concat(o.trees.all, o.apart) {
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

// late tells whether a trial took far longer than it is modelled to take. Only then does a clock end it: what plans tell of evaluations would differ from call to call by it.
func (o *outlook) late() bool {
	return o.r.cpu != nil && (o.r.now()-o.begun >= rehearseLate*rehearseMostNs || o.budget > 0 && o.r.now()-o.begun >= o.budget) // the run does no more
}

// modelled is what of the trial was run, as it is modelled. Trials end by it, at the same border each time.
func (o *outlook) modelled() float64 { return o.r.ran + o.effort()*branch.VisitNs }

const (
	// rehearseMostNs is how long a search is tried out, as it is modelled: what ends before is known, and more would tell little of what takes 20 times as long. A strategy behind
	// the first of a plan has the part rehearseNext of it.
	rehearseMostNs = 3e9
	rehearseNext   = 0.25
	// rehearseLate times that by a clock ends a trial: judgements take up to seven times as long as they are modelled to, and a loaded machine takes longer than an idle one.
	rehearseLate = 8
	// leastBorders is how many batches of designs are tried out as long as they take no more than mostBorders times that: of the first all designs are evaluated, of those behind it what the front
	// leaves, which may be a hundredth of the work. Of five families at 8,192 endpoints, skywalk among them, one batch told an hour, where more told three minutes, as the run took.
	leastBorders, mostBorders = 4, 5
)

// enough tells whether the trial of a stage ends.
func (o *outlook) enough() bool {
	o.mark()
	o.r.sure = 0
	if o.d.Uncounted { // what is ahead of an enumeration is told by the front that a round of NSGA-II finds for it, of values that are none of guesses; the tree is tried out as long as without it
		o.r.sure = rehearseMostNs
		o.leading()
		return o.modelled() >= mostBorders*rehearseMostNs || o.late()
	}
	if o.late() {
		return true
	}
	if o.tree == nil && len(o.samples) <= leastBorders && o.modelled() < mostBorders*rehearseMostNs {
		return false
	}
	return o.modelled() >= o.r.limit
}

// triedLead is a round of NSGA-II for an enumeration that was tried out.
type triedLead struct {
	most      int64   // evaluations that it might take,
	evaluated int64   // those that it took,
	other     float64 // and ns beside them
}

// leading follows a round of NSGA-II for an enumeration. What it takes is not counted by the limit of the trial.
func (o *outlook) leading() {
	now := o.samples[len(o.samples)-1]
	before := now
	if n := len(o.samples); n > 1 {
		before = o.samples[n-2]
	}
	if !before.leading || now.left > before.left { // each of its searches may take some
		o.leads = append(o.leads, triedLead{most: now.left})
		before = now
	}
	l := &o.leads[len(o.leads)-1]
	l.evaluated, l.other = l.evaluated+now.evaluated-before.evaluated, l.other+now.other-before.other
	o.r.limit += now.modelled - before.modelled
}

// leadsAhead adds the rounds of NSGA-II that an enumeration of a stage will pause for while it takes so many ns more, as they are modelled: of the evaluations that they may take as many are made as in those tried out.
func (o *outlook) leadsAhead(e *branch.Enumeration, st phase, ns float64) {
	var tried triedLead
	for _, l := range o.leads {
		tried = triedLead{tried.most + l.most, tried.evaluated + l.evaluated, tried.other + l.other}
	}
	if tried.most == 0 || o.d.Left >= 0 {
		return
	}
	for round := range mostLeads {
		if at := pauseOf(round); at > e.Spent() && at < e.Spent()+ns {
			part := float64(mostOf(leads(e, st.which, at))) / float64(tried.most)
			evaluations := part * float64(tried.evaluated)
			o.add(evaluations, offBudget)
			o.evalNs += evaluations * o.r.ns(everyStep) / float64(max(o.d.Prog.Evaluated, 1))
			o.treeNs += part * tried.other
		}
	}
}

func (o *outlook) mark() {
	o.samples = append(o.samples, sample{o.d.Left, o.d.Border, o.d.Prog.Evaluated, o.r.modelled(), o.others(), o.effort(), o.modelled(), o.d.Uncounted})
}

// try tries a stage out, and adds what is left of it.
func (o *outlook) try(ctx context.Context, st phase, complete []bool) error {
	o.samples, o.random = o.samples[:0], st.name == study.Random
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

// add adds evaluations beyond those tried out, which may be more or fewer by a factor, also where in the trial there came to be none.
func (o *outlook) add(more, factor float64) {
	o.spread = max(o.spread, factor)
	o.more += more
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

// tryTree is try for an enumeration of a stage, with rounds of NSGA-II in its pauses.
func (o *outlook) tryTree(ctx context.Context, st phase, complete []bool) error {
	e := branch.NewEnumeration(o.d.P, 1, st.which)
	o.trees.add(e, st.which)
	e.Limit = st.limit
	return o.tryOut(ctx, e, st, complete, func() (string, error) { return enumerate(ctx, o.d, e, st.which, nil, nil) })
}

// tryOut has an enumeration begin, adds what is left of it, and tells which spaces it completes.
func (o *outlook) tryOut(ctx context.Context, e *branch.Enumeration, st phase, complete []bool, begin func() (stop string, err error)) error {
	o.tree = e
	defer func() { o.tree = nil }()
	e.Each = st.each
	tree, took := o.r.now(), o.r.took
	stop, err := begin()
	if err != nil {
		return err
	}
	spent, abandoned := stop == search.StopEvaluations, e.Abandoned
	if stop == search.StopInterrupted {
		if spent, abandoned, err = o.extrapolateTree(ctx, e, st, o.r.now()-tree-(o.r.took-took)); err != nil {
			return err
		}
	}
	if spent {
		o.ends = "its evaluations are spent"
		return nil
	}
	for i := range complete {
		complete[i] = complete[i] || st.which[i] && !abandoned[i]
	}
	return nil
}

// extrapolateTree adds what is left of an enumeration, whose trial took so many ns beside evaluations, and tells whether a budget of evaluations ends it and which spaces it abandons.
func (o *outlook) extrapolateTree(ctx context.Context, e *branch.Enumeration, st phase, tree float64) (spent bool, abandoned []bool, err error) {
	w, perVisit, err := o.ahead(ctx, e, tree)
	if err != nil {
		return false, nil, err
	}
	outlasts := e.Outlasts(w, offUnending)
	w, abandoned = e.Within(w)
	o.leadsAhead(e, st, e.Ns(w))
	total, part := 0.0, 1.0 // of all that is left, as much as a budget of evaluations allows
	for _, n := range w.Evaluations {
		total += n
	}
	o.factor, o.ends = offUnending, "every family is enumerated"
	if outlasts {
		o.ends += ", or has been evolved since that outlasted its share of the budget"
	}
	off := e.Off(w)
	if off > offUnending {
		o.factor = off
		o.ends += fmt.Sprintf(", of whose boxes samples tell amounts of work that differ by a factor of %.0f", off)
	}
	if left := float64(o.d.Left); left >= 0 && total > left {
		part, spent = left/total, true
	}
	for i, n := range w.Evaluations {
		o.evalNs += part * n * o.r.each(o.d.P.Spaces[i].Fam.Name, e.Each[i])
	}
	o.treeNs += part * w.Visits * perVisit
	if o.add(part*total, max(off, offTried, w.Fewer)); spent {
		o.spread = 1
	}
	if o.d.Left > 0 {
		o.d.Left -= int64(part * total)
	}
	return spent, abandoned, nil
}

// ahead estimates what is left of an enumeration, whose trial took so many ns beside evaluations, and what a judgement takes, by what the trial has found and by what some of the
// designs that it will come to turn out to be. What that takes is the plan's, not the run's.
func (o *outlook) ahead(ctx context.Context, e *branch.Enumeration, tree float64) (w branch.Work, perVisit float64, err error) {
	perVisit = o.pace(tree, float64(e.Effort()))
	begun, took, ns := o.r.now(), o.r.took, o.r.ns(everyStep)
	defer func() {
		o.begun += o.r.now() - begun
		o.evalNs -= o.r.ns(everyStep) - ns
		o.r.took = took
	}()
	e.Know(&o.d.Front) // a round of NSGA-II may have been under way
	o.r.sure = rehearseMostNs
	probes := search.NewDriver(o.d.P, nil, search.Options{Workers: 1})
	probes.Left = -1
	if _, err := probes.Search(ctx, e.Probe(), false); err != nil {
		return w, 0, err
	}
	looks := o.r.now()
	w = e.Ahead(branch.PlanLook)
	if ns := o.r.now() - looks; ns > 0 && w.Looked > 0 {
		drawn := ns / w.Looked // boxes near to one another take less than those that a look draws, but in the trial NSGA-II may have taken more than the tree
		if perVisit = min(perVisit, drawn); float64(e.Effort()) < leastTried*w.Visits {
			perVisit = drawn
		}
	}
	return w, perVisit, nil
}

// leastTried is the part of the work below which the beginning of a tree tells nothing of its pace: at 65,536 endpoints 50,000 judgements took 0.9 us each, the first 57 million 5.2,
// and those that looks drew 4.9.
const leastTried = 0.01

// pace is what a judgement takes, ns, after a trial of an enumeration that took so many ns for so many: what those of its later half took, if that is less,
// since in the first much is made that bounds keep.
func (o *outlook) pace(tree, effort float64) float64 {
	if tree <= 0 || effort <= 0 {
		return branch.VisitNs
	}
	mean := tree / effort
	if n := len(o.samples); n > 0 {
		last := o.samples[n-1]
		for _, s := range o.samples {
			if more := last.effort - s.effort; s.effort >= more && more > 0 {
				return min(mean, max(last.other-s.other, 0)/more)
			}
		}
	}
	return mean
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
	case o.budget > 0: // these go on until it is spent
		each := last.other - first.other + (last.ns-first.ns)*o.r.ns(everyStep)/math.Max(1, o.r.modelled())
		part = math.Max(0, o.budget-o.r.ns(everyStep)-o.evalNs-o.others()-o.treeNs) / math.Max(1, each)
		o.factor, o.ends = max(o.factor, offBudget), budgetEnds(o.r.of.Study.Search.Time)
	case st.name == study.Random:
		part = float64(evolve.RandomRounds-last.border) / math.Max(1, float64(last.border-first.border))
		o.factor, o.ends = max(o.factor, offBudget), "as many random designs are drawn as are without a budget"
	default:
		part = math.Max(0, float64(unending-last.border)) / math.Max(1, float64(last.border-first.border))
		o.factor, o.ends = offUnending, "the front stays as it is"
	}
	o.treeNs += part * (last.other - first.other)
	evaluations := part * o.slowing(first, last, part)
	o.add(evaluations*float64(last.evaluated-first.evaluated), o.factor)
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
