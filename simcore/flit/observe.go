package flit

import "toposearch/simcore"

// progressEvery is the number of cycles between calls of Progress: some ms of a network of a
// thousand endpoints.
const progressEvery = 1024

// snapshotEvery is the number of cycles between snapshots of the buffers: one costs some ns for each
// VC, as much as a few flit-hops a switch, so that at this distance it is below one part in a
// hundred of a loaded network's time; a window of 10,000 cycles has 156 of them.
const snapshotEvery = 64

// newObserver starts the observation of a run; nil if there is nothing to observe.
func newObserver(s *Sim) *observer {
	o := s.cfg.Observe
	s.sent = nil
	if !o.Detail && o.Series <= 0 {
		return nil
	}
	x := &observer{s: s, begun: s.now, nextSnapshot: never, nextTick: never}
	if t := &s.stat; o.Series > 0 {
		x.nextTick = s.now + simcore.Cycle(o.Series)
		x.lastIn, x.lastAcc, x.lastN, x.lastSum = t.injFlits, t.accFlits, t.allN, t.allSum
	}
	if o.Detail {
		if len(s.sentBy) < len(s.out) {
			s.sentBy = make([]uint32, len(s.out))
		}
		x.fill, x.perHere = make([]fillSum, s.switchClasses()), make([]int64, s.switches)
	}
	return x
}

// step simulates n cycles, with what is to be observed on the way.
func (x *observer) step(s *Sim, n int) {
	if x == nil {
		s.Step(n)
		return
	}
	for end := s.now + simcore.Cycle(n); s.now < end; {
		s.Step(int(min(end, x.nextSnapshot, x.nextTick) - s.now))
		if s.now == x.nextSnapshot {
			x.snapshot()
			x.nextSnapshot += snapshotEvery
		}
		if s.now == x.nextTick {
			x.tick()
			x.nextTick += simcore.Cycle(s.cfg.Observe.Series)
		}
	}
}

// open begins the window; the counters of flits have just been set to zero.
func (x *observer) open() {
	if x == nil {
		return
	}
	x.inWindow = true
	// What was counted before the restart belongs to the running sample.
	x.lastIn, x.lastAcc = x.lastIn-x.s.stat.before.inj, x.lastAcc-x.s.stat.before.acc
	if x.s.cfg.Observe.Detail {
		clear(x.s.sentBy)
		x.s.sent = x.s.sentBy
		for _, p := range x.s.all() {
			p.sent = x.s.sent
			p.countBehind(1)
		}
		x.nextSnapshot = x.s.now + snapshotEvery
	}
}

// close ends the window.
func (x *observer) close() {
	if x == nil {
		return
	}
	x.inWindow = false
	if x.s.sent != nil {
		for _, p := range x.s.all() {
			p.countBehind(-1)
		}
	}
	x.nextSnapshot, x.s.sent = never, nil
}

// tick ends a sample of the series.
func (x *observer) tick() {
	s := x.s
	t := &s.stat
	one := float64(s.rateNum) / float64(s.rateDen) * float64(s.cfg.Observe.Series) * s.senders()
	p := simcore.Sample{Cycle: int64(s.now - x.begun), InFlight: s.inNet, Window: x.inWindow,
		Injected: float64(t.injFlits-x.lastIn) / one, Accepted: float64(t.accFlits-x.lastAcc) / one}
	if n := t.allN - x.lastN; n > 0 {
		p.Latency = float64(t.allSum-x.lastSum) / float64(n)
	}
	x.lastIn, x.lastAcc, x.lastN, x.lastSum = t.injFlits, t.accFlits, t.allN, t.allSum
	x.series = append(x.series, p)
}

// snapshot counts the flits in buffers and the places of heads, between two cycles.
func (x *observer) snapshot() {
	s := x.s
	x.snapshots++
	clear(x.perHere)
	for iv := range s.vc[:int(s.nIn)<<s.vs] {
		if n := int64(s.vc[iv].n); n > 0 {
			x.snapshotVC(int32(iv), n)
		}
	}
	for sw, n := range x.perHere {
		f := &x.fill[s.classOf(int32(sw))]
		f.sum += n
		f.most = max(f.most, n)
	}
	for _, p := range s.all() {
		x.snapshotUnderWay(p)
	}
}

// snapshotUnderWay counts the heads on lines and in crossbars of a part.
func (x *observer) snapshotUnderWay(s *Sim) {
	for i := range s.wheel {
		due := simcore.Cycle(i>>s.laneBits) == s.now&s.wheelMask
		for _, e := range s.wheel[i].flits {
			if e&headBit == 0 {
				continue
			}
			// A flit that arrives at a switch in the cycle to come is routed in it.
			if due && int32(e>>32)>>s.vs < s.nIn && s.cfg.RoutingDelay > 0 {
				x.heads[atRouting]++
			} else {
				x.heads[atCrossing]++
			}
		}
	}
	if s.full != nil {
		s.full.underWay(func(_ int32, f uint32) { x.heads[atCrossing] += int64(f & headBit) })
	}
}

// snapshotVC counts the n flits of an input VC.
func (x *observer) snapshotVC(iv int32, n int64) {
	s := x.s
	st := &s.vc[iv]
	sw := s.in[iv>>s.vs].sw
	x.perHere[sw] += n
	f := &x.fill[s.classOf(sw)]
	f.mostVC = max(f.mostVC, n)
	for k, at := int64(0), int32(st.head); k < n; k++ {
		if *s.slot(iv, st, at)&headBit != 0 {
			if k == 0 {
				x.heads[x.place(st)]++
			} else {
				x.heads[atBehind]++
			}
		}
		if at++; at >= s.depth {
			at = 0
		}
	}
}

// place is where the head at the front of an input VC is.
func (x *observer) place(st *vcState) int {
	switch st.state {
	case vcWaiting:
		return atVC
	case vcGranted, vcActive:
		switch {
		case x.s.out[st.op].full>>st.ovc&1 != 0:
			return atCredit
		case x.s.slow != nil && !x.s.canSend(st.op):
			return atLine
		}
		return atSwitch
	}
	return atRouting
}

// OnProgress sets Observe.Progress.
func (s *Sim) OnProgress(f func(now simcore.Cycle)) { s.cfg.Observe.Progress = f }
