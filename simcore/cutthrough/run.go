package cutthrough

import (
	"context"
	"fmt"
	"math"

	"golang.org/x/sync/errgroup"

	"toposearch/simcore"
	"toposearch/topology"
)

// saturatedBelow is the share of the offered load that has to be accepted (STYLE.md: saturation
// load).
const saturatedBelow = 0.97

// checkEvery is the number of windows between looks at the context and the deadlock clock.
const checkEvery = 64

// Run simulates one load from an empty network: a warm-up, then a window of MeasureNs, or as long as
// the precision needs, whose packets are measured, then, with traffic still coming, the time these
// packets need to arrive, at most DrainNs. A network that saturates or deadlocks is a result. If ctx
// ends, Run returns what it has and ctx's error.
func (s *Sim) Run(ctx context.Context, load float64) (Point, error) {
	if !(load > 0) || load > 1 {
		return Point{}, fmt.Errorf("cutthrough: load %g is not in (0, 1]", load)
	}
	s.Reset(load, s.cfg.Seed)
	pt := Point{Point: simcore.Point{Offered: load}}
	if s.warmUp(ctx, &pt) {
		if s.measure(ctx, &pt) && !pt.Saturated {
			s.drain(ctx, &pt)
		}
	} else {
		pt.Stop = stopped(&pt)
	}
	s.partlyStuck(&pt)
	s.finish(&pt)
	if pt.Interrupted {
		return pt, fmt.Errorf("cutthrough: load %g: %w", load, ctx.Err())
	}
	return pt, nil
}

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
		s.step()
	}
	return true
}

// inNetwork is the number of packets injected and not delivered; moved the time of the last move.
func (s *Sim) inNetwork() (n, moved int64) {
	for i := range s.workers {
		n += s.workers[i].inNet
		moved = max(moved, s.workers[i].stat.moved)
	}
	return n, moved
}

// stuck tells that packets are in the network and none has moved for DeadlockNs and the longest
// delay that there is.
func (s *Sim) stuck() bool {
	n, moved := s.inNetwork()
	return n > 0 && s.now-moved > int64(s.cfg.DeadlockNs)*1000+s.longest
}

// closeWindow computes what was accepted.
func (s *Sim) closeWindow(pt *Point) {
	length := min(s.now, s.recTo) - s.recFrom
	if length <= 0 {
		return
	}
	s.level()
	t := s.total()
	pt.Measured, pt.Saturated = length/1000, pt.Deadlocked
	perPs := s.cfg.BandwidthGbps / 8000 // bytes of an endpoint at load 1
	one, senders := perPs*float64(length), s.senders(t)
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
	offered := pt.Offered * all
	if t.unreachable > 0 {
		offered *= 1 - float64(t.unreachable)/float64(t.attempts-t.silent)
	}
	// Three standard deviations of the number of packets created are allowed for.
	slack := 0.0
	if s.cfg.Arrivals == "poisson" {
		slack = 3 * s.mean * math.Sqrt(offered/s.mean)
	}
	if float64(sum) < saturatedBelow*offered-slack {
		pt.Saturated = true
	}
}

// senders is the number of endpoints that send, estimated by the share of packets that their
// traffic made.
func (s *Sim) senders(t *tally) float64 {
	if s.loop != nil { // there it is known
		n := 0
		for e := range s.src {
			if s.src[e].sends {
				n++
			}
		}
		return float64(max(n, 1))
	}
	able := 0 // those with a port
	for e := range s.src {
		if s.epStart[e] < s.epStart[e+1] {
			able++
		}
	}
	if t.attempts == 0 {
		return float64(able)
	}
	return float64(able) * (1 - float64(t.silent)/float64(t.attempts))
}

// outstanding is the number of measured packets under way.
func (s *Sim) outstanding() (n int64) {
	for i := range s.workers {
		n += s.workers[i].stat.outstanding
	}
	return n
}

// drain goes on until the packets created in the window have arrived.
func (s *Sim) drain(ctx context.Context, pt *Point) {
	limit := int64(s.cfg.DrainNs)
	if limit == 0 {
		limit = int64(s.cfg.MeasureNs)
	}
	end := s.now + limit*1000
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
	var g errgroup.Group
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

// Lone gives the latency in ns of a single packet of the first size from src to dst in the idle
// network, its route drawn from seed; NaN if there is none.
func (s *Sim) Lone(src, dst int, seed uint64) float64 {
	if !s.lone {
		s.Reset(0, seed)
		s.lone, s.recFrom, s.recTo, s.batch.length = true, 0, never, never
	}
	w := s.homeOf(int32(src))
	x := &s.src[src]
	x.packet, x.next = simcore.NewRand(seed, uint64(src)), s.now
	traffic, sum := s.traffic, s.firstBatch()
	s.traffic = only(dst)
	w.now, w.until, w.sw = s.now, s.now, -1
	if x.pend = w.draw(int32(src), x); x.pend >= 0 {
		s.load, x.next = 1, never // lets it go, and no other
		w.createAt(int32(src), x, s.now+1<<s.shift)
		s.load = 0
	}
	s.traffic = traffic
	for end := s.now + lonePs; s.outstanding() > 0 && s.now < end; {
		s.step()
	}
	for _, moved := s.inNetwork(); s.now <= moved+s.longest; {
		s.step() // until its last byte has left every port, and its credits are back
	}
	if s.outstanding() > 0 || s.firstBatch() == sum {
		return math.NaN()
	}
	return float64(s.firstBatch()-sum) / 1000
}

// ZeroLoad sends some lone packets, from random endpoints to where the traffic has them send, and
// gives the mean and the longest time in ns; 0 if none arrived.
func (s *Sim) ZeroLoad(packets int) (mean, most float64) {
	rng, n := simcore.NewRand(s.cfg.Seed, zeroLoadStream), 0
	for k := range packets {
		src := rng.IntN(len(s.src))
		if s.epStart[src] == s.epStart[src+1] {
			continue
		}
		dst := s.traffic.Dest(topology.EndpointID(src), &rng)
		if dst < 0 {
			continue
		}
		if x := s.Lone(src, int(dst), uint64(k)); !math.IsNaN(x) {
			mean, most, n = mean+x, max(most, x), n+1
		}
	}
	return mean / max(1, float64(n)), most
}

// zeroLoadStream is its stream of random numbers, apart from those of sources (1 to 3).
const zeroLoadStream = 4

// SetTimes changes WarmupNs and DrainNs for the next Run.
func (s *Sim) SetTimes(warmup, drain int) { s.cfg.WarmupNs, s.cfg.DrainNs = warmup, drain }

// firstBatch is the sum of the latencies of the first batch.
func (s *Sim) firstBatch() (ps int64) {
	for i := range s.workers {
		ps += s.workers[i].stat.batchSum[0]
	}
	return ps
}

// lonePs bounds the time of a lone packet: a second.
const lonePs = 1e12

// only is the traffic of one destination.
type only int

func (only) Name() string { return "lone packet" }

func (d only) Dest(topology.EndpointID, *simcore.Rand) topology.EndpointID {
	return topology.EndpointID(d)
}
