package simcore

import (
	"context"
	"fmt"
	"math"
)

// Point is what a simulation at one load measured. Loads are fractions of the bandwidth of an
// endpoint (flits per cycle per endpoint, where it has one port of full rate), averaged over the
// endpoints that send; latencies are cycles from the creation of a packet, time in the source
// queue included, to the arrival of its last flit.
type Point struct {
	Offered  float64 `json:"offered"`
	Accepted float64 `json:"accepted"`
	// AcceptedErr is the standard error of Accepted by batch means; AcceptedMin and AcceptedMax
	// are those of single endpoints.
	AcceptedErr  float64 `json:"accepted_stderr"`
	AcceptedCI95 float64 `json:"accepted_ci95"` // half the width of the 95 % confidence interval
	AcceptedMin  float64 `json:"accepted_min"`
	AcceptedMax  float64 `json:"accepted_max"`
	Latency      Latency `json:"latency"`
	Network      Latency `json:"network_latency"` // from the injection of the head
	Hops         Hops    `json:"hops"`
	// Saturated means that less than 97 % of what was offered was delivered in the window, or
	// that its packets had not arrived DrainLimit cycles after it. Latencies are then lower bounds.
	Saturated  bool      `json:"saturated"`
	Deadlocked bool      `json:"deadlocked"`
	Deadlock   *Deadlock `json:"deadlock,omitempty"`
	// Interrupted: the context ended; the figures are of what had been measured.
	Interrupted bool  `json:"interrupted,omitempty"`
	Packets     int64 `json:"packets"` // measured
	Unreachable int64 `json:"unreachable,omitempty"`
	Cycles      int64 `json:"cycles"`
	FlitHops    int64 `json:"flit_hops"` // flits that crossed a switch, in all Cycles
	// Fairness compares endpoints in the window.
	Fairness Fairness `json:"fairness,omitzero"`
	// Warmup and Stop say how the measured cycles began and why they ended; Measured is their number.
	Warmup   WarmupReport `json:"warmup,omitzero"`
	Stop     string       `json:"stop,omitempty"`
	Measured int64        `json:"measured_cycles,omitempty"`
	Detail   *Detail      `json:"detail,omitempty"`
	Series   []Sample     `json:"series,omitempty"`
}

// Hops sums up the ways of the measured packets.
type Hops struct {
	// Mean number of hops, counted as mean_hops of the evaluator does (ARCHITECTURE.md): links from
	// switch to switch, embedded ones included, without the first and the last nic link. Of a bare
	// plant, such as a BookSim2 configuration's, it is what the caller makes it.
	Mean float64 `json:"mean"`
	// Switches is the mean number of switches passed, embedded ones included: what the zero-load
	// latency follows.
	Switches float64 `json:"switches,omitempty"`
}

// HopsOf are the mean figures of packets that passed so many switches together, viaNic of them
// over nic links between embedded and real switches.
func HopsOf(packets, switches, viaNic int64) Hops {
	if packets == 0 {
		return Hops{}
	}
	n := float64(packets)
	// Nic links between switches come in pairs, the first and the last of a way.
	return Hops{Mean: float64(switches-2*viaNic)/n - 1, Switches: float64(switches) / n}
}

// saturatedBelow is the share of the offered load that has to be accepted (STYLE.md: saturation
// load).
const saturatedBelow = 0.97

// checkEvery is the number of cycles between looks at the context and the deadlock clock.
const checkEvery = 64

// Run simulates one load from an empty network: a warm-up, then a window of Measure cycles, or as
// many as the precision needs, whose packets are measured, then as many cycles with traffic still
// coming as these packets need to arrive, at most DrainLimit. A load is at most what the source ports carry; a network that
// saturates or deadlocks is a result. If ctx ends, Run returns what it has and ctx's error.
func (s *Sim) Run(ctx context.Context, load float64) (Point, error) {
	if err := s.CheckLoad(load); err != nil {
		return Point{}, err
	}
	s.Reset(load, s.cfg.Seed)
	s.obs = newObserver(s)
	pt := Point{Offered: load}
	if s.warmUp(ctx, &pt) {
		from := s.now
		to, ok := s.window(ctx, &pt)
		s.obs.close()
		pt.Detail = s.obs.detail(s.now - from)
		if ok && !pt.Saturated {
			s.drain(ctx, to, &pt)
		}
	} else {
		s.stat.restart() // nothing was measured
		pt.Stop = StopInterrupted
		if pt.Deadlocked {
			pt.Stop = StopDeadlocked
		}
	}
	s.finish(&pt)
	if pt.Interrupted {
		return pt, fmt.Errorf("simcore: load %g: %w", load, ctx.Err())
	}
	return pt, nil
}

// CheckLoad tells why Run cannot offer a load: it is not in (0, 1], or sources that switch on and off
// cannot make it, because they are on too seldom or always send as much as BurstRate says.
func (s *Sim) CheckLoad(load float64) error {
	if !(load > 0) || load > 1 {
		return fmt.Errorf("simcore: load %g is not in (0, 1]", load)
	}
	c := &s.cfg
	if c.Injection != "on_off" {
		return nil
	}
	on := c.Alpha / (c.Alpha + c.Beta) // share of time
	one := c.MeanFlits() * float64(s.trials) * float64(s.rateDen) / float64(s.rateNum)
	if c.BurstRate > 0 {
		if made := c.BurstRate * on * one; math.Abs(made/load-1) > 1e-3 {
			return fmt.Errorf("simcore: load %g: sources with BurstRate = %g, Alpha = %g and Beta = %g make a load of %.4g; leave BurstRate out, and it follows from the load",
				load, c.BurstRate, c.Alpha, c.Beta, made)
		}
		return nil
	}
	if most := on * one; load > most*(1+1e-9) {
		return fmt.Errorf("simcore: load %g: sources with Alpha = %g and Beta = %g are on %.3g %% of the time and make a load of at most %.4g", load, c.Alpha, c.Beta, 100*on, most)
	}
	return nil
}

// stepTo simulates up to a cycle; false: the context ended or nothing moves any more.
func (s *Sim) stepTo(ctx context.Context, to Cycle, pt *Point) bool {
	for s.now < to {
		if ctx.Err() != nil {
			pt.Interrupted = true
			return false
		}
		s.obs.step(s, int(min(checkEvery, to-s.now)))
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

// stuck tells that flits are in the network and none has moved for DeadlockCycles.
func (s *Sim) stuck() bool {
	return s.inNet > 0 && s.now-s.moved > Cycle(s.cfg.DeadlockCycles+s.longest)
}

// senders is the number of endpoints that send, estimated by the share of packets that their
// traffic made.
func (s *Sim) senders() float64 {
	if s.loop != nil { // there it is known
		n := 0
		for e := range s.srcOf {
			if s.srcOf[e].seq > 0 {
				n++
			}
		}
		return float64(max(n, 1))
	}
	if s.stat.attempts == 0 {
		return float64(s.able)
	}
	return float64(s.able) * (1 - float64(s.stat.silent)/float64(s.stat.attempts))
}

// closeWindow computes what was accepted in a window of so many cycles; per are the flits accepted
// in its complete batches.
func (s *Sim) closeWindow(pt *Point, cycles Cycle, per []int64) {
	t := &s.stat
	pt.Measured, pt.Saturated = int64(cycles), pt.Deadlocked
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
	// The window as so many batches of the mean; a part of one at its end counts for its share.
	pt.AcceptedErr = ErrOfMean(batchMeans(per, ones)) * float64(len(per)) / all
	pt.AcceptedCI95 = CI95(pt.AcceptedErr, len(per))
	pt.Fairness = Fairness{Sent: s.fairness(t.inj, one, true), Received: s.fairness(t.acc, one, false)}
	pt.AcceptedMin, pt.AcceptedMax = pt.Fairness.Received.Min, pt.Fairness.Received.Max
	// Three standard deviations of the number of packets created are allowed for.
	offered := pt.Offered * all
	if u := t.unreachable; u > 0 {
		offered *= 1 - float64(u)/float64(t.attempts-t.silent)
	}
	size := s.cfg.MeanFlits()
	slack := 3 * size * math.Sqrt(offered/size)
	if float64(t.accFlits) < saturatedBelow*offered-slack {
		pt.Saturated = true
	}
}

// drain goes on until the packets created before to have arrived.
func (s *Sim) drain(ctx context.Context, to Cycle, pt *Point) {
	limit := s.cfg.DrainLimit
	if limit == 0 {
		limit = s.cfg.Measure
	}
	end := s.now + Cycle(limit)
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

// backlogBefore tells whether a packet that was due before a cycle still waits to be made.
func (s *Sim) backlogBefore(to Cycle) bool {
	for e := range s.srcOf {
		if x := &s.srcOf[e]; s.created(int32(e), x) < to {
			return true
		}
	}
	return false
}

func (s *Sim) finish(pt *Point) {
	t := &s.stat
	pt.Latency, pt.Network = summarize(&t.plat), summarize(&t.nlat)
	pt.Latency.Errors(t.batchSum, t.batchN)
	pt.Packets, pt.Unreachable = t.plat.N(), t.unreachable
	pt.Hops = HopsOf(pt.Packets, t.hops, t.viaNic)
	pt.Cycles, pt.FlitHops = int64(s.now), t.flitHops
	if x := s.obs; x != nil {
		pt.Series = x.series
		if pt.Detail != nil {
			pt.Detail.Waits = x.waits(pt)
		}
		s.obs = nil
	}
}
