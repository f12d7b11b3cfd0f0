package simulate

import (
	"context"
	"maps"

	"toposearch/simcore"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/topology"
)

// FlitConfig is the configuration of a simulation as its document has it, of a network with the rates that
// the evaluator has for it (Rated), whose endpoints send gbps at load 1.
func FlitConfig(sim *flit.Sim, c *Choice, r *route.Native, n *topology.Network, gbps float64) map[string]any {
	cfg := sim.Config()
	m := settings(&cfg)
	maps.Copy(m, r.Settings()) // null: derived
	rates := map[string]float64{}
	for i, l := range n.LinkClasses {
		if l.Name != topology.ClassInternal {
			rates[l.Name] = gbps * float64(n.Lanes[i]) / float64(n.EndpointLanes)
		}
	}
	m["bandwidth_gbps"], m["link_gbps"] = gbps, rates
	for k, v := range map[string]any{
		"routing": c.Routing, "traffic": c.Traffic, "vcs_needed": r.VCs(), "cycles": cfg.Measure, "max_cycles": cfg.MaxMeasure,
		"endpoints": n.Endpoints(), "switches": n.Switches(), "seed": cfg.Seed,
	} {
		m[k] = v
	}
	if len(cfg.Sizes) > 0 {
		m["sizes"], m["weights"], m["packet_flits"] = cfg.Sizes, cfg.Weights, cfg.MeanFlits()
	}
	return m
}

// Loads simulates every load. With an error, such as that of a context that was cancelled, the points
// hold what was reached; those that were not have no cycles.
func (r *Runner) Loads(ctx context.Context, sim *flit.Sim, loads []float64) ([]Point, error) {
	points := make([]Point, len(loads))
	err := sweep(ctx, r.workers(), sim, len(loads), func(s *flit.Sim, cores int) { s.Split(cores) }, func(ctx context.Context, s *flit.Sim, i int) error {
		s.OnProgress(func(now simcore.Cycle) { r.progress().Load(i, now) })
		wall := r.stopwatch()
		p, err := s.Run(ctx, loads[i])
		points[i] = Point{p, wall()}
		if err == nil {
			r.progress().LoadDone(i)
		}
		return err
	})
	return points, err
}

// Saturation searches for the saturation load; interrupted, it gives the bracket so far, nil if there
// is none.
func (r *Runner) Saturation(ctx context.Context, sim *flit.Sim) (*simcore.Saturation, error) {
	sim.OnProgress(r.progress().Cycle)
	sim.Split(r.workers())
	s, err := sim.Saturation(ctx)
	if len(s.Points) == 0 && !s.Interrupted {
		return nil, err
	}
	return &s, err
}

// Workload simulates a closed loop. The document is whole with an error, too: it then holds what was
// reached.
func (r *Runner) Workload(ctx context.Context, sim *flit.Sim, head Head, w simcore.Workload) (*LoopDocument, error) {
	wall := r.stopwatch()
	sim.OnProgress(r.progress().Cycle)
	res, err := sim.RunWorkload(ctx, w)
	head.Schema = WorkloadSchema
	doc := &LoopDocument{Head: head, LoopResult: res, WallS: wall()}
	if p, ok := w.Script.(*simcore.Phased); ok && res.Completed {
		for _, at := range p.Ends() {
			doc.Phases = append(doc.Phases, at-1) // it is told of the cycle behind
		}
	}
	return doc, err
}
