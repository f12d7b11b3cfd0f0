package main

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
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
	mtu, ecn, cell           string
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
	s.StringVar(&f.cell, "cell", "256", "cut_through: bytes of a cell, in which adaptive routings see queues and --json counts flits")
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
	onlyCut = []string{"bandwidth", "cables", "switch-latency", "relay-latency", "nic-latency", "control-latency", "mtu", "packet-bytes", "cell",
		"flow-control", "queueing", "crossbar-speedup", "pfc-alpha", "ecn-threshold", "arrivals"}
	onlyFlit = []string{"packet", "link-latency", "set", "sizes", "weights"}
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
	read("cell", x.cell, unit.KindBytes, func(v float64) { c.CellBytes = int(v) })
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
	c.Observe = simcore.Observe{Detail: !f.bench, Channels: f.heatmap != "", Series: f.series}
	faults = append(faults, f.steadyCut(&c), flagNames(c.Validate()))
	return c, joinUsage(faults...)
}

// steadyCut is steady for the cut-through model.
func (f *simFlags) steadyCut(c *cutthrough.Config) error {
	var flit simcore.Config
	if err := f.steady(&flit); err != nil {
		return err
	}
	if f.warmup == "auto" {
		c.WarmupRule = simcore.WarmupMSER5
	} else {
		c.WarmupNs = flit.Warmup
	}
	c.Precision, c.MaxMeasureNs = flit.Precision, flit.MaxMeasure
	return nil
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
	r, err := e.Evaluate(ctx, d, evaluator.Request{Level: 1, Keys: []metric.Key{metric.CableMax}})
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
