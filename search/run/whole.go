package run

import (
	"context"
	"slices"

	"toposearch/search"
	"toposearch/search/verify"
	"toposearch/study"
)

// whole does all phases and gives the front, from a savepoint where s has loaded one.
func whole(ctx context.Context, d *search.Driver, s *savepoints) (*search.Front, error) {
	p := d.P
	d.Begin(search.PhaseSearch, "")
	var pl *Plan
	var err error
	from := s != nil && s.state != nil
	if from {
		pl = s.plan
	} else if pl, err = plan(ctx, p, d.Workers(), false); err != nil {
		return nil, err
	}
	d.Prog.Strategy, d.Keep, d.Finish = pl.Strategy, kept(p, pl, d.Workers()), finishing(p, expectedFront, pl.shown())
	f := &search.Front{Schema: search.FrontSchema, Study: p.Study.Name, Complete: true, LocallyComplete: true, Tolerance: p.Tolerance}
	for _, o := range p.Objectives {
		f.Objectives = append(f.Objectives, o.Name())
	}
	complete := make([]bool, len(p.Spaces))
	for i, sp := range p.Spaces {
		complete[i] = sp.Size.Sign() == 0
	}
	trees := newTrees(p)
	if from {
		complete, trees, f.Strategy = s.complete, s.trees, s.front.Strategy
	}
	if err := strategies(ctx, d, pl, f, complete, trees, s); err != nil {
		return nil, err
	}
	if f.Stopped != search.StopInterrupted && slices.Contains(complete, false) {
		if f.Proof, err = trees.prove(ctx, d, complete); err != nil {
			return nil, err
		}
	}
	for _, c := range complete {
		f.Complete = f.Complete && c
	}
	f.LocallyComplete = f.Complete || f.Stopped == "" && pl.Strategy != study.Random
	fill(d, f, complete)
	if f.Stopped == search.StopInterrupted {
		return f, details(ctx, d, f)
	}
	if err := explainFamilies(ctx, d, f); err != nil {
		return nil, err
	}
	if err := details(ctx, d, f); err != nil {
		return nil, err
	}
	if p.Study.Search.Time > 0 { // else nothing is kept, and what reports take need not be modelled
		d.Finish = finishing(p, d.Front.Len(), shownOf(ctx, p, d.Front.Ordered()))
	}
	finish := verify.Verify
	if p.Study.Verify.Fidelity == study.FidelitySearch && d.Front.Len() > 0 {
		finish = func(ctx context.Context, d *search.Driver, f *search.Front) (string, error) {
			return twoFidelities(ctx, d, f, complete)
		}
	}
	if stop, err := finish(ctx, d, f); stop != "" || err != nil {
		f.Stopped = stop
		return f, err
	}
	if stop, err := incumbents(ctx, d, f); stop != "" || err != nil {
		f.Stopped = stop
		return f, err
	}
	return f, markSame(ctx, p, f)
}
