package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"toposearch/evaluator"
	"toposearch/evaluator/bound"
	"toposearch/evaluator/metric"
	"toposearch/objectives"
	"toposearch/topology"
)

// chunk is how many evaluations go to the journal at once: few enough that little is lost with a
// crash, and enough that waiting for the disk costs little beside 50 us each.
const chunk = 128

// Reasons for which a search stops before it has nothing left to ask.
const (
	stopEvaluations = "evaluations"
	stopTime        = "time"
	stopInterrupted = "interrupted"
)

// driver scores what strategies ask for: repeats from memory, hopeless ones by closed forms, the
// rest from the journal or by evaluation on all workers.
type driver struct {
	p       *Problem
	j       *journal // nil: not journalled
	opt     Options
	reuse   *reuse
	memo    map[string]Score
	front   front
	best    objectives.Vector // of each objective among feasible designs; nil without any
	left    int64             // evaluations that the budget still allows; negative: no limit
	tally   []tally
	perFam  []FamilyCounts // Evaluated and Feasible only
	prog    Progress
	sizes   []topology.Size
	ladders []bound.Ladder
	iv      []metric.Intervals
	before  int64 // ns that earlier calls spent on this run
}

func newDriver(p *Problem, j *journal, opt Options) *driver {
	d := &driver{p: p, j: j, opt: opt, memo: map[string]Score{}, left: -1,
		tally: make([]tally, len(p.spaces)), perFam: make([]FamilyCounts, len(p.spaces))}
	if n := p.study.Search.Evaluations; n > 0 {
		d.left = n
	}
	return d
}

// search runs a strategy to its end, a budget's or the user's. stop is "" if it has nothing left
// to ask. With counted, tuples are tallied here and not by the strategy.
func (d *driver) search(ctx context.Context, s Strategy, counted bool) (stop string, err error) {
	for {
		if stop, err := d.border(ctx); stop != "" || err != nil {
			return stop, err
		}
		asked, err := s.Ask(ctx)
		if err != nil || asked == nil {
			return "", err
		}
		if e, ok := s.(*enumeration); ok {
			d.prog.Visited, d.prog.Fraction = e.visits, e.fraction()
		}
		scores, stop, err := d.score(ctx, asked, counted)
		if stop != "" || err != nil {
			return stop, err
		}
		s.Tell(scores)
	}
}

// border is between two batches: the only place where a run stops, apart from the end of a budget
// of evaluations.
func (d *driver) border(ctx context.Context) (stop string, err error) {
	d.report()
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if d.j != nil {
		if _, ok, err := d.j.nextNote(`{"stop":"time"`); ok || err != nil {
			return stopTime, err
		}
		if d.j.replaying() {
			return "", nil
		}
	}
	if limit := d.p.study.Search.Time; limit > 0 && d.opt.Elapsed != nil &&
		d.before+int64(d.opt.Elapsed()) >= int64(limit) {
		if d.j == nil {
			return stopTime, nil
		}
		return stopTime, d.j.note(struct {
			Stop      string `json:"stop"`
			Evaluated int64  `json:"evaluated"`
		}{stopTime, d.prog.Evaluated})
	}
	if d.opt.Stop != nil && d.opt.Stop() {
		return stopInterrupted, nil
	}
	return "", nil
}

// score gives the scores of a batch in its order. If the budget ends inside it, what it still
// allows is journalled, and nobody is told.
func (d *driver) score(ctx context.Context, asked []Candidate, counted bool) ([]Score, string, error) {
	scores := make([]Score, len(asked))
	keys := make([]string, len(asked))
	first := make(map[string]int, len(asked)) // of each new key, its first place
	var fresh []int
	for i, c := range asked {
		keys[i] = key(c.Space, c.V)
		if s, ok := d.memo[keys[i]]; ok {
			scores[i] = s
		} else if _, ok := first[keys[i]]; !ok {
			first[keys[i]] = i
			fresh = append(fresh, i)
		}
	}
	if err := d.gate(ctx, asked, scores, fresh); err != nil {
		return nil, "", err
	}
	var todo []int
	for _, i := range fresh {
		if scores[i].Constraint == "" {
			todo = append(todo, i)
		}
	}
	stop := ""
	if d.left >= 0 && int64(len(todo)) > d.left {
		todo, stop = todo[:d.left], stopEvaluations
	}
	if err := d.evaluateAll(ctx, asked, scores, todo); err != nil {
		return nil, "", err
	}
	for _, i := range fresh {
		if scores[i].Constraint == "" && !scores[i].Evaluated {
			continue // past the budget
		}
		d.memo[keys[i]] = scores[i]
		if counted {
			d.count(asked[i], &scores[i])
		}
	}
	if stop != "" {
		return nil, stop, nil
	}
	for i := range asked {
		if j, ok := first[keys[i]]; ok && j != i {
			scores[i] = scores[j]
		}
	}
	return scores, "", nil
}

func (d *driver) count(c Candidate, s *Score) {
	what := s.Constraint
	if s.Feasible() {
		what = feasible
	}
	d.tally[c.Space].add(what, len(c.V)-1, 1)
}

// gate rejects by closed forms.
func (d *driver) gate(ctx context.Context, asked []Candidate, scores []Score, fresh []int) error {
	workers := min(d.workers(), len(fresh))
	for len(d.sizes) < workers {
		d.sizes = append(d.sizes, topology.Size{})
		d.ladders = append(d.ladders, bound.Ladder{})
		d.iv = append(d.iv, metric.Intervals{})
	}
	each(ctx, workers, len(fresh), func(w, k int) {
		i := fresh[k]
		scores[i] = d.p.gate(asked[i], &d.sizes[w], &d.ladders[w], &d.iv[w])
	})
	return ctx.Err()
}

func (d *driver) workers() int {
	if d.opt.Workers > 0 {
		return d.opt.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// gate scores a candidate by closed forms: the violations that are certain. The score has no
// constraint if it must be evaluated.
func (p *Problem) gate(c Candidate, s *topology.Size, l *bound.Ladder, iv *metric.Intervals) Score {
	if p.sizeOf(c, s) != nil {
		return Score{Violation: impossible, Constraint: NoNetwork}
	}
	if v := p.windowViolation(s.Endpoints); v > 0 {
		return Score{Violation: v + 1, Constraint: Window} // +1: window first, then the rest
	}
	*iv = metric.Intervals{}
	var out Score
	if p.model.Enclose(bound.One(c.V, s), l, iv); iv.Reject.Constraint != "" {
		r := iv.Reject
		out = Score{Violation: math.Abs(r.Violation()), Constraint: r.Constraint}
	}
	worst := 0.0
	rejected := out.Constraint != ""
	for i := range p.limits {
		v := p.atBest(i, iv)
		out.Violation += v
		if v > worst && !rejected {
			worst, out.Constraint = v, p.limits[i].Name
		}
	}
	if out.Constraint == "" {
		if why := p.lacking(iv); why != "" { // of a limit it is counted already
			out.Constraint, out.Violation = why, 1
		}
	}
	return out
}

// evaluateAll fills the scores at the places todo, in that order in the journal.
func (d *driver) evaluateAll(ctx context.Context, asked []Candidate, scores []Score, todo []int) error {
	for len(todo) > 0 {
		n := min(chunk, len(todo))
		if err := d.evaluate(ctx, asked, scores, todo[:n]); err != nil {
			return err
		}
		todo = todo[n:]
	}
	return nil
}

func (d *driver) evaluate(ctx context.Context, asked []Candidate, scores []Score, todo []int) error {
	entries := make([]*entry, len(todo))
	names := make([]string, len(todo))
	replayed := 0
	for k, i := range todo {
		names[k] = d.p.name(asked[i])
		if d.j == nil || !d.j.replaying() {
			continue
		}
		entries[k] = new(entry)
		ok, err := d.j.next(names[k], entries[k])
		if err != nil {
			return err
		}
		if ok {
			replayed = k + 1
		}
	}
	errs := make([]error, len(todo))
	reused := make([]bool, len(todo))
	each(ctx, d.workers(), len(todo)-replayed, func(_, k int) {
		k += replayed
		if e, ok := d.reuse.find(names[k], d.p.request.Keys); ok {
			entries[k], reused[k] = e, true
			return
		}
		var r *evaluator.Result
		r, errs[k] = d.p.model.Evaluate(ctx, d.p.design(asked[todo[k]].Space, asked[todo[k]].V), d.p.request)
		entries[k] = nil
		if errs[k] == nil {
			entries[k] = newEntry(names[k], r)
		}
	})
	done := replayed // what is finished without a gap is kept, also when cancelled
	for done < len(todo) && entries[done] != nil && errs[done] == nil {
		done++
	}
	if d.j != nil && done > replayed {
		if err := d.j.write(entries[replayed:done]); err != nil {
			return err
		}
	}
	if done < len(todo) {
		if err := errors.Join(ctx.Err(), errs[done]); err != nil {
			return fmt.Errorf("evaluate %s: %w", names[done], err)
		}
	}
	for k, i := range todo {
		scores[i] = d.p.judge(entries[k])
		d.took(asked[i], names[k], &scores[i], k < replayed || reused[k])
	}
	return nil
}

// took counts an evaluation and offers it to the front.
func (d *driver) took(c Candidate, name string, s *Score, reused bool) {
	if d.left > 0 {
		d.left--
	}
	d.prog.Evaluated++
	d.perFam[c.Space].Evaluated++
	if reused {
		d.prog.Reused++
	}
	if s.Feasible() {
		d.prog.Feasible++
		d.perFam[c.Space].Feasible++
		d.front.add(member{c, s.V, name})
		if d.best == nil {
			d.best = slices.Clone(s.V)
		}
		for i, x := range s.V {
			d.best[i] = min(d.best[i], x)
		}
	}
}

// report passes on how far the run is.
func (d *driver) report() {
	d.prog.Front = d.front.len()
	if d.best != nil {
		d.prog.Best = map[string]float64{}
		for i, o := range d.p.objectives {
			d.prog.Best[o.Name()] = o.Value(d.best[i])
		}
	}
	if d.opt.Progress != nil {
		d.opt.Progress(d.prog)
	}
}
