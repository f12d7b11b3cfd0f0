package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"toposearch/internal/unit"
	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
	"toposearch/simcore/flit"
)

// loopHead is what the JSON of a closed loop says of what was run.
type loopHead struct {
	Schema string         `json:"schema"`
	Design string         `json:"design"`
	Config map[string]any `json:"config"`
	Failed *failReport    `json:"failed,omitempty"`
}

// loopDoc is the JSON of a closed loop, cutLoopDoc that of the cut-through model.
type loopDoc struct {
	loopHead
	simcore.LoopResult
	WallS float64 `json:"wall_s"`
}

type cutLoopDoc struct {
	loopHead
	cutthrough.LoopResult
	WallS float64 `json:"wall_s"`
}

const loopSchema = "toposearch.simulate-workload/1"

// loopPage is what the page of a closed loop shows, of either model.
type loopPage struct {
	doc      any // for --json
	design   string
	config   map[string]any
	failed   *failReport
	r        *simcore.LoopResult // in the units
	units    *pageUnits
	message  string
	switches string // how they are set
	deadlock fmt.Stringer
}

// waits refuses a workload on a network of which a part cannot be reached.
func (d *failReport) waits(kind string) error {
	if d != nil && d.Unreachable != nil {
		return usagef("--workload %s waits for what arrives, and %d pairs of endpoints have no path", kind, d.Unreachable.Pairs)
	}
	return nil
}

// runWorkload simulates a closed loop and prints it.
func (a *app) runWorkload(ctx context.Context, sim *flit.Sim, doc *simDoc, w simcore.Workload, f *simFlags) error {
	if err := doc.Failed.waits(w.Kind); err != nil {
		return err
	}
	begun := a.now()
	prog := a.newSimProgress(sim.Config(), nil)
	prog.what = "workload " + w.Kind
	sim.OnProgress(func(now simcore.Cycle) { prog.at(-1, now) })
	r, err := sim.RunWorkload(ctx, w)
	prog.end()
	if err != nil && ctx.Err() == nil {
		return usage(err)
	}
	return a.showLoop(ctx, f, &loopPage{&loopDoc{loopHead{loopSchema, doc.Design, doc.Config, doc.Failed}, r, a.now().Sub(begun).Seconds()},
		doc.Design, doc.Config, doc.Failed, &r, flitUnits, fmt.Sprintf("%d flits", w.Message), fmt.Sprintf("%v VCs of %v flits", doc.Config["vcs"], doc.Config["buffer_flits"]), r.Deadlock})
}

// cutWorkload is runWorkload for the cut-through model.
func (a *app) cutWorkload(ctx context.Context, sim *cutthrough.Sim, doc *cutDoc, w *simcore.Workload, f *simFlags) error {
	if err := doc.Failed.waits(w.Kind); err != nil {
		return err
	}
	begun := a.now()
	prog := a.newSimProgress(flit.Config{}, nil)
	prog.what = "workload " + w.Kind
	sim.OnProgress(func(ns int64) { prog.at(-1, simcore.Cycle(ns)) })
	sim.Split(a.cores())
	r, err := sim.RunWorkload(ctx, cutthrough.Workload{Kind: w.Kind, Window: w.Window, Message: w.Message, Rounds: w.Rounds, MaxNs: w.MaxCycles})
	prog.end()
	if err != nil && ctx.Err() == nil {
		return flagNames(err)
	}
	c := doc.Config
	return a.showLoop(ctx, f, &loopPage{&cutLoopDoc{loopHead{loopSchema, doc.Design, c, doc.Failed}, r, a.now().Sub(begun).Seconds()}, doc.Design, c, doc.Failed,
		&simcore.LoopResult{Workload: *w, Point: r.Point.Point, Completed: r.Completed, Completion: r.Completion, Round: r.Round, Ideal: r.Ideal, IdealBy: r.IdealBy, Efficiency: r.Efficiency},
		cutUnits, unit.KindBytes.Format(float64(w.Message)), fmt.Sprintf("cut-through at %v Gb/s, %v VCs, %v, %v queues, buffers of %s", c["bandwidth_gbps"], c["vcs"], c["flow_control"], c["queueing"],
			unit.KindBytes.Format(float64(c["buffer_bytes"].(int64)))), r.Deadlock})
}

func (a *app) showLoop(ctx context.Context, f *simFlags, p *loopPage) error {
	if a.json {
		if err := printJSON(a.out, p.doc); err != nil {
			return err
		}
	} else {
		p.print(a.out, f)
	}
	if f.heatmap != "" {
		if err := a.writeHeat(f.heatmap, p.design, p.config, &p.r.Point); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// span is a time with its unit.
func (u *pageUnits) span(cycles float64) string {
	if u.cycles == 1 && cycles == float64(int64(cycles)) {
		return fmt.Sprintf("%d %s", int64(cycles), u.time)
	} else if u.cycles == 1 {
		return fmt.Sprintf("%.6g %s", cycles, u.time)
	}
	return fmt.Sprintf("%.*f %s", u.decimal, cycles*u.cycles, u.time)
}

// bare is a time without its unit.
func (u *pageUnits) bare(cycles int64) string {
	text, _, _ := strings.Cut(u.span(float64(cycles)), " ")
	return text
}

func (p *loopPage) print(w io.Writer, f *simFlags) {
	r, u := p.r, p.units
	what := fmt.Sprintf("%s, messages of %s", r.Workload.Kind, p.message)
	switch r.Workload.Kind {
	case simcore.LoopWindow:
		what = fmt.Sprintf("window of %d packets", r.Workload.Window)
	case simcore.LoopBarrier:
		what += fmt.Sprintf(", %d rounds", r.Workload.Rounds)
	}
	if r.Workload.Kind == simcore.LoopWindow || r.Workload.Kind == simcore.LoopBarrier {
		what += fmt.Sprintf(", traffic %v", p.config["traffic"])
	}
	fmt.Fprintf(w, "%s\n%s%s\n", p.design, wrap(fmt.Sprintf("workload %s, routing %v, %s", what, p.config["routing"], p.switches), 80, "  "), p.failed.words())
	line := func(name, format string, args ...any) {
		fmt.Fprint(w, labelled(name, 19, fmt.Sprintf(format, args...)))
	}
	switch {
	case r.Deadlocked:
		line("deadlocked", "after %s", u.span(float64(r.Cycles)))
		fmt.Fprintln(w, p.deadlock)
	case r.Completed:
		line("completed in", "%s", u.span(float64(r.Completion)))
		line("bound", "%s, by %s; efficiency %.1f %%", u.span(r.Ideal), r.IdealBy, 100*r.Efficiency)
	case r.Workload.Kind == simcore.LoopWindow && r.Measured > 0:
		line("throughput", "%.4f of the endpoints' bandwidth, +- %.4f, in %s", r.Accepted, r.AcceptedCI95, u.span(float64(r.Measured)))
		line("bound", "%.4f, by %s; efficiency %.1f %%", r.Ideal, r.IdealBy, 100*r.Efficiency)
	default:
		line("not completed", "after %s (%s)", u.span(float64(r.Cycles)), r.Stop)
	}
	p.printMeans(w, line)
	if f.detail && r.Detail != nil {
		printDetail(w, &r.Point, u)
	}
	if f.series > 0 {
		printSeries(w, &r.Point, u)
	}
}

// printMeans prints what all closed loops have.
func (p *loopPage) printMeans(w io.Writer, line func(name, format string, args ...any)) {
	r, u, l := p.r, p.units, &p.r.Latency
	if x := r.Round; x != nil {
		line("rounds", "%s on the average, %s to %s", u.span(x.Mean), u.bare(x.Min), u.bare(x.Max))
	}
	if r.Workload.Kind != simcore.LoopWindow {
		line("throughput", "%.4f of the endpoints' bandwidth", r.Accepted)
	}
	mean := fmt.Sprintf("%.*f %s", u.decimal, l.Mean*u.cycles, u.time)
	line("packet latency", "%s, p50 %s, p95 %s, p99 %s, p99.9 %s, max %s", mean, u.bare(l.P50), u.bare(l.P95), u.bare(l.P99), u.bare(l.P999), u.bare(l.Max))
	line("packets", "%d, %.4f hops", r.Packets, r.Hops.Mean)
	if x := r.Detail; x != nil && x.Worst != nil {
		line("busiest link", "%s, from %s to %s, %.1f %% in use", x.Worst.Class, x.Worst.From, x.Worst.To, 100*x.Worst.Utilisation)
	}
}
