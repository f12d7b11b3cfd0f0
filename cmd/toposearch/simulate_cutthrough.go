package main

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"

	"toposearch/evaluator"
	"toposearch/internal/unit"
	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
	"toposearch/topology"
)

const (
	modelFlit = "flit"
	modelCut  = "cut_through"
)

// cutFlags are the flags of simulate that only the cut-through model knows.
type cutFlags struct {
	set                      *pflag.FlagSet
	model                    string
	bandwidth, cables        string
	switchNs, relayNs, nicNs string
	controlNs                string
	mtu, ecn                 string
	sizes                    []string
	flow, queueing, arrivals string
	speedup, alpha           float64
}

func (f *cutFlags) add(c *cobra.Command) {
	d := cutthrough.DefaultConfig()
	s := c.Flags()
	f.set = s
	s.StringVar(&f.model, "model", modelFlit, "flit (an abstract router, in cycles) or cut_through (switches of today, in us and Gb/s)")
	s.StringVar(&f.bandwidth, "bandwidth", "", "cut_through: bandwidth of an endpoint, all ports together, such as '400 Gb/s', as in eval")
	s.StringVar(&f.cables, "cables", "", "cut_through: cable lengths by link class, such as nic=3m,local=5m,global=40m (default: mean lengths of the floor plan)")
	s.StringVar(&f.switchNs, "switch-latency", "400ns", "cut_through: head in to head out of a switch")
	s.StringVar(&f.relayNs, "relay-latency", "1us", "cut_through: the same of an endpoint that relays")
	s.StringVar(&f.nicNs, "nic-latency", "0ns", "cut_through: of both NICs together")
	s.StringVar(&f.controlNs, "control-latency", "100ns", "cut_through: sending and obeying a credit or a pause, cable aside")
	s.StringVar(&f.mtu, "mtu", "4096", "cut_through: bytes of a packet")
	s.StringSliceVar(&f.sizes, "packet-bytes", nil, "cut_through: mixed packet sizes with weights instead, such as 64:3,4096:1")
	s.StringVar(&f.flow, "flow-control", d.FlowControl, "cut_through: credit or pfc")
	s.StringVar(&f.queueing, "queueing", d.Queueing, "cut_through: voq (virtual output queues) or output")
	s.Float64Var(&f.speedup, "crossbar-speedup", d.Speedup, "cut_through: of the crossbar over each input port, with voq")
	s.Float64Var(&f.alpha, "pfc-alpha", d.PFCAlpha, "cut_through: pause an input above this share of the free shared buffer")
	s.StringVar(&f.ecn, "ecn-threshold", "", "cut_through: bytes waiting at an output above which packets are marked (default: 3 kB per Gb/s of the port)")
	s.StringVar(&f.arrivals, "arrivals", d.Arrivals, "cut_through: poisson or constant")
}

// onlyCut and onlyFlit are the flags that one model alone knows.
var (
	onlyCut = []string{"bandwidth", "cables", "switch-latency", "relay-latency", "nic-latency", "control-latency", "mtu", "packet-bytes",
		"flow-control", "queueing", "crossbar-speedup", "pfc-alpha", "ecn-threshold", "arrivals"}
	onlyFlit = []string{"packet", "link-latency", "precision", "max-cycles", "detail", "series", "heatmap", "set",
		"workload", "message", "rounds", "max-completion", "sizes", "weights"}
)

// refuse reports a model that does not exist and flags that it does not know.
func (f *cutFlags) refuse() error {
	if f.model != modelFlit && f.model != modelCut {
		return usagef("--model %q: there are %s and %s", f.model, modelFlit, modelCut)
	}
	wrong, has := onlyCut, modelCut
	if f.model == modelCut {
		wrong, has = onlyFlit, modelFlit
	}
	var faults []error
	if f.set != nil {
		f.set.Visit(func(x *pflag.Flag) {
			if slices.Contains(wrong, x.Name) {
				faults = append(faults, usagef("--%s is for --model %s", x.Name, has))
			}
		})
	}
	return joinUsage(faults...)
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

// cutConfig turns the flags into a configuration, rates and cables aside. Every fault is reported.
func (f *simFlags) cutConfig() (cutthrough.Config, error) {
	c, x := cutthrough.DefaultConfig(), &f.cut
	var faults []error
	read := func(flag, text string, k unit.Kind, to func(float64)) {
		if text == "" {
			return
		}
		if k == unit.KindBytes { // a bare number is bytes
			if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil {
				to(float64(n))
				return
			}
		}
		v, err := k.Parse(text)
		if err != nil {
			faults = append(faults, usagef("--%s: %v", flag, err))
			return
		}
		to(v)
	}
	read("switch-latency", x.switchNs, unit.KindLatency, func(v float64) { c.SwitchNs = v })
	read("relay-latency", x.relayNs, unit.KindLatency, func(v float64) { c.RelayNs = v })
	read("nic-latency", x.nicNs, unit.KindLatency, func(v float64) { c.NICNs = v })
	read("control-latency", x.controlNs, unit.KindLatency, func(v float64) { c.ControlNs = v })
	read("mtu", x.mtu, unit.KindBytes, func(v float64) { c.MTUBytes = int(v) })
	read("ecn-threshold", x.ecn, unit.KindBytes, func(v float64) { c.ECNBytes = int(v) })
	read("buffer", f.buffer, unit.KindBytes, func(v float64) { c.BufferBytes = int64(v) })
	c.FlowControl, c.Queueing, c.Arrivals, c.Speedup, c.PFCAlpha = x.flow, x.queueing, x.arrivals, x.speedup, x.alpha
	for _, s := range x.sizes {
		size, weight, _ := strings.Cut(s, ":")
		b, err := strconv.Atoi(strings.TrimSpace(size))
		w, err2 := strconv.Atoi(strings.TrimSpace(weight))
		if err != nil || err2 != nil {
			faults = append(faults, usagef("--packet-bytes %q: write bytes:weight, such as 64:3", s))
			continue
		}
		c.Sizes, c.Weights = append(c.Sizes, b), append(c.Weights, w)
	}
	c.VCs = f.vcs
	if x.set.Changed("cycles") {
		c.MeasureNs = f.cycles
	}
	if f.warmup != "auto" {
		n, err := strconv.Atoi(f.warmup)
		if err != nil {
			faults = append(faults, usagef("--warmup %q: write a number of ns, or auto (%d)", f.warmup, c.WarmupNs))
		}
		c.WarmupNs = n
	}
	if err := c.Validate(); err != nil {
		faults = append(faults, usage(err))
	}
	return c, joinUsage(faults...)
}

// wire fills in rates and cables: those of the evaluator's floor plan, or the lengths given.
func (x *cutFlags) wire(ctx context.Context, d topology.Design, n *topology.Network, c *cutthrough.Config) (source string, err error) {
	opt := evaluator.Options{}
	if x.bandwidth != "" {
		if opt.BandwidthGbps, err = unit.KindBandwidth.Parse(x.bandwidth); err != nil {
			return "", usagef("--bandwidth: %v", err)
		}
	}
	e, err := evaluator.New(opt)
	if err != nil {
		return "", err
	}
	r, err := e.Evaluate(ctx, d, evaluator.Request{Level: 1, Keys: []evaluator.Key{evaluator.CableMax}})
	if err != nil {
		return "", err
	}
	source = "mean lengths of the floor plan"
	if c.ClassGbps, c.ClassCableNs, err = e.LinkTimes(r, n); err == nil {
		c.BandwidthGbps = r.Plan.BandwidthGbps
	} else if x.cables == "" {
		return "", usagef("%v; give cable lengths by class: --cables %s", err, exampleCables(n))
	} else {
		x.byLanes(n, opt.BandwidthGbps, c)
	}
	if x.cables == "" {
		return source, nil
	}
	return "--cables", x.lay(n, e.Options().Latency.CableNsPerM, c)
}

// byLanes divides the bandwidth of an endpoint by its lanes, where no catalogue says what is sold.
func (x *cutFlags) byLanes(n *topology.Network, gbps float64, c *cutthrough.Config) {
	if gbps == 0 {
		gbps = 400 // as eval
	}
	c.BandwidthGbps = gbps
	c.ClassGbps, c.ClassCableNs = nil, make([]float64, len(n.LinkClasses))
	for i := range n.LinkClasses {
		c.ClassGbps = append(c.ClassGbps, gbps*float64(n.Lanes[i])/float64(max(1, n.EndpointLanes)))
	}
}

func exampleCables(n *topology.Network) string {
	var parts []string
	for _, l := range n.LinkClasses {
		if l.Name != topology.ClassInternal {
			parts = append(parts, l.Name+"=5m")
		}
	}
	return strings.Join(parts, ",")
}

// lay reads --cables.
func (x *cutFlags) lay(n *topology.Network, nsPerM float64, c *cutthrough.Config) error {
	var faults []error
	for _, part := range strings.Split(x.cables, ",") {
		name, length, _ := strings.Cut(part, "=")
		i := slices.IndexFunc(n.LinkClasses, func(l topology.LinkClass) bool { return l.Name == strings.TrimSpace(name) })
		m, err := unit.KindLength.Parse(strings.TrimSpace(length))
		switch {
		case i < 0:
			faults = append(faults, usagef("--cables %q: there is no link class of this name; write %s", part, exampleCables(n)))
		case err != nil:
			faults = append(faults, usagef("--cables %q: %v", part, err))
		default:
			c.ClassCableNs[i] = m * nsPerM
		}
	}
	return joinUsage(faults...)
}

// simulateCut is simulate for the cut-through model.
func (a *app) simulateCut(ctx context.Context, d topology.Design, n *topology.Network, f *simFlags, failed *failReport, loads []float64) error {
	if err := f.cut.refuse(); err != nil {
		return err
	}
	cfg, err := f.cutConfig()
	if err != nil {
		return err
	}
	tolerance, err := parseShare("tolerance", f.tolerance)
	if err != nil {
		return err
	}
	cables, err := f.cut.wire(ctx, d, n, &cfg)
	if err != nil {
		return err
	}
	r, t, seed, err := a.simParts(ctx, d, n, f, failed, 0)
	if err != nil {
		return err
	}
	cfg.Seed = seed
	before := uint64(0)
	if f.bench {
		before = heap()
	}
	sim, err := cutthrough.New(n, r, t, cfg)
	if err != nil {
		return usage(err)
	}
	zero, err := a.settle(sim, f)
	if err != nil {
		return err
	}
	doc := &cutDoc{Schema: "toposearch.simulate/1", Design: d.String(), Failed: failed, Config: cutSettings(sim, f, n, cables)}
	doc.Config["zero_load_us"] = zero / 1000
	doc.Points, err = a.cutLoads(ctx, sim, loads, f.bench, before)
	if err == nil && f.saturation {
		sim.Split(a.cores())
		var s cutthrough.Saturation
		if s, err = sim.Saturation(ctx, tolerance); len(s.Points) > 0 {
			doc.Saturation = &s
		}
	}
	if err != nil && ctx.Err() == nil {
		return err
	}
	if a.json {
		if err := printJSON(a.out, doc); err != nil {
			return err
		}
	} else {
		a.printCut(doc, n, f.bench)
	}
	return ctx.Err()
}

// settle chooses the warm-up, five times as long as the slowest of some lone packets takes and at
// least the default; one that is given has to be longer than that packet takes, or what arrives in
// the window would tell nothing. The packets of the window have as long as it, or ten times as long
// as a lone one, to arrive. It gives the mean time of lone packets, ns.
func (a *app) settle(sim *cutthrough.Sim, f *simFlags) (zero float64, err error) {
	const packets = 64 // of as many random endpoints: their mean is within some percent
	mean, most := sim.ZeroLoad(packets)
	c := sim.Config()
	warmup := c.WarmupNs
	if f.warmup == "auto" {
		warmup = max(warmup, int(5*most))
	} else if float64(c.WarmupNs) < most {
		return 0, usagef("--warmup %d: lone packets take up to %.0f ns here; warm up for several times that, or write auto", c.WarmupNs, most)
	}
	sim.SetTimes(warmup, max(c.MeasureNs, int(10*most)))
	return mean, nil
}

// cutSettings is the configuration as the JSON has it.
func cutSettings(sim *cutthrough.Sim, f *simFlags, n *topology.Network, cables string) map[string]any {
	c := sim.Config()
	rates, ns := map[string]float64{}, map[string]float64{}
	for i, l := range n.LinkClasses {
		if l.Name != topology.ClassInternal && sim.Uses(i) {
			rates[l.Name], ns[l.Name] = c.ClassGbps[i], c.ClassCableNs[i]
		}
	}
	m := map[string]any{"model": modelCut, "routing": f.routing, "traffic": f.traffic, "vcs": c.VCs, "seed": c.Seed,
		"endpoints": n.Endpoints(), "switches": n.Switches(), "bandwidth_gbps": c.BandwidthGbps, "link_gbps": rates, "cable_ns": ns,
		"cables": cables, "switch_ns": c.SwitchNs, "relay_ns": c.RelayNs, "nic_ns": c.NICNs, "control_ns": c.ControlNs,
		"flow_control": c.FlowControl, "queueing": c.Queueing, "buffer_bytes": c.BufferBytes, "mtu_bytes": c.MTUBytes,
		"cell_bytes": c.CellBytes, "arrivals": c.Arrivals, "warmup": c.WarmupNs, "cycles": c.MeasureNs, "cycle_ns": 1}
	if c.Queueing == cutthrough.VOQ {
		m["crossbar_speedup"] = c.Speedup
	}
	if c.FlowControl == cutthrough.PFC {
		m["pfc_alpha"] = c.PFCAlpha
	}
	if c.ECNBytes > 0 {
		m["ecn_bytes"] = c.ECNBytes
	}
	if len(c.Sizes) > 0 {
		m["sizes"], m["weights"] = c.Sizes, c.Weights
	}
	return m
}

// cutLoads simulates every load, as many at a time as there are workers, and each on several cores
// if there are more of those; timed, one after the other on one core.
func (a *app) cutLoads(ctx context.Context, sim *cutthrough.Sim, loads []float64, timed bool, before uint64) ([]cutPoint, error) {
	workers := a.cores()
	if timed {
		workers = 1
	}
	c := sim.Config()
	points := make([]cutPoint, len(loads))
	prog := a.newSimProgress(simcore.Config{Warmup: c.WarmupNs, Measure: c.MeasureNs}, loads)
	defer prog.end()
	sims := []*cutthrough.Sim{sim}
	for range min(workers, len(loads)) - 1 {
		s, err := sim.Clone()
		if err != nil {
			return nil, err
		}
		sims = append(sims, s)
	}
	var g errgroup.Group
	for w, s := range sims {
		g.Go(func() error {
			s.Split(workers / len(loads))
			for i := w; i < len(loads); i += workers {
				s.OnProgress(func(ns int64) { prog.at(i, simcore.Cycle(ns)) })
				begun := a.now()
				p, err := s.Run(ctx, loads[i])
				points[i] = cutPoint{Point: p, WallS: a.now().Sub(begun).Seconds()}
				if timed && p.PacketHops > 0 {
					points[i].NsPerPacketHop = points[i].WallS * 1e9 / float64(p.PacketHops)
					points[i].BytesPerEndpoint = float64(heap()-before) / float64(s.Endpoints())
				}
				if err != nil {
					return err
				}
				prog.done(i)
			}
			return nil
		})
	}
	err := g.Wait()
	return points, err
}
