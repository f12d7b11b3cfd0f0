package run

import (
	"context"
	"slices"

	"toposearch/search"
	"toposearch/search/verify"
	"toposearch/study"
)

// whole does all phases and gives the front.
func whole(ctx context.Context, d *search.Driver) (*search.Front, error) {
	p := d.P
	d.Begin(search.PhaseSearch, "")
	pl, err := plan(ctx, p, d.Workers())
	if err != nil {
		return nil, err
	}
	d.Prog.Strategy = pl.Strategy
	f := &search.Front{Schema: search.FrontSchema, Study: p.Study.Name, Complete: true, LocallyComplete: true}
	for _, o := range p.Objectives {
		f.Objectives = append(f.Objectives, o.Name())
	}
	complete := make([]bool, len(p.Spaces))
	for i, sp := range p.Spaces {
		complete[i] = sp.Size.Sign() == 0
	}
	trees := newTrees(p)
	if err := strategies(ctx, d, pl, f, complete, trees); err != nil {
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
