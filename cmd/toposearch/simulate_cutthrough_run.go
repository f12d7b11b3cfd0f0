package main

import (
	"context"

	"golang.org/x/sync/errgroup"

	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
	"toposearch/simcore/flit"
	"toposearch/topology"
)

// simulateCut is simulate for the cut-through model.
func (a *app) simulateCut(ctx context.Context, d topology.Design, n *topology.Network, f *simFlags, failed *failReport, loads []float64, work *simcore.Workload) error {
	if err := f.cut.refuse(); err != nil {
		return err
	}
	cfg, err := f.cutConfig()
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
		return flagNames(err)
	}
	zero, err := a.settle(sim, f)
	if err != nil {
		return err
	}
	doc := &cutDoc{Schema: "toposearch.simulate/1", Design: d.String(), Failed: failed, Config: cutSettings(sim, f, n, cables)}
	doc.Config["zero_load_us"] = zero / 1000
	if work != nil {
		return a.cutWorkload(ctx, sim, doc, work, f)
	}
	doc.Points, err = a.cutLoads(ctx, sim, loads, f.bench, before)
	if err == nil && f.saturation {
		sim.Split(a.cores())
		doc.Saturation, err = a.cutSaturation(ctx, sim, f)
	}
	if err != nil && ctx.Err() == nil {
		return err
	}
	if a.json {
		if err := printJSON(a.out, doc); err != nil {
			return err
		}
	} else {
		a.printCut(doc, n, f)
	}
	var points []*simcore.Point
	for i := range doc.Points {
		points = append(points, &doc.Points[i].Point.Point)
	}
	saturation := 0.0
	if s := doc.Saturation; s != nil {
		saturation = s.Load
	}
	if err := f.writePlots(points, saturation, cutUnits); err != nil {
		return err
	}
	if f.heatmap != "" {
		if err := a.writeHeat(f.heatmap, doc.Design, doc.Config, points...); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// cutSaturation searches for the saturation load; interrupted, it gives the bracket so far.
func (a *app) cutSaturation(ctx context.Context, sim *cutthrough.Sim, f *simFlags) (*cutthrough.Saturation, error) {
	tolerance, err := parseShare("tolerance", f.tolerance)
	if err != nil {
		return nil, err
	}
	prog := a.newSimProgress(flit.Config{}, nil)
	prog.what = "saturation"
	defer prog.end()
	sim.OnProgress(func(ns int64) { prog.at(-1, simcore.Cycle(ns)) })
	sim.Split(a.cores())
	s, err := sim.Saturation(ctx, tolerance)
	if len(s.Points) == 0 {
		return nil, err
	}
	return &s, err
}

// settle chooses when the warm-up may end first: after five times as long as the slowest of some lone
// packets takes and at least the default; one that is given has to be longer than that packet takes, or what arrives in
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
		"cell_bytes": c.CellBytes, "arrivals": c.Arrivals, "warmup": c.WarmupNs, "warmup_rule": c.WarmupRule, "cycles": c.MeasureNs, "cycle_ns": 1}
	if c.Precision > 0 {
		m["precision"], m["max_cycles"] = c.Precision, c.Budget()
	}
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
	prog := a.newSimProgress(flit.Config{Warmup: c.WarmupNs, Measure: c.MeasureNs}, loads)
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
