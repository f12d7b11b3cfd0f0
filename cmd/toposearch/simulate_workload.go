package main

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"toposearch/diag"
	"toposearch/internal/unit"
	"toposearch/simcore"
	"toposearch/simcore/flit"
)

// workloadFlags describe closed loops and mixed packets.
type workloadFlags struct {
	kind           string // window=8, barrier, alltoall, ring; "" for an open loop
	message        string // flits, or bytes
	rounds         int
	limit          int64
	sizes, weights []int
}

// size reads --message: flits, or for the cut-through model bytes. 0: it is not given, or not readable.
func (f *workloadFlags) size(model string) (int, error) {
	text := strings.TrimSpace(f.message)
	if text == "" {
		return 0, nil
	}
	if n, err := strconv.Atoi(text); err == nil {
		return n, nil
	}
	if model != modelCut {
		return 0, usagef("--message %q: write a number of flits; a size in bytes is for --model %s", f.message, modelCut)
	}
	x, err := unit.KindBytes.Parse(text)
	if err != nil {
		return 0, usagef("--message: %v", err)
	}
	return int(min(x, 1<<40)), nil
}

// parse reads the workload for a model; nil: an open loop.
func (f *workloadFlags) parse(model string) (*simcore.Workload, error) {
	if f.kind == "" {
		if f.message != "" || f.rounds != 0 || f.limit != 0 {
			return nil, usagef("--message, --rounds and --max-completion belong to a --workload")
		}
		return nil, nil
	}
	kinds := []string{simcore.LoopWindow, simcore.LoopBarrier, simcore.LoopAllToAll, simcore.LoopRing}
	message, err := f.size(model)
	w := &simcore.Workload{Message: message, Rounds: f.rounds, MaxCycles: f.limit}
	name, arg, hasArg := strings.Cut(f.kind, "=")
	w.Kind = name
	faults := []error{err}
	switch name {
	case simcore.LoopWindow:
		n, err := strconv.Atoi(arg)
		if err != nil {
			faults = append(faults, usagef("--workload %q: write window=N, the packets of an endpoint that are under way", f.kind))
		}
		if w.Window = n; f.message != "" {
			faults = append(faults, usagef("--message does not go with a window, which sends packets; their sizes are --packet or --sizes, or --mtu or --packet-bytes"))
		}
	case simcore.LoopBarrier, simcore.LoopAllToAll, simcore.LoopRing:
		if hasArg {
			faults = append(faults, usagef("--workload %s takes no number, got %q", name, arg))
		}
		if f.message == "" {
			faults = append(faults, usagef("--workload %s needs --message FLITS (%s: bytes), what one endpoint sends to another at a time", name, modelCut))
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
func (f *workloadFlags) mix(cfg *flit.Config) {
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
	"Observe.Series": "--series", "Window": "--workload window", "Message": "--message", "Rounds": "--rounds", "MaxCycles": "--max-completion", "MaxNs": "--max-completion"}

// cutNames are names that the cut-through model's findings have inside.
var cutNames = strings.NewReplacer("Sizes[", "--packet-bytes [", "Weights[", "weight of --packet-bytes [", "or FlowControl = ", "or --flow-control ",
	"MeasureNs", "--cycles", "MTUBytes", "--mtu", "SwitchNs", "--switch-latency", "ControlNs", "--control-latency")

// insideNames are names that stand inside findings.
var insideNames = strings.NewReplacer("simcore: ", "", "2 Measure + DrainLimit", "2 --cycles + --set drain_limit", "Sizes[", "--sizes [", "Weights[", "--weights [", " Sizes and ", " --sizes and ", " Weights", " --weights",
	"Alpha = ", "--set alpha = ", "Beta = ", "--set beta = ", "BurstRate", "--set burst_rate", "Injection = ", "--set injection = ")

// flagNames gives the findings about a configuration, one for each line, in the words of the
// command line.
func flagNames(err error) error {
	if err == nil || errors.Is(err, context.Canceled) { // nothing that was written is at fault
		return err
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
		line = insideNames.Replace(line)
		faults = append(faults, errors.New(line))
	}
	return joinUsage(faults...)
}
