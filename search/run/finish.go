package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"

	"toposearch/evaluator/metric"
	"toposearch/internal/unit"
	"toposearch/search"
	"toposearch/search/branch"
	"toposearch/search/verify"
)

// fill puts counts and the bare front in place.
func fill(d *search.Driver, f *search.Front, complete []bool) {
	p := d.P
	c := &f.Counts
	*c = search.Counts{Enumerated: new(big.Int), Dominated: new(big.Int), Duplicates: new(big.Int),
		Rejected: map[string]*big.Int{}, Evaluated: d.Prog.Evaluated, Families: make([]search.FamilyCounts, len(p.Spaces))}
	for i, sp := range p.Spaces {
		fc := &c.Families[i]
		*fc = search.FamilyCounts{Family: sp.Fam.Name, Space: sp.Size, Enumerated: new(big.Int), Evaluated: d.PerFam[i].Evaluated,
			Feasible: d.PerFam[i].Feasible, Rejected: map[string]*big.Int{}, Complete: complete[i],
			Dominated: new(big.Int), Duplicates: new(big.Int)}
		came := new(big.Int) // feasible designs that the tree has come to
		for name, n := range d.Tally[i].Tuples(sp) {
			fc.Enumerated.Add(fc.Enumerated, n)
			switch name {
			case search.Feasible:
				came = n
			case search.Dominated:
				fc.Dominated = n
			case search.Duplicate:
				fc.Duplicates = n
			default:
				fc.Rejected[name] = n
				if c.Rejected[name] == nil {
					c.Rejected[name] = new(big.Int)
				}
				c.Rejected[name].Add(c.Rejected[name], n)
			}
		}
		// Designs that were evaluated and found feasible before the tree came by, and that the front
		// outdid until then, are among the dominated so far: they count once, as feasible.
		if early := came.Sub(big.NewInt(fc.Feasible), came); complete[i] && early.Sign() > 0 {
			fc.Dominated.Sub(fc.Dominated, early)
		}
		c.Dominated.Add(c.Dominated, fc.Dominated)
		c.Duplicates.Add(c.Duplicates, fc.Duplicates)
		c.Feasible += fc.Feasible
		c.Enumerated.Add(c.Enumerated, fc.Enumerated)
	}
	for _, m := range d.Front.Ordered() {
		c.Families[m.Space].OnFront++
		f.Front = append(f.Front, record(p, m))
	}
	if f.Front == nil {
		f.Front = []search.Record{}
	}
}

// record is a design on the front without its metrics.
func record(p *search.Problem, m search.Member) search.Record {
	r := search.Record{Design: m.Name, Family: p.Spaces[m.Space].Fam.Name, Params: p.Design(m.Space, m.V).Params(),
		Objectives: map[string]float64{}}
	for i, o := range p.Objectives {
		r.Objectives[o.Name()] = o.Value(m.Vector[i])
	}
	return r
}

// closestNs is what finding the design of a family without a feasible one takes that comes closest, measured on one core of 2.5 GHz.
const closestNs = 7e8

// explainFamilies finds the closest designs of families that have no feasible one.
func explainFamilies(ctx context.Context, d *search.Driver, f *search.Front) error {
	var none []int
	for i := range d.P.Spaces {
		if d.PerFam[i].Feasible == 0 && !d.Met[i] && f.Counts.Families[i].Feasible == 0 {
			none = append(none, i)
		}
	}
	if len(none) == 0 {
		return nil
	}
	d.Begin(search.PhaseExplain, "")
	d.Prog.Left = closestNs / 1e9 * math.Ceil(float64(len(none))/float64(d.Workers()))
	d.Report()
	if line, ok, err := d.J.NextNote(closestLine); ok || err != nil {
		var note closestNote
		err = errors.Join(err, json.Unmarshal(line, &note))
		f.Closest = note.Closest
		return err
	}
	within, cancel := d.ToExplain(ctx)
	defer cancel()
	closest, err := branch.Closest(within, d.P, d.Workers(), none)
	if f.Closest = closest; err == nil || ctx.Err() != nil || within.Err() == nil {
		return err
	}
	return d.J.Note(closestNote{Closest: closest})
}

// closestNote is the line of the journal of what explained families when the budget of time ended, which nobody finds again by
// the same steps; closestLine begins it.
type closestNote struct {
	Closest []search.Closest `json:"closest"`
}

const closestLine = `{"closest":`

// details gives the designs on the front their metrics with method and bounds, which the journal does not keep: those that
// it answered for are evaluated once more, but where the run is only interrupted.
func details(ctx context.Context, d *search.Driver, f *search.Front) error {
	ms := d.Front.Ordered()
	errs := make([]error, len(ms))
	if len(ms) > detailsAtOnce {
		d.Begin(search.PhaseFigures, "")
	}
	for from := 0; from < len(ms); from += detailsAtOnce {
		search.Each(ctx, d.Workers(), min(detailsAtOnce, len(ms)-from), func(_, i int) {
			i += from
			errs[i] = detail(ctx, d, &ms[i], &f.Front[i], f.Stopped == search.StopInterrupted)
		})
		if len(ms) > detailsAtOnce {
			d.Prog.Fraction = min(1, float64(from+detailsAtOnce)/float64(len(ms)))
			d.Report()
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(append(errs, ctx.Err())...)
}

// detailsAtOnce is after how many designs people are told how far it is: a second or a few.
const detailsAtOnce = 128

func detail(ctx context.Context, d *search.Driver, m *search.Member, r *search.Record, brief bool) error {
	if res := d.Brief(m); brief && res != nil {
		r.Fill(res)
		return nil
	}
	res, err := d.Result(ctx, m, d.P.Shown())
	if err != nil {
		return err
	}
	e := search.NewEntry(m.Name, res)
	if s := d.P.ScoreEntry(e); fmt.Sprint(s.V) != fmt.Sprint(m.Vector) {
		return fmt.Errorf("%w: %s was journalled with objectives %v and is now evaluated as %v; was it written by another build?",
			ErrJournal, m.Name, m.Vector, s.V)
	}
	r.Fill(res)
	return nil
}

// verdict is the exit status of a run and the reason for it.
func verdict(p *search.Problem, f *search.Front, strict bool) (search.Status, string) {
	switch {
	case f.Stopped == search.StopInterrupted:
		return search.Interrupted, "stopped on request; what was found is saved"
	case len(f.Front) == 0 && f.Simulated != nil:
		return search.BudgetEnded, verify.NoneSimulated(p, f.Simulated)
	case len(f.Front) == 0 && f.Complete:
		return search.NoFeasible, "searched completely: no design is feasible"
	case len(f.Front) == 0:
		return search.BudgetEnded, "the search ended before a feasible design was found"
	}
	if strict {
		for i := range f.Front {
			if v := f.Front[i].Verified; v != nil && v.Contradicts {
				return search.Contradicts, "simulation contradicts the model for " + f.Front[i].Design
			}
		}
	}
	if !required(p, f) {
		return search.Missed, "no design on the front meets what [require] asks for: " + bestOfRequired(p, f)
	}
	n := "1 design"
	if k := f.Points(); k != 1 {
		n = fmt.Sprintf("%d designs", k)
	}
	if f.Complete {
		if f.Tolerance > 0 {
			return search.Done, n + " on a front that is complete within " + unit.Percent(f.Tolerance)
		}
		return search.Done, n + " on the complete front"
	}
	n += " on the front, which is not proved complete"
	if f.Proof != nil {
		n += "; " + f.Proof.Text()
	}
	return search.Done, n
}

// bestOfRequired names each threshold with the best that a design on the front reaches.
func bestOfRequired(p *search.Problem, f *search.Front) string {
	var parts []string
	for i := range p.Require {
		l := &p.Require[i]
		side, best := "at least", math.Inf(-1)
		if l.Max {
			side, best = "at most", math.Inf(1)
		}
		for j := range f.Front {
			x, ok := verify.ValueOf(p, l.Key, &f.Front[j])
			switch {
			case !ok:
			case l.Max:
				best = min(best, x)
			default:
				best = max(best, x)
			}
		}
		found := "no design has a value"
		if !math.IsInf(best, 0) {
			found = "the best has " + p.Amount(metric.Keys[l.Key].Name, best)
		}
		parts = append(parts, fmt.Sprintf("%s %s %s (%s)", metric.Keys[l.Key].Name, side, p.Amount(metric.Keys[l.Key].Name, l.Bound), found))
	}
	return strings.Join(parts, "; ")
}

// required tells whether some design on the front meets all thresholds.
func required(p *search.Problem, f *search.Front) bool {
	if len(p.Require) == 0 {
		return true
	}
	for i := range f.Front {
		ok := true
		for k := range p.Require {
			ok = ok && verify.Meets(p, &p.Require[k], &f.Front[i])
		}
		if ok {
			return true
		}
	}
	return false
}
