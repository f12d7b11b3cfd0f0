package main

import (
	"fmt"
	"strings"

	"toposearch/simcore"
	"toposearch/simcore/traffic"
)

// Workloads whose messages are a script: both exchanges of an FFT, and a trace or a graph from a file.
const (
	loopFFT    = "fft"
	loopReplay = "replay"
)

// psPerNs turns the times of a trace into those of the cut-through model.
const psPerNs = 1000

// checkScript refuses flags that do not go with a script; arg is what follows its name.
func (f *workloadFlags) checkScript(name, arg string) error {
	var faults []error
	if name == loopFFT && f.message == "" {
		faults = append(faults, usagef("--workload fft needs --message FLITS (%s: bytes), what each process sends to each other of its row and of its column", modelCut))
	}
	if name == loopReplay && arg == "" {
		faults = append(faults, usagef("--workload replay: write replay=FILE, a trace or a communication graph"))
	}
	if name == loopReplay && f.message != "" {
		faults = append(faults, usagef("--message does not go with --workload replay, whose file has sizes"))
	}
	if f.rounds != 0 {
		faults = append(faults, usagef("--rounds belongs to --workload barrier"))
	}
	if len(f.sizes) > 0 {
		faults = append(faults, usagef("--sizes does not go with --workload %s: messages are cut into packets of --packet flits", name))
	}
	return joinUsage(faults...)
}

// makeScript makes the script of the workload, if it is one; scale turns cycles or ns into the model's time.
func (t *simTask) makeScript(scale int64, seed uint64, config map[string]any) error {
	if t.work.Kind != simcore.LoopScript {
		return nil
	}
	f, n := &t.flags.loop, t.net.Endpoints()
	name, arg, _ := strings.Cut(f.kind, "=")
	var sends []simcore.Send
	if name == loopFFT {
		g, err := traffic.GridOf(arg, n, seed)
		if err != nil {
			return usagef("--workload %s: %v", f.kind, err)
		}
		sends = g.Exchanges(int32(min(t.work.Message, 1<<30)))
		f.script = fmt.Sprintf("fft on %d x %d processes, messages of %s", g.P, g.Q, f.message)
	} else {
		var err error
		if sends, err = traffic.TraceFile(arg, n); err != nil {
			return usage(err)
		}
		f.script = fmt.Sprintf("replay of %s, %d messages", arg, len(sends))
	}
	for i := range sends {
		sends[i].At *= scale
	}
	p, err := simcore.NewPhased(n, sends)
	if err != nil {
		return flagNames(err)
	}
	t.work.Script, config["workload"] = p, f.kind
	return nil
}
