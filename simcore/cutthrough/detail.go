package cutthrough

import (
	"toposearch/simcore"
	"toposearch/topology"
)

// observe makes ready what Config.Observe asks for; all that is counted is exact, not sampled.
func (s *Sim) observe() {
	s.tick = int64(s.cfg.Observe.Series) * 1000
	if !s.cfg.Observe.Detail {
		s.observed = nil
		return
	}
	if s.observed == nil {
		s.observed = make([]switchUse, s.switches)
	}
	clear(s.observed)
}

// watch counts what a switch has held since the last change.
func (w *worker) watch(sw int32) {
	s := w.s
	u := &s.observed[sw]
	if d := min(w.now, s.recTo) - max(u.since, s.recFrom); d > 0 {
		u.sum += float64(s.stored[sw]) * float64(d)
		u.most = max(u.most, s.stored[sw])
	}
	u.since = w.now
}

// account counts the packets that wait for an output since the last change.
func (w *worker) account(out *outPort) {
	if out.packets > 0 {
		if d := min(w.now, w.s.recTo) - max(out.since, w.s.recFrom); d > 0 {
			w.stat.waited[out.why] += d * int64(out.packets)
		}
	}
	out.since = w.now
}

// level brings all counts up to the end of the window, or the present.
func (s *Sim) level() {
	w := &s.workers[0]
	before := w.now
	w.now = min(s.now, s.recTo)
	for i := range s.out {
		if s.out[i].since < w.now {
			w.account(&s.out[i])
		}
	}
	for sw := range s.observed {
		if s.observed[sw].since < w.now {
			w.watch(int32(sw))
		}
	}
	w.now = before
}

// detail sums up what was measured inside the network, ps long; nil if nobody asks for it.
func (s *Sim) detail(length int64) *simcore.Detail {
	if !s.cfg.Observe.Detail {
		return nil
	}
	n := s.net
	d := &simcore.Detail{Buffers: s.bufferUse(length)}
	one := float64(length)
	var sums simcore.LinkSums
	if !s.internal { // what joins an endpoint to its own switch is no link
		for k := range s.nic {
			x := &s.nic[k]
			class := n.SwitchClasses[n.Class(topology.SwitchID(x.sw))].Name
			sums.Add(n.LinkClasses[0].Name, "endpoint", class, float64(x.busy)/one)
			sums.Add(n.LinkClasses[0].Name, class, "endpoint", float64(s.out[s.eject(int32(k))].carried)/one)
		}
	}
	d.FillLinks(n, &sums, s.cfg.Observe.Channels, func(sw topology.SwitchID, c topology.ChannelID) (int64, float64) {
		first, _ := n.Out(sw)
		o := &s.out[s.outStart[sw]+int32(c-first)]
		bytes := float64(o.carried) * float64(s.bytes[0]) / float64(s.ser[o.class][0])
		return s.toCells(bytes), float64(o.carried) / one
	})
	return d
}

// toCells gives bytes in cells, rounded.
func (s *Sim) toCells(bytes float64) int64 { return int64(bytes/float64(s.cfg.CellBytes) + 0.5) }

// bufferUse gives the occupancy by class of switch. A packet counts from when it is routed until it
// is sent.
func (s *Sim) bufferUse(length int64) []simcore.BufferUse {
	n := s.net
	rows := make([]simcore.BufferUse, len(n.SwitchClasses))
	for sw := range s.switches {
		u, b := &s.observed[sw], &rows[n.Class(topology.SwitchID(sw))]
		b.Switches++
		b.MeanBytes += u.sum / float64(length)
		b.MaxBytes, b.MaxVCBytes = max(b.MaxBytes, u.most), max(b.MaxVCBytes, int64(u.mostVC))
		b.VCBytes = max(b.VCBytes, s.vcBytes(sw))
	}
	var out []simcore.BufferUse
	for c, b := range rows {
		if b.Switches == 0 {
			continue
		}
		b.Class = n.SwitchClasses[c].Name
		b.MeanBytes /= float64(b.Switches)
		b.Fill = b.MeanBytes / float64(s.cfg.BufferBytes)
		cell := float64(s.cfg.CellBytes)
		b.Mean, b.Max, b.MaxVC, b.VCSlots = b.MeanBytes/cell, s.toCells(float64(b.MaxBytes)), s.toCells(float64(b.MaxVCBytes)), int(s.toCells(float64(b.VCBytes)))
		out = append(out, b)
	}
	return out
}

// vcBytes is the room of an input and VC of a switch: its share, or with PFC what it may take of
// the idle pool before it pauses, and its headroom.
func (s *Sim) vcBytes(sw int) int64 {
	if !s.pfc {
		return int64(s.perVC)
	}
	room := int64(0)
	for i := s.inStart[sw]; i < s.inStart[sw+1]; i++ {
		room = max(room, s.room[s.in[i].class])
	}
	return int64(float64(s.poolOf[sw])*s.cfg.PFCAlpha/(1+s.cfg.PFCAlpha)) + room
}

// waits divides the mean latency. What packets spend at their source, on cables and in pipelines,
// and behind their heads is measured packet by packet; the rest, waiting in switches, is divided as
// all packets waited in the window: each for what its output was doing.
func (s *Sim) waits(pt *Point, t *tally) []simcore.Part {
	if pt.Packets == 0 {
		return nil
	}
	n := float64(pt.Packets) * 1000
	way := float64(t.way)/n + s.cfg.NICNs
	rest := float64(t.rest) / n
	waited, all := max(pt.Network.Mean-way-rest, 0), int64(0)
	for _, x := range t.waited {
		all += x
	}
	room := "credit_stall"
	if s.pfc {
		room = "paused"
	}
	out := []simcore.Part{{Where: "source_queue", Cycles: pt.Latency.Mean - pt.Network.Mean}}
	for i, name := range [numWhys]string{"behind_other_packet", "crossbar", room} {
		p := simcore.Part{Where: name}
		if all > 0 {
			p.Cycles = waited * float64(t.waited[i]) / float64(all)
		} else if i == whySending {
			p.Cycles = waited
		}
		out = append(out, p)
	}
	out = append(out, simcore.Part{Where: "link_and_crossbar", Cycles: way}, simcore.Part{Where: "rest_of_packet", Cycles: rest})
	for i := range out {
		out[i].Share = out[i].Cycles / max(pt.Latency.Mean, 1e-9)
	}
	return out
}

// series is the time series of the whole pieces that were simulated.
func (s *Sim) series(pt *Point) []simcore.Sample {
	if s.tick == 0 {
		return nil
	}
	all := make([]sample, s.now/s.tick)
	for w := range s.workers {
		for i, x := range s.workers[w].stat.series {
			if i < len(all) {
				y := &all[i]
				y.injected, y.accepted, y.n, y.sum = y.injected+x.injected, y.accepted+x.accepted, y.n+x.n, y.sum+x.sum
			}
		}
	}
	one := s.cfg.BandwidthGbps / 8000 * float64(s.tick) * s.senders()
	out := make([]simcore.Sample, len(all))
	inside := int64(0)
	for i, x := range all {
		inside += x.injected - x.accepted
		end := int64(i+1) * s.tick
		out[i] = simcore.Sample{Cycle: end / 1000, Injected: float64(x.injected) / one, Accepted: float64(x.accepted) / one,
			InFlight: int(s.toCells(float64(inside))), Window: end-s.tick >= s.recFrom && end <= min(s.recTo, s.recFrom+pt.Measured*1000)}
		if x.n > 0 {
			out[i].Latency = float64(x.sum) / float64(x.n) / 1000
		}
	}
	return out
}
