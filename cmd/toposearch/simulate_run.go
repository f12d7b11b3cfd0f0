package main

import (
	"context"
	"fmt"

	"toposearch/evaluator"
	"toposearch/simcore"
	"toposearch/simcore/flit"
	"toposearch/simulate"
)

// simulateFlit simulates in the flit model.
func (a *app) simulateFlit(ctx context.Context, t *simTask) error {
	f := t.flags
	gbps, err := a.rate(t)
	if err != nil {
		return err
	}
	choice := f.choice(a)
	choice.Want = flit.SwitchConfig().VCs
	r, tr, plan, err := t.failingParts(ctx, choice, f.cycles)
	if err != nil {
		return err
	}
	cfg, err := f.config(a, max(choice.Want, r.VCs()))
	if err != nil {
		return err
	}
	cfg.Failures = plan
	sim, err := flit.New(t.net, r, tr, cfg)
	if err != nil {
		return flagNames(err)
	}
	head := t.head(simulate.FlitConfig(sim, choice, r, t.net, gbps))
	if t.outages != nil {
		t.outages.Config(head.Config)
	}
	if t.work != nil {
		return a.flitWorkload(ctx, t, sim, head)
	}
	if t.collective != nil {
		return a.playFlit(ctx, t, sim, head, gbps)
	}
	if err := checkLoads(sim, t.loads, f.saturation); err != nil {
		return err
	}
	if f.bench {
		c := sim.Config()
		return a.bench(ctx, &simulate.Benchmark{Design: head.Design, Sim: sim, Loads: t.loads, Seed: c.Seed,
			Warmup: c.Warmup, Cycles: c.Measure})
	}
	doc := &simulate.Document{Head: head}
	if doc.Carried, err = t.carried(ctx, choice, tr); err != nil {
		return err
	}
	if err := a.flitLoads(ctx, t, sim, doc); err != nil && ctx.Err() == nil {
		return err
	}
	for i := range doc.Points {
		t.outages.Describe(doc.Points[i].Failures)
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

// rate gives the network of a task the rates on sale that eval has for it, and tells what load 1 is, Gb/s.
func (a *app) rate(t *simTask) (gbps float64, err error) {
	opt := evaluator.Options{}
	if opt.BandwidthGbps, err = t.flags.cut.gbps(); err != nil {
		return 0, err
	}
	e, err := evaluator.New(opt)
	if err != nil {
		return 0, usage(err)
	}
	if e, err = a.evaluatorOf(t.design, e, opt); err != nil {
		return 0, usage(err)
	}
	t.net, gbps, err = e.Rated(t.design, t.net)
	return gbps, err
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
	if err := joinUsage(t.checkWorkload(), t.makeScript(1, a.seedOr(1), head.Config)); err != nil {
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
	p.script, p.phases = t.flags.loop.script, doc.Phases
	return a.showLoop(ctx, t.flags, doc, p)
}
