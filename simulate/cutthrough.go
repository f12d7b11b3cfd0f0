package simulate

import (
	"context"
	"fmt"
	"runtime"

	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
	"toposearch/topology"
)

// ModelCut names the cut-through model in the configuration of its documents.
const ModelCut = "cut_through"

// ShortWarmupError is of a warm-up that ends before a lone packet arrives.
type ShortWarmupError struct {
	WarmupNs  int
	LongestNs float64 // that a lone packet takes
}

func (e *ShortWarmupError) Error() string {
	return fmt.Sprintf("a warm-up of %d ns is too short: lone packets take up to %.0f ns", e.WarmupNs, e.LongestNs)
}

// Settle chooses when the warm-up may end first: with auto after five times as long as the slowest of some
// lone packets takes and at least the default; a fixed one has to be longer than that packet takes, or
// what arrives in the window would say nothing. The packets of the window have as long as it, or ten
// times as long as a lone one, to arrive. It gives the mean time of lone packets, ns.
func Settle(sim *cutthrough.Sim, auto bool) (zeroNs float64, err error) {
	const packets = 64 // of as many random endpoints: their mean is within some percent
	mean, most := sim.ZeroLoad(packets)
	c := sim.Config()
	warmup := c.WarmupNs
	if auto {
		warmup = max(warmup, int(5*most))
	} else if float64(c.WarmupNs) < most {
		return 0, &ShortWarmupError{c.WarmupNs, most}
	}
	sim.SetTimes(warmup, max(c.MeasureNs, int(10*most)))
	return mean, nil
}

// CutConfig is the configuration of a simulation as its document has it. cables says where their lengths
// come from, zeroNs is what Settle gave.
func CutConfig(sim *cutthrough.Sim, choice *Choice, n *topology.Network, cables string, zeroNs float64) map[string]any {
	c := sim.Config()
	rates, ns := map[string]float64{}, map[string]float64{}
	for i, l := range n.LinkClasses {
		if l.Name != topology.ClassInternal && sim.Uses(i) {
			rates[l.Name], ns[l.Name] = c.ClassGbps[i], c.ClassCableNs[i]
		}
	}
	m := map[string]any{"model": ModelCut, "routing": choice.Routing, "traffic": choice.Traffic, "vcs": c.VCs, "seed": c.Seed,
		"endpoints": n.Endpoints(), "switches": n.Switches(), "bandwidth_gbps": c.BandwidthGbps, "link_gbps": rates, "cable_ns": ns,
		"cables": cables, "switch_ns": c.SwitchNs, "relay_ns": c.RelayNs, "nic_ns": c.NICNs, "control_ns": c.ControlNs,
		"flow_control": c.FlowControl, "queueing": c.Queueing, "buffer_bytes": c.BufferBytes, "mtu_bytes": c.MTUBytes,
		"cell_bytes": c.CellBytes, "arrivals": c.Arrivals, "warmup": c.WarmupNs, "warmup_rule": c.WarmupRule, "cycles": c.MeasureNs, "cycle_ns": 1,
		"zero_load_us": zeroNs / 1000}
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

// CutLoads is Loads for the cut-through model.
func (r *Runner) CutLoads(ctx context.Context, sim *cutthrough.Sim, loads []float64) ([]CutPoint, error) {
	return r.cutLoads(ctx, sim, loads, r.workers(), func(*cutthrough.Sim, *CutPoint) {})
}

// CutBench runs the loads one after the other on one core and notes their speed, and the memory in use
// beyond before (see HeapInUse).
func (r *Runner) CutBench(ctx context.Context, sim *cutthrough.Sim, loads []float64, before uint64) ([]CutPoint, error) {
	return r.cutLoads(ctx, sim, loads, 1, func(s *cutthrough.Sim, p *CutPoint) {
		if p.PacketHops > 0 {
			p.NsPerPacketHop = p.WallS * 1e9 / float64(p.PacketHops)
			p.BytesPerEndpoint = float64(HeapInUse()-before) / float64(s.Endpoints())
		}
	})
}

// cutLoads calls after with every point that was simulated.
func (r *Runner) cutLoads(ctx context.Context, sim *cutthrough.Sim, loads []float64, workers int, after func(*cutthrough.Sim, *CutPoint)) ([]CutPoint, error) {
	points := make([]CutPoint, len(loads))
	err := sweep(ctx, workers, sim, len(loads), (*cutthrough.Sim).Split, func(ctx context.Context, s *cutthrough.Sim, i int) error {
		s.OnProgress(func(ns int64) { r.progress().Load(i, simcore.Cycle(ns)) })
		wall := r.stopwatch()
		p, err := s.Run(ctx, loads[i])
		points[i] = CutPoint{Point: p, WallS: wall()}
		after(s, &points[i])
		if err == nil {
			r.progress().LoadDone(i)
		}
		return err
	})
	return points, err
}

// CutSaturation is Saturation for the cut-through model, to a tolerance as a part of the load.
func (r *Runner) CutSaturation(ctx context.Context, sim *cutthrough.Sim, tolerance float64) (*cutthrough.Saturation, error) {
	sim.OnProgress(func(ns int64) { r.progress().Cycle(simcore.Cycle(ns)) })
	sim.Split(r.workers())
	s, err := sim.Saturation(ctx, tolerance)
	if len(s.Points) == 0 && !s.Interrupted {
		return nil, err
	}
	return &s, err
}

// CutWorkload is Workload for the cut-through model.
func (r *Runner) CutWorkload(ctx context.Context, sim *cutthrough.Sim, head Head, w cutthrough.Workload) (*CutLoopDocument, error) {
	wall := r.stopwatch()
	sim.OnProgress(func(ns int64) { r.progress().Cycle(simcore.Cycle(ns)) })
	sim.Split(r.workers())
	res, err := sim.RunWorkload(ctx, w)
	head.Schema = WorkloadSchema
	doc := &CutLoopDocument{Head: head, LoopResult: res, WallS: wall()}
	if p, ok := w.Script.(*simcore.Phased); ok && res.Completed {
		for _, at := range p.Ends() {
			doc.Phases = append(doc.Phases, (at+500)/1000)
		}
	}
	return doc, err
}

// HeapInUse is the memory in use, bytes, garbage collected.
func HeapInUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // pools give up what they hold with the second
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
