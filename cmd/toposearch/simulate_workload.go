package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"toposearch/internal/diag"
	"toposearch/simcore"
)

// workloadFlags describe closed loops and mixed packets.
type workloadFlags struct {
	kind           string // window=8, barrier, alltoall, ring; "" for an open loop
	message        int
	rounds         int
	limit          int64
	sizes, weights []int
}

// parse reads the workload; nil: an open loop.
func (f *workloadFlags) parse() (*simcore.Workload, error) {
	if f.kind == "" {
		if f.message != 0 || f.rounds != 0 || f.limit != 0 {
			return nil, usagef("--message, --rounds and --max-completion belong to a --workload")
		}
		return nil, nil
	}
	kinds := []string{simcore.LoopWindow, simcore.LoopBarrier, simcore.LoopAllToAll, simcore.LoopRing}
	w := &simcore.Workload{Message: f.message, Rounds: f.rounds, MaxCycles: f.limit}
	name, arg, hasArg := strings.Cut(f.kind, "=")
	w.Kind = name
	var faults []error
	switch name {
	case simcore.LoopWindow:
		n, err := strconv.Atoi(arg)
		if err != nil {
			faults = append(faults, usagef("--workload %q: write window=N, the packets of an endpoint that are under way", f.kind))
		}
		if w.Window = n; f.message != 0 {
			faults = append(faults, usagef("--message does not go with a window, which sends packets; their flits are --packet or --sizes"))
		}
	case simcore.LoopBarrier, simcore.LoopAllToAll, simcore.LoopRing:
		if hasArg {
			faults = append(faults, usagef("--workload %s takes no number, got %q", name, arg))
		}
		if f.message == 0 {
			faults = append(faults, usagef("--workload %s needs --message FLITS, what one endpoint sends to another at a time", name))
		}
		if len(f.sizes) > 0 {
			faults = append(faults, usagef("--sizes does not go with --workload %s: messages are cut into packets of --packet flits", name))
		}
	default:
		return nil, usagef("--workload %q is not window=N, barrier, alltoall or ring%s", f.kind, diag.Hint(name, kinds))
	}
	if w.Kind == simcore.LoopBarrier && w.Rounds == 0 {
		w.Rounds = defaultRounds
	} else if w.Kind != simcore.LoopBarrier && w.Rounds != 0 {
		faults = append(faults, usagef("--rounds belongs to --workload barrier"))
	}
	if err := joinUsage(faults...); err != nil {
		return nil, err
	}
	if err := w.Validate(); err != nil {
		return nil, flagNames(err)
	}
	return w, nil
}

// defaultRounds of a barrier: enough for a mean and an extreme, with random traffic.
const defaultRounds = 10

// mix sets packets of several sizes.
func (f *workloadFlags) mix(cfg *simcore.Config) {
	if cfg.Sizes, cfg.Weights = f.sizes, f.weights; len(f.sizes) > 0 && len(f.weights) == 0 {
		for range f.sizes {
			cfg.Weights = append(cfg.Weights, 1)
		}
	}
}

// flagOf are the flags of settings that have one, by the names that package simcore uses.
var flagOf = map[string]string{"VCs": "--vcs", "BufferFlits": "--buffer", "PacketFlits": "--packet", "Measure": "--cycles", "Warmup": "--warmup",
	"LinkLatency": "--link-latency", "Precision": "--precision",
	"SwitchNs": "--switch-latency", "RelayNs": "--relay-latency", "NICNs": "--nic-latency", "ControlNs": "--control-latency",
	"Queueing": "--queueing", "Speedup": "--crossbar-speedup", "FlowControl": "--flow-control", "BufferBytes": "--buffer", "PFCAlpha": "--pfc-alpha",
	"ECNBytes": "--ecn-threshold", "MTUBytes": "--mtu", "CellBytes": "--cell", "Arrivals": "--arrivals", "WarmupNs": "--warmup",
	"MeasureNs": "--cycles", "MaxMeasureNs": "--max-cycles", "BandwidthGbps": "--bandwidth",
	"MaxMeasure": "--max-cycles", "SatTolerance": "--tolerance",
	"Observe.Series": "--series", "Window": "--workload window", "Message": "--message", "Rounds": "--rounds", "MaxCycles": "--max-completion"}

// cutNames are names that the cut-through model's findings have inside.
var cutNames = strings.NewReplacer("Sizes[", "--packet-bytes [", "Weights[", "weight of --packet-bytes [", "or FlowControl = ", "or --flow-control ",
	"MeasureNs", "--cycles", "MTUBytes", "--mtu", "SwitchNs", "--switch-latency", "ControlNs", "--control-latency")

// flagNames gives the findings about a configuration, one for each line, in the words of the
// command line.
func flagNames(err error) error {
	if err == nil {
		return nil
	}
	var faults []error
	for _, line := range strings.Split(err.Error(), "\n") {
		line, cut := strings.CutPrefix(line, "cutthrough: ")
		line = strings.TrimPrefix(line, "simcore: ")
		name, rest, _ := strings.Cut(line, " ")
		if flag, ok := flagOf[name]; ok {
			line = flag + " " + rest
		}
		if cut {
			line = cutNames.Replace(line)
		}
		line = strings.ReplaceAll(strings.ReplaceAll(line, "Sizes[", "--sizes ["), "Weights[", "--weights [")
		faults = append(faults, errors.New(line))
	}
	return joinUsage(faults...)
}

// loopDoc is the JSON of a closed loop.
type loopDoc struct {
	Schema string         `json:"schema"`
	Design string         `json:"design"`
	Config map[string]any `json:"config"`
	Failed *failReport    `json:"failed,omitempty"`
	simcore.LoopResult
	WallS float64 `json:"wall_s"`
}

// runWorkload simulates a closed loop and prints it.
func (a *app) runWorkload(ctx context.Context, sim *simcore.Sim, doc *simDoc, w simcore.Workload, f *simFlags) error {
	if doc.Failed != nil && doc.Failed.Unreachable != nil {
		return usagef("--workload %s waits for what arrives, and %d pairs of endpoints have no path", w.Kind, doc.Failed.Unreachable.Pairs)
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
	out := &loopDoc{"toposearch.simulate-workload/1", doc.Design, doc.Config, doc.Failed, r, a.now().Sub(begun).Seconds()}
	if a.json {
		if err := printJSON(a.out, out); err != nil {
			return err
		}
	} else {
		printLoop(a.out, out, f)
	}
	if f.heatmap != "" {
		if err := a.writeHeat(f.heatmap, doc.Design, doc.Config, &r.Point); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func printLoop(w io.Writer, d *loopDoc, f *simFlags) {
	c, r := d.Config, &d.LoopResult
	what := fmt.Sprintf("%s, messages of %d flits", r.Workload.Kind, r.Workload.Message)
	switch r.Workload.Kind {
	case simcore.LoopWindow:
		what = fmt.Sprintf("window of %d packets", r.Workload.Window)
	case simcore.LoopBarrier:
		what += fmt.Sprintf(", %d rounds", r.Workload.Rounds)
	}
	traffic := ""
	if r.Workload.Kind == simcore.LoopWindow || r.Workload.Kind == simcore.LoopBarrier {
		traffic = fmt.Sprintf(", traffic %v", c["traffic"])
	}
	fmt.Fprintf(w, "%s\n  workload %s%s, routing %v, %v VCs of %v flits\n%s\n", d.Design, what, traffic, c["routing"], c["vcs"], c["buffer_flits"], d.Failed.words())
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%-18s %s\n", name, fmt.Sprintf(format, args...))
	}
	switch {
	case r.Deadlocked:
		line("deadlocked", "after %d cycles", r.Cycles)
		fmt.Fprintln(w, r.Deadlock)
	case r.Completed:
		line("completed in", "%d cycles", r.Completion)
		line("bound", "%.6g cycles, by %s; efficiency %.1f %%", r.Ideal, r.IdealBy, 100*r.Efficiency)
	case r.Workload.Kind == simcore.LoopWindow && r.Measured > 0:
		line("throughput", "%.4f of the endpoints' bandwidth, +- %.4f, in %d cycles", r.Accepted, r.AcceptedCI95, r.Measured)
		line("bound", "%.4f, by %s; efficiency %.1f %%", r.Ideal, r.IdealBy, 100*r.Efficiency)
	default:
		line("not completed", "after %d cycles (%s)", r.Cycles, r.Stop)
	}
	if x := r.Round; x != nil {
		line("rounds", "%.6g cycles on the average, %d to %d", x.Mean, x.Min, x.Max)
	}
	if r.Workload.Kind != simcore.LoopWindow {
		line("throughput", "%.4f of the endpoints' bandwidth", r.Accepted)
	}
	line("packet latency", "%.2f cycles, p50 %d, p95 %d, p99 %d, p99.9 %d, max %d", r.Latency.Mean, r.Latency.P50, r.Latency.P95, r.Latency.P99, r.Latency.P999, r.Latency.Max)
	line("packets", "%d, %.4f hops", r.Packets, r.Hops.Mean)
	if x := r.Detail; x != nil && x.Worst != nil {
		line("busiest link", "%s, from %s to %s, %.1f %% in use", x.Worst.Class, x.Worst.From, x.Worst.To, 100*x.Worst.Utilisation)
	}
	if f.detail && r.Detail != nil {
		printDetail(w, &r.Point, flitUnits)
	}
	if f.series > 0 {
		printSeries(w, &r.Point, flitUnits)
	}
}
