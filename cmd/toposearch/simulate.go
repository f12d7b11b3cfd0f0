package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
	"toposearch/topology"

	"github.com/spf13/cobra"
)

// simFlags are the flags of simulate.
type simFlags struct {
	routing, traffic string
	loads            string
	vcs              int
	buffer           string
	cut              cutFlags
	packet           int
	cycles           int
	warmup           string
	precision        string
	maxCycles        int
	tolerance        string
	linkLatency      int
	saturation       bool
	checkDeadlock    bool
	booksim          string
	bench            bool
	detail           bool
	series           int
	heatmap          string
	plots            []string
	fail             failFlags
	loop             workloadFlags
	set              []string
}

func (a *app) simulateCmd() *cobra.Command {
	var f simFlags
	c := &cobra.Command{
		Use:   "simulate DESIGN | --booksim FILE.cfg [KEY=VALUE...]",
		Short: "Simulate flits, or the switches of today: latency against load",
		Long: "Simulate a design flit by flit: input-queued virtual-channel switches with credits.\n" +
			"Loads are fractions of an endpoint's bandwidth (flits per cycle per endpoint where\nit has one port), latencies cycles.\n\n" +
			"With --model cut_through it simulates switches of today packet by packet: ports in Gb/s,\n" +
			"cables of the floor plan, virtual cut-through, virtual output or output queues, credits or PFC,\n" +
			"ECN marks. Latencies come in us, throughput in Gb/s too; a cycle is 1 ns, a flit a cell of 256 B.\n\n" +
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
  toposearch simulate 'dragonfly(p=4,a=8,h=4)' --workload alltoall --message 16
  toposearch simulate 'torus(k1=8,k2=8)' --workload window=8 --traffic file:permutation.csv --sizes 1,8 --weights 3,1
  toposearch simulate 'railonly(k=8,g=4)' --model cut_through --workload ring --message 64kB
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
			if f.booksim == "" {
				return a.simulate(c.Context(), args[0], f)
			}
			r, err := a.loadBooksim(c, f.booksim, args)
			if err != nil {
				return err
			}
			if f.bench {
				return a.benchBooksim(c.Context(), f.booksim, r)
			}
			return a.simulateBooksim(c.Context(), f.booksim, r)
		},
	}
	f.add(c)
	return c
}

// add declares the flags of the flit model and those that both models know.
func (f *simFlags) add(c *cobra.Command) {
	d := flit.DefaultConfig()
	c.Flags().StringVar(&f.routing, "routing", "natural", "routing, with additions after +: natural+hash, ugal_l+group")
	c.Flags().StringVar(&f.traffic, "traffic", "uniform", "traffic, or file:PATH for a permutation or a matrix")
	c.Flags().StringVar(&f.loads, "load", "0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1", "offered loads")
	c.Flags().IntVar(&f.vcs, "vcs", 0, "virtual channels of a link (default: as many as the routing needs, at least 4)")
	c.Flags().StringVar(&f.buffer, "buffer", "", "flits of buffer per VC (default: the longest credit round trip plus a packet); cut_through: of a switch, such as 64MB (the default)")
	c.Flags().IntVar(&f.packet, "packet", 4, "flits of a packet")
	c.Flags().IntVar(&f.cycles, "cycles", d.Measure, "measured cycles per load; cut_through: ns (default 50000)")
	c.Flags().StringVar(&f.warmup, "warmup", "auto", "cycles before the measurement; auto: until MSER-5 finds the latency settled, looking first after 2000; cut_through: ns, looking first after five times a lone packet's time, at least 20000")
	c.Flags().StringVar(&f.precision, "precision", "", "measure until half the 95 % confidence interval of latency and throughput is this part of them, such as 1%")
	c.Flags().IntVar(&f.maxCycles, "max-cycles", 0, "most measured cycles per load with --precision (default: 16 times --cycles); cut_through: ns")
	c.Flags().StringVar(&f.tolerance, "tolerance", "2%", "width of the bracket that --saturation searches for, as part of the load")
	c.Flags().IntVar(&f.linkLatency, "link-latency", d.LinkLatency, "cycles of a link")
	c.Flags().BoolVar(&f.saturation, "saturation", false, "also find the saturation load, by bisection to --tolerance")
	c.Flags().BoolVar(&f.checkDeadlock, "check-deadlock", false, "prove on the channel-dependency graph that the routing, of any name, cannot deadlock, and simulate nothing")
	c.Flags().StringVar(&f.booksim, "booksim", "", "configuration file of BookSim2 to run instead of a design")
	c.Flags().BoolVar(&f.detail, "detail", false, "print links, buffers, fairness and where packets wait (always in --json)")
	c.Flags().IntVar(&f.series, "series", 0, "time series: cycles per sample; cut_through: ns")
	c.Flags().StringVar(&f.heatmap, "heatmap", "", "write the utilisation of every link to FILE.svg (highest load) or FILE.csv (all loads)")
	c.Flags().StringArrayVar(&f.plots, "plot", nil, "draw latency and accepted over offered load into FILE.svg, .pdf or .png (may be repeated)")
	c.Flags().StringVar(&f.fail.links, "fail-links", "", "links between switches that fail, drawn at random: a number, or a share such as 1%")
	c.Flags().StringVar(&f.fail.switches, "fail-switches", "", "switches that fail, drawn at random: a number or a share")
	c.Flags().StringArrayVar(&f.fail.named, "fail", nil, "what fails, by name: leaf[3], leaf[3]-spine[0], endpoint[7]-leaf[0]; may be repeated")
	c.Flags().Uint64Var(&f.fail.seed, "fail-seed", 1, "seed of what fails at random; more failures of one seed contain fewer")
	c.Flags().StringArrayVar(&f.set, "set", nil, "a setting of the switches, KEY=VALUE as under config in --json (may be repeated):\n"+
		"vc_allocator=islip(2), sw_allocator=wavefront, internal_speedup=2, speculative=true, shared_flits=16, ...")
	f.cut.add(c)
	c.Flags().StringVar(&f.loop.kind, "workload", "", "closed loop instead of --load: window=N packets under way, barrier, alltoall, ring")
	c.Flags().StringVar(&f.loop.message, "message", "", "flits (cut_through: bytes, such as 64kB) that an endpoint of a --workload sends to another at a time; of a ring a chunk, one N-th of the vector")
	c.Flags().IntVar(&f.loop.rounds, "rounds", 0, fmt.Sprintf("rounds of --workload barrier (default %d)", defaultRounds))
	c.Flags().Int64Var(&f.loop.limit, "max-completion", 0, "most cycles for a --workload to complete (default 100 million); cut_through: ns (default 10 s)")
	c.Flags().IntSliceVar(&f.loop.sizes, "sizes", nil, "mixed packets instead of --packet: flits, such as 1,8")
	c.Flags().IntSliceVar(&f.loop.weights, "weights", nil, "how often each of --sizes comes, such as 3,1 (default: all alike)")
	c.Flags().BoolVar(&f.bench, "bench", false, "measure the speed of the simulator: cycles, switch-cycles and flit-hops per second, bytes per port")
}

// simNames lists routings and traffics for the help page.
func simNames() string {
	var b strings.Builder
	b.WriteString("Routings: ")
	for i, r := range route.All() {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(r.Name)
	}
	b.WriteString("\nTraffics: ")
	var names []string
	for _, t := range traffic.All() {
		names = append(names, t.Name)
	}
	return b.String() + strings.TrimLeft(wrap(strings.Join(names, ", "), 78, "          "), " ")
}

// parseLoads reads loads in (0, 1].
func parseLoads(s string) ([]float64, error) {
	var loads []float64
	var faults []error
	for _, t := range strings.Split(s, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(t), 64)
		if err != nil || !(x > 0 && x <= 1) {
			faults = append(faults, usagef("--load %q: a load is a number above 0 and at most 1", strings.TrimSpace(t)))
		}
		loads = append(loads, x)
	}
	return loads, joinUsage(faults...)
}

// simPoint is a point with the time it took.
type simPoint struct {
	simcore.Point
	WallS float64 `json:"wall_s"`
}

type simDoc struct {
	Schema     string              `json:"schema"`
	Design     string              `json:"design"`
	Config     map[string]any      `json:"config"`
	Failed     *failReport         `json:"failed,omitempty"`
	Points     []simPoint          `json:"points"`
	Saturation *simcore.Saturation `json:"saturation,omitempty"`
}

func (a *app) simulate(ctx context.Context, name string, f simFlags) error {
	loads, loadErr := parseLoads(f.loads)
	work, workErr := f.loop.parse(f.cut.model)
	designs, designErr := a.parseDesigns([]string{name})
	if err := joinUsage(designErr, loadErr, workErr, f.checkConfig(a), checkHeat(f.heatmap), f.checkPlots(), f.together()); err != nil {
		// The network is not built, which would check these more closely.
		_, nameErr := route.IsDirect(f.routing)
		return joinUsage(err, nameErr, traffic.CheckName(f.traffic))
	}
	d := designs[0]
	n, err := d.Build()
	if err != nil {
		return err
	}
	n, failed, err := f.fail.degrade(n)
	if err != nil {
		return err
	}
	if f.checkDeadlock {
		return a.checkDeadlock(ctx, d, n, f)
	}
	if f.cut.model == modelCut {
		return a.simulateCut(ctx, d, n, &f, failed, loads, work)
	}
	sim, doc, err := a.prepare(ctx, d, n, f, failed)
	if err != nil {
		return err
	}
	if work == nil {
		if err := checkLoads(sim, loads, f.saturation); err != nil {
			return err
		}
	}
	if f.bench {
		c := sim.Config()
		return a.bench(ctx, &benchTarget{design: doc.Design, sim: sim, loads: loads, seed: c.Seed, endpoints: n.Endpoints(),
			warmup: c.Warmup, cycles: c.Measure})
	}
	if work != nil {
		return a.runWorkload(ctx, sim, doc, *work, &f)
	}
	doc.Points, err = a.runLoads(ctx, sim, loads)
	if err == nil && f.saturation {
		doc.Saturation, err = a.runSaturation(ctx, sim)
	}
	if err != nil && ctx.Err() == nil {
		return err
	}
	if a.json {
		if err := printJSON(a.out, doc); err != nil {
			return err
		}
	} else {
		a.printPoints(doc, &f)
	}
	var points []*simcore.Point
	for i := range doc.Points {
		points = append(points, &doc.Points[i].Point)
	}
	saturation := 0.0
	if s := doc.Saturation; s != nil {
		saturation = s.Load
	}
	if err := f.writePlots(points, saturation, flitUnits); err != nil {
		return err
	}
	if f.heatmap != "" {
		if err := a.writeHeat(f.heatmap, doc.Design, doc.Config, points...); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// checkLoads refuses loads that the sources cannot make; a search for saturation begins with load 1.
func checkLoads(sim *flit.Sim, loads []float64, saturation bool) error {
	var faults []error
	for _, l := range loads {
		faults = append(faults, sim.CheckLoad(l))
	}
	if err := sim.CheckLoad(1); saturation && err != nil {
		faults = append(faults, fmt.Errorf("--saturation begins with load 1: %w", err))
	}
	return flagNames(errors.Join(faults...))
}

// config is the configuration of the flit model that the flags describe, with so many VCs if they
// do not say. Every fault is reported.
func (f *simFlags) config(a *app, vcs int) (flit.Config, error) {
	cfg := flit.DefaultConfig()
	var bufferErr error
	cfg.BufferFlits, bufferErr = f.flits()
	cfg.Seed, cfg.PacketFlits = a.seedOr(1), f.packet
	cfg.Measure, cfg.LinkLatency = f.cycles, f.linkLatency
	cfg.Observe = simcore.Observe{Detail: !f.bench, Channels: f.heatmap != "", Series: f.series}
	if cfg.VCs = f.vcs; f.vcs == 0 {
		cfg.VCs = vcs
	}
	f.loop.mix(&cfg)
	return cfg, joinUsage(bufferErr, f.steady(&cfg), setConfig(&cfg, f.set), flagNames(cfg.Validate()))
}

// checkConfig reports every fault of the settings of the model that is asked for.
func (f *simFlags) checkConfig(a *app) error {
	if err := f.cut.refuse(); err != nil || f.cut.model == modelCut {
		if f.cut.model == modelCut {
			_, cut := f.cutConfig()
			err = joinUsage(err, cut)
		}
		return err
	}
	_, err := f.config(a, flit.DefaultConfig().VCs)
	return err
}

// together refuses flags that contradict each other.
func (f *simFlags) together() error {
	var faults []error
	if f.loop.kind != "" {
		for name, on := range map[string]bool{"--saturation": f.saturation, "--bench": f.bench, "--check-deadlock": f.checkDeadlock, "--plot": len(f.plots) > 0} {
			if on {
				faults = append(faults, usagef("%s does not go with --workload, which offers no load", name))
			}
		}
	}
	if f.bench && f.saturation {
		faults = append(faults, usagef("--saturation does not go with --bench, which times the loads that are given"))
	}
	if len(f.plots) > 0 && (f.bench || f.checkDeadlock) {
		faults = append(faults, usagef("--plot needs loads to draw: it goes with neither --bench nor --check-deadlock"))
	}
	if len(f.loop.weights) > 0 && len(f.loop.sizes) == 0 {
		faults = append(faults, usagef("--weights needs --sizes"))
	}
	slices.SortFunc(faults, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return joinUsage(faults...)
}

// simParts makes the routing and the traffic of a simulation, for a model that has want VCs unless
// it is told how many.
func (a *app) simParts(ctx context.Context, d topology.Design, n *topology.Network, f *simFlags, failed *failReport, want int) (*route.Native, simcore.Traffic, uint64, error) {
	opt := route.Options{VCs: f.vcs, Want: want, Workers: a.workers}
	if d.Family.Natural != nil {
		opt.Natural = d.Family.Natural(d.V)
	}
	blocks := 0
	if d.Family.Place != nil {
		place := d.Family.Place(d.V)
		opt.Blocks, blocks = routing.BlocksOf(n, place), place.Blocks
	}
	t, trafficErr := traffic.ByName(f.traffic, traffic.Options{Network: n, Blocks: blocks, Dims: d.Dims(), Seed: a.seedOr(1), Context: ctx})
	r, routingErr := route.ByName(ctx, f.routing, n, opt)
	if err := joinUsage(routingErr, trafficErr); err != nil {
		return nil, nil, 0, err
	}
	if failed != nil {
		if err := failed.checkReach(ctx, n, r, opt); err != nil {
			return nil, nil, 0, err
		}
	}
	return r, t, a.seedOr(1), nil
}

// prepare builds the simulation of a network.
func (a *app) prepare(ctx context.Context, d topology.Design, n *topology.Network, f simFlags, failed *failReport) (*flit.Sim, *simDoc, error) {
	r, t, _, err := a.simParts(ctx, d, n, &f, failed, flit.DefaultConfig().VCs)
	if err != nil {
		return nil, nil, err
	}
	cfg, err := f.config(a, max(flit.DefaultConfig().VCs, r.VCs()))
	if err != nil {
		return nil, nil, err
	}
	sim, err := flit.New(n, r, t, cfg)
	if err != nil {
		return nil, nil, flagNames(err)
	}
	cfg = sim.Config()
	settings := settings(&cfg)
	for k, v := range map[string]any{
		"routing": f.routing, "traffic": f.traffic, "vcs_needed": r.VCs(), "cycles": cfg.Measure, "max_cycles": cfg.MaxMeasure,
		"endpoints": n.Endpoints(), "switches": n.Switches(), "seed": cfg.Seed,
	} {
		settings[k] = v
	}
	if len(cfg.Sizes) > 0 {
		settings["sizes"], settings["weights"], settings["packet_flits"] = cfg.Sizes, cfg.Weights, cfg.MeanFlits()
	}
	return sim, &simDoc{Schema: "toposearch.simulate/1", Design: d.String(), Failed: failed, Config: settings}, nil
}
