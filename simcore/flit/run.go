package flit

import (
	"context"

	"toposearch/simcore"
)

// checkEvery is the number of cycles between checks of the context and the deadlock clock.
const checkEvery = 64

// stepTo simulates up to a cycle; false: the context ended or nothing moves any more.
func (s *Sim) stepTo(ctx context.Context, to simcore.Cycle, pt *simcore.Point) bool {
	for s.now < to {
		if ctx.Err() != nil {
			pt.Interrupted = true
			return false
		}
		n := min(checkEvery, to-s.now)
		if f := s.failing; f != nil {
			for s.now >= f.next {
				s.changeStage()
			}
			n = min(n, f.next-s.now)
		}
		s.obs.step(s, int(n))
		if f := s.cfg.Observe.Progress; f != nil && s.now&(progressEvery-1) < checkEvery {
			f(s.now)
		}
		if s.stuck() {
			pt.Deadlocked, pt.Saturated = true, true
			pt.Deadlock = s.findDeadlock()
			return false
		}
	}
	return true
}

// stuck reports whether flits are in the network and none has moved for DeadlockCycles.
func (s *Sim) stuck() bool {
	return s.inNet > 0 && s.now-s.moved > simcore.Cycle(s.cfg.DeadlockCycles+s.longest)
}

// closeWindow computes what was accepted in a window of some cycles; per are the flits accepted
// in its complete batches.
func (s *Sim) closeWindow(pt *simcore.Point, cycles simcore.Cycle, per []int64, borders []simcore.Border) {
	t := &s.stat
	pt.Measured, pt.Verdict = int64(cycles), simcore.Unclear
	if cycles <= 0 {
		return
	}
	one := float64(s.rateNum) / float64(s.rateDen) * float64(cycles)
	all := one * s.senders()
	pt.Accepted = float64(t.accFlits) / all
	ones := make([]int64, len(per))
	for i := range ones {
		ones[i] = 1
	}
	// The window as batches of the mean; a part of one at its end counts for its share.
	pt.AcceptedErr = simcore.ErrOfMean(simcore.BatchMeans(per, ones)) * float64(len(per)) / all
	pt.AcceptedCI95 = simcore.CI95(pt.AcceptedErr, len(per))
	pt.Fairness = simcore.Fairness{Sent: s.fairness(t.inj, one, true), Received: s.fairness(t.acc, one, false)}
	pt.AcceptedMin, pt.AcceptedMax = pt.Fairness.Received.Min, pt.Fairness.Received.Max
	if len(borders) > 1 {
		offered := pt.Offered * all / float64(max(len(per), 1)) // in a batch
		if u := t.unreachable; u > 0 {
			offered *= 1 - float64(u)/float64(t.attempts-t.silent)
		}
		pt.Share, pt.ShareErr, pt.Verdict = s.known.Judge(borders, offered, float64(cycles))
	}
	pt.Saturated = pt.Deadlocked || pt.Verdict == simcore.Rejected
}

// drain goes on until the packets created before to have arrived. Unless DrainLimit says otherwise it waits as long as was measured, and after short
// windows as long as an idle network may stand still: in 100 cycles a packet does not cross 4,096 switches, however little is offered.
func (s *Sim) drain(ctx context.Context, to simcore.Cycle, pt *simcore.Point) {
	limit := s.cfg.DrainLimit
	if limit == 0 {
		limit = max(s.cfg.Measure, int(pt.Measured), s.cfg.DeadlockCycles+s.longest)
	}
	end := s.now + simcore.Cycle(limit)
	for s.stat.outstanding > 0 || s.backlogBefore(to) {
		if s.now >= end {
			pt.Saturated = true
			return
		}
		if !s.stepTo(ctx, min(end, s.now+checkEvery), pt) {
			return
		}
	}
}

// backlogBefore reports whether a packet that was due before a cycle still waits to be made.
func (s *Sim) backlogBefore(to simcore.Cycle) bool {
	for e := range s.srcOf {
		if x := &s.srcOf[e]; s.created(int32(e), x) < to {
			return true
		}
	}
	return false
}

func (s *Sim) finish(pt *simcore.Point) {
	t := &s.stat
	pt.Latency, pt.Network = simcore.Summarize(&t.plat), simcore.Summarize(&t.nlat)
	pt.Latency.Errors(t.batchSum, t.batchN)
	pt.Packets, pt.Unreachable = t.plat.N(), t.unreachable
	pt.Hops = simcore.HopsOf(pt.Packets, t.hops, t.viaNic)
	pt.Cycles, pt.FlitHops = int64(s.now), t.flitHops
	pt.Failures = s.failures()
	pt.Watched = s.watchedResult()
	if x := s.obs; x != nil {
		pt.Series = x.series
		if pt.Detail != nil {
			pt.Detail.Waits = x.waits(pt)
		}
		s.obs = nil
	}
}

// fairness sums up flits by endpoint, one of which is what load 1 is in the window; over those with
// a port; with senders, only those that have had a packet.
func (s *Sim) fairness(flits []int64, one float64, senders bool) simcore.Share {
	return simcore.ShareOf(flits, one, func(e int) bool { // not of those that send nothing or are cut off
		return !(senders && s.srcOf[e].seq == 0) && s.sinkStart[e] < s.sinkStart[e+1]
	})
}
