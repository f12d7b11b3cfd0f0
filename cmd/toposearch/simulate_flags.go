package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"toposearch/simcore"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simulate"
	"toposearch/topology"
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
	collective       collectiveFlags
	jobs             jobFlags
	set              []string
	injection        string
	watch            string
}

// declare declares the flags of the flit model, those that both models know, and the groups.
func (f *simFlags) declare(s *pflag.FlagSet) {
	d := flit.SwitchConfig()
	s.StringVar(&f.routing, "routing", "natural", "routing, with additions after +: natural+hash, ugal_l+group")
	s.StringVar(&f.traffic, "traffic", "uniform", "traffic, or file:PATH for a permutation or a matrix")
	s.StringVar(&f.loads, "load", "0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1", "offered loads")
	s.IntVar(&f.vcs, "vcs", 0, "virtual channels of a link (default: as many as the routing needs, at least 4)")
	s.StringVar(&f.buffer, "buffer", "", "flits of buffer per VC (default: the longest credit round trip plus a packet); cut_through: of a switch, such as 64MB (the default)")
	s.IntVar(&f.packet, "packet", 4, "flits of a packet")
	s.StringVar(&f.injection, "injection", d.Injection, "when endpoints make packets: bernoulli, poisson, on_off(alpha,beta) (probabilities per cycle to turn on and off), or several over sources, mixed(0.7*bernoulli,0.3*poisson); cut_through: --arrivals")
	s.IntVar(&f.cycles, "cycles", d.Measure, "measured cycles per load; cut_through: ns (default 50000)")
	s.StringVar(&f.warmup, "warmup", "auto", "cycles before the measurement; auto: until MSER-5 finds the latency settled, looking first after 2000; cut_through: ns, looking first after five times a lone packet's time, at least 20000")
	s.StringVar(&f.precision, "precision", "", "measure until half the 95 % confidence interval of latency and throughput is this part of them, such as 1%")
	s.IntVar(&f.maxCycles, "max-cycles", 0, "most measured cycles per load with --precision (default: 16 times --cycles) or of one near saturation with --saturation (4 times); cut_through: ns")
	s.StringVar(&f.tolerance, "tolerance", "2%", "width of the bracket that --saturation searches for, as part of the load")
	s.IntVar(&f.linkLatency, "link-latency", d.LinkLatency, "cycles of a link")
	s.BoolVar(&f.saturation, "saturation", false, "also find the saturation load, by bisection to --tolerance")
	s.BoolVar(&f.checkDeadlock, "check-deadlock", false, "prove on the channel-dependency graph that the routing, of any name, cannot deadlock, and simulate nothing")
	s.StringVar(&f.booksim, "booksim", "", "configuration file of BookSim2 to run instead of a design")
	s.BoolVar(&f.detail, "detail", false, "print links, buffers, fairness and where packets wait (always in --json)")
	s.IntVar(&f.series, "series", 0, "time series: cycles per sample; cut_through: ns")
	s.StringVar(&f.watch, "watch", "", "SOURCE:DESTINATION, two endpoints: add packets from the one to the other, a thousandth of the load and 2 % of the source's bandwidth at most, and report their latency")
	s.StringVar(&f.heatmap, "heatmap", "", "write the utilisation of every link to FILE.svg (highest load) or FILE.csv (all loads)")
	s.StringArrayVar(&f.plots, "plot", nil, "draw latency and accepted over offered load into FILE.svg, .pdf or .png (may be repeated)")
	s.StringArrayVar(&f.set, "set", nil, "a setting of the switches, KEY=VALUE as under config in --json (may be repeated):\n"+
		"vc_allocator=islip(2), sw_allocator=wavefront, internal_speedup=1, speculative=true, shared_flits=16, ...; internal_speedup is 2 unless it is set, as in eval and run;\n"+
		"of ugal_l, ugal_g, par and others: ugal_bias, flits per VC in favour of the direct way (default: half a packet, or of what a VC holds of it, of ugal_g all), ugal_stall, flits on a VC of detours that keep\n"+
		"direct packets off it (default: half a credit round trip, and a packet, of ugal_l sometimes 0), ugal_draws, draws of an intermediate (default 32 or 4), ugal_peers, times the\n"+
		"mean queue of the switch's other channels of a kind that the direct way's must be for a detour (default: of n others n (4^(1/n) - 1), 3 times one, 2 times two, 1.5 times nine; not of ugal_g); all of them: toposearch routings")
	s.BoolVar(&f.bench, "bench", false, "measure the speed of the simulator: cycles, switch-cycles and flit-hops per second, bytes per port")
	f.cut.declare(s)
	f.fail.declare(s)
	f.loop.declare(s)
	f.collective.declare(s)
	f.jobs.declare(s)
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

// flits reads --buffer of the flit model.
func (f *simFlags) flits() (int, error) {
	if f.buffer == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(strings.TrimSpace(f.buffer))
	if err != nil {
		return 0, usagef("--buffer %q: write a number of flits; a size in bytes is for --model %s", f.buffer, modelCut)
	}
	return n, nil
}

// pair reads --watch; nil: nothing is watched.
func (f *simFlags) pair() (*simcore.Pair, error) {
	if f.watch == "" {
		return nil, nil
	}
	from, to, _ := strings.Cut(f.watch, ":")
	src, err := strconv.ParseInt(from, 10, 32)
	dst, err2 := strconv.ParseInt(to, 10, 32)
	if err != nil || err2 != nil {
		return nil, usagef("--watch %q: write two endpoints by their numbers, such as 3:17", f.watch)
	}
	return &simcore.Pair{Src: topology.EndpointID(src), Dst: topology.EndpointID(dst)}, nil
}

// steady sets what decides when a measurement begins and ends.
func (f *simFlags) steady(cfg *flit.Config) error {
	var faults [4]error
	if f.warmup == "auto" {
		cfg.WarmupRule = simcore.WarmupMSER5
	} else if n, err := strconv.Atoi(f.warmup); err != nil {
		faults[0] = usagef("--warmup %q: write a number of cycles (%s: of ns), or auto", f.warmup, modelCut)
	} else {
		cfg.Warmup = n
	}
	cfg.MaxMeasure = f.maxCycles
	if f.precision != "" {
		cfg.Precision, faults[1] = parseShare("precision", f.precision)
	} else if f.maxCycles != 0 && !f.saturation {
		faults[2] = usagef("--max-cycles bounds a run with --precision or --saturation; without them --cycles is the length")
	}
	cfg.SatTolerance, faults[3] = parseShare("tolerance", f.tolerance)
	return joinUsage(faults[:]...)
}

// config is the configuration of the flit model that the flags describe, with the given number of VCs if
// they do not say. Every fault is reported.
func (f *simFlags) config(a *app, vcs int) (flit.Config, error) {
	cfg := flit.SwitchConfig()
	var bufferErr error
	cfg.BufferFlits, bufferErr = f.flits()
	cfg.Seed, cfg.PacketFlits, cfg.Injection = a.seedOr(1), f.packet, f.injection
	cfg.Measure, cfg.LinkLatency = f.cycles, f.linkLatency
	cfg.Observe = simcore.Observe{Detail: !f.bench, Channels: f.heatmap != "", Series: f.series}
	if cfg.VCs = f.vcs; f.vcs == 0 {
		cfg.VCs = vcs
	}
	var watchErr error
	cfg.Observe.Watch, watchErr = f.pair()
	f.loop.mix(&cfg)
	return cfg, joinUsage(bufferErr, watchErr, f.steady(&cfg), f.apply(&cfg, new(route.Tuning)), flagNames(cfg.Validate()))
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

// together refuses flags that contradict each other.
func (f *simFlags) together() error {
	var faults []error
	if closed := map[bool]string{true: "--workload", false: "--collective"}[f.loop.kind != ""]; f.loop.kind != "" || f.collective.what != "" {
		for name, on := range map[string]bool{"--saturation": f.saturation, "--bench": f.bench, "--check-deadlock": f.checkDeadlock, "--plot": len(f.plots) > 0, "--watch": f.watch != ""} {
			if on {
				faults = append(faults, usagef("%s does not go with %s, which offers no load", name, closed))
			}
		}
	}
	if f.loop.limit != 0 && f.loop.kind == "" && f.collective.what == "" {
		faults = append(faults, usagef("--max-completion belongs to a --workload or a --collective"))
	}
	if f.loop.kind != "" && f.collective.what != "" {
		faults = append(faults, usagef("--collective does not go with --workload: each is a closed loop"))
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

// apply sets what --set says.
func (f *simFlags) apply(cfg *flit.Config, t *route.Tuning) error {
	var faults []error
	for _, setting := range f.set {
		if err := simulate.Set(cfg, t, setting); err != nil {
			faults = append(faults, fmt.Errorf("--set %w", err))
		}
	}
	return errors.Join(faults...)
}

// choice is the routing and the traffic that the flags name.
func (f *simFlags) choice(a *app) *simulate.Choice {
	c := &simulate.Choice{Routing: f.routing, Traffic: f.traffic, VCs: f.vcs, Workers: a.workers, Seed: a.seedOr(1)}
	_ = f.apply(new(flit.Config), &c.Tuning) // config has reported what is wrong
	return c
}
