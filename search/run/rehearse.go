package run

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/topology"
)

const (
	// rehearseStepNs is what a method may take by its model to be run in it; what takes longer is counted, and its metrics are guessed.
	rehearseStepNs = 5e7
	// Of each method and family some of those designs are tried even so, the first, the second, the fourth and so on, where it is modelled
	// to take no more than tryNs, as long as the sum is below triesNs: methods end early on many designs, and seldom on those
	// that a search comes to late.
	tryNs   = 2e9
	triesNs = 8e9
)

// rehearsal is a model that a search is tried out with, on one worker: it evaluates what takes little time and guesses the rest,
// and sums what all of it is modelled to take, and what it takes.
type rehearsal struct {
	search.Model
	of    *search.Problem      // that is rehearsed,
	p     *search.Problem      // and the same with this model
	cpu   func() time.Duration // time of the processor that this program has used; nil: none is measured
	limit float64              // of ran, after which all is guessed,
	sure  float64              // but what is to exclude others: until then
	ran   float64              // modelled ns of what was run
	tried float64              // and of what was tried beyond the limit
	took  float64              // ns that evaluations took
	steps map[stepKey]*stepSum
	known [metric.Count]mean     // values of metrics that were computed,
	lies  map[valueKey][]float64 // and where they lie between their bounds, as a part of what is between
	drawn map[valueKey]int       // and how many were taken for guesses
}

// valueKey is a metric of the designs of a family; "": of all.
type valueKey struct {
	metric metric.Key
	family string
}

// keptLies is how many values of a metric and a family are kept to guess by.
const keptLies = 64

// stepKey is a method, for designs of one family.
type stepKey struct {
	metric         metric.Key
	method, family string
}

// eachEvaluation is what an evaluation takes beside its methods.
const eachEvaluation = "each evaluation"

// stepSum is what became of it.
type stepSum struct {
	count   float64
	ran     float64 // modelled ns of those that were run,
	took    float64 // and what they took
	guessed float64 // modelled ns of the others
	// Of designs for which it is modelled to take long: their number, and modelled and measured ns of those that were tried.
	longs                 int
	longsTried, longsTook float64
}

type mean struct{ sum, n float64 }

func newRehearsal(p *search.Problem, cpu func() time.Duration, limit float64) *rehearsal {
	r := &rehearsal{Model: p.Model, of: p, cpu: cpu, limit: limit, steps: map[stepKey]*stepSum{}, lies: map[valueKey][]float64{}, drawn: map[valueKey]int{}}
	q := *p
	q.Model, r.p = r, &q
	return r
}

// now is the time of the processor in ns.
func (r *rehearsal) now() float64 {
	if r.cpu == nil {
		return 0
	}
	return float64(r.cpu())
}

// Evaluate computes what takes little time, and guesses the rest.
func (r *rehearsal) Evaluate(ctx context.Context, d topology.Design, req evaluator.Request) (*evaluator.Result, error) {
	begun := r.now()
	all := r.step(stepKey{method: eachEvaluation, family: d.Family.Name})
	all.count, all.ran, r.ran = all.count+1, all.ran+evaluator.BaseNs, r.ran+evaluator.BaseNs
	inside := 0.0
	req.Trace = func(s evaluator.Step, run func() error) error {
		sum := r.step(stepKey{s.Metric, s.Method, d.Family.Name})
		sum.count++
		long := s.Ns > rehearseStepNs || s.Level > 1 && r.ran+s.Ns > max(r.limit, r.sure)
		if long {
			sum.longs++
		}
		try := long && sum.longs&(sum.longs-1) == 0 && s.Ns <= tryNs && r.tried+s.Ns <= triesNs
		switch {
		case try:
			r.tried += s.Ns
		case long:
			sum.guessed += s.Ns
			return evaluator.ErrSkipped
		default:
			r.ran += s.Ns
		}
		t := r.now()
		err := run()
		t = r.now() - t
		sum.ran, sum.took, inside = sum.ran+s.Ns, sum.took+t, inside+t
		if try {
			sum.longsTried, sum.longsTook = sum.longsTried+s.Ns, sum.longsTook+t
		}
		return err
	}
	res, err := r.Model.Evaluate(ctx, d, req)
	if err == nil {
		r.guess(res)
	}
	t := r.now() - begun
	all.took += t - inside
	r.took += t
	return res, err
}

func (r *rehearsal) step(k stepKey) *stepSum {
	if r.steps[k] == nil {
		r.steps[k] = new(stepSum)
	}
	return r.steps[k]
}

// guess fills in what objectives and limits need and was not run: as far between what is known for certain as one of those that were computed lies, of designs of the same family or else
// of others, in turns, so that guesses differ as values do; else in the middle of that, else the mean of other designs, else a half, which is in the middle of fractions of a bandwidth.
func (r *rehearsal) guess(res *evaluator.Result) {
	var e search.Enclosure
	e.Low = res.Size
	e.Design(r.Model, res.Design.V)
	for _, k := range r.p.Request.Keys {
		x := &r.known[k]
		at := e.Metrics.At[k]
		bounded := !math.IsInf(at.Lo, 0) && !math.IsInf(at.Hi, 0) && at.Hi > at.Lo
		if res.Have[k] {
			x.sum, x.n = x.sum+res.Metrics[k].Value, x.n+1
			if bounded {
				r.learn(k, res.Design.Family.Name, (res.Metrics[k].Value-at.Lo)/(at.Hi-at.Lo))
			}
		}
		if res.Have[k] || res.Absent[k] != evaluator.NotRun {
			continue
		}
		value := 0.5
		if bounded {
			value = at.Lo + r.lie(k, res.Design.Family.Name)*(at.Hi-at.Lo)
		} else if x.n > 0 {
			value = x.sum / x.n
		}
		res.Have[k], res.Metrics[k] = true, metric.Figure{Value: value, Lo: value, Hi: value, Unit: metric.Keys[k].Unit, Method: "guessed"}
		delete(res.Absent, k)
	}
}

// learn keeps where a value lies between its bounds.
func (r *rehearsal) learn(k metric.Key, family string, lie float64) {
	for _, of := range []valueKey{{k, family}, {k, ""}} {
		if l := r.lies[of]; len(l) < keptLies {
			r.lies[of] = append(l, lie)
		}
	}
}

// lie is where a value may lie between its bounds.
func (r *rehearsal) lie(k metric.Key, family string) float64 {
	for _, of := range []valueKey{{k, family}, {k, ""}} {
		if l := r.lies[of]; len(l) > 0 {
			r.drawn[of]++
			return l[r.drawn[of]%len(l)]
		}
	}
	return 0.5
}

// leastRan is how many modelled ns of a method have to be run for what they took to say how far its model is off.
const leastRan = 2e6

// ns is what the steps take that f wants: as long as they were measured to take, and what was guessed by its model, scaled by what the
// same method took on designs of the same family where it was tried, or else where it was run, or else on those of others.
func (r *rehearsal) ns(f func(k stepKey) bool) (ns float64) {
	pooled := map[stepKey]*stepSum{}
	for _, k := range r.sorted() {
		of := stepKey{metric: k.metric, method: k.method}
		if pooled[of] == nil {
			pooled[of] = new(stepSum)
		}
		pooled[of].ran += r.steps[k].ran
		pooled[of].took += r.steps[k].took
		pooled[of].longsTried += r.steps[k].longsTried
		pooled[of].longsTook += r.steps[k].longsTook
	}
	for _, k := range r.sorted() {
		s := r.steps[k]
		switch {
		case !f(k):
		case r.cpu == nil:
			ns += s.ran + s.guessed
		default:
			ns += s.took
			if s.guessed > 0 {
				ns += s.guessed * s.scale(pooled[stepKey{metric: k.metric, method: k.method}])
			}
		}
	}
	return ns
}

// everyStep wants all of them.
func everyStep(stepKey) bool { return true }

// scale is what a method takes over what it is modelled to take.
func (s *stepSum) scale(others *stepSum) float64 {
	switch {
	case s.longsTried > 0:
		return s.longsTook / s.longsTried
	case others.longsTried > 0:
		return others.longsTook / others.longsTried
	case s.ran > leastRan:
		return s.took / s.ran
	case others.ran > leastRan:
		return others.took / others.ran
	}
	return 1
}

// sorted are the methods in an order.
func (r *rehearsal) sorted() []stepKey { return slices.SortedFunc(maps.Keys(r.steps), compareSteps) }

// modelled is what all evaluations are modelled to take, ns.
func (r *rehearsal) modelled() (ns float64) {
	for _, k := range r.sorted() {
		ns += r.steps[k].ran + r.steps[k].guessed
	}
	return ns
}

// guessed is what evaluations that were guessed are modelled to take, ns.
func (r *rehearsal) guessed() (ns float64) {
	for _, k := range r.sorted() {
		ns += r.steps[k].guessed
	}
	return ns
}

// each is what an evaluation of a design of a family takes, ns; other, where none was evaluated.
func (r *rehearsal) each(family string, other float64) float64 {
	of := r.steps[stepKey{method: eachEvaluation, family: family}]
	if of == nil {
		return other
	}
	return r.ns(func(k stepKey) bool { return k.family == family }) / of.count
}

// compareSteps orders methods.
func compareSteps(a, b stepKey) int {
	return cmp.Or(cmp.Compare(a.metric, b.metric), cmp.Compare(a.method, b.method), cmp.Compare(a.family, b.family))
}
