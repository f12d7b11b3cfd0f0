package flit

import (
	"context"
	"errors"
	"fmt"
	"math"

	"toposearch/internal/crew"
	"toposearch/internal/memory"
	"toposearch/simcore"
)

// Run simulates one load from an empty network: a warm-up, then a window of Measure cycles, or as
// many as the precision needs, whose packets are measured, then as many cycles with traffic still
// coming as these packets need to arrive, at most DrainLimit. A load is at most what the source ports carry; a network that
// saturates or deadlocks is a result. If ctx ends, Run returns what it has and ctx's error; packets for
// which there is no memory are a *memory.Error.
func (s *Sim) Run(ctx context.Context, load float64) (simcore.Point, error) {
	return s.run(ctx, load, false)
}

// run is Run, or goes on from the state of the run before.
func (s *Sim) run(ctx context.Context, load float64, goOn bool) (_ simcore.Point, err error) {
	defer memory.Catch(&err)
	if err := s.CheckLoad(load); err != nil {
		return simcore.Point{}, err
	}
	if goOn {
		s.change(load)
	} else {
		s.Reset(load, s.cfg.Seed)
	}
	begun, hops := s.now, s.stat.flitHops
	s.obs = newObserver(s)
	pt := simcore.Point{Offered: load, Continued: goOn}
	if s.warmUp(ctx, &pt) {
		from := s.now
		to, ok := s.window(ctx, &pt)
		s.obs.close()
		pt.Detail = s.obs.detail(s.now - from)
		switch {
		case ok && s.probing && pt.Verdict == simcore.Unclear:
			pt.Saturated = true // for all that is known
		case ok && !pt.Saturated:
			s.drain(ctx, to, &pt)
			// What has filled for longer than its packets take does not carry more.
			if pt.Stop == simcore.StopTooShort && (pt.Saturated || simcore.Summarize(&s.stat.plat).Mean < float64(to-begun)) {
				pt.Saturated, pt.Stop = true, simcore.StopSaturated
			}
		}
	} else {
		s.stat.restart() // nothing was measured
		pt.Stop = simcore.StopInterrupted
		if pt.Deadlocked {
			pt.Stop = simcore.StopDeadlocked
		}
	}
	if pt.Deadlocked { // wherever it happened
		pt.Verdict = simcore.Rejected
	}
	s.finish(&pt)
	pt.Cycles -= int64(begun)
	pt.FlitHops -= hops
	if pt.Interrupted {
		return pt, fmt.Errorf("simcore: load %g: %w", load, ctx.Err())
	}
	return pt, nil
}

// CheckLoad says why Run cannot offer a load: it is not in (0, 1], or sources that switch on and off
// cannot make it, because they are on too seldom or always send as much as BurstRate says.
func (s *Sim) CheckLoad(load float64) error {
	if !(load > 0) || load > 1 {
		return fmt.Errorf("simcore: load %g is not in (0, 1]", load)
	}
	for _, p := range s.cfg.processes(nil) {
		if p.Kind != simcore.OnOff {
			continue
		}
		on := p.Alpha / (p.Alpha + p.Beta) // share of time
		one := s.cfg.MeanFlits() * float64(s.trials) * float64(s.rateDen) / float64(s.rateNum)
		if p.Rate > 0 {
			if made := p.Rate * on * one; math.Abs(made/load-1) > 1e-3 {
				return fmt.Errorf("simcore: load %g: sources with BurstRate = %g, Alpha = %g and Beta = %g make a load of %.4g; leave BurstRate out, and it follows from the load",
					load, p.Rate, p.Alpha, p.Beta, made)
			}
		} else if most := on * one; load > most*(1+1e-9) {
			return fmt.Errorf("simcore: load %g: sources with Alpha = %g and Beta = %g are on %.3g %% of the time and make a load of at most %.4g", load, p.Alpha, p.Beta, 100*on, most)
		}
	}
	return nil
}

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
	g, ctx := crew.WithContext(ctx, 0)
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

// change goes on with another load. Packets that sources have not drawn yet come at its rate, those that were due before
// among them. What is under way belongs to no measurement.
func (s *Sim) change(load float64) {
	for _, p := range s.all() {
		p.setLoad(load)
	}
	if s.watch != nil {
		s.setWatch(s.watch, load)
	}
	t := &s.stat
	t.recNow, t.since = never, s.now
	t.outstanding, t.attempts, t.silent, t.unreachable = 0, 0, 0, 0
}

// Saturation finds the largest load accepted to 97 %, to Config.SatTolerance (SearchSaturation). A load is measured until it
// is known to be accepted or not, at most MaxMeasure cycles. Config.Precision is not asked of these points.
//
// Loads start from an empty network but those close to one before that was nearly accepted, or accepted: they go on from
// its state. What is asked is whether 97 % are accepted in the long run, when sources behind a full channel have
// queues; from an empty network the filling of queues looks for thousands of cycles as if less were
// accepted (or, where it is about to end, more).
func (s *Sim) Saturation(ctx context.Context) (simcore.Saturation, error) {
	if s.failing != nil {
		return simcore.Saturation{}, errors.New("simcore: a search for saturation needs a network that stays as it is")
	}
	s.probing = true
	defer func() { s.probing, s.short, s.known = false, false, simcore.Spread{} }()
	var last simcore.Point
	return simcore.SearchSaturation(s.cfg.SatTolerance, func(load float64, long bool, known simcore.Spread) (p simcore.Point, err error) {
		s.short, s.known = !long, known
		p, err = s.run(ctx, load, s.close(load, &last))
		last = p
		return p, err
	})
}

// closeLoads is how far loads are apart, as a part of themselves, that are close: queues differ little.
const closeLoads = 0.05

// close reports whether a load may go on from the state that a point has left.
func (s *Sim) close(load float64, last *simcore.Point) bool {
	return last.Measured > 0 && !last.Deadlocked && last.Share >= simcore.CloseShare &&
		math.Abs(load-last.Offered) <= closeLoads*last.Offered && s.now < simcore.MostCycles/2
}
