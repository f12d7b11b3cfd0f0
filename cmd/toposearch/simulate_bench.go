package main

import (
	"context"
	"fmt"

	"toposearch/simulate"
)

// bench times the flit simulator, on one core unless --workers says more.
func (a *app) bench(ctx context.Context, b *simulate.Benchmark) error {
	r := &simulate.Runner{Workers: a.workers, Now: a.now}
	doc, err := r.Bench(ctx, b)
	if err != nil {
		return err
	}
	if a.json {
		return printJSON(a.out, doc)
	}
	fmt.Fprintf(a.out, "%s\n  %d switches with %d ports, cores: %d, %d cycles timed after %d\n\n%8s %8s %11s %15s %13s %12s %10s\n", doc.Design,
		doc.Switches, doc.Ports, doc.Cores, b.Cycles, b.Warmup, "offered", "accepted", "cycles/s", "switch-cycles/s", "flit-hops/s", "ns/flit-hop", "bytes/port")
	for _, p := range doc.Points {
		fmt.Fprintf(a.out, "%8.4f %8.4f %11.5g %15.5g %13.5g %12.1f %10.0f\n", p.Offered, p.Accepted, p.CyclesPerS, p.SwitchCyclesPerS,
			p.FlitHopsPerS, p.NsPerFlitHop, p.BytesPerPort)
	}
	return nil
}
