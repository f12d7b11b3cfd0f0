package main

import (
	"context"
	"fmt"
	"io"

	"toposearch/internal/unit"
	"toposearch/routing"
	"toposearch/simcore/cutthrough"
	"toposearch/simcore/flit"
	"toposearch/simulate"
	"toposearch/topology"
)

// playCut plays a collective in the cut-through model; rated is the network with the rates on sale.
func (a *app) playCut(ctx context.Context, t *simTask, sim *cutthrough.Sim, head simulate.Head, rated *topology.Network) error {
	prog := a.newSearchProgress("collective")
	defer prog.end()
	r := a.runner(prog)
	return a.play(ctx, t, r, r.CutMachine(sim, rated, t.flags.loop.limit), head)
}

// playFlit plays a collective in the flit model.
func (a *app) playFlit(ctx context.Context, t *simTask, sim *flit.Sim, head simulate.Head, gbps float64) error {
	prog := a.newSearchProgress("collective")
	defer prog.end()
	r := a.runner(prog)
	head.Config["flit_bytes"] = t.flags.collective.flitBytes
	return a.play(ctx, t, r, r.FlitMachine(sim, t.net, t.flags.collective.flitBytes, gbps, t.flags.loop.limit), head)
}

// play plays a collective and prints it beside the model, which follows the family's natural routes.
func (a *app) play(ctx context.Context, t *simTask, r *simulate.Runner, m *simulate.Machine, head simulate.Head) error {
	if t.failed != nil && t.failed.Unreachable != nil {
		return usagef("--collective waits for what arrives, and %d pairs of endpoints have no path", t.failed.Unreachable.Pairs)
	}
	rule := topology.Minimal()
	if t.design.Family.Natural != nil && t.failed == nil && t.flags.routing != "minimal" {
		rule = t.design.Family.Natural(t.design.V)
	}
	router, err := routing.New(m.Net, rule)
	if err != nil {
		return err
	}
	if t.failed == nil {
		if err := m.Detour(ctx, t.flags.routing, rule, router, a.workers); err != nil {
			return usage(err)
		}
	}
	if t.flags.jobs.jobs != "" {
		return a.playJobs(ctx, t, r, m, head, router)
	}
	doc, err := r.Collective(ctx, m, head, t.collective, router)
	if err != nil && (doc == nil || ctx.Err() == nil) {
		return usage(err)
	}
	if a.json {
		if err := printJSON(a.out, doc); err != nil {
			return err
		}
	} else {
		printCollective(a.out, doc)
	}
	return ctx.Err()
}

// printCollective prints the page of a collective.
func printCollective(w io.Writer, d *simulate.CollectiveDocument) {
	c := d.Config
	model := fmt.Sprintf("cut-through model, packets of %v B", c["mtu_bytes"])
	if c["model"] != simulate.ModelCut {
		model = fmt.Sprintf("flit model, flits of %v B, packets of %v flits", c["flit_bytes"], c["packet_flits"])
	}
	fmt.Fprintf(w, "%s\n%s%s\n", d.Design, wrap(fmt.Sprintf("%s by %s of %s, %d group(s) of %d, routing %v, %s", d.Collective, d.Algorithm, unit.KindBytes.Format(d.Bytes), d.Groups, d.Ranks, c["routing"], model), 80, "  "), failedWords(d.Failed))
	line := func(name, format string, args ...any) {
		fmt.Fprint(w, labelled(name, 19, fmt.Sprintf(format, args...)))
	}
	switch {
	case d.Deadlocked:
		line("deadlocked", "%s", d.Stop)
	case d.Completed:
		line("completed in", "%.3f us", d.TimeUs)
	default:
		line("not completed", "%s", d.Stop)
	}
	how := ""
	if c["model"] != simulate.ModelCut {
		how = ", by buffers that hold all that waits (those of the flit model hold less)"
	}
	if d.Analytic.Summed {
		how += "; too many messages to follow each: what steps take is added up"
	}
	line("computed", "%.3f us, of it %.3f us on the busiest link or endpoint%s", d.Analytic.TimeUs, d.Analytic.TransferUs, how)
	if d.Completed {
		line("ratio", "%.4f of the simulated time to the computed one", d.Ratio)
		line("bandwidth", "%.4g GB/s of the algorithm, %.4g GB/s of the bus", d.AlgorithmGBps, d.BusGBps)
	}
	line("packets", "%d, %s in all", d.Packets, unit.KindBytes.Format(float64(d.Messages)))
	if d.Busiest != "" {
		line("busiest link", "%s, %.1f %% in use", d.Busiest, 100*d.BusiestLink)
	}
}
