package compare

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/search/run"
	"toposearch/study"
	"toposearch/topology"
)

// RunsSchema names the form of `compare --json` of two runs.
const RunsSchema = "toposearch.compare-runs/1"

// Runs are two runs side by side: an earlier one, and a later one.
type Runs struct {
	Schema string        `json:"schema"`
	Runs   [2]RunHead    `json:"runs"`
	Inputs []InputChange `json:"inputs"` // how the later one's differ
	Came   []Passed      `json:"came"`   // to the front of the later one
	Gone   []Passed      `json:"gone"`
	Moved  []Moved       `json:"moved"` // on both fronts, with other figures
	Same   int           `json:"same"`  // on both fronts, with the same objectives
}

// RunHead says which run it is.
type RunHead struct {
	Dir       string `json:"dir"`
	Study     string `json:"study"`
	Evaluator string `json:"evaluator"`
	Currency  string `json:"currency"`
	Front     int    `json:"front"`
	Complete  bool   `json:"complete"`
	// Tolerance is that of its front (search.Front).
	Tolerance float64 `json:"tolerance,omitempty"`
	Evaluated int64   `json:"evaluated"`
}

// Passed is a design on the front of one run alone, with what it is under the other.
type Passed struct {
	Design     string             `json:"design"`
	Objectives map[string]float64 `json:"objectives"`
	Verdict    string             `json:"verdict"` // under the other run, as explain says it
	Why        string             `json:"why"`
	// Cause is which of the inputs makes the difference: limits, asked, search (found by the one alone), model, or what of prices and site differs.
	Cause string `json:"cause"`
}

// Moved is a design on both fronts whose figures differ.
type Moved struct {
	Design  string        `json:"design"`
	Changes []ValueChange `json:"changes"`
}

// ValueChange divides the change of a figure: Model, Prices and Inputs add up to After - Before. Each is what changes when that alone is taken from the later
// run, in this order: first the model, then the price list, then the rest.
type ValueChange struct {
	Key    string  `json:"metric"`
	Unit   string  `json:"unit"`
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	// Model is what the evaluator's versions, or measurements by simulation, make different.
	Model  float64 `json:"model"`
	Prices float64 `json:"prices"`
	Inputs float64 `json:"inputs"`
	// Undivided: the design has no such figure under the inputs of one run and the prices of the other, so that the parts are not known.
	Undivided bool `json:"undivided,omitempty"`
}

// mostExplained are designs that came or went for which a reason is looked up, an evaluation each.
const mostExplained = 50

// OfRuns compares two runs of any version of the program. families are as in study.Load.
func OfRuns(ctx context.Context, earlier, later string, families ...*topology.Family) (*Runs, error) {
	x := &Runs{Schema: RunsSchema, Inputs: []InputChange{}, Came: []Passed{}, Gone: []Passed{}, Moved: []Moved{}}
	var fronts [2]*search.Front
	var studies [2]*study.Study
	for i, dir := range []string{earlier, later} {
		m, err := run.ReadManifest(dir)
		if err != nil {
			return nil, err
		}
		if fronts[i], err = run.ReadFront(dir); err != nil {
			return nil, err
		}
		if studies[i], err = run.LoadInputs(dir, families...); err != nil {
			return nil, err
		}
		f := fronts[i]
		x.Runs[i] = RunHead{dir, f.Study, m.Evaluator, studies[i].Options.Currency, f.Points(), f.Complete, f.Tolerance, f.Counts.Evaluated}
	}
	if a, b := x.Runs[0].Evaluator, x.Runs[1].Evaluator; a != b {
		x.Inputs = append(x.Inputs, InputChange{InputModel, fmt.Sprintf("evaluator %s instead of %s", b, a)})
	}
	x.Inputs = append(x.Inputs, inputChanges(studies[0], studies[1])...)
	if err := x.moved(ctx, fronts, studies); err != nil {
		return nil, err
	}
	for side := range fronts {
		list, err := x.passed(ctx, side, fronts, families)
		if err != nil {
			return nil, err
		}
		if side == 0 {
			x.Gone = list
		} else {
			x.Came = list
		}
	}
	return x, nil
}

// has tells whether inputs of a kind differ.
func (x *Runs) has(what string) bool {
	return slices.ContainsFunc(x.Inputs, func(c InputChange) bool { return c.What == what })
}

// passed are the designs on the front of one side alone.
func (x *Runs) passed(ctx context.Context, side int, fronts [2]*search.Front, families []*topology.Family) ([]Passed, error) {
	out := []Passed{}
	other := 1 - side
	for i := range fronts[side].Front {
		r := &fronts[side].Front[i]
		if fronts[other].Find(r.Design) != nil {
			continue
		}
		p := Passed{Design: r.Design, Objectives: r.Objectives}
		if len(out) >= mostExplained {
			p.Why = "not looked up: too many designs differ"
			out = append(out, p)
			continue
		}
		e, err := run.Explain(ctx, x.Runs[other].Dir, r.Design, families...)
		switch {
		case errors.Is(err, run.ErrVersion):
			p.Why = "the other run is of evaluator " + x.Runs[other].Evaluator + ", under which nothing can be computed any more"
			p.Cause = InputModel
		case err != nil:
			return nil, err
		default:
			p.Verdict, p.Why, p.Cause = e.Verdict, e.Why, x.cause(e, r, fronts[side])
		}
		out = append(out, p)
	}
	return out, nil
}

// cause names the inputs that make the verdict of the other run on a design another than that of its own, on whose front it is.
func (x *Runs) cause(e *run.Explanation, r *search.Record, own *search.Front) string {
	first := func(kinds ...string) string {
		var out []string
		for _, k := range kinds {
			if x.has(k) {
				out = append(out, k)
			}
		}
		return strings.Join(out, ", ")
	}
	figures := []string{InputPrices, InputSite, InputModel} // what moves the figures of a design
	switch e.Verdict {
	case run.NotFound:
		return InputSearch
	case run.Outside, run.NoDesign:
		return InputAsked
	case run.Rejected:
		for _, m := range e.Misses {
			if m.Metric == "" || m.Absent || m.Got != r.Metrics[m.Metric].Value {
				return first(append(figures, InputLimits, InputAsked)...)
			}
		}
		return first(InputLimits, InputAsked) // its figures are the same: the limits moved
	}
	for _, by := range e.DominatedBy {
		if own.Find(by) == nil { // what dominates it there is not on the front here
			return first(append([]string{InputLimits, InputAsked}, figures...)...)
		}
	}
	return first(append(figures, InputAsked)...)
}

// moved compares the figures of designs on both fronts.
func (x *Runs) moved(ctx context.Context, fronts [2]*search.Front, studies [2]*study.Study) error {
	var evs [3]*evaluator.Evaluator // under the inputs of the first, those with the prices of the second, and the second's
	mixed := *studies[0]
	mixed.Catalogue, mixed.Currency = studies[1].Catalogue, studies[1].Currency
	mixed.Options.Catalog, mixed.Options.Currency, mixed.Options.Rates = studies[1].Options.Catalog, studies[1].Options.Currency, studies[1].Options.Rates
	var problems [3]*search.Problem
	for i, st := range []*study.Study{studies[0], &mixed, studies[1]} {
		var err error
		if evs[i], err = evaluator.New(st.Options); err != nil {
			return err
		}
		if problems[i], err = search.NewProblem(st, evs[i]); err != nil {
			return err
		}
	}
	for i := range fronts[0].Front {
		a := &fronts[0].Front[i]
		b := fronts[1].Find(a.Design)
		if b == nil {
			continue
		}
		keys := changedKeys(a, b, fronts[1].Objectives)
		if len(keys) == 0 {
			x.Same++
			continue
		}
		d, err := topology.ParseDesign(a.Design, studies[1].Known)
		if err != nil {
			return err
		}
		var at [3]*search.Record
		for k := range problems {
			if at[k], _, err = problems[k].Show(ctx, d); err != nil {
				return err
			}
		}
		m := Moved{Design: a.Design}
		for _, key := range keys {
			m.Changes = append(m.Changes, divide(key, a, b, at))
		}
		x.Moved = append(x.Moved, m)
	}
	return nil
}

// changedKeys are the metrics in which a design differs: the objectives, and cost, power, latency and racks whatever they are.
func changedKeys(a, b *search.Record, objectives []string) (keys []string) {
	var names []string
	for _, k := range []metric.Key{metric.Cost, metric.Latency, metric.UniformThroughput, metric.Power, metric.Racks} {
		names = append(names, metric.Keys[k].Name)
	}
	for _, name := range slices.Concat(objectives, names) {
		x, okA := a.Metrics[name]
		y, okB := b.Metrics[name]
		if okA && okB && x.Value != y.Value && !slices.Contains(keys, name) {
			keys = append(keys, name)
		}
	}
	return keys
}

// divide splits a change into what model, prices and the rest of the inputs make of it: at is the design under the inputs of the first run, those with
// the prices of the second, and those of the second, all under the present model. The parts add up whatever these give.
func divide(key string, a, b *search.Record, at [3]*search.Record) ValueChange {
	c := ValueChange{Key: key, Unit: b.Metrics[key].Unit, Before: a.Metrics[key].Value, After: b.Metrics[key].Value}
	var v [3]float64
	for i, r := range at {
		m, ok := r.Metrics[key]
		if v[i] = m.Value; !ok || m.Unit != c.Unit || a.Metrics[key].Unit != c.Unit {
			c.Undivided = true
		}
	}
	if c.Undivided {
		return c
	}
	c.Prices, c.Inputs = v[1]-v[0], v[2]-v[1]
	c.Model = (c.After - c.Before) - c.Prices - c.Inputs
	if math.Abs(c.Model) <= 1e-12*math.Max(math.Abs(c.After), math.Abs(c.Before)) {
		c.Model = 0 // what is left of the subtraction
	}
	return c
}
