package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"toposearch/diag"
	"toposearch/internal/unit"
	"toposearch/simcore"
	"toposearch/simcore/flit"
)

// workloadFlags describe closed loops and mixed packets.
type workloadFlags struct {
	kind           string // window=8, barrier, alltoall, ring, fft=16,32, replay=FILE; "" for an open loop
	message        string // flits, or bytes
	rounds         int
	limit          int64
	sizes, weights []int
	script         string // what the script of an fft or a replay is, once it is made
}

// declare declares the flags.
func (f *workloadFlags) declare(s *pflag.FlagSet) {
	s.StringVar(&f.kind, "workload", "", "closed loop instead of --load: window=N packets under way, barrier, alltoall, ring, fft=P,Q,mapping (both exchanges of a 3D FFT on P x Q processes), replay=FILE (a trace or a communication graph: toposearch help traffic)")
	s.StringVar(&f.message, "message", "", "flits (cut_through: bytes, such as 64kB) that an endpoint of a --workload sends to another at a time; of a ring a chunk, one N-th of the vector")
	s.IntVar(&f.rounds, "rounds", 0, fmt.Sprintf("rounds of --workload barrier (default %d)", defaultRounds))
	s.Int64Var(&f.limit, "max-completion", 0, "most cycles for a --workload or a --collective to complete (default 100 million); cut_through: ns (default 10 s)")
	s.IntSliceVar(&f.sizes, "sizes", nil, "mixed packets instead of --packet: flits, such as 1,8")
	s.IntSliceVar(&f.weights, "weights", nil, "how often each of --sizes comes, such as 3,1 (default: all alike)")
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
		if f.message != "" || f.rounds != 0 {
			return nil, usagef("--message and --rounds belong to a --workload")
		}
		return nil, nil
	}
	kinds := []string{simcore.LoopWindow, simcore.LoopBarrier, simcore.LoopAllToAll, simcore.LoopRing, loopFFT, loopReplay}
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
	case loopFFT, loopReplay:
		if err := joinUsage(err, f.checkScript(name, arg)); err != nil {
			return nil, err
		}
		w.Kind = simcore.LoopScript // made once the number of endpoints is known
		return w, nil
	default:
		return nil, usagef("--workload %q is not window=N, barrier, alltoall, ring, fft=P,Q or replay=FILE%s", f.kind, diag.Hint(name, kinds))
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
