package simcore

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"
)

// Curve simulates each load from an empty network, Config.Workers at a time, and each on several
// cores if there are more of those; the answer, in the order of loads, does not depend on their
// number. If ctx ends, the points not reached have Cycles = 0.
func (s *Sim) Curve(ctx context.Context, loads []float64) ([]Point, error) {
	points := make([]Point, len(loads))
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

// Saturation is the result of a search for the saturation load.
type Saturation struct {
	// Load is the largest load tried that was accepted to 97 %, Above the smallest that was not
	// (0 if load 1 is accepted). Above - Load <= Tolerance * Above, unless there is no load above
	// 1/1024 that is accepted.
	Load  float64 `json:"load"`
	Above float64 `json:"above"`
	// Deadlocked tells that a load above Load deadlocked rather than saturated.
	Deadlocked bool    `json:"deadlocked"`
	Tolerance  float64 `json:"tolerance"`
	// Interrupted: the context ended; Load and Above are what was known then.
	Interrupted bool    `json:"interrupted,omitempty"`
	Points      []Point `json:"points"` // every load tried, in order
}

// satTolerance is the default of Config.SatTolerance.
const satTolerance = 0.02

// satFloor is the load below which the search gives up.
const satFloor = 1.0 / 1024

// Saturation finds the largest load accepted to 97 %, to Config.SatTolerance: load 1 first; then
// what was accepted there, which is near the answer; from there in growing steps until the answer
// is enclosed; then by bisection. Every load starts from an empty network with a warm-up of its own.
// Config.Precision is not asked of these points: whether a load is accepted shows before.
func (s *Sim) Saturation(ctx context.Context) (Saturation, error) {
	p := s.cfg.Precision
	s.cfg.Precision = 0
	defer func() { s.cfg.Precision = p }()
	return SearchSaturationTo(s.cfg.SatTolerance, func(load float64) (Point, error) { return s.Run(ctx, load) })
}

// SearchSaturation is Saturation for any model: run simulates one load from an empty network.
func SearchSaturation(run func(load float64) (Point, error)) (Saturation, error) {
	return SearchSaturationTo(satTolerance, run)
}

// SearchSaturationTo is SearchSaturation to a tolerance; 0 is the default of 2 %.
func SearchSaturationTo(tolerance float64, run func(load float64) (Point, error)) (Saturation, error) {
	if tolerance == 0 {
		tolerance = satTolerance
	}
	r := Saturation{Tolerance: tolerance}
	next, step := 1.0, 0.05
	for {
		p, err := run(next)
		if err != nil {
			r.Interrupted = true
			return r, fmt.Errorf("saturation: %w", err)
		}
		r.Points = append(r.Points, p)
		if p.Saturated {
			r.Above, r.Deadlocked = next, r.Deadlocked || p.Deadlocked
		} else {
			r.Load = next
		}
		switch {
		case r.Above == 0 || r.Above-r.Load <= r.Tolerance*r.Above || r.Above <= satFloor:
			return r, nil
		case len(r.Points) == 1:
			next = min(clampLoad(p.Accepted), 0.99)
		case r.Load == 0:
			next = clampLoad(r.Above * (1 - step))
			step = min(2*step, 0.5)
		case r.Above > r.Load*(1+2*step):
			next = r.Load * (1 + step)
			step *= 2
		default:
			next = (r.Load + r.Above) / 2
		}
	}
}

func clampLoad(x float64) float64 { return min(max(x, satFloor), 1) }
