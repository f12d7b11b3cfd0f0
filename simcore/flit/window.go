package flit

import (
	"cmp"
	"context"

	"toposearch/simcore"
)

// warmUp simulates until the rule says that the network is warm; false: the run is over.
func (s *Sim) warmUp(ctx context.Context, pt *simcore.Point) (ok bool) {
	c, from := &s.cfg, s.now
	if c.WarmupRule != simcore.WarmupMSER5 || from > 0 { // a network that is in use is not far from settled
		ok = s.stepTo(ctx, from+simcore.Cycle(c.Warmup), pt)
		pt.Warmup = simcore.WarmupReport{Rule: simcore.WarmupFixed, Cycles: int64(s.now - from)}
		return ok
	}
	limit := c.WarmupLimit
	if limit == 0 {
		limit = simcore.WarmupTimes * c.Warmup
	}
	x := simcore.Settling{First: int64(c.Warmup), Limit: int64(limit), Length: simcore.BatchLength(int64(c.Warmup)), Overloaded: s.overloaded,
		Step:   func(to int64) bool { return s.stepTo(ctx, simcore.Cycle(to), pt) },
		Counts: func() (now, n, sum int64) { return int64(s.now), s.stat.allN, s.stat.allSum }}
	pt.Warmup, ok = x.WarmUp()
	return ok
}

// overloaded reports whether the sources have clearly got rid of less than what is offered since the
// start.
func (s *Sim) overloaded() bool {
	offered := s.load * float64(s.rateNum) / float64(s.rateDen) * s.senders() * float64(s.now)
	return simcore.Overloaded(float64(s.stat.injFlits), offered, s.cfg.MeanFlits())
}

// window simulates the measured cycles: Measure of them and, until the precision asked for is
// reached or MaxMeasure would be passed, twice as many again. The batches stay as many: two
// become one when the window doubles, so that their length grows with it and their means become
// less dependent (Law and Carson, Operations Research 27(5), 1979). In a search for saturation it goes on until the
// load is known to be accepted or not, in a short run at most for Measure; it looks first after a quarter of Measure, and three
// quarters through each window of more than that. Then latencies are of packets created in the first half of Measure, most
// of which have arrived when it ends: near saturation waiting for the others took up to a third of a run. That half is the same however long
// the window becomes, as packets that were left out before it doubled cannot be taken in afterwards but those that still wait, and have waited longest.
func (s *Sim) window(ctx context.Context, pt *simcore.Point) (end simcore.Cycle, ok bool) {
	c, t := &s.cfg, &s.stat
	from, length, b := s.now, simcore.Cycle(c.Measure), c.Batches
	budget := simcore.Cycle(cmp.Or(c.MaxMeasure, simcore.MeasureTimes*c.Measure))
	switch {
	case s.short:
		budget = simcore.Cycle(c.Measure)
	case s.probing:
		budget = s.probeBudget()
	}
	doubles := b%2 == 0 // or batches cannot be paired
	if s.probing && doubles {
		length = max(length/simcore.EarlyShare, 1)
	}
	t.recNow, t.recFrom, t.recTo = from, from, from+length
	t.batchFrom, t.batchLength = from, max(1, length/simcore.Cycle(b))
	t.restart()
	s.schedule(t.recTo)
	s.obs.open()
	most := float64(budget) / float64(c.Measure)
	before, per, borders := s.inNet, make([]int64, b), append(make([]simcore.Border, 0, b+1), s.border())
	for first := 0; ; first = b / 2 {
		for k := first; k < b; k++ {
			before := t.accFlits
			if !s.stepTo(ctx, from+length*simcore.Cycle(k+1)/simcore.Cycle(b), pt) {
				pt.Stop = simcore.StopInterrupted
				if pt.Deadlocked {
					pt.Stop = simcore.StopDeadlocked
				}
				s.closeWindow(pt, s.now-from, per[:k], borders)
				return s.now, false
			}
			per[k] = t.accFlits - before
			borders = append(borders, s.border())
			if s.probing && doubles && length > simcore.Cycle(c.Measure) && 4*(k+1) == 3*b {
				s.closeWindow(pt, s.now-from, per[:k+1], borders)
				if pt.DecideLoad(float64(s.now-from)/float64(c.Measure), most, true, s.short) {
					return t.recTo, true
				}
			}
		}
		s.closeWindow(pt, s.now-from, per, borders)
		fills := !s.probing && pt.StillFills(s.inNet-before, borders)
		pt.Latency = simcore.Summarize(&t.plat)
		pt.Latency.Errors(t.batchSum, t.batchN)
		left := doubles && 2*length <= budget && int64(from)+4*int64(length) <= simcore.MostCycles
		if s.probing && pt.DecideLoad(float64(length)/float64(c.Measure), most, left, s.short) || !s.probing && pt.Decide(c.Precision, left) {
			if fills {
				pt.Stop = simcore.StopTooShort
			}
			return t.recTo, true
		}
		for k := range b / 2 {
			per[k] = per[2*k] + per[2*k+1]
		}
		borders = simcore.Merge(borders)
		t.pairBatches()
		length *= 2
		if t.recTo = from + length; s.probing {
			t.recTo = from + min(length, simcore.Cycle(c.Measure+1)/2)
		}
	}
}

// probeBudget is the longest window of one load in a search for saturation.
func (s *Sim) probeBudget() simcore.Cycle {
	return simcore.Cycle(cmp.Or(s.cfg.MaxMeasure, simcore.ProbeTimes*s.cfg.Measure))
}
