package main

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"toposearch/internal/unit"
	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
	"toposearch/simcore/flit"
	"toposearch/simulate"
	"toposearch/topology"
)

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
	if x.given.Changed("cycles") {
		c.MeasureNs = f.cycles
	}
	c.Observe = simcore.Observe{Detail: !f.bench, Channels: f.heatmap != "", Series: f.series}
	var watchErr error
	c.Observe.Watch, watchErr = f.pair()
	faults = append(faults, watchErr, f.steadyCut(&c), flagNames(c.Validate()))
	return c, joinUsage(faults...)
}

// steadyCut is steady for the cut-through model.
func (f *simFlags) steadyCut(c *cutthrough.Config) error {
	var flit flit.Config
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

// wire fills in rates and cables: those of the evaluator's floor plan, or the lengths given. It says where
// the lengths come from. Endpoints have gbps, 0: the evaluator's default.
func (x *cutFlags) wire(ctx context.Context, d topology.Design, n *topology.Network, gbps float64, c *cutthrough.Config) (source string, err error) {
	nsPerM, err := simulate.Wire(ctx, d, n, gbps, c)
	var unplanned *simulate.UnplannedError
	switch {
	case errors.As(err, &unplanned) && x.cables == "":
		return "", usagef("%v; give cable lengths by class: --cables %s", err, exampleCables(n))
	case err != nil && unplanned == nil:
		return "", err
	case x.cables == "":
		return "mean lengths as bought for the floor plan", nil
	}
	return "--cables", x.lengths(n, nsPerM, c)
}

// exampleCables is --cables with all link classes of a network.
func exampleCables(n *topology.Network) string {
	var parts []string
	for _, l := range n.LinkClasses {
		if l.Name != topology.ClassInternal {
			parts = append(parts, l.Name+"=5m")
		}
	}
	return strings.Join(parts, ",")
}

// lengths reads --cables, with the delay of a metre.
func (x *cutFlags) lengths(n *topology.Network, nsPerM float64, c *cutthrough.Config) error {
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
