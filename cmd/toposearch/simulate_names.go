package main

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"toposearch/simulate"
)

const (
	modelFlit = "flit"
	modelCut  = simulate.ModelCut
)

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
	"Alpha = ", "--set alpha = ", "Beta = ", "--set beta = ", "BurstRate", "--set burst_rate", "Injection = ", "--injection = ")

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

// readShare reads "1%", "1 %" or "0.01".
func readShare(text string) (float64, error) {
	t, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(t), 64)
	if percent {
		x /= 100
	}
	return x, err
}

// parseShare reads a part above 0 and below 1.
func parseShare(flag, text string) (float64, error) {
	x, err := readShare(text)
	if err != nil || !(x > 0 && x < 1) {
		return 0, usagef("--%s %q: write a part above 0 and below 1, such as 1%% or 0.01", flag, text)
	}
	return x, nil
}
