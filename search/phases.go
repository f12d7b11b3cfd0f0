package search

import (
	"context"

	"toposearch/study"
)

// phase is a strategy for some of the families.
type phase struct {
	name  string
	which []bool
	limit []float64 // of an enumeration, see enumeration.limit
}

// stages puts a plan into order: what can be enumerated first, so that evolution knows its front.
func (p *Problem) stages(pl *Plan) []phase {
	var out []phase
	for _, name := range []string{study.Enumerate, study.Random, study.NSGA2, study.Local} {
		which := make([]bool, len(p.spaces))
		any := false
		for i := range pl.Families {
			s := pl.Families[i].Strategy
			if (s == name || s == Attempt && name == study.Enumerate) && p.spaces[i].size.Sign() > 0 {
				which[i], any = true, true
			}
			// What an attempt leaves comes to evolution; it is unmarked if nothing is left.
			if s == Attempt && name == study.NSGA2 {
				which[i], any = true, true
			}
		}
		if any {
			out = append(out, phase{name, which, p.limitsOf(pl)})
		}
	}
	return out
}

// whole does all phases and gives the front.
func (d *driver) whole(ctx context.Context) (*Front, error) {
	p := d.p
	d.prog.Phase = PhaseSearch
	pl, err := p.plan(ctx, d.workers())
	if err != nil {
		return nil, err
	}
	d.prog.Strategy = pl.Strategy
	f := &Front{Schema: FrontSchema, Study: p.study.Name, Complete: true, LocallyComplete: true}
	for _, o := range p.objectives {
		f.Objectives = append(f.Objectives, o.Name())
	}
	complete := make([]bool, len(p.spaces))
	for i, sp := range p.spaces {
		complete[i] = sp.size.Sign() == 0
	}
	for _, st := range p.stages(pl) {
		if st.undone(complete) && f.Stopped == "" {
			f.Strategy = joined(f.Strategy, st.name)
			if f.Stopped, err = d.stage(ctx, st, complete); err != nil {
				return nil, err
			}
		}
	}
	for _, c := range complete {
		f.Complete = f.Complete && c
	}
	f.LocallyComplete = f.Complete || f.Stopped == "" && pl.Strategy != study.Random
	d.fill(f, complete)
	if f.Stopped == stopInterrupted {
		return f, d.details(ctx, f)
	}
	if err := d.explainFamilies(ctx, f); err != nil {
		return nil, err
	}
	if err := d.details(ctx, f); err != nil {
		return nil, err
	}
	if stop, err := d.verify(ctx, f); stop != "" || err != nil {
		f.Stopped = stop
		return f, err
	}
	return f, nil
}

// undone takes out of a stage what is complete already, and tells whether anything is left.
func (s *phase) undone(complete []bool) bool {
	left := false
	for i := range s.which {
		s.which[i] = s.which[i] && !complete[i]
		left = left || s.which[i]
	}
	return left
}

// joined adds a strategy to a list of those that ran.
func joined(list, name string) string {
	if list == "" {
		return name
	}
	return list + "+" + name
}

// stage runs one strategy and takes over its counts.
func (d *driver) stage(ctx context.Context, st phase, complete []bool) (stop string, err error) {
	switch st.name {
	case study.Enumerate:
		e := newEnumeration(d.p, d.workers(), st.which)
		if st.limit != nil {
			e.limit = st.limit
		}
		stop, err = d.search(ctx, e, false)
		for i := range e.tally {
			d.tally[i].merge(&e.tally[i])
			complete[i] = complete[i] || st.which[i] && !e.abandoned[i] && stop == "" && err == nil
		}
		return stop, err
	case study.Random:
		return d.search(ctx, newSampling(d.p, st.which), true)
	case study.NSGA2:
		if stop, err = d.evolve(ctx, st.which); stop != "" || err != nil {
			return stop, err
		}
	}
	return d.search(ctx, newLocal(d.p, st.which, d.front.ordered()), true)
}

// polishShare is the part of a budget of evaluations that is kept for local search.
const polishShare = 5 // one in so many

// evolve runs NSGA-II until its archive stays or its share of the budget ends.
func (d *driver) evolve(ctx context.Context, which []bool) (stop string, err error) {
	s := newNSGA2(d.p, which, nil)
	defer s.Close()
	kept := int64(0)
	if d.left > 0 {
		kept = d.left / polishShare
		d.left -= kept
	}
	stop, err = d.search(ctx, s, true)
	d.left += kept
	if stop == stopEvaluations && kept > 0 {
		stop = ""
	}
	return stop, err
}
