package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"toposearch/simcore"
	"toposearch/simcore/booksim"
)

// nativeFlags are the flags of simulate that a configuration file takes the place of, with the
// key to write instead.
var nativeFlags = []struct{ flag, key string }{
	{"routing", "routing_function=NAME"}, {"traffic", "traffic=NAME"}, {"load", "injection_rate=X"}, {"vcs", "num_vcs=N"},
	{"buffer", "vc_buf_size=N"}, {"packet", "packet_size=N"}, {"cycles", "sample_period=N"}, {"warmup", "warmup_periods=N"},
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

// booksimPoint is what BookSim2 would print, in the form of the other simulations. Hops counts
// the routers passed, as BookSim2 does, not the links between them.
type booksimPoint struct {
	simPoint
	Status     string  `json:"status"`
	Injected   float64 `json:"injected"`
	LatencyMin float64 `json:"latency_min"`
	NetworkMin float64 `json:"network_latency_min"`
	// Flit is of all flits that arrived since the warm-up, each from its own injection.
	Flit          simcore.Latency `json:"flit_latency"`
	FlitMin       float64         `json:"flit_latency_min"`
	Fragmentation float64         `json:"fragmentation"`
}

type booksimDoc struct {
	Schema string         `json:"schema"`
	Design string         `json:"design"`
	Config map[string]any `json:"config"`
	Points []booksimPoint `json:"points"`
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

func (a *app) simulateBooksim(ctx context.Context, file string, r *booksim.Run) error {
	begun := a.now()
	res, err := r.Run(ctx)
	wall := a.now().Sub(begun).Seconds()
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	doc := &booksimDoc{Schema: "toposearch.simulate/1", Design: "booksim:" + file, Config: configJSON(r.Settings.Values()),
		Points: []booksimPoint{pointOf(r, res, wall)}}
	if a.json {
		if err := printJSON(a.out, doc); err != nil {
			return err
		}
	} else {
		a.printBooksim(file, r, &doc.Points[0])
	}
	return ctx.Err()
}

// pointOf gives a result the fields of the other simulations.
func pointOf(r *booksim.Run, res booksim.Result, wall float64) booksimPoint {
	p := booksimPoint{Status: res.Status, Injected: res.Injected, LatencyMin: res.MinLat, NetworkMin: res.MinNet,
		Flit: res.Flit, FlitMin: res.MinFlit, Fragmentation: res.Fragment}
	p.Point = simcore.Point{Offered: r.Load(), Accepted: res.Accepted, AcceptedMin: res.AcceptMin, AcceptedMax: res.AcceptMax,
		Latency: res.Latency, Network: res.Network, Hops: simcore.Hops{Mean: res.Hops}, Packets: res.Packets,
		Cycles: res.Cycles, FlitHops: res.FlitHops, Deadlock: res.Deadlock,
		Deadlocked: res.Status == booksim.StatusDeadlocked, Interrupted: res.Status == booksim.StatusInterrupted}
	p.Saturated = p.Deadlocked || res.Status == booksim.StatusUnstable || !p.Interrupted && !r.Batch() && p.Accepted < acceptedShare*p.Offered
	p.WallS = wall
	return p
}

// acceptedShare is the share of the offered load that has to be accepted below saturation.
const acceptedShare = 0.97

// configJSON gives numbers as numbers.
func configJSON(values map[string]string) map[string]any {
	out := make(map[string]any, len(values))
	for k, v := range values {
		if i, err := strconv.ParseInt(v, 10, 64); err == nil {
			out[k] = i
		} else if x, err := strconv.ParseFloat(v, 64); err == nil && x-x == 0 {
			out[k] = x
		} else {
			out[k] = v
		}
	}
	return out
}

// statusWords say what a status means.
var statusWords = map[string]string{
	booksim.StatusOK:          "ok",
	booksim.StatusUnstable:    "unstable: mean latency above latency_thres, so these are lower bounds",
	booksim.StatusNotWarm:     "not warm after max_samples sample periods",
	booksim.StatusDeadlocked:  "deadlocked",
	booksim.StatusInterrupted: "interrupted",
}

func (a *app) printBooksim(file string, r *booksim.Run, p *booksimPoint) {
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
		line(name, "%.5g cycles (%.5g to %d; p50 %d, p95 %d, p99 %d)", l.Mean, low, l.Max, l.P50, l.P95, l.P99)
	}
	lat("packet latency", p.Latency, p.LatencyMin)
	lat("network latency", p.Network, p.NetworkMin)
	lat("flit latency", p.Flit, p.FlitMin)
	line("fragmentation", "%.5g cycles", p.Fragmentation)
	line("hops", "%.5g routers", p.Hops.Mean)
	line("packets", "%d measured, %d cycles, %d flit-hops", p.Packets, p.Cycles, p.FlitHops)
	if p.Deadlock != nil {
		fmt.Fprintln(a.out, p.Deadlock)
	}
}
