package flit

import (
	"context"
	"errors"
	"fmt"
	"math"

	"toposearch/internal/memory"
	"toposearch/simcore"
)

// RunWorkload simulates a closed loop from an empty network: a window for its warm-up and measured
// cycles, the others until everything has arrived, nothing moves any more, or MaxCycles. It uses
// one core. If ctx ends, it returns what it has and ctx's error.
func (s *Sim) RunWorkload(ctx context.Context, w simcore.Workload) (r simcore.LoopResult, err error) {
	defer memory.Catch(&err)
	r = simcore.LoopResult{Workload: w}
	if s.failing != nil {
		return r, errors.New("simcore: a workload waits for what arrives, and what is lost is not sent again")
	}
	l, err := newLoop(w, s)
	if err != nil {
		return r, err
	}
	s.split(1)
	before := s.cfg.Observe.Detail
	s.cfg.Observe.Detail = true // the bounds need the flits of every link
	defer func() { s.loop, s.cfg.Observe.Detail = nil, before }()
	s.Reset(0, s.cfg.Seed)
	s.loop = l
	l.start(s)
	if w.Kind == simcore.LoopWindow {
		s.runWindow(ctx, &r)
	} else {
		s.runToEnd(ctx, &r)
	}
	if r.Interrupted {
		return r, fmt.Errorf("simcore: workload %s: %w", w.Kind, ctx.Err())
	}
	return r, nil
}

// runWindow measures throughput and latency as Run does.
func (s *Sim) runWindow(ctx context.Context, r *simcore.LoopResult) {
	s.obs = newObserver(s)
	pt := &r.Point
	if s.warmUp(ctx, pt) {
		from := s.now
		s.window(ctx, pt)
		s.obs.close()
		pt.Detail = s.obs.detail(s.now - from)
		busiest, by := s.busiest(float64(s.now - from))
		r.Ideal, r.IdealBy = 1, "the endpoints' bandwidth"
		if x := pt.Accepted / busiest; busiest > 0 && x < r.Ideal {
			r.Ideal, r.IdealBy = x, by
		}
	} else {
		s.stat.restart()
		pt.Stop = simcore.StopInterrupted
	}
	s.finish(pt)
	// By Little's law a window of packets that take at least the latency of an idle network.
	if pt.Packets > 0 {
		size := s.cfg.MeanFlits()
		one := float64(s.rateNum) / float64(s.rateDen)
		if x := float64(r.Workload.Window) * size / (s.idleHead(pt.Hops.Switches-1) + size - 1) / one; x < r.Ideal {
			r.Ideal, r.IdealBy = x, "the window over the idle latency"
		}
		r.Efficiency = pt.Accepted / r.Ideal
	}
	pt.Saturated = pt.Deadlocked // a closed loop is never offered more than it takes
}

// runToEnd runs a workload to its completion.
func (s *Sim) runToEnd(ctx context.Context, r *simcore.LoopResult) {
	s.obs = newObserver(s)
	l, t, pt := s.loop, &s.stat, &r.Point
	limit := simcore.Cycle(r.Workload.MaxCycles)
	if limit == 0 {
		limit = completionLimit
	}
	t.recNow, t.recFrom, t.recTo = 0, 0, never
	t.restart()
	s.obs.open()
	for l.done == never && s.now < limit && s.stepTo(ctx, min(limit, s.now+checkEvery), pt) {
	}
	s.obs.close()
	took := min(l.done, s.now)
	pt.Detail = s.obs.detail(took)
	s.closeWindow(pt, took, nil, nil)
	pt.Stop = simcore.StopWindow
	switch {
	case pt.Interrupted:
		pt.Stop = simcore.StopInterrupted
	case pt.Deadlocked:
		pt.Stop = simcore.StopDeadlocked
	case l.done == never:
		pt.Stop = simcore.StopBudget
	}
	busiest, by := s.busiest(1)
	s.finish(pt)
	pt.Saturated = pt.Deadlocked
	if len(l.took) > 0 {
		r.Round = simcore.RoundsOf(l.took)
	}
	if l.done == never {
		return
	}
	r.Completed, r.Completion = true, int64(took)
	s.idealCompletion(r, busiest, by)
}

// idealCompletion is the largest of three lower bounds: the busiest link has to carry its flits;
// a head takes its way through an idle network, and the rest of a message follows at the rate of
// its endpoint; and where messages wait for messages the chain of them does so one after another.
func (s *Sim) idealCompletion(r *simcore.LoopResult, busiest float64, by string) {
	one := float64(s.rateNum) / float64(s.rateDen)
	message := s.idleHead(r.Hops.Switches-1) + math.Ceil(float64(r.Workload.Message)/one) - 1
	chain := float64(r.Workload.Chain(s.endpoints))
	if r.Workload.Kind == simcore.LoopAllToAll {
		message = s.idleHead(0) + math.Ceil(float64(r.Workload.Message)*float64(s.endpoints-1)/one) - 1
	}
	r.Ideal, r.IdealBy = chain*message, "the messages one after another in an idle network"
	switch r.Workload.Kind {
	case simcore.LoopAllToAll:
		r.IdealBy = "what every endpoint has to send"
	case simcore.LoopScript: // whose messages differ
		r.Ideal = 0
	}
	// The last flit on the busiest link still has to arrive; the least that takes is a cycle.
	if busiest+1 > r.Ideal {
		r.Ideal, r.IdealBy = busiest+1, by
	}
	r.Efficiency = r.Ideal / float64(r.Completion)
}

// busiest is the highest utilisation of any port over some cycles, and which link that is.
func (s *Sim) busiest(cycles float64) (float64, string) {
	best, at := 0.0, int32(-1)
	for op := range s.sentBy {
		if u := s.use(int32(op), cycles); u > best {
			best, at = u, int32(op)
		}
	}
	switch {
	case at >= s.nOut:
		return best, "the busiest link from an endpoint"
	case at >= 0 && s.out[at].down >= s.nIn:
		return best, "the busiest link to an endpoint"
	}
	return best, "the busiest link between switches"
}

// idleHead is the least time from a packet's creation to the arrival of its head past h + 1 switches of
// an idle network: 2 L + 1 + (h + 1) P + h L for the pipeline P and the shortest latencies L.
func (s *Sim) idleHead(h float64) float64 {
	in, line := int32(math.MaxInt32), int32(math.MaxInt32)
	for _, t := range s.plant.Inject {
		in = min(in, t.Latency)
	}
	for _, l := range s.plant.Lines {
		line = min(line, l.Latency)
	}
	if len(s.plant.Lines) == 0 {
		line = 0
	}
	p := math.Ceil(float64(s.cfg.pipeline()) / s.cfg.InternalSpeedup)
	return float64(2*in+1) + (h+1)*p + h*float64(line)
}

// completionLimit is the default of MaxCycles: hours of one core for a thousand endpoints.
const completionLimit = 100_000_000
