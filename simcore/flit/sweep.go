package flit

import (
	"context"

	"golang.org/x/sync/errgroup"

	"toposearch/simcore"
)

// Curve simulates each load from an empty network, Config.Workers at a time, and each on several
// cores if there are more of those; the answer, in the order of loads, does not depend on their
// number. If ctx ends, the points not reached have Cycles = 0.
func (s *Sim) Curve(ctx context.Context, loads []float64) ([]simcore.Point, error) {
	points := make([]simcore.Point, len(loads))
	sims := make([]*Sim, max(1, min(s.cfg.Workers, len(loads))))
	for w := range sims { // before any runs: a clone reads what a run changes
		sims[w] = s
		if w > 0 {
			var err error
			if sims[w], err = s.Clone(); err != nil {
				return points, err
			}
		}
	}
	var g errgroup.Group
	for w, sim := range sims {
		g.Go(func() error {
			sim.Split(s.cfg.Workers / max(1, len(loads)))
			for i := w; i < len(loads); i += len(sims) {
				var err error
				if points[i], err = sim.Run(ctx, loads[i]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return points, g.Wait()
}

// Saturation finds the largest load accepted to 97 %, to Config.SatTolerance (SearchSaturation). Every load starts from an empty network with a warm-up of its own.
// Config.Precision is not asked of these points: whether a load is accepted shows before.
func (s *Sim) Saturation(ctx context.Context) (simcore.Saturation, error) {
	p := s.cfg.Precision
	s.cfg.Precision = 0
	defer func() { s.cfg.Precision = p }()
	return simcore.SearchSaturation(s.cfg.SatTolerance, func(load float64) (simcore.Point, error) { return s.Run(ctx, load) })
}
