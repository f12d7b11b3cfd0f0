package cutthrough

import (
	"context"
	"fmt"

	"toposearch/internal/crew"
	"toposearch/internal/memory"
	"toposearch/simcore"
)

// Run simulates one load from an empty network: a warm-up, then a window of MeasureNs, or as long as
// the precision needs, whose packets are measured, then, with traffic still coming, the time these
// packets need to arrive, at most DrainNs. A network that saturates or deadlocks is a result. If ctx
// ends, Run returns what it has and ctx's error; packets for which there is no memory are a *memory.Error.
func (s *Sim) Run(ctx context.Context, load float64) (_ Point, err error) {
	defer memory.Catch(&err)
	if !(load > 0) || load > 1 {
		return Point{}, fmt.Errorf("cutthrough: load %g is not in (0, 1]", load)
	}
	s.Reset(load, s.cfg.Seed)
	pt := Point{Point: simcore.Point{Offered: load}}
	if s.warmUp(ctx, &pt) {
		switch ok := s.measure(ctx, &pt); {
		case ok && s.probing && pt.Verdict == simcore.Unclear:
			pt.Saturated = true // for all that is known
		case ok && !pt.Saturated:
			s.drain(ctx, &pt)
		}
	} else {
		pt.Stop = stopped(&pt)
	}
	s.partlyStuck(&pt)
	if pt.Deadlocked { // wherever it happened
		pt.Verdict = simcore.Rejected
	}
	s.finish(&pt)
	if pt.Interrupted {
		return pt, fmt.Errorf("cutthrough: load %g: %w", load, ctx.Err())
	}
	return pt, nil
}

// Curve simulates each load from an empty network, several at a time; the answer, in the order of
// loads, does not depend on their number. If ctx ends, the points not reached have Cycles = 0.
func (s *Sim) Curve(ctx context.Context, loads []float64, several int) ([]Point, error) {
	points := make([]Point, len(loads))
	several = max(1, min(several, len(loads)))
	sims := []*Sim{s}
	for range several - 1 {
		c, err := s.Clone()
		if err != nil {
			return nil, err
		}
		sims = append(sims, c)
	}
	g, ctx := crew.WithContext(ctx, 0)
	for w, sim := range sims {
		g.Go(func() error {
			for i := w; i < len(loads); i += several {
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

// SetTimes changes WarmupNs and DrainNs for the next Run.
func (s *Sim) SetTimes(warmup, drain int) { s.cfg.WarmupNs, s.cfg.DrainNs = warmup, drain }

// SetMaxMeasure changes MaxMeasureNs for what is simulated from then on, to at least MeasureNs.
func (s *Sim) SetMaxMeasure(most int) { s.cfg.MaxMeasureNs = max(most, s.cfg.MeasureNs) }

// firstBatch is the sum of the latencies of the first batch.
func (s *Sim) firstBatch() (ps int64) {
	for i := range s.workers {
		ps += s.workers[i].stat.batchSum[0]
	}
	return ps
}
