package main

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"toposearch/internal/unit"
	"toposearch/simcore/cutthrough"
)

// cutFlags are the flags of simulate that only the cut-through model knows.
type cutFlags struct {
	given                    *pflag.FlagSet
	model                    string
	bandwidth, cables        string
	switchNs, relayNs, nicNs string
	controlNs                string
	mtu, ecn, cell           string
	sizes                    []string
	flow, queueing, arrivals string
	speedup, alpha           float64
}

// declare declares the flags.
func (f *cutFlags) declare(s *pflag.FlagSet) {
	d := cutthrough.DefaultConfig()
	f.given = s
	s.StringVar(&f.model, "model", modelFlit, "flit (an abstract router, in cycles) or cut_through (switches of today, in us and Gb/s)")
	s.StringVar(&f.bandwidth, "bandwidth", "", "bandwidth of an endpoint, all ports together, such as '400 Gb/s', as in eval: what load 1 is, and what the rates of links on sale follow from")
	s.StringVar(&f.cables, "cables", "", "cut_through: cable lengths by link class, such as nic=3m,local=5m,global=40m (default: mean lengths as bought for the floor plan)")
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
	s.StringVar(&f.arrivals, "arrivals", d.Arrivals, "cut_through: poisson, constant, on_off(alpha,beta) (chances per ns to turn on and off), or some sources of each, mixed(1*poisson,1*constant)")
}

// onlyCut and onlyFlit are the flags that one model alone knows.
var (
	onlyCut = []string{"cables", "switch-latency", "relay-latency", "nic-latency", "control-latency", "mtu", "packet-bytes", "cell",
		"flow-control", "queueing", "crossbar-speedup", "pfc-alpha", "ecn-threshold", "arrivals"}
	onlyFlit = []string{"packet", "injection", "link-latency", "set", "sizes", "weights"}
)

// gbps reads --bandwidth; 0 if it is not given.
func (f *cutFlags) gbps() (float64, error) {
	if f.bandwidth == "" {
		return 0, nil
	}
	gbps, err := unit.KindBandwidth.Parse(f.bandwidth)
	if err == nil && gbps <= 0 {
		err = fmt.Errorf("%q: it must be above 0", f.bandwidth)
	}
	if err != nil {
		return 0, usagef("--bandwidth: %v", err)
	}
	return gbps, nil
}

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
	if f.given != nil {
		f.given.Visit(func(x *pflag.Flag) {
			if slices.Contains(wrong, x.Name) {
				faults = append(faults, usagef("--%s is for --model %s", x.Name, has))
			}
		})
	}
	return joinUsage(faults...)
}
