package cutthrough

import (
	"context"
	"fmt"
	"math"

	"toposearch/internal/crew"
	"toposearch/simcore"
)

// checkEvery is the number of windows between looks at the context and the deadlock clock.
const checkEvery = 64

// partlyStuck looks in a saturated network for a part that is stuck for good while the rest goes on.
func (s *Sim) partlyStuck(pt *Point) {
	if pt.Saturated && pt.Deadlock == nil {
		if pt.Deadlock = s.findDeadlock(); pt.Deadlock != nil {
			pt.Deadlocked = true
		}
	}
}

func stopped(pt *Point) string {
	if pt.Deadlocked {
		return simcore.StopDeadlocked
	}
	return simcore.StopInterrupted
}

// stepTo simulates up to a time; false: the context ended or nothing moves any more.
func (s *Sim) stepTo(ctx context.Context, to int64, pt *Point) bool {
	defer crew.Doing(func() string {
		return fmt.Sprintf("simulating %s, routing %s, load %g, seed %d, at %.3f us", s.net.Design, s.routing.Name(), s.load, s.cfg.Seed, float64(s.now)/1e6)
	})
	for n := 0; s.now < to; n++ {
		if n%checkEvery == 0 {
			if s.progress != nil {
				s.progress(s.now / 1000)
			}
			if ctx.Err() != nil {
				pt.Interrupted = true
				return false
			}
			if s.stuck() {
				pt.Deadlocked, pt.Saturated = true, true
				pt.Deadlock = s.findDeadlock()
				return false
			}
		}
		for s.failing != nil && s.now >= s.failing.next {
			s.changeStage()
		}
		s.step()
	}
	return true
}

// stuck reports whether packets are in the network and none has moved for DeadlockNs and the longest
// delay that there is.
func (s *Sim) stuck() bool {
	n, moved := s.inNetwork()
	return n > 0 && s.now-moved > int64(s.cfg.DeadlockNs)*1000+s.longest
}

// closeWindow computes what was accepted; borders are those of its complete batches.
func (s *Sim) closeWindow(pt *Point, borders []simcore.Border) {
	length := min(s.now, s.recTo) - s.recFrom
	if length <= 0 {
		return
	}
	s.level()
	t := s.total()
	pt.Measured = length / 1000
	perPs := s.cfg.BandwidthGbps / 8000 // bytes of an endpoint at load 1
	one, senders := perPs*float64(length), s.senders()
	all, sum := one*senders, int64(0)
	var per []float64 // of complete batches
	for i, a := range t.accepted {
		sum += a
		if int64(i+1)*s.batch.length <= length {
			per = append(per, float64(a)/(perPs*float64(s.batch.length)*senders))
		}
	}
	pt.Accepted, pt.AcceptedErr = float64(sum)/all, simcore.ErrOfMean(per)
	pt.AcceptedCI95 = simcore.CI95(pt.AcceptedErr, len(per))
	s.fairness(pt, one)
	pt.Detail = s.detail(length)
	offered := pt.Offered * perPs * float64(s.batch.length) * senders // in a batch
	if t.unreachable > 0 {
		offered *= 1 - float64(t.unreachable)/float64(t.attempts-t.silent)
	}
	pt.Verdict = simcore.Unclear
	if len(borders) > 1 {
		pt.Share, pt.ShareErr, pt.Verdict = s.known.Judge(borders, offered, float64(pt.Measured))
	}
	pt.Saturated = pt.Deadlocked || pt.Verdict == simcore.Rejected
}

// outstanding is the number of measured packets under way.
func (s *Sim) outstanding() (n int64) {
	for i := range s.workers {
		n += s.workers[i].stat.outstanding
	}
	return n
}

// drain goes on until the packets created in the window have arrived: for DrainNs, or as long as was measured or as a network may stand still, as the
// flit engine does.
func (s *Sim) drain(ctx context.Context, pt *Point) {
	limit := int64(s.cfg.DrainNs) * 1000
	if limit == 0 {
		limit = max(int64(s.cfg.MeasureNs)*1000, pt.Measured*1000, int64(s.cfg.DeadlockNs)*1000+s.longest)
	}
	end := s.now + limit
	for {
		left := s.behind
		for i := range s.workers {
			left += s.workers[i].stat.behind
		}
		if left+s.outstanding() == 0 {
			return
		}
		if s.now >= end {
			pt.Saturated = true
			return
		}
		if !s.stepTo(ctx, min(end, s.now+checkEvery<<s.shift), pt) {
			return
		}
	}
}

// finish fills in what does not belong to the window.
func (s *Sim) finish(pt *Point) {
	t := s.total()
	s.latency(pt, t)
	pt.Watched = s.watchedResult(t)
	pt.NetworkUs, pt.Network = summarize(&t.nlat)
	pt.Packets, pt.Unreachable = t.packets, t.unreachable
	pt.Hops = simcore.HopsOf(t.packets, t.switches, t.viaNic)
	if t.inWindow > 0 {
		share := float64(t.marked) / float64(t.inWindow)
		pt.ECNShare = &share
	}
	pt.OfferedGbps, pt.AcceptedGbps = pt.Offered*s.cfg.BandwidthGbps, pt.Accepted*s.cfg.BandwidthGbps
	pt.ECNMarked, pt.Pauses, pt.Dropped = t.marked, t.pauses, t.overflows
	pt.BufferPeak, pt.BufferPeakPort = t.peak, int64(t.peakPort)
	pt.Cycles, pt.PacketHops = s.now/1000, t.hops
	pt.FlitHops = int64(math.Round(float64(t.hops) * s.mean / float64(s.cfg.CellBytes)))
	pt.Series = s.series(pt)
	pt.Failures = s.failures(t)
	if pt.Detail != nil {
		pt.Detail.Waits = s.waits(pt, t)
	}
}
