package booksim

import (
	"context"
	"math"

	"toposearch/simcore"
	"toposearch/simcore/flit"
)

// once is one simulation: sample periods until warm and converged, then the drain.
func (r *Run) once(ctx context.Context, seed uint64) (Result, error) {
	s, m := r.sim, &r.measure
	s.TimeFlits()
	s.Reset(r.load, seed)
	s.Record(flit.Forever, 0, flit.Forever, true)
	var res Result
	running, ended, converged := false, true, 0
	var from simcore.Cycle
	lastLat, lastRate := 0.0, 0.0
	period := 0
	for ; period < m.most && (!running || converged < 3); period++ {
		if ended || !running && period%2 == 0 {
			s.Restart()
			from, ended = s.Now(), false
		}
		if stop, err := r.step(ctx, m.period, &res); stop {
			return r.fill(res, s.Now()-from), err
		}
		if m.latency && r.unstable() {
			res.Status = StatusUnstable
			return r.fill(res, s.Now()-from), nil
		}
		c := s.Counts()
		lat, rate := c.Latency.Mean(), float64(c.Accepted)/float64(s.Now()-from)/float64(r.nodes)
		latChange, rateChange := change(lat, lastLat), change(rate, lastRate)
		lastLat, lastRate = lat, rate
		if !running {
			if m.warm(period+1, latChange, rateChange) {
				running, ended = true, true
				s.Record(s.Now(), 0, flit.Forever, false)
			}
			continue
		}
		if m.latency && m.stop >= 0 && latChange > m.stop || m.accStop >= 0 && rateChange > m.accStop {
			converged = 0
		} else {
			converged++
		}
	}
	if !running {
		res.Status = StatusNotWarm
		return r.fill(res, s.Now()-from), nil
	}
	return r.drain(ctx, from, res)
}

// change is the relative change from the previous period.
func change(cur, last float64) float64 {
	if cur == 0 {
		return math.Inf(1)
	}
	return math.Abs(cur-last) / cur
}

func (m *measure) warm(periods int, lat, rate float64) bool {
	if m.warmup > 0 {
		return periods >= m.warmup
	}
	return (!m.latency || m.warmThres < 0 || lat <= m.warmThres) && (m.accWarm < 0 || rate <= m.accWarm)
}

// unstable is BookSim2's test: measured latencies and the ages of all flits under way together.
func (r *Run) unstable() bool {
	if r.measure.latencyThres < 0 {
		return false
	}
	c := r.sim.Counts()
	age, flits := r.sim.Ages()
	n := float64(c.Latency.N() + flits)
	return n > 0 && (c.Latency.Mean()*float64(c.Latency.N())+float64(age))/n > r.measure.latencyThres
}

// stepSize is the number of cycles between looks at the context and the deadlock clock.
const stepSize = 256

// step runs n cycles; stop reports whether the network is deadlocked or, with an error, the context ended.
func (r *Run) step(ctx context.Context, n int, res *Result) (stop bool, err error) {
	for n > 0 {
		k := min(n, stepSize)
		r.sim.Step(k)
		n -= k
		if err := r.wrap(ctx); err != nil {
			res.Status = StatusInterrupted
			return true, err
		}
		if r.sim.Stuck() {
			res.Status, res.Deadlock = StatusDeadlocked, r.sim.FindDeadlock()
			return true, nil
		}
	}
	return false, nil
}

// drain ends a run: the rates are those up to here; in latency mode traffic goes on until all
// measured packets are there; then injection stops and the network is emptied.
func (r *Run) drain(ctx context.Context, from simcore.Cycle, res Result) (Result, error) {
	s := r.sim
	at := s.Now()
	rates := r.fill(res, at-from)
	if r.measure.latency {
		s.Record(0, 0, at, false)
		for steps := 0; s.Counts().Outstanding > 0 || !s.CreatedUpTo(at); steps++ {
			if stop, err := r.step(ctx, 1, &res); stop {
				return r.keepRates(r.fill(res, s.Now()-from), rates), err
			}
			if steps%1000 == 999 && r.unstable() {
				res.Status = StatusUnstable
				return r.fill(res, s.Now()-from), nil
			}
		}
	}
	s.StopInjection()
	for s.Counts().Live > 0 {
		if stop, err := r.step(ctx, 1, &res); stop {
			return r.keepRates(r.fill(res, s.Now()-from), rates), err
		}
	}
	res = r.fill(res, s.Now()-from)
	res.Status = StatusOK
	return r.keepRates(res, rates), nil
}

// batch is one simulation of sim_type batch: every packet is measured, and the rates are those of the
// whole time.
func (r *Run) batch(ctx context.Context, seed uint64) (res Result, err error) {
	s, cfg := r.sim, r.sim.Config()
	s.TimeFlits()
	s.Reset(meanSize(&cfg), seed) // a packet in every cycle in which the source has none
	s.Record(0, 0, flit.Forever, true)
	for s.Counts().Live > 0 || !s.CreatedUpTo(flit.Forever) {
		if stop, err := r.step(ctx, 1, &res); stop {
			return r.fill(res, s.Now()), err
		}
	}
	res.Status = StatusOK
	return r.fill(res, s.Now()), nil
}

// keepRates takes over the rates of the window.
func (r *Run) keepRates(res, window Result) Result {
	res.Injected, res.Accepted = window.Injected, window.Accepted
	res.AcceptMin, res.AcceptMax = window.AcceptMin, window.AcceptMax
	return res
}

// fill takes over what has been counted in some cycles.
func (r *Run) fill(res Result, cycles simcore.Cycle) Result {
	c := r.sim.Counts()
	res.Latency, res.Network, res.Flit = summary(c.Latency), summary(c.NetworkLatency), summary(c.FlitLatency)
	res.LatencySD = c.Latency.StdDev()
	res.MinLat, res.MinNet = float64(c.Latency.Min()), float64(c.NetworkLatency.Min())
	res.MinFlit = float64(c.FlitLatency.Min())
	if n := c.Latency.N(); n > 0 {
		res.Hops, res.Fragment = float64(c.SwitchSum)/float64(n), float64(c.FragmentSum)/float64(n)
	}
	res.Packets, res.Cycles, res.FlitHops = c.Latency.N(), int64(r.sim.Now()), c.FlitHops
	if cycles <= 0 {
		return res
	}
	per := 1 / float64(cycles)
	lo, hi := c.AcceptedBy[0], c.AcceptedBy[0]
	for _, a := range c.AcceptedBy {
		lo, hi = min(lo, a), max(hi, a)
	}
	res.Accepted, res.Injected = float64(c.Accepted)*per/float64(r.nodes), float64(c.Injected)*per/float64(r.nodes)
	res.AcceptMin, res.AcceptMax = float64(lo)*per, float64(hi)*per
	return res
}

func summary(h *simcore.Histogram) simcore.Latency {
	return simcore.Latency{Mean: h.Mean(), P50: h.Quantile(0.5), P95: h.Quantile(0.95), P99: h.Quantile(0.99),
		P999: h.Quantile(0.999), Max: h.Max()}
}
