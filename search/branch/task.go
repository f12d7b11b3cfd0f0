package branch

import (
	"math"
	"math/rand/v2"
	"slices"

	"toposearch/constraints"
	"toposearch/evaluator/metric"
	"toposearch/objectives"
	"toposearch/search"
)

// taskSurvivors are the tuples that a task may leave to be evaluated: part of the result, as the sizes in batch.go are.
const taskSurvivors = 512

// stage is how closely a box has been judged: a single tuple that was put aside further than others.
type stage uint8

const (
	asBox    stage = iota // by bounds of a box
	byCounts              // as one tuple, by closed forms, which let it pass; one more for each refinement
)

// node is a box of an enumeration.
type node struct {
	box
	// checked means that a box with the same tuples has passed already.
	checked bool
	stage   stage
	seen    int32 // the size of the front when it was put aside
	// within is the epsilon within which the front is complete as to the tuples of the box; 0: that is not known.
	within float64
	// key orders what is open: no tuple of the box is better in the objective task.first.
	key float64
	// best is the best corner of a box that was put aside, nil if it is not at hand.
	best objectives.Vector
}

// Survivor is a tuple that closed forms cannot exclude.
type Survivor struct {
	search.Candidate
	Best objectives.Vector // the best that is known to be possible
	// certain means that it meets every limit; worst is then the worst that is possible.
	certain bool
	worst   objectives.Vector
	within  float64 // node.within
}

// task is branch and bound on one goroutine, depth first against a front that does not change meanwhile.
// Ranges are halved rather than walked value by value, so that a wide domain of which little fits costs its
// logarithm.
type task struct {
	bounder
	front *search.Archive // what it prunes against
	// sure holds tuples of this task that meet every limit for certain, at the worst that their
	// intervals allow: what they dominate needs no evaluation.
	sure   search.Archive
	worst  objectives.Vector // scratch
	best   objectives.Vector // the best corner of the box or tuple at hand
	out    []Survivor
	visits int64
	effort int64 // visits, and what closer judgements cost in units of them
	// first is the objective whose bound orders boxes; what exceeds limit is put aside.
	first int
	limit float64
	// ref, in a proof, is the point from which the volume is measured that orders boxes in the place of first: the largest first.
	ref   objectives.Vector
	aim   *aim // orders boxes in the place of first, where a task looks in a direction; what exceeds limit is cut
	aside []node
	// easing, in a coarse stage, tells by what part better than the front a box must be to be worked on; what is better by less is kept in later, for the stage
	// after. raised is a bound of cost of what is better by more.
	easing
	raised float64
	later  []node
	spent  []int64 // effort by space
	// counting keeps limits but not dominance, and no survivors: for plans.
	counting bool
	designs  int64
	excluded int64      // boxes and tuples that limits excluded while counting,
	missing  []missing  // and what they missed, by limit
	diving   bool       // closed forms are all that tuples are judged by
	rng      *rand.Rand // descend into a random half first: to sample; nil: in order
}

func newTask(p *search.Problem) *task {
	return &task{bounder: newBounder(p), front: new(search.Archive), limit: math.Inf(1), raised: math.Inf(-1), spent: make([]int64, len(p.Spaces)),
		best: make(objectives.Vector, len(p.Objectives)), worst: make(objectives.Vector, len(p.Objectives)), easing: newEasing(p, 0)}
}

// begin makes the task as new, to prune against a front.
func (t *task) begin(front *search.Archive, limit float64) {
	t.front, t.limit, t.aside, t.later = front, limit, t.aside[:0], t.later[:0]
	t.out, t.visits, t.effort, t.sure = nil, 0, 0, search.Archive{}
	clear(t.spent)
	clear(t.tally)
}

// exclude decides the values lo to hi of the range of a box, or keeps them for the next stage where nothing dominates the best corner of what they stand for.
func (t *task) exclude(why string, n *node, lo, hi int32, best objectives.Vector) {
	if why != search.Dominated || t.eps == 0 || t.front.Covers(best) || t.sure.Covers(best) {
		t.drop(why, &n.box, int64(hi-lo)+1)
		return
	}
	one := *n
	one.lo, one.hi, one.checked, one.seen = lo, hi, false, 0
	one.key, one.best, one.within = max(n.key, t.key(best)), slices.Clone(best), finest(n.within, t.eps)
	t.later = append(t.later, one)
}

// covers reports whether something is known to dominate a corner, in a coarse stage but for its epsilon.
func (t *task) covers(corner objectives.Vector) bool {
	return t.sure.Covers(corner) || t.front.Covers(t.ease(corner))
}

// excludes says why the intervals at hand exclude what they are of, "" if they do not; the best corner is
// then in t.best, unless designs are only counted.
func (t *task) excludes() string {
	if why := t.p.Judge.Excludes(&t.enc.Metrics); why != "" || t.counting {
		if why != "" && t.counting {
			t.note()
		}
		return why
	}
	objectives.FillBest(t.best, t.p.Objectives, &t.enc.Metrics)
	t.raised = math.Inf(-1)
	if t.covers(t.best) {
		return search.Dominated
	}
	return ""
}

// admit reports whether a box must be divided. Without bounds per endpoint, those of the smallest
// boxes cost as much as their tuples.
func (t *task) admit(sp *search.Space, n *node) bool {
	if !t.shrink(sp, &n.box) {
		return false
	}
	n.checked = true
	if n.few(sp) && sp.Fam.PerEndpoint == nil {
		return true
	}
	t.visits++
	t.effort++
	if why := t.cut(sp, &n.box); why != "" {
		t.exclude(why, n, n.lo, n.hi, t.best)
		return false
	}
	n.key = math.Inf(-1)
	if !t.counting {
		n.key = t.key(t.best)
	}
	return true
}

// cut says why no tuple of the box can be on the front, "" if one might.
func (t *task) cut(sp *search.Space, b *box) string {
	if why := t.counts(sp, b); why != "" {
		return why
	}
	// Floor plans are made for what is left without them alone.
	per := &t.enc.PerEndpoint
	compares := t.rng == nil || t.front.Len() > 0 // samples of all designs that limits leave come before any plan: of a million endpoints each takes 2 to 30 ms
	plan, shape := per.OnePlan && compares && worthPlan(sp, b, sp.Fam.Unplaced), per.OneShape && compares && worthPlan(sp, b, sp.Fam.Multiplies)
	per.OnePlan, per.OneShape = false, false
	if why := t.enclosed(); why != "" || t.counting || !plan && !shape {
		return why
	}
	if t.enc.Metrics.Have[metric.StepTime] { // what links of the switches carry is known sooner
		t.effort += t.enc.LoadsEffort()
		per.Loads = true
		if why := t.enclosed(); why != "" {
			return why
		}
	}
	if per.OnePlan = plan; plan && b.lo < b.hi { // how far blocks are apart says of one value what it said of the range before
		t.placing(betweenEffort)
		per.PlanBetween = true
		if why := t.enclosed(); why != "" {
			return why
		}
		per.PlanBetween = false
	}
	if per.OneShape = shape; shape {
		t.placing(shapeEffort)
	} else {
		t.placing(planEffort)
	}
	if why := t.enclosed(); why != "" || !plan || !per.HasRounds() {
		return why
	}
	t.placing(roundsEffort)
	per.PlanRounds = true
	return t.enclosed()
}

// worthPlan tells whether a box is worth a floor plan, which is the same for all values of free parameters: the first of these ranges over a factor of two at
// most. In what ranges further the numbers of links decide, and much of it is excluded without a plan that nobody else asks for
// (16,384 endpoints: dragonflies make two thirds of the plans).
func worthPlan(sp *search.Space, b *box, free []int) bool {
	dim := sp.DimAt(int(b.depth))
	return slices.Contains(free, sp.ParamAt(int(b.depth))) && dim.At(int(b.hi)) <= 2*dim.At(int(b.lo))
}

// The time that a box takes of whose floor plan it is known how far blocks are apart, all but rounds, and these, and whose shape is laid, in visits, plans that
// are made included: of seven families at 65,536 endpoints, until their front is within 5 %. It grows with the racks; fewEffort is that of the smallest.
const (
	fewEffort     = 4
	betweenEffort = 16
	planEffort    = 40
	roundsEffort  = 100
	shapeEffort   = 100
)

// placing counts what a floor plan takes that takes so many visits at 65,536 endpoints.
func (t *task) placing(visits int64) {
	t.effort += fewEffort + visits*min(t.enc.Low.Endpoints, 1<<30)>>16
}

// enclosed says why the bounds at hand exclude a box.
func (t *task) enclosed() string {
	t.enc.Box(t.p.Model)
	if why := t.excludes(); why != "" || t.counting {
		return why
	}
	if t.raiseCost() {
		return search.Dominated
	}
	return ""
}

// costRounds bounds how often a bound of cost is raised at a time: later judgements raise it further.
const costRounds = 8

// raiseCost raises the bound of cost in t.best by what throughput costs, and reports whether nothing is left:
// what the front does not dominate at a cost must have more throughput than it has there, and that
// costs more in turn. In a coarse stage that bounds only what is better by its epsilon, which orders boxes.
func (t *task) raiseCost() bool {
	i, j := t.p.CostAt, t.p.ThroughputAt
	if i < 0 || j < 0 || !t.enc.Metrics.CostCurve.Known() {
		return false
	}
	reached, cost := 0.0, t.best[i]
	at := t.ease(t.best) // which it is, but in coarse stages
	for range costRounds {
		// A bound of cost is below every cost: what has no more throughput is worse in cost.
		most := -t.front.Tree.Best(at, j) * (1 + t.ratio)
		if most >= -t.best[j] {
			return true
		}
		if most <= reached {
			break
		}
		reached = most
		cost = math.Max(cost, t.enc.Metrics.CostCurve.CostAt(most))
		at[i] = cost * (1 + t.ratio)
	}
	if t.eps > 0 {
		t.raised = cost
	}
	return false
}

// key orders boxes by their best corners, the least first.
func (t *task) key(best objectives.Vector) float64 {
	if t.aim != nil {
		return t.aim.key(best)
	}
	if t.ref == nil {
		if t.first == t.p.CostAt {
			return max(best[t.first], t.raised)
		}
		return best[t.first]
	}
	volume := 1.0
	for i, o := range t.p.Objectives {
		volume *= max(t.ref[i]-max(best[i], o.Least()), 0)
	}
	return -volume
}

// putAside keeps a box whose best corner is in t.best for later.
func (t *task) putAside(n *node) {
	n.best = slices.Clone(t.best)
	n.key, n.seen = t.key(n.best), int32(t.front.Len())
	t.aside = append(t.aside, *n)
}

// missing is how often a limit was missed by what is counted, and the best value among those.
type missing struct {
	times int64
	best  float64
}

// note adds up which limits the intervals at hand, which are excluded, miss.
func (t *task) note() {
	t.excluded++
	if t.missing == nil {
		t.missing = make([]missing, len(t.p.Limits))
		for i := range t.missing {
			t.missing[i].best = farthest(&t.p.Limits[i])
		}
	}
	for i := range t.p.Limits {
		l, m := &t.p.Limits[i], &t.missing[i]
		if l.AtBest(&t.enc.Metrics) == 0 {
			continue
		}
		m.times++
		switch at := t.enc.Metrics.At[l.Key]; {
		case t.enc.Metrics.Lacks.Has(l.Key):
		case l.Max:
			m.best = min(m.best, at.Lo)
		default:
			m.best = max(m.best, at.Hi)
		}
	}
}

// farthest is the value that misses a limit by most.
func farthest(l *constraints.Limit) float64 {
	if l.Max {
		return math.Inf(1)
	}
	return math.Inf(-1)
}
