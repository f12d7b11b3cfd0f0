package main

import (
	"fmt"
	"strings"

	"toposearch/simcore"
	"toposearch/simcore/traffic"
)

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
