package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"

	"toposearch/evaluator/metric"
)

// fill puts counts and the bare front in place.
func (d *driver) fill(f *Front, complete []bool) {
	p := d.p
	c := &f.Counts
	*c = Counts{Enumerated: new(big.Int), Dominated: new(big.Int), Duplicates: new(big.Int),
		Rejected: map[string]*big.Int{}, Evaluated: d.prog.Evaluated, Families: make([]FamilyCounts, len(p.spaces))}
	for i, sp := range p.spaces {
		fc := &c.Families[i]
		*fc = FamilyCounts{Family: sp.fam.Name, Space: sp.size, Enumerated: new(big.Int), Evaluated: d.perFam[i].Evaluated,
			Feasible: d.perFam[i].Feasible, Rejected: map[string]*big.Int{}, Complete: complete[i],
			Dominated: new(big.Int), Duplicates: new(big.Int)}
		came := new(big.Int) // feasible designs that the tree has come to
		for name, n := range d.tally[i].tuples(sp) {
			fc.Enumerated.Add(fc.Enumerated, n)
			switch name {
			case feasible:
				came = n
			case dominated:
				fc.Dominated = n
			case duplicate:
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
	for _, m := range d.front.ordered() {
		c.Families[m.Space].OnFront++
		f.Front = append(f.Front, p.record(m))
	}
	if f.Front == nil {
		f.Front = []Record{}
	}
}

// record is a design on the front without its metrics.
func (p *Problem) record(m member) Record {
	r := Record{Design: m.name, Family: p.spaces[m.Space].fam.Name, Params: p.design(m.Space, m.V).Params(),
		Objectives: map[string]float64{}}
	for i, o := range p.objectives {
		r.Objectives[o.Name()] = o.Value(m.vector[i])
	}
	return r
}

// explainFamilies finds the closest designs of families that have no feasible one.
func (d *driver) explainFamilies(ctx context.Context, f *Front) error {
	var none []int
	for i := range d.p.spaces {
		if d.perFam[i].Feasible == 0 && f.Counts.Families[i].Feasible == 0 {
			none = append(none, i)
		}
	}
	if len(none) == 0 {
		return nil
	}
	d.prog.Phase = PhaseExplain
	d.report()
	var err error
	f.Closest, err = d.p.closest(ctx, d.workers(), none)
	return err
}

// details evaluates the designs on the front once more, for metrics with method and bounds, which
// the journal does not keep.
func (d *driver) details(ctx context.Context, f *Front) error {
	ms := d.front.ordered()
	errs := make([]error, len(ms))
	each(ctx, d.workers(), len(ms), func(_, i int) {
		errs[i] = d.p.detail(ctx, ms[i], &f.Front[i])
	})
	return errors.Join(append(errs, ctx.Err())...)
}

func (p *Problem) detail(ctx context.Context, m member, r *Record) error {
	res, err := p.model.Evaluate(ctx, p.design(m.Space, m.V), p.request)
	if err != nil {
		return fmt.Errorf("evaluate %s: %w", m.name, err)
	}
	e := newEntry(m.name, res)
	if s := p.judge(e); fmt.Sprint(s.V) != fmt.Sprint(m.vector) {
		return fmt.Errorf("%w: %s was journalled with objectives %v and is now evaluated as %v; was it written by another build?",
			ErrJournal, m.name, m.vector, s.V)
	}
	r.Metrics = map[string]metric.Figure{}
	for k := range res.Have {
		if res.Have[k] {
			r.Metrics[metric.Keys[k].Name] = finite(res.Metrics[k])
		}
	}
	for k, why := range res.Absent {
		if r.Absent == nil {
			r.Absent = map[string]string{}
		}
		r.Absent[metric.Keys[k].Name] = why
	}
	r.Bottleneck = res.Bottleneck
	return nil
}

// finite replaces bounds that JSON cannot hold: an unknown upper bound becomes the value.
func finite(m metric.Figure) metric.Figure {
	if jsonNumber(m.Hi) != m.Hi {
		m.Hi = m.Value
	}
	if jsonNumber(m.Lo) != m.Lo {
		m.Lo = m.Value
	}
	return m
}

// verdict is the exit status of a run and the reason for it.
func (p *Problem) verdict(f *Front, strict bool) (Status, string) {
	switch {
	case f.Stopped == stopInterrupted:
		return Interrupted, "stopped on request; what was found is saved"
	case len(f.Front) == 0 && f.Simulated != nil:
		return BudgetEnded, p.noneSimulated(f.Simulated)
	case len(f.Front) == 0 && f.Complete:
		return NoFeasible, "searched completely: no design is feasible"
	case len(f.Front) == 0:
		return BudgetEnded, "the search ended before a feasible design was found"
	}
	if strict {
		for i := range f.Front {
			if v := f.Front[i].Verified; v != nil && v.Contradicts {
				return Contradicts, "simulation contradicts the model for " + f.Front[i].Design
			}
		}
	}
	if !p.required(f) {
		return Missed, "no design on the front meets what [require] asks for: " + p.bestOfRequired(f)
	}
	n := "1 design"
	if len(f.Front) != 1 {
		n = fmt.Sprintf("%d designs", len(f.Front))
	}
	if f.Complete {
		return Done, n + " on the complete front"
	}
	return Done, n + " on the front, which is not proved complete"
}

// bestOfRequired names each threshold with the best that a design on the front reaches.
func (p *Problem) bestOfRequired(f *Front) string {
	var parts []string
	for i := range p.require {
		l := &p.require[i]
		side, best := "at least", math.Inf(-1)
		if l.Max {
			side, best = "at most", math.Inf(1)
		}
		for j := range f.Front {
			x, ok := p.valueOf(l.Key, &f.Front[j])
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
			found = "the best has " + p.amount(metric.Keys[l.Key].Name, best)
		}
		parts = append(parts, fmt.Sprintf("%s %s %s (%s)", metric.Keys[l.Key].Name, side, p.amount(metric.Keys[l.Key].Name, l.Bound), found))
	}
	return strings.Join(parts, "; ")
}

// required tells whether some design on the front meets all thresholds.
func (p *Problem) required(f *Front) bool {
	if len(p.require) == 0 {
		return true
	}
	for i := range f.Front {
		ok := true
		for k := range p.require {
			ok = ok && p.meets(&p.require[k], &f.Front[i])
		}
		if ok {
			return true
		}
	}
	return false
}
