package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"toposearch/simcore"
	"toposearch/simcore/booksim"
	"toposearch/simulate"
)

// nativeFlags are the flags of simulate that a configuration file takes the place of, with the
// key to write instead.
var nativeFlags = []struct{ flag, key string }{
	{"routing", "routing_function=NAME"}, {"traffic", "traffic=NAME"}, {"load", "injection_rate=X"}, {"vcs", "num_vcs=N"},
	{"buffer", "vc_buf_size=N"}, {"packet", "packet_size=N"}, {"injection", "injection_process=NAME"}, {"watch", "a DESIGN instead of --booksim"}, {"cycles", "sample_period=N"}, {"warmup", "warmup_periods=N"},
	{"link-latency", "use_noc_latency=0"}, {"saturation", "injection_rate=X for some X"},
	{"detail", "a DESIGN instead of --booksim"}, {"series", "a DESIGN instead of --booksim"}, {"heatmap", "a DESIGN instead of --booksim"},
	{"plot", "a DESIGN instead of --booksim"},
	{"precision", "stopping_thres=X"}, {"max-cycles", "max_samples=N"}, {"tolerance", "injection_rate=X for some X"},
	{"workload", "a DESIGN instead of --booksim"}, {"message", "a DESIGN instead of --booksim"},
	{"rounds", "a DESIGN instead of --booksim"}, {"max-completion", "a DESIGN instead of --booksim"},
	{"sizes", "packet_size={{1,8}}"}, {"weights", "packet_size_rate={{3,1}}"},
	{"fail-links", "a DESIGN instead of --booksim"}, {"fail-switches", "a DESIGN instead of --booksim"},
	{"fail", "a DESIGN instead of --booksim"}, {"fail-seed", "a DESIGN instead of --booksim"},
	{"check-deadlock", "a DESIGN instead of --booksim"},
}

// loadBooksim reads a configuration file of BookSim2; every fault has been printed when it fails.
func (a *app) loadBooksim(c *cobra.Command, file string, args []string) (*booksim.Run, error) {
	for _, f := range nativeFlags {
		if c.Flags().Changed(f.flag) {
			return nil, usagef("--%s does not go with --booksim; write %s", f.flag, f.key)
		}
	}
	var overrides []string
	if a.seedSet {
		overrides = append(overrides, fmt.Sprintf("seed=%d", a.seed))
	}
	for _, s := range args {
		if !strings.Contains(s, "=") {
			return nil, usagef("%q is not KEY=VALUE; with --booksim the other arguments change settings of the file", s)
		}
		overrides = append(overrides, s)
	}
	r, diags := booksim.Load(file, overrides)
	if err := a.refuse(diags); err != nil {
		return nil, err
	}
	if a.json && len(diags) > 0 { // warnings; the document has no place for them
		diags.Print(a.err)
	}
	return r, nil
}

// simulateBooksim runs a configuration of BookSim2.
func (a *app) simulateBooksim(ctx context.Context, file string, r *booksim.Run) error {
	doc, err := (&simulate.Runner{Workers: a.cores(), Now: a.now}).BookSim(ctx, file, r)
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	if a.json {
		if err := printJSON(a.out, doc); err != nil {
			return err
		}
	} else {
		a.printBooksim(file, r, &doc.Points[0])
	}
	return ctx.Err()
}

// statusWords say what a status means.
var statusWords = map[string]string{
	booksim.StatusOK:          "ok",
	booksim.StatusUnstable:    "unstable: mean latency above latency_thres, so these are lower bounds",
	booksim.StatusNotWarm:     "not warm after max_samples sample periods",
	booksim.StatusDeadlocked:  "deadlocked",
	booksim.StatusInterrupted: "interrupted",
}

func (a *app) printBooksim(file string, r *booksim.Run, p *simulate.BookSimPoint) {
	v := r.Settings.Values()
	fmt.Fprintf(a.out, "%s\n  %s, %d nodes, routing %s, traffic %s, %s VCs of %s flits, packets of %s flits, %s, seed %s\n\n", file,
		v["topology"], r.Nodes(), v["routing_function"], v["traffic"], v["num_vcs"], v["vc_buf_size"], v["packet_size"], v["sim_type"], v["seed"])
	line := func(name, format string, args ...any) {
		fmt.Fprintf(a.out, "%-18s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("status", "%s", statusWords[p.Status])
	if r.Batch() {
		line("batch", "%s packets of every node arrived in %d cycles", v["batch_size"], p.Cycles)
	} else {
		line("offered", "%.5g flits per cycle per node", p.Offered)
	}
	line("injected", "%.5g", p.Injected)
	line("accepted", "%.5g (one node: %.5g to %.5g)", p.Accepted, p.AcceptedMin, p.AcceptedMax)
	lat := func(name string, l simcore.Latency, low float64) {
		if l.Mean == 0 { // nothing has arrived
			line(name, "-")
			return
		}
		line(name, "%.5g cycles (%.5g to %d; p50 %d, p95 %d, p99 %d)", l.Mean, low, l.Max, l.P50, l.P95, l.P99)
	}
	lat("packet latency", p.Latency, p.LatencyMin)
	lat("network latency", p.Network, p.NetworkMin)
	lat("flit latency", p.Flit, p.FlitMin)
	if p.Fragmentation == nil {
		line("fragmentation", "-")
		line("hops", "-")
	} else {
		line("fragmentation", "%.5g cycles", *p.Fragmentation)
		line("hops", "%.5g routers", p.Hops.Mean)
	}
	line("packets", "%d measured, %d cycles, %d flit-hops", p.Packets, p.Cycles, p.FlitHops)
	if p.Deadlock != nil {
		fmt.Fprintln(a.out, p.Deadlock)
	}
}
