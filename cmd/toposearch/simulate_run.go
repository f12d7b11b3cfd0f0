package main

import (
	"context"
	"fmt"

	"toposearch/simcore"
	"toposearch/simcore/flit"
	"toposearch/simulate"
)

// simulateFlit simulates in the flit model.
func (a *app) simulateFlit(ctx context.Context, t *simTask) error {
	f := t.flags
	choice := f.choice(a)
	choice.Want = flit.DefaultConfig().VCs
	r, tr, err := t.parts(ctx, choice)
	if err != nil {
		return err
	}
	cfg, err := f.config(a, max(choice.Want, r.VCs()))
	if err != nil {
		return err
	}
	sim, err := flit.New(t.net, r, tr, cfg)
	if err != nil {
		return flagNames(err)
	}
	head := t.head(simulate.FlitConfig(sim, choice, r, t.net))
	if t.work != nil {
		return a.flitWorkload(ctx, t, sim, head)
	}
	if err := checkLoads(sim, t.loads, f.saturation); err != nil {
		return err
	}
	if f.bench {
		c := sim.Config()
		return a.bench(ctx, &simulate.Benchmark{Design: head.Design, Sim: sim, Loads: t.loads, Seed: c.Seed, Endpoints: t.net.Endpoints(),
			Warmup: c.Warmup, Cycles: c.Measure})
	}
	doc := &simulate.Document{Head: head}
	if err := a.flitLoads(ctx, t, sim, doc); err != nil && ctx.Err() == nil {
		return err
	}
	if a.json {
		if err := printJSON(a.out, doc); err != nil {
			return err
		}
	} else {
		printPoints(a.out, doc, f)
	}
	var points []*simcore.Point
	for i := range doc.Points {
		points = append(points, &doc.Points[i].Point)
	}
	saturation := 0.0
	if s := doc.Saturation; s != nil {
		saturation = s.Load
	}
	if err := f.writeFigures(&head, points, saturation, flitUnits); err != nil {
		return err
	}
	return ctx.Err()
}

// flitLoads simulates the loads and, if it is asked for, searches for saturation.
func (a *app) flitLoads(ctx context.Context, t *simTask, sim *flit.Sim, doc *simulate.Document) (err error) {
	c := sim.Config()
	prog := a.newSimProgress(c.Warmup+c.Measure, t.loads)
	doc.Points, err = a.runner(prog).Loads(ctx, sim, t.loads)
	prog.end()
	if err == nil && t.flags.saturation {
		prog := a.newSearchProgress("saturation")
		doc.Saturation, err = a.runner(prog).Saturation(ctx, sim)
		prog.end()
	}
	return err
}

// flitWorkload simulates a closed loop.
func (a *app) flitWorkload(ctx context.Context, t *simTask, sim *flit.Sim, head simulate.Head) error {
	if err := t.checkWorkload(); err != nil {
		return err
	}
	prog := a.newSearchProgress("workload " + t.work.Kind)
	doc, err := a.runner(prog).Workload(ctx, sim, head, *t.work)
	prog.end()
	if err != nil && ctx.Err() == nil {
		return usage(err)
	}
	c := head.Config
	p := &loopPage{head: &doc.Head, result: &doc.LoopResult, units: flitUnits, deadlock: doc.Deadlock,
		message: fmt.Sprintf("%d flits", t.work.Message), switches: fmt.Sprintf("%v VCs of %v flits", c["vcs"], c["buffer_flits"])}
	return a.showLoop(ctx, t.flags, doc, p)
}
