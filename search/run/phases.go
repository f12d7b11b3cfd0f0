package run

import (
	"context"

	"toposearch/internal/pack"
	"toposearch/search"
	"toposearch/search/branch"
	"toposearch/search/evolve"
	"toposearch/study"
)

// phase is a strategy for some of the families.
type phase struct {
	name  string
	which []bool
	limit []float64 // of an enumeration, see branch.Enumeration.Limit,
	each  []float64 // and Each
}

// stages puts a plan into order: what can be enumerated first, so that evolution knows its front.
func stages(p *search.Problem, pl *Plan) []phase {
	var out []phase
	for _, name := range []string{study.Enumerate, study.Random, study.NSGA2, study.Local} {
		which := make([]bool, len(p.Spaces))
		any := false
		for i := range pl.Families {
			s := pl.Families[i].Strategy
			if (s == name || s == Attempt && name == study.Enumerate) && p.Spaces[i].Size.Sign() > 0 {
				which[i], any = true, true
			}
			// What an attempt leaves comes to evolution; it is unmarked if nothing is left.
			if s == Attempt && name == study.NSGA2 {
				which[i], any = true, true
			}
		}
		if any {
			out = append(out, phase{name, which, limitsOf(p, pl), eachOf(pl)})
		}
	}
	return out
}

// strategies runs those of a plan until one is stopped, and marks the families that are complete. s may be nil: nothing is saved.
func strategies(ctx context.Context, d *search.Driver, pl *Plan, f *search.Front, complete []bool, t *trees, s *savepoints) (err error) {
	s.over(pl, f, complete, t)
	defer func() { d.Rest = nil }()
	for i, st := range stages(d.P, pl) {
		if s.was(i) || !st.undone(complete) || f.Stopped != "" {
			continue
		}
		if s.begin(i) == nil {
			f.Strategy = joined(f.Strategy, st.name)
		}
		d.Begin(search.PhaseSearch, st.name)
		if f.Stopped, err = stage(ctx, d, st, complete, t, s); err != nil {
			return err
		}
	}
	return nil
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

// stage runs one strategy, from a savepoint if there is one of it, and takes over its counts.
func stage(ctx context.Context, d *search.Driver, st phase, complete []bool, t *trees, sv *savepoints) (stop string, err error) {
	state := sv.take()
	switch st.name {
	case study.Enumerate:
		var e *branch.Enumeration
		if state != nil {
			e = t.all[len(t.all)-1]
		} else {
			e = branch.NewEnumeration(d.P, d.Workers(), st.which)
			e.Remote = d.Opt.Remote
			if st.limit != nil {
				e.Limit = st.limit
			}
			if st.each != nil {
				e.Each = st.each
			}
			t.add(e, st.which)
		}
		stop, err = enumerate(ctx, d, e, st.which, sv, state)
		for i := range e.Tally {
			d.Tally[i].Merge(&e.Tally[i])
			complete[i] = complete[i] || st.which[i] && !e.Abandoned[i] && stop == "" && err == nil
		}
		return stop, err
	case study.Random:
		t.evolve(st.which)
		s := evolve.NewSampling(d.P, st.which)
		asked := d.Asked // when the lap began
		if state != nil {
			asked = state.Int()
			s.Load(state)
		}
		d.Rest = func(stops bool) {
			sv.may(func(w *pack.Writer) {
				w.Int(asked)
				s.Save(w)
			}, stops)
		}
		for { // with a budget until it is spent, or a lap drew nothing that was not asked before
			if stop, err = d.Search(ctx, s, true); stop != "" || err != nil || !budgeted(d) || d.Asked == asked {
				return stop, err
			}
			asked = d.Asked
			s.Lap()
		}
	}
	t.evolve(st.which)
	return rounds(ctx, d, st, sv, state)
}

// polishShare is the part of a budget of evaluations that is kept for local search after each round of NSGA-II.
const polishShare = 5 // a fifth of it

// budgeted tells whether evaluations or time end a search.
func budgeted(d *search.Driver) bool { return d.Left >= 0 || d.P.Study.Search.Time > 0 }

// calmRounds is how many rounds in a row leave the front as it is before a search without a budget ends.
const calmRounds = 2

// rounds alternates NSGA-II, or for local search new starts, with local search from the front that is left, until the budget is spent,
// nothing is left that was not asked before, or, without a budget, the front stays. It is saved between two rounds.
func rounds(ctx context.Context, d *search.Driver, st phase, sv *savepoints, state *pack.Reader) (stop string, err error) {
	budget := budgeted(d)
	scout := evolve.NewScout(d.P)
	l := evolve.NewLocal(d.P, st.which, nil, scout)
	round, calm := 0, 0
	if state != nil {
		round, calm = int(state.Int()), int(state.Int())
		scout.Load(state)
		l.Load(state, d.P)
	}
	d.Rest = nil
	for ; ; round++ {
		sv.may(func(w *pack.Writer) {
			w.Int(int64(round))
			w.Int(int64(calm))
			scout.Save(w)
			l.Save(w)
		}, false)
		asked, changes := d.Asked, d.Changes
		if st.name == study.NSGA2 {
			stop, err = runNSGA2(ctx, d, st.which, round, scout)
		} else {
			l.Restart(round)
		}
		if stop == "" && err == nil {
			l.Join(d.Front.Ordered())
			stop, err = d.Search(ctx, l, true)
		}
		scout.Next()
		if calm++; d.Changes != changes {
			calm = 0
		}
		if stop != "" || err != nil || d.Asked == asked || d.Left == 0 || !budget && calm >= calmRounds {
			return stop, err
		}
	}
}

// runNSGA2 runs a round of NSGA-II until its archive stays or its share of the budget ends.
func runNSGA2(ctx context.Context, d *search.Driver, which []bool, round int, scout *evolve.Scout) (stop string, err error) {
	s := evolve.NewNSGA2(d.P, which, round, d.Front.Ordered(), scout)
	defer s.Close()
	if d.Left <= 0 { // there is no budget, or nothing left of it
		return d.Search(ctx, s, true)
	}
	return d.Allow(d.Left-d.Left/polishShare, func() (string, error) { return d.Search(ctx, s, true) })
}
