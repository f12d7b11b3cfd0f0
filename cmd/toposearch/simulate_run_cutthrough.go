package main

import (
	"context"
	"errors"
	"fmt"

	"toposearch/evaluator"
	"toposearch/internal/unit"
	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
	"toposearch/simcore/route"
	"toposearch/simulate"
)

// simulateCut simulates in the cut-through model.
func (a *app) simulateCut(ctx context.Context, t *simTask) error {
	f := t.flags
	cfg, err := f.cutConfig()
	if err != nil {
		return err
	}
	gbps, err := f.cut.gbps()
	if err == nil && gbps == 0 {
		gbps, err = a.statedGbps(t.design)
	}
	if err != nil {
		return err
	}
	cables, err := f.cut.wire(ctx, t.design, t.net, gbps, &cfg)
	if err != nil {
		return err
	}
	choice := f.choice(a)
	if t.outages != nil && t.outages.How != "" {
		router, err := route.RouterFor(evaluator.RoutingNatural, t.net, choice.RouteOptions(t.design, t.net).Natural)
		if err != nil {
			return err
		}
		t.outages.Repair = t.outages.NewsNs(router, &cfg, t.outages.How)
	}
	r, tr, plan, err := t.failingParts(ctx, choice, cfg.MeasureNs)
	if err != nil {
		return err
	}
	cfg.Failures = plan
	cfg.Seed = choice.Seed
	before := uint64(0)
	if f.bench {
		before = simulate.HeapInUse()
	}
	sim, err := cutthrough.New(t.net, r, tr, cfg)
	if err != nil {
		return flagNames(err)
	}
	zero, err := simulate.Settle(sim, f.warmup == "auto")
	var short *simulate.ShortWarmupError
	if errors.As(err, &short) {
		return usagef("--warmup %d: lone packets take up to %.0f ns here; warm up for several times that, or write auto", short.WarmupNs, short.LongestNs)
	} else if err != nil {
		return err
	}
	head := t.head(simulate.CutConfig(sim, choice, t.net, cables, zero))
	if t.outages != nil {
		t.outages.Config(head.Config)
	}
	if t.work != nil {
		return a.cutWorkload(ctx, t, sim, head)
	}
	if t.collective != nil {
		net := t.net
		if _, err := a.rate(t); err != nil {
			return err
		}
		rated := t.net
		t.net = net
		return a.playCut(ctx, t, sim, head, rated)
	}
	doc := &simulate.CutDocument{Head: head}
	if doc.Carried, err = t.carried(ctx, choice, tr); err != nil {
		return err
	}
	if err := a.cutLoads(ctx, t, sim, doc, before); err != nil && ctx.Err() == nil {
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
		printCut(a.out, doc, t.net, f)
	}
	var points []*simcore.Point
	for i := range doc.Points {
		points = append(points, &doc.Points[i].Point.Point)
	}
	saturation := 0.0
	if s := doc.Saturation; s != nil {
		saturation = s.Load
	}
	if err := f.writeFigures(&head, points, saturation, cutUnits); err != nil {
		return err
	}
	return ctx.Err()
}

// cutLoads simulates or times the loads and, if it is asked for, searches for saturation. before is the
// memory in use without the simulation.
func (a *app) cutLoads(ctx context.Context, t *simTask, sim *cutthrough.Sim, doc *simulate.CutDocument, before uint64) (err error) {
	c := sim.Config()
	prog := a.newSimProgress(c.WarmupNs+c.MeasureNs, t.loads)
	if t.flags.bench {
		doc.Points, err = a.runner(prog).CutBench(ctx, sim, t.loads, before)
	} else {
		doc.Points, err = a.runner(prog).CutLoads(ctx, sim, t.loads)
	}
	prog.end()
	if err != nil || !t.flags.saturation {
		return err
	}
	tolerance, err := parseShare("tolerance", t.flags.tolerance)
	if err != nil {
		return err
	}
	prog = a.newSearchProgress("saturation")
	doc.Saturation, err = a.runner(prog).CutSaturation(ctx, sim, tolerance)
	prog.end()
	return err
}

// cutWorkload simulates a closed loop.
func (a *app) cutWorkload(ctx context.Context, t *simTask, sim *cutthrough.Sim, head simulate.Head) error {
	if err := joinUsage(t.checkWorkload(), t.makeScript(psPerNs, a.seedOr(1), head.Config)); err != nil {
		return err
	}
	w := t.work
	prog := a.newSearchProgress("workload " + w.Kind)
	doc, err := a.runner(prog).CutWorkload(ctx, sim, head, cutthrough.Workload{Kind: w.Kind, Window: w.Window, Message: w.Message, Rounds: w.Rounds, MaxNs: w.MaxCycles, Script: w.Script})
	prog.end()
	if err != nil && ctx.Err() == nil {
		return flagNames(err)
	}
	r, c := &doc.LoopResult, head.Config
	p := &loopPage{head: &doc.Head, units: cutUnits, deadlock: r.Deadlock,
		result: &simcore.LoopResult{Workload: *w, Point: r.Point.Point, Completed: r.Completed, Completion: r.Completion, Round: r.Round,
			Ideal: r.Ideal, IdealBy: r.IdealBy, Efficiency: r.Efficiency},
		message: unit.KindBytes.Format(float64(w.Message)),
		switches: fmt.Sprintf("cut-through at %v Gb/s, %v VCs, %v, %v queues, buffers of %s", c["bandwidth_gbps"], c["vcs"], c["flow_control"], c["queueing"],
			unit.KindBytes.Format(float64(c["buffer_bytes"].(int64))))}
	p.script, p.phases = t.flags.loop.script, doc.Phases
	return a.showLoop(ctx, t.flags, doc, p)
}
