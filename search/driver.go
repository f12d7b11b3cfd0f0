package search

import (
	"context"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"time"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/objectives"
)

// Driver scores what strategies ask for: repeats from memory, hopeless ones by closed forms, the
// rest from the journal or by evaluation on all workers.
type Driver struct {
	P     *Problem
	J     Store // the journal; nil: none
	Opt   Options
	Reuse Known // answers instead of an evaluation; nil: nothing
	// Sims gives the journal's line of a simulation that an earlier journal of this run holds, by verify.NoteOf. nil:
	// none is known.
	Sims  func(name string) (line []byte, ok bool)
	Front Archive // of the feasible designs that were evaluated
	// Left is how many evaluations the budget still allows; negative: no limit. Candidates that bounds decide use it, too.
	Left int64
	// Tally counts tuples by space, unless the strategy counts them itself; PerFam holds Evaluated and Feasible.
	Tally      []Tally
	Uncounted  bool // what is asked for is counted by another strategy, which will come to it
	PerFam     []FamilyCounts
	Met        []bool        // by space: a design meets every limit that was not evaluated since it is dominated
	Prog       Progress      // as it is reported
	Before     int64         // ns that the search took in earlier calls
	Keep       time.Duration // of the budget of time, for simulations,
	Finish     time.Duration // and for what follows them, up to the last page of the report
	Simulating time.Duration // that simulations took in earlier calls
	Used       int64         // ns that it has taken in all, at the last border
	// Asked counts the candidates that were asked for once or more often, anew those that were not for mostSeen others, Changes the designs that came to the front.
	Asked, Changes int64
	// Border counts the borders between batches that were come to, over all strategies. The budget of time ends at
	// one or in the batch after it (time.go), but not before Reached, the first at which no earlier call went on.
	Border, Reached int64
	Ended           TimeEnd
	// Rest is called between batches that are not replayed, where the search can be saved; stops: it is interrupted there. nil: nobody saves it.
	Rest func(stops bool)

	aside      int64         // of the budget of evaluations, for what comes after the part at hand (Allow)
	order      []string      // keys of what was evaluated, as it is in the journal
	owed       int64         // decided by bounds, and not taken from Left yet
	begun      time.Duration // when the phase or stage began, of this call
	recall     recall
	results    map[string]onFront // of designs on the front
	best       objectives.Vector  // of each objective among feasible designs; nil without any
	enclosures []Enclosure        // by worker
}

// NewDriver prepares a search of a problem; j may be nil.
func NewDriver(p *Problem, j Store, opt Options) *Driver {
	d := &Driver{P: p, J: j, Opt: opt, recall: newRecall(), Left: -1,
		Tally: make([]Tally, len(p.Spaces)), PerFam: make([]FamilyCounts, len(p.Spaces)), Met: make([]bool, len(p.Spaces))}
	d.Prog.Currency = p.Study.Options.Currency
	if n := p.Study.Search.Evaluations; n > 0 {
		d.Left = n
	}
	return d
}

// Workers is the number of goroutines that evaluate.
func (d *Driver) Workers() int {
	if d.Opt.Workers > 0 {
		return d.Opt.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// AtOnce is how many simulations there may be at once, here or on other machines.
func (d *Driver) AtOnce() int {
	if d.Opt.Remote != nil {
		return max(d.Workers(), d.Opt.Remote.AtOnce())
	}
	return d.Workers()
}

// Effort is what the gate has taken: candidates judged by closed forms, closer judgements in units of them.
func (d *Driver) Effort() (n int64) {
	for i := range d.enclosures {
		n += d.enclosures[i].Effort
	}
	return n
}

// Became says what became of a candidate: a constraint, Dominated or Feasible; "" if it was not scored, or that is forgotten.
func (d *Driver) Became(c Candidate) string {
	s, ok := d.recall.score(Key(c.Space, c.V))
	if ok && s.Feasible() {
		return Feasible
	}
	return s.Constraint
}

// took counts an evaluation and offers it to the front.
func (d *Driver) took(c Candidate, name string, s *Score, a *answer) {
	if d.Left > 0 {
		d.Left--
	}
	d.order = append(d.order, Key(c.Space, c.V))
	d.Prog.Evaluated++
	d.PerFam[c.Space].Evaluated++
	if a.known {
		d.Prog.Reused++
	}
	if a.anew {
		d.Prog.Repriced++
	}
	if s.Feasible() {
		d.Prog.Feasible++
		d.PerFam[c.Space].Feasible++
		if d.Front.Add(Member{c, s.V, name, d.P.Held(s.V)}) {
			d.Changes++
			d.keep(name, onFront{a.result, a.entry})
		}
		if d.best == nil {
			d.best = slices.Clone(s.V)
		}
		for i, x := range s.V {
			d.best[i] = min(d.best[i], x)
		}
	}
}

// spareResults are kept beyond twice the front before those that have left it are dropped: some 5 kB each.
const spareResults = 64

// onFront is what is kept of a design on the front.
type onFront struct {
	result *evaluator.Result // nil: it was not evaluated by this call,
	entry  *Entry            // but by an earlier one
}

// keep keeps what is known of a design on the front, so that it need not be evaluated again for its metrics.
func (d *Driver) keep(name string, r onFront) {
	if d.results == nil {
		d.results = map[string]onFront{}
	}
	if len(d.results) > 2*d.Front.Len()+spareResults {
		on := map[string]bool{}
		for _, p := range d.Front.Tree.Points() {
			on[p.Name] = true
		}
		maps.DeleteFunc(d.results, func(name string, _ onFront) bool { return !on[name] })
	}
	if r.result != nil {
		short := *r.result
		short.Plan, short.Notes = nil, nil
		r = onFront{result: &short}
	}
	d.results[name] = r
}

// Journalled is the method of figures whose own is not kept, until they are evaluated again.
const Journalled = "of the journal; its method is named where the run has ended"

// Brief is as much of Result as is known without evaluating the design again; nil if nothing is.
func (d *Driver) Brief(m *Member) *evaluator.Result {
	k := d.results[m.Name]
	if k.result != nil || k.entry == nil {
		return k.result
	}
	r := &evaluator.Result{Routing: k.entry.Routing, Chosen: k.entry.Routing}
	for i, x := range k.entry.Values {
		if !math.IsNaN(x) {
			unit := metric.Key(i).UnitIn(d.P.Study.Options.Currency)
			r.Metrics[i], r.Have[i] = metric.Figure{Value: x, Lo: k.entry.Lo[i], Hi: k.entry.Hi[i], Unit: unit, Method: Journalled}, true
		}
	}
	return r
}

// Result is that of a design on the front, with all that req asks for but its plan.
func (d *Driver) Result(ctx context.Context, m *Member, req evaluator.Request) (*evaluator.Result, error) {
	known := d.results[m.Name].result
	if known != nil {
		lacking := slices.DeleteFunc(slices.Clone(req.Wished), func(k metric.Key) bool { return !lacks(known, k) })
		if len(lacking) == 0 {
			return known, nil
		}
		if slices.ContainsFunc(lacking, func(k metric.Key) bool { return !evaluator.OfUptime(k) }) {
			known = nil
		} else { // what the objectives took is not computed again
			req = evaluator.Request{Level: 1, Wished: lacking}
		}
	}
	r, err := d.P.Model.Evaluate(ctx, d.P.Design(m.Space, m.V), req)
	if err != nil {
		return nil, fmt.Errorf("evaluate %s: %w", m.Name, err)
	}
	if known == nil {
		return r, nil
	}
	with := *known
	for _, k := range evaluator.UptimeKeys() {
		with.Metrics[k], with.Have[k] = r.Metrics[k], r.Have[k]
	}
	return &with, nil
}

// Begin names what a run does from now on; stage is the strategy of a search.
func (d *Driver) Begin(phase, stage string) {
	if d.Opt.Shown != nil {
		d.begun = d.Opt.Shown()
	}
	d.Prog.Phase, d.Prog.Stage, d.Prog.Fraction, d.Prog.Left, d.Prog.Done, d.Prog.Families = phase, stage, 0, 0, 0, 0
}

// Report passes on how far the run is.
func (d *Driver) Report() {
	if d.Opt.Shown != nil {
		now := d.Opt.Shown()
		d.Prog.Elapsed, d.Prog.Since = now.Seconds(), (now - d.begun).Seconds()
	}
	d.Prog.Front = d.Front.Len()
	if d.best != nil {
		d.Prog.Best = map[string]float64{}
		for i, o := range d.P.Objectives {
			d.Prog.Best[o.Name()] = o.Value(d.best[i])
		}
	}
	if d.Opt.Remote != nil {
		d.Opt.Remote.Tell(&d.Prog)
	}
	if d.Opt.Progress != nil {
		d.Opt.Progress(d.Prog)
	}
}
