package cutthrough

import (
	"cmp"
	"context"

	"toposearch/simcore"
)

// warmUp simulates until the rule says that the network is warm, and sets the window; false: the
// run is over. With the fixed rule the window begins after WarmupNs to the ps; MSER-5 decides between
// two windows of events, and what has been sent by then may arrive up to the longest delay later,
// so that the measurement begins behind that.
func (s *Sim) warmUp(ctx context.Context, pt *Point) bool {
	c := &s.cfg
	if c.WarmupRule != simcore.WarmupMSER5 {
		from := int64(c.WarmupNs) * 1000
		if c.Precision > 0 || s.probing || s.failing != nil {
			from = s.border(from)
		}
		pt.Warmup = simcore.WarmupReport{Rule: simcore.WarmupFixed, Cycles: from / 1000}
		s.setWindow(from)
		return s.stepTo(ctx, from, pt)
	}
	x := simcore.Settling{First: s.border(int64(c.WarmupNs) * 1000), Limit: s.border(int64(c.warmupLimit()) * 1000),
		Length: s.border(simcore.BatchLength(int64(c.WarmupNs) * 1000)), Overloaded: s.overloaded,
		Step: func(to int64) bool { return s.stepTo(ctx, s.border(to), pt) },
		Counts: func() (now, n, sum int64) {
			for i := range s.workers {
				n, sum = n+s.workers[i].stat.delivered, sum+s.workers[i].stat.arrivals
			}
			return s.now, n, sum
		}}
	r, ok := x.WarmUp()
	if ok {
		from := s.border(s.now + s.longest + ps(c.NICNs))
		s.setWindow(from)
		ok = s.stepTo(ctx, from, pt)
	}
	r.Cycles, r.Truncation = s.now/1000, r.Truncation/1000
	pt.Warmup = r
	return ok
}

// setWindow says from when to when packets are measured. If it may become longer, each batch is
// made of whole windows of events, so that nothing behind it has happened when that is decided.
func (s *Sim) setWindow(from int64) {
	c := &s.cfg
	length := int64(c.MeasureNs) * 1000
	doubles := c.Batches%2 == 0 // or batches cannot be paired
	if s.probing && doubles {
		length /= simcore.EarlyShare
	}
	s.recFrom, s.recTo = from, from+length
	s.batch.from, s.batch.length = from, max(1, length/int64(c.Batches))
	if s.open = doubles && (c.Precision > 0 || s.probing); s.open {
		s.batch.length = s.border(s.batch.length)
		s.recTo = from + s.batch.length*int64(c.Batches)
	}
	s.countBehind()
	s.schedule()
}

// countBehind counts the endpoints that have packets of the window to create.
func (s *Sim) countBehind() {
	s.behind = 0
	for e := range s.src {
		if s.src[e].next < s.recTo {
			s.behind++
		}
	}
	for i := range s.workers {
		s.workers[i].stat.behind = 0
	}
}

// overloaded reports whether the sources have clearly got rid of less than what is offered since the
// start.
func (s *Sim) overloaded() bool {
	t := s.total()
	offered := s.load * s.cfg.BandwidthGbps / 8000 * float64(s.now) * s.senders()
	return simcore.Overloaded(float64(t.injected), offered, s.mean)
}

// measure simulates the window; with a precision, one twice as long again and again until it is
// reached or the budget ends, and in a search for saturation until the load is known to be accepted or not. false:
// the run is over.
func (s *Sim) measure(ctx context.Context, pt *Point) bool {
	borders := append(make([]simcore.Border, 0, s.cfg.Batches+1), s.standing())
	for {
		ok := true
		for b := int64(len(borders)); ok && b <= int64(s.cfg.Batches); b++ {
			end := s.recTo
			if b < int64(s.cfg.Batches) {
				end = s.recFrom + b*s.batch.length
			}
			if ok = s.stepTo(ctx, end, pt); ok {
				borders = append(borders, s.standing())
			}
		}
		s.closeWindow(pt, borders)
		if !ok {
			pt.Stop, s.open = stopped(pt), false
			return false
		}
		s.latency(pt, s.total())
		if s.decided(pt) {
			s.open = false
			return true
		}
		s.extend()
		borders = simcore.Merge(borders)
	}
}

// decided sets Stop after a window; false: go on with one twice as long.
func (s *Sim) decided(pt *Point) bool {
	length, budget := (s.recTo-s.recFrom)/1000, int64(s.cfg.Budget())
	if !s.probing {
		return pt.Decide(s.cfg.Precision, 2*length <= budget)
	}
	if budget = s.probeBudget(); s.short {
		budget = int64(s.cfg.MeasureNs)
	}
	budget += budget / 8 // batches are rounded up to windows of events
	left := s.open && 2*length <= budget && s.now/1000+4*length+int64(s.cfg.DrainNs) <= maxRunNs
	return pt.DecideLoad(float64(length)/float64(s.cfg.MeasureNs), float64(s.probeBudget())/float64(s.cfg.MeasureNs), left, s.short)
}

// extend makes the window twice as long, and the batches with it. What is known to happen in the new
// half by now is counted: arrivals of what is on its way, and the rest of what is being sent.
func (s *Sim) extend() {
	end := s.recTo
	s.recTo = 2*end - s.recFrom
	s.batch.length *= 2
	for i := range s.workers {
		t := &s.workers[i].stat
		simcore.PairBatches(t.accepted)
		simcore.PairBatches(t.batchSum)
		simcore.PairBatches(t.batchN)
		still := t.late[:0]
		for _, x := range t.late {
			if x.tail < s.recTo {
				t.accept(s, x)
			} else {
				still = append(still, x)
			}
		}
		t.late = still
	}
	for i := range s.out {
		o := &s.out[i]
		o.carried += max(0, min(o.free, s.recTo)-end)
	}
	for k := range s.nic {
		x := &s.nic[k]
		x.busy += max(0, min(x.free, s.recTo)-end)
	}
	s.countBehind()
}

// probeBudget is the longest window of one load in a search for saturation, ns.
func (s *Sim) probeBudget() int64 {
	return int64(cmp.Or(s.cfg.MaxMeasureNs, simcore.ProbeTimes*s.cfg.MeasureNs))
}
