package verify

import (
	"context"
	"fmt"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simulate"
	"toposearch/topology"
)

// cutShare is what a port costs in a ns of the cut-through model, in port-cycles of the flit model: it sends a packet
// of 4 KiB at 400 Gb/s in 82 ns, and a packet at a switch takes two to three times as long to simulate as a flit.
const cutShare = 1.0 / 32

// leastNs is the shortest window: 60 packets of 4 KiB of an endpoint of 400 Gb/s.
const leastNs = 5000

// cutModel is the cut-through simulator as a Simulator.
type cutModel struct{ *cutthrough.Sim }

// Spent is 0: there are no flits.
func (cutModel) Spent() int64 { return 0 }

// Run simulates a load; a cycle is a ns.
func (c cutModel) Run(ctx context.Context, load float64) (simcore.Point, error) {
	p, err := c.Sim.Run(ctx, load)
	return p.Point, err
}

// Saturation finds the largest load accepted to 97 %.
func (c cutModel) Saturation(ctx context.Context) (simcore.Saturation, error) {
	s, err := c.Sim.Saturation(ctx, 0)
	for i := range s.Points {
		s.Saturation.Points = append(s.Saturation.Points, s.Points[i].Point)
	}
	return s.Saturation, err
}

// tellWork has a simulator tell how much it has simulated since it was made, in the unit of Cost.Work.
func tellWork(sim Simulator, told func(work float64)) {
	switch x := sim.(type) {
	case *flit.Sim:
		x.OnProgress(func(simcore.Cycle) { told(float64(x.Spent())) })
	case cutModel:
		var before, last int64 // ns of earlier loads, and of this one
		x.OnProgress(func(ns int64) {
			if ns < last {
				before += last
			}
			last = ns
			told(float64(before + ns))
		})
	}
}

// cutSimulation sets the cut-through model up: links at the rates on sale, cables as bought for the floor plan, switches,
// endpoints that relay and packets as the study's latencies have them.
func cutSimulation(ctx context.Context, p *search.Problem, d topology.Design, n *topology.Network, w *Way, r *route.Native, t simcore.Traffic, line *Result) (Simulator, error) {
	e, err := evaluator.New(p.Study.Options)
	if err != nil {
		return nil, err
	}
	res, err := e.Evaluate(ctx, d, evaluator.Request{Level: 1, Keys: []metric.Key{metric.Latency}})
	if err != nil {
		return nil, err
	}
	cfg := cutthrough.DefaultConfig()
	if cfg.ClassGbps, cfg.ClassCableNs, err = e.LinkTimes(res, n); err != nil {
		return nil, err
	}
	opt := e.Options()
	lat := opt.Latency
	cfg.Seed, cfg.VCs, cfg.BandwidthGbps = p.Seed, line.VCs, res.Plan.BandwidthGbps
	cfg.SwitchNs, cfg.RelayNs, cfg.NICNs, cfg.MTUBytes = lat.SwitchNs, lat.RelayNs, lat.NICNs, lat.MTUBytes
	if most := opt.Site.BufferBytes; most > 0 {
		cfg.BufferBytes = min(cfg.BufferBytes, most)
	}
	ports := cutShare * float64(n.Channels()+2*n.Endpoints())
	perNs := float64(n.Endpoints()) * cfg.BandwidthGbps / float64(8*cfg.MTUBytes)
	if err := line.window(&p.Study.Verify, perNs, res.Metrics[metric.Latency].Value, ports, leastNs); err != nil {
		return nil, err
	}
	cfg.MeasureNs, cfg.Precision, cfg.MaxMeasureNs = line.Cycles, line.Precision, line.probeMost(ports)
	sim, err := cutthrough.New(n, r, t, cfg)
	if err != nil {
		return nil, err
	}
	if _, err := simulate.Settle(sim, true); err != nil {
		return nil, fmt.Errorf("its warm-up: %w", err)
	}
	if f := res.Metrics[metric.Latency]; res.Have[metric.Latency] && line.Traffic == "uniform" && w.Natural && !w.Always {
		line.PredictedZ = f.Value
	}
	return cutModel{sim}, nil
}
