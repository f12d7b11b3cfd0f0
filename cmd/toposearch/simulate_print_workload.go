package main

import (
	"context"
	"fmt"
	"io"

	"toposearch/simcore"
	"toposearch/simulate"
)

// loopPage is what the page of a closed loop shows, of either model.
type loopPage struct {
	head     *simulate.Head
	result   *simcore.LoopResult
	units    *pageUnits
	message  string // its size
	switches string // how they are set
	deadlock fmt.Stringer
	script   string  // what a script is, in words; "" of other loops
	phases   []int64 // when those of a script had arrived
}

// print prints the page.
func (p *loopPage) print(w io.Writer, f *simFlags) {
	r, u := p.result, p.units
	what := fmt.Sprintf("%s, messages of %s", r.Workload.Kind, p.message)
	switch r.Workload.Kind {
	case simcore.LoopWindow:
		what = fmt.Sprintf("window of %d packets", r.Workload.Window)
	case simcore.LoopBarrier:
		what += fmt.Sprintf(", %d rounds", r.Workload.Rounds)
	}
	if r.Workload.Kind == simcore.LoopWindow || r.Workload.Kind == simcore.LoopBarrier {
		what += fmt.Sprintf(", traffic %v", p.head.Config["traffic"])
	}
	if p.script != "" {
		what = p.script
	}
	fmt.Fprintf(w, "%s\n%s%s\n", p.head.Design, wrap(fmt.Sprintf("workload %s, routing %v, %s", what, p.head.Config["routing"], p.switches), 80, "  "), failedWords(p.head.Failed))
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
	if len(p.phases) > 1 {
		for k, at := range p.phases {
			line(fmt.Sprintf("phase %d", k+1), "all of it has arrived after %s", u.span(float64(at)))
		}
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
	r, u, l := p.result, p.units, &p.result.Latency
	if x := r.Round; x != nil {
		line("rounds", "%s on the average, %s to %s", u.span(x.Mean), u.bare(x.Min), u.bare(x.Max))
	}
	if r.Workload.Kind != simcore.LoopWindow && r.Measured > 0 {
		line("throughput", "%.4f of the endpoints' bandwidth", r.Accepted)
	}
	if r.Packets == 0 {
		line("packets", "none has arrived")
	} else {
		mean := fmt.Sprintf("%.*f %s", u.decimal, l.Mean*u.cycles, u.time)
		line("packet latency", "%s, p50 %s, p95 %s, p99 %s, p99.9 %s, max %s", mean, u.bare(l.P50), u.bare(l.P95), u.bare(l.P99), u.bare(l.P999), u.bare(l.Max))
		line("packets", "%d, %.4f hops", r.Packets, r.Hops.Mean)
	}
	if x := r.Detail; x != nil && x.Worst != nil {
		line("busiest link", "%s, from %s to %s, %.1f %% in use", x.Worst.Class, x.Worst.From, x.Worst.To, 100*x.Worst.Utilisation)
	}
}

// showLoop prints a closed loop, as JSON its document, and writes its heat map.
func (a *app) showLoop(ctx context.Context, f *simFlags, doc any, p *loopPage) error {
	if a.json {
		if err := printJSON(a.out, doc); err != nil {
			return err
		}
	} else {
		p.print(a.out, f)
	}
	if f.heatmap != "" {
		if err := writeHeat(f.heatmap, p.head, &p.result.Point); err != nil {
			return err
		}
	}
	return ctx.Err()
}
