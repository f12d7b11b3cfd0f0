package main

import (
	"context"
	"strings"

	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
	"toposearch/simulate"
	"toposearch/topology"

	"github.com/spf13/cobra"
)

func (a *app) simulateCmd() *cobra.Command {
	var f simFlags
	c := &cobra.Command{
		Use:   "simulate DESIGN | --booksim FILE.cfg [KEY=VALUE...]",
		Short: "Simulate flits, or the switches of today: latency against load",
		Long: "Simulate a design flit by flit: input-queued virtual-channel switches with credits.\n" +
			"Load 1 is the bandwidth of an endpoint that eval has: 400 Gb/s in equal port shares, each rounded up to\n" +
			"a rate on sale in the built-in catalogue, or what --bandwidth says. Links have rates on sale, too; a\n" +
			"cycle is what the fastest takes for a flit. Latencies are cycles.\n\n" +
			"With --model cut_through it simulates switches of today packet by packet: ports in Gb/s,\n" +
			"cables of the floor plan, virtual cut-through, virtual output or output queues, credits or PFC,\n" +
			"ECN marks. Latencies come in us, throughput in Gb/s too; a cycle is 1 ns, a flit a cell of 256 B.\n" +
			"What an adaptive routing sees of a link is what waits for it in its switch and, with credits, in the\n" +
			"buffer behind it; under PFC a switch knows its own queues alone, and diverts later.\n\n" +
			"With --booksim, a configuration file of BookSim2 runs unchanged, with settings changed by\n" +
			"KEY=VALUE; what it calls hops, the routers passed, is then called hops here too. sim_type is latency,\n" +
			"throughput or batch. What could not be simulated exactly (several classes or subnets, request-reply\n" +
			"traffic, shared buffers, tree4) is refused with its line.\n\n" + simNames(),
		Example: `  toposearch simulate 'dragonfly(p=2,a=4,h=2)' --load 0.1,0.5,0.9
  toposearch simulate 'zcube(n=16,k=2)' --traffic worst --saturation --tolerance 1%
  toposearch simulate 'dragonfly(p=2,a=4,h=2)' --load 0.5 --precision 0.5% --max-cycles 1000000
  toposearch simulate 'hyperx(s1=8,s2=8,t=4)' --routing ugal_l --vcs 4 --json
  toposearch simulate 'fattree(k=16,l=2)' --saturation --plot load.pdf
  toposearch simulate 'dragonfly(p=4,a=8,h=4)' --load 0.6 --detail --series 500 --heatmap links.svg
  toposearch simulate 'fattree(k=8,l=3)' --fail-links 2% --fail 'leaf[3]' --load 0.5
  toposearch simulate 'fattree(k=8,l=3)' --load 0.6 --fail 'spine[0]@2000..6000' --fail-links 2@3000 --reroute-after 500
  toposearch simulate 'dragonfly(p=4,a=8,h=4)' --workload alltoall --message 16
  toposearch simulate 'torus(k1=8,k2=8)' --workload window=8 --traffic file:permutation.csv --sizes 1,8 --weights 3,1
  toposearch simulate 'railonly(k=8,g=4)' --model cut_through --workload ring --message 64kB
  toposearch simulate 'fattree(k=16,l=3)' --model cut_through --collective allreduce:ring --size 1MiB
  toposearch simulate 'dragonfly(p=4,a=8,h=4)' --model cut_through --collective allreduce:ring --size 1MiB --jobs 16 --placement random
  toposearch simulate 'torus(k1=8,k2=8)' --traffic 'hotspot(0.1)' --injection poisson --saturation --watch 3:35
  toposearch simulate 'torus(k1=8,k2=8)' --workload fft=8,8,blocked --message 64
  toposearch simulate 'torus(k1=8,k2=8)' --workload replay=trace.csv
  toposearch simulate 'zcube(n=3,k=3)' --routing minimal --check-deadlock
  toposearch simulate --booksim mesh88.cfg injection_rate=0.2 --json
  toposearch simulate 'fattree(k=16,l=3)' --model cut_through --load 0.3,0.6,0.9
  toposearch simulate 'dragonfly(p=4,a=8,h=4)' --model cut_through --flow-control pfc --buffer 64MB --switch-latency 600ns
  toposearch simulate 'hpn(k=32,segments=2)' --model cut_through --load 0.5 --precision 2% --detail --series 5000 --heatmap links.csv
  toposearch simulate 'dragonfly(p=8,a=16,h=8)' --load 0.3 --bench`,
		Args: func(c *cobra.Command, args []string) error {
			if f.booksim != "" {
				return nil
			}
			return cobra.ExactArgs(1)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("vcs") && f.vcs == 0 { // otherwise it is not said
				return usagef("--vcs = 0 is not in 1..32")
			}
			if f.booksim == "" {
				return a.simulate(c.Context(), args[0], &f)
			}
			r, err := a.loadBooksim(c, f.booksim, args)
			if err != nil {
				return err
			}
			if f.bench {
				return a.bench(c.Context(), simulate.BookSimBenchmark(f.booksim, r))
			}
			return a.simulateBooksim(c.Context(), f.booksim, r)
		},
	}
	f.declare(c.Flags())
	return c
}

// simNames lists routings and traffics for the help page.
func simNames() string {
	var routings, traffics []string
	for _, r := range route.All() {
		routings = append(routings, r.Name)
	}
	for _, t := range traffic.All() {
		traffics = append(traffics, t.Name)
	}
	list := func(names []string) string {
		return strings.TrimLeft(wrap(strings.Join(names, ", "), 78, "          "), " ")
	}
	return "Routings: " + list(routings) + "          (what each is and needs: toposearch routings)\n" + "Traffics: " + list(traffics) + "          (what each is and needs: toposearch help traffic)"
}

// checkConfig reports every fault of the settings of the model that is asked for.
func (f *simFlags) checkConfig(a *app) error {
	wrong := f.cut.refuse()
	_, gbps := f.cut.gbps()
	switch {
	case f.cut.model == modelCut:
		_, err := f.cutConfig()
		return joinUsage(wrong, err, gbps)
	case wrong != nil: // a model that does not exist, or flags of the other: what they set is not of this one
		return joinUsage(wrong, gbps)
	}
	_, err := f.config(a, flit.SwitchConfig().VCs)
	return joinUsage(err, gbps)
}

// simulate simulates a design as the flags say.
func (a *app) simulate(ctx context.Context, name string, f *simFlags) error {
	loads, loadErr := parseLoads(f.loads)
	work, workErr := f.loop.parse(f.cut.model)
	played, playedErr := f.collective.parse()
	designs, designErr := a.parseDesigns([]string{name})
	if err := joinUsage(designErr, loadErr, workErr, playedErr, f.jobs.check(&f.collective), f.checkConfig(a), checkHeat(f.heatmap), f.checkPlots(), f.together(), f.checkOutages()); err != nil {
		// The network is not built, which would check these more closely.
		_, nameErr := route.IsDirect(f.routing)
		return joinUsage(err, nameErr, traffic.CheckName(f.traffic))
	}
	if _, named := designs[0].Scaleup(); named {
		return usagef("%s: simulate knows no scale-up domains; name the design without %s (the verification of a run simulates them)", designs[0], topology.ParamScaleup)
	}
	if err := f.requireMemory(a, designs[0]); err != nil {
		return err
	}
	n, err := designs[0].Build()
	if err != nil {
		return err
	}
	n, failed, err := f.fail.degrade(n)
	if err != nil {
		return err
	}
	outages, err := f.fail.outages(n)
	if err != nil {
		return err
	}
	t := &simTask{design: designs[0], net: n, failed: failed, outages: outages, flags: f, loads: loads, work: work, collective: played}
	switch {
	case f.checkDeadlock:
		return a.checkDeadlock(ctx, t)
	case f.cut.model == modelCut:
		return a.simulateCut(ctx, t)
	}
	return a.simulateFlit(ctx, t)
}
