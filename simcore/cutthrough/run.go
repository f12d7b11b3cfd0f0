package cutthrough

import (
	"context"
	"fmt"
	"math"

	"golang.org/x/sync/errgroup"

	"toposearch/simcore"
	"toposearch/topology"
)

// Point is what a simulation at one load measured. The embedded point has the meaning that it has
// for the flit engine, with a nanosecond for a cycle and a cell for a flit; what follows has units
// in its names.
type Point struct {
	simcore.Point
	OfferedGbps  float64 `json:"offered_gbps"` // per endpoint that sends
	AcceptedGbps float64 `json:"accepted_gbps"`
	LatencyUs    Micros  `json:"latency_us"`
	NetworkUs    Micros  `json:"network_latency_us"` // from the start of transmission at the source
	// ECNMarked is the number of measured packets with a congestion mark, ECNShare their share.
	ECNMarked int64   `json:"ecn_marked"`
	ECNShare  float64 `json:"ecn_share"`
	// Pauses is the number of PFC pauses, in all Cycles.
	Pauses int64 `json:"pauses"`
	// Dropped counts packets that found no room. Flow control is lossless: it is 0, or the model
	// is wrong.
	Dropped int64 `json:"dropped"`
	// BufferPeak is what the fullest switch ever held, BufferPeakPort the fullest input and VC.
	BufferPeak     int64 `json:"buffer_peak_bytes"`
	BufferPeakPort int64 `json:"buffer_peak_port_bytes"`
	PacketHops     int64 `json:"packet_hops"` // packets that passed a switch, in all Cycles
	// Deadlock is the circle of packets that wait for each other, in place of the flit engine's.
	Deadlock *Deadlock `json:"deadlock,omitempty"`
}

// Micros are latencies in us.
type Micros struct {
	Mean   float64 `json:"mean"`
	P50    float64 `json:"p50"`
	P95    float64 `json:"p95"`
	P99    float64 `json:"p99"`
	P999   float64 `json:"p999"`
	Max    float64 `json:"max"`
	StdErr float64 `json:"stderr,omitempty"`
}

// saturatedBelow is the share of the offered load that has to be accepted (STYLE.md: saturation
// load).
const saturatedBelow = 0.97

// checkEvery is the number of windows between looks at the context and the deadlock clock.
const checkEvery = 64

// Run simulates one load from an empty network: WarmupNs, then a window of MeasureNs whose packets
// are measured, then, with traffic still coming, the time these packets need to arrive, at most
// DrainNs. A network that saturates or deadlocks is a result. If ctx ends, Run returns what it has
// and ctx's error.
func (s *Sim) Run(ctx context.Context, load float64) (Point, error) {
	if !(load > 0) || load > 1 {
		return Point{}, fmt.Errorf("cutthrough: load %g is not in (0, 1]", load)
	}
	s.Reset(load, s.cfg.Seed)
	s.recFrom = int64(s.cfg.WarmupNs) * 1000
	s.recTo = s.recFrom + int64(s.cfg.MeasureNs)*1000
	s.batch.from, s.batch.length = s.recFrom, max(1, (s.recTo-s.recFrom)/int64(s.cfg.Batches))
	behind := int64(0)
	for e := range s.src {
		if s.src[e].next < s.recTo {
			behind++
		}
	}
	pt := Point{Point: simcore.Point{Offered: load}}
	ok := s.stepTo(ctx, s.recTo, &pt)
	s.closeWindow(&pt)
	if ok && !pt.Saturated {
		s.drain(ctx, behind, &pt)
	}
	s.finish(&pt)
	if pt.Interrupted {
		return pt, fmt.Errorf("cutthrough: load %g: %w", load, ctx.Err())
	}
	return pt, nil
}

// stepTo simulates up to a time; false: the context ended or nothing moves any more.
func (s *Sim) stepTo(ctx context.Context, to int64, pt *Point) bool {
	for n := 0; s.now < to; n++ {
		if n%checkEvery == 0 {
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
	t := s.total()
	one := s.cfg.BandwidthGbps / 8000 * float64(length) // bytes of an endpoint at load 1
	senders := float64(len(s.src))
	if t.attempts > 0 {
		senders *= 1 - float64(t.silent)/float64(t.attempts)
	}
	all, sum := one*senders, int64(0)
	per := make([]float64, len(t.accepted))
	for i, a := range t.accepted {
		sum += a
		per[i] = float64(a) * float64(len(per)) / all
	}
	pt.Accepted, pt.AcceptedErr = float64(sum)/all, batchErr(per)
	s.extremes(pt, one)
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

// extremes finds the endpoints that received least and most.
func (s *Sim) extremes(pt *Point, one float64) {
	lo, hi := int64(math.MaxInt64), int64(0)
	for e := range s.src {
		a := int64(0)
		for k := s.epStart[e]; k < s.epStart[e+1]; k++ {
			a += s.accept[s.epTie[k]]
		}
		lo, hi = min(lo, a), max(hi, a)
	}
	pt.AcceptedMin, pt.AcceptedMax = float64(lo)/one, float64(hi)/one
}

// drain goes on until the packets created in the window have arrived.
func (s *Sim) drain(ctx context.Context, behind int64, pt *Point) {
	limit := int64(s.cfg.DrainNs)
	if limit == 0 {
		limit = int64(s.cfg.MeasureNs)
	}
	end := s.now + limit*1000
	for {
		left := behind
		for i := range s.workers {
			left += s.workers[i].stat.behind + s.workers[i].stat.outstanding
		}
		if left == 0 {
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

func (s *Sim) finish(pt *Point) {
	t := s.total()
	pt.LatencyUs, pt.Latency = summarize(&t.plat)
	pt.NetworkUs, pt.Network = summarize(&t.nlat)
	var means []float64
	for i, n := range t.batchN {
		if n > 0 {
			means = append(means, float64(t.batchSum[i])/float64(n)/1000)
		}
	}
	pt.Latency.StdErr = batchErr(means)
	pt.LatencyUs.StdErr = pt.Latency.StdErr / 1000
	pt.Packets, pt.Unreachable = t.packets, t.unreachable
	if t.packets > 0 {
		pt.Hops.Mean = float64(t.switches)/float64(t.packets) - 1
		pt.ECNShare = float64(t.marked) / float64(t.packets)
	}
	pt.OfferedGbps, pt.AcceptedGbps = pt.Offered*s.cfg.BandwidthGbps, pt.Accepted*s.cfg.BandwidthGbps
	pt.ECNMarked, pt.Pauses, pt.Dropped = t.marked, t.pauses, t.overflows
	pt.BufferPeak, pt.BufferPeakPort = t.peak, int64(t.peakPort)
	pt.Cycles, pt.PacketHops = s.now/1000, t.hops
	pt.FlitHops = int64(math.Round(float64(t.hops) * s.mean / float64(s.cfg.CellBytes)))
}

// summarize gives a histogram of ps in us and in ns.
func summarize(h *simcore.Histogram) (Micros, simcore.Latency) {
	q := func(x float64) float64 { return float64(h.Quantile(x)) / 1e6 }
	u := Micros{Mean: h.Mean() / 1e6, P50: q(0.5), P95: q(0.95), P99: q(0.99), P999: q(0.999), Max: float64(h.Max()) / 1e6}
	ns := func(x float64) int64 { return int64(math.Round(x * 1000)) }
	return u, simcore.Latency{Mean: h.Mean() / 1000, P50: ns(u.P50), P95: ns(u.P95), P99: ns(u.P99), P999: ns(u.P999), Max: ns(u.Max)}
}

// Curve simulates each load from an empty network, several at a time; the answer, in the order of
// loads, does not depend on their number. If ctx ends, the points not reached have Cycles = 0.
func (s *Sim) Curve(ctx context.Context, loads []float64, several int) ([]Point, error) {
	points := make([]Point, len(loads))
	var g errgroup.Group
	several = max(1, min(several, len(loads)))
	for w := range several {
		g.Go(func() error {
			sim := s
			if w > 0 {
				var err error
				if sim, err = s.Clone(); err != nil {
					return err
				}
			}
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

// Saturation finds the largest load accepted to 97 %, to 2 %, as the flit engine does.
func (s *Sim) Saturation(ctx context.Context) (simcore.Saturation, error) {
	return simcore.SearchSaturation(func(load float64) (simcore.Point, error) {
		p, err := s.Run(ctx, load)
		return p.Point, err
	})
}

// Lone gives the latency in ns of a single packet of the first size from src to dst in the idle
// network, its route drawn from seed; NaN if there is none.
func (s *Sim) Lone(src, dst int, seed uint64) float64 {
	s.Reset(0, seed)
	s.recFrom, s.recTo = 0, never
	s.batch.length = never
	w := s.homeOf(int32(src))
	x := &s.src[src]
	traffic := s.traffic
	s.traffic, x.next = only(dst), 0
	w.now, w.until, w.sw = 0, 0, -1
	if x.pend = w.draw(int32(src), x); x.pend >= 0 {
		s.load = 1 // lets it go, and no other: the next is never due
		x.next = never
		w.createAt(int32(src), x, 1<<s.shift)
	}
	s.traffic = traffic
	for s.total().outstanding > 0 && s.now < lonePs {
		s.step()
	}
	if t := s.total(); t.packets == 1 {
		return t.plat.Mean() / 1000
	}
	return math.NaN()
}

// lonePs bounds the time of a lone packet: a second.
const lonePs = 1e12

// only is the traffic of one destination.
type only int

func (only) Name() string { return "lone packet" }

func (d only) Dest(topology.EndpointID, *simcore.Rand) topology.EndpointID {
	return topology.EndpointID(d)
}
