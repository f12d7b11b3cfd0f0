package cutthrough

import (
	"context"
	"errors"
	"fmt"
	"math"

	"toposearch/internal/memory"
	"toposearch/simcore"
	"toposearch/topology"
)

// Workload is a closed loop of traffic, of one of the kinds of simcore.Workload.
type Workload struct {
	Kind    string `json:"kind"`
	Window  int    `json:"window,omitempty"`        // packets
	Message int    `json:"message_bytes,omitempty"` // split into packets of the MTU and what is left
	Rounds  int    `json:"rounds,omitempty"`
	// MaxNs ends a workload that is to be completed; 0: 10 s.
	MaxNs int64 `json:"max_ns,omitempty"`
	// Script of simcore.LoopScript: sizes are bytes, times ps.
	Script simcore.Script `json:"-"`
}

func (w *Workload) flit() simcore.Workload {
	return simcore.Workload{Kind: w.Kind, Window: w.Window, Message: w.Message, Rounds: w.Rounds, Script: w.Script}
}

// Validate names every setting that is out of range.
func (w *Workload) Validate() error {
	f := w.flit()
	err := f.Validate()
	if w.MaxNs < 0 || w.MaxNs > maxRunNs {
		err = errors.Join(err, fmt.Errorf("cutthrough: MaxNs = %d is not in 0..%d", w.MaxNs, maxRunNs))
	}
	return err
}

// LoopResult is what a workload measured; cycles are ns. See simcore.LoopResult.
type LoopResult struct {
	Workload Workload `json:"workload"`
	Point
	Completed    bool                `json:"completed"`
	Completion   int64               `json:"completion_cycles,omitempty"` // rounded
	CompletionUs float64             `json:"completion_us,omitempty"`
	Round        *simcore.RoundTimes `json:"round_cycles,omitempty"`
	// Ideal is a bound for the routes that the packets took: of the completion in ns from below, of
	// the accepted load of a window from above.
	Ideal      float64 `json:"ideal,omitempty"` // 0: not known
	IdealUs    float64 `json:"ideal_us,omitempty"`
	IdealBy    string  `json:"ideal_by,omitempty"`
	Efficiency float64 `json:"efficiency,omitempty"`
}

// RunWorkload simulates a closed loop from an empty network, on Config.Workers cores: a window for
// its warm-up and measured time, the others until everything has arrived, nothing moves any more, or
// MaxNs. Results do not depend on the number of workers. If ctx ends, it returns what it has and
// ctx's error.
func (s *Sim) RunWorkload(ctx context.Context, w Workload) (r LoopResult, err error) {
	defer memory.Catch(&err)
	r = LoopResult{Workload: w}
	x, err := s.closedLoop(w)
	if err != nil {
		return r, err
	}
	x.progress = s.progress
	x.start()
	if w.Kind == simcore.LoopWindow {
		x.runWindow(ctx, &r)
	} else {
		x.runToEnd(ctx, &r)
	}
	if r.Interrupted {
		return r, fmt.Errorf("cutthrough: workload %s: %w", w.Kind, ctx.Err())
	}
	return r, nil
}

// closedLoop makes the simulation of a workload.
func (s *Sim) closedLoop(w Workload) (*Sim, error) {
	if err := w.Validate(); err != nil {
		return nil, err
	}
	n := s.net.Endpoints()
	if n < 2 {
		return nil, fmt.Errorf("cutthrough: a workload needs 2 endpoints, and there are %d", n)
	}
	c := s.cfg
	c.Workers = len(s.workers)
	c.Observe.Detail = true // the bounds need what every link carries
	l := &loop{Workload: w.flit(), mtu: int32(c.MTUBytes), ends: make([]loopEnd, n)}
	if w.Kind == simcore.LoopWindow {
		l.permits = make([]int64, n*w.Window)
	} else {
		sizes := []int32{int32(w.Message)}
		if l.script, l.atOnce = l.Scripted(n), 1; l.script != nil {
			l.atOnce, sizes = l.script.AtOnce(), l.script.Sizes()
		}
		c.Sizes, c.Weights, l.sizeOf = packetSizes(sizes, c.MTUBytes)
	}
	x, err := newSim(s.net, s.routing, s.traffic, c, l)
	if err != nil {
		return nil, err
	}
	l.idle = simcore.NewView(s.net, calm{}, nil)
	return x, nil
}

// packetSizes are the sizes of the packets of messages, and how many there are of each if messages of all sizes are as
// frequent; of tells the number of the size of a packet by its bytes. Beyond maxSizes the last packets of messages are
// lengthened to a multiple of so many bytes that there are no more.
func packetSizes(messages []int32, mtu int) (sizes, weights []int, of []uint8) {
	count := make([]int, mtu+1)
	for _, m := range messages {
		count[mtu] += int(m) / mtu
		if rest := int(m) % mtu; rest > 0 {
			count[rest]++
		}
	}
	kinds := 0
	for _, n := range count {
		if n > 0 {
			kinds++
		}
	}
	step := 1
	if kinds > maxSizes {
		step = (mtu + maxSizes - 1) / maxSizes
	}
	of = make([]uint8, mtu+1)
	for b := mtu; b > 0; b-- {
		if count[b] == 0 {
			continue
		}
		up := min((b+step-1)/step*step, mtu)
		if k := len(sizes); k == 0 || sizes[k-1] != up {
			sizes, weights = append(sizes, up), append(weights, 0)
		}
		of[b] = uint8(len(sizes) - 1)
		weights[len(sizes)-1] += count[b]
	}
	return sizes, weights, of
}

// runWindow measures throughput and latency as Run does.
func (s *Sim) runWindow(ctx context.Context, r *LoopResult) {
	pt := &r.Point
	if s.warmUp(ctx, pt) {
		s.measure(ctx, pt)
		busiest, by, _ := s.busiest()
		busiest /= float64(max(1, min(s.now, s.recTo)-s.recFrom))
		r.Ideal, r.IdealBy = 1, "the endpoints' bandwidth"
		if x := pt.Accepted / busiest; busiest > 0 && x < r.Ideal {
			r.Ideal, r.IdealBy = x, by
		}
	} else {
		pt.Stop = stopped(pt)
	}
	s.finish(pt)
	// By Little's law a window of packets that take at least the latency of an idle network.
	if pt.Packets > 0 {
		least := s.idleHead(pt.Hops.Switches) + s.mean*s.fastest()
		if x := float64(r.Workload.Window) * s.mean * 8000 / s.cfg.BandwidthGbps / least; x < r.Ideal {
			r.Ideal, r.IdealBy = x, "the window over the idle latency"
		}
		r.Efficiency = pt.Accepted / r.Ideal
	}
	pt.Saturated = pt.Deadlocked // a closed loop is never offered more than it takes
}

// runToEnd runs a workload to its completion.
func (s *Sim) runToEnd(ctx context.Context, r *LoopResult) {
	l, pt := s.loop, &r.Point
	s.recFrom, s.recTo, s.batch.length = 0, never, never
	limit := r.Workload.MaxNs
	if limit == 0 {
		limit = maxRunNs
	}
	ok := true
	for ok && l.done == never && s.now < limit*1000 {
		ok = s.stepTo(ctx, min(limit*1000, s.now+checkEvery<<s.shift), pt)
	}
	switch {
	case l.done < never:
		s.recTo = l.done + 1 // ps: the last byte belongs to it
		for n := int64(1); n > 0 || s.now < s.recTo; n, _ = s.inNetwork() {
			s.step() // what is known to arrive does so
		}
		pt.Stop, pt.Deadlocked, pt.Interrupted, pt.Deadlock = simcore.StopWindow, false, false, nil
	case !ok:
		pt.Stop = stopped(pt)
	default:
		pt.Stop = simcore.StopBudget
	}
	s.closeWindow(pt, nil)
	s.finish(pt)
	pt.Saturated = pt.Deadlocked
	if len(l.took) > 0 {
		r.Round = simcore.RoundsOf(l.took)
		r.Round.Mean, r.Round.Min, r.Round.Max = r.Round.Mean/1000, (r.Round.Min+500)/1000, (r.Round.Max+500)/1000
	}
	if l.done == never {
		return
	}
	r.Completed, r.Completion, r.CompletionUs = true, (l.done+500)/1000, float64(l.done)/1e6
	s.idealCompletion(r)
}

// idealCompletion is the largest of three lower bounds, as in the flit engine: the busiest link has
// to carry its bytes; a head takes its way through an idle network, and the rest of a message
// follows at the rate of its endpoint; and where messages wait for messages the chain of them does
// so one after another.
func (s *Sim) idealCompletion(r *LoopResult) {
	w := s.loop.Workload
	n := len(s.src)
	send := func(bytes float64) float64 { return bytes * 8000 / s.sends } // ps
	message := s.idleHead(r.Hops.Switches) + send(float64(w.Message))
	r.IdealBy = "the messages one after another in an idle network"
	if w.Kind == simcore.LoopAllToAll {
		least := 1.0 // switches
		if s.internal {
			least = 2
		}
		message = s.idleHead(least) + send(float64(w.Message)*float64(n-1))
		r.IdealBy = "what every endpoint has to send"
	}
	if w.Kind == simcore.LoopScript { // whose messages differ
		message = 0
	}
	ideal := float64(w.Chain(n)) * message
	if busiest, by, cable := s.busiest(); busiest+cable > ideal {
		ideal, r.IdealBy = busiest+cable, by
	}
	r.Ideal, r.IdealUs = ideal/1000, ideal/1e6
	r.Efficiency = ideal / float64(s.loop.done)
}

// busiest is the longest time in the window for which a link was busy, ps, which link that is, and
// how long the last byte takes over its cable.
func (s *Sim) busiest() (busy float64, by string, cable float64) {
	most, class := int64(0), uint8(0)
	for i := range s.out {
		if o := &s.out[i]; o.carried > most {
			most, class = o.carried, o.class
			if by = "the busiest link between switches"; o.downSw < 0 {
				by = "the busiest link to an endpoint"
			}
		}
	}
	for k := range s.nic {
		if b := s.nic[k].busy; b > most && !s.internal {
			most, class, by = b, 0, "the busiest link from an endpoint"
		}
	}
	return float64(most), by, float64(s.cable[class])
}

// idleHead is the least time from a packet's creation to the arrival of its head, ps, through so
// many switches, in an idle network, NICs included.
func (s *Sim) idleHead(switches float64) float64 {
	line := int64(math.MaxInt64)
	for c := range topology.ChannelID(s.net.Channels()) {
		line = min(line, s.cable[s.net.LinkClass(c)])
	}
	if s.net.Channels() == 0 {
		line = 0
	}
	t := float64(ps(s.cfg.NICNs)) + (switches-1)*float64(line)
	if s.internal { // neither the first nor the last relay is one for it
		return t + max(0, switches-2)*float64(min(s.pass[0], s.pass[1]))
	}
	return t + float64(2*s.cable[0]) + switches*float64(s.pass[0])
}

// fastest is the time of a byte on the fastest link that a packet has to take, ps.
func (s *Sim) fastest() float64 {
	least := math.Inf(1)
	for i := range s.net.LinkClasses {
		if s.ser[i] != nil && (s.internal || i == 0) {
			least = min(least, float64(s.ser[i][0])/float64(s.bytes[0]))
		}
	}
	return least
}
