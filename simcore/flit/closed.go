package flit

import (
	"fmt"

	"toposearch/simcore"
	"toposearch/topology"
)

func newLoop(w simcore.Workload, s *Sim) (*loop, error) {
	if err := w.Validate(); err != nil {
		return nil, err
	}
	l := &loop{Workload: w, ends: make([]loopEnd, s.endpoints), done: never}
	if e := s.escape; e != nil && (w.Message%s.cfg.PacketFlits != 0) {
		return nil, fmt.Errorf("simcore: messages of %d flits end in a packet of less than %d; bubble flow control of routing %s needs packets of one size", w.Message, s.cfg.PacketFlits, s.routingName)
	}
	if s.endpoints < 2 {
		return nil, fmt.Errorf("simcore: a workload needs 2 endpoints, and there are %d", s.endpoints)
	}
	if w.Kind == simcore.LoopWindow {
		l.permits = make([]int32, s.endpoints*w.Window)
	}
	return l, nil
}

// start makes the first sends possible.
func (l *loop) start(s *Sim) {
	n := int64(s.endpoints)
	for e := range l.ends {
		l.ends[e] = loopEnd{dst: -1, held: int32(l.Window)}
		l.wake(s, int32(e))
	}
	l.began, l.done = s.now, never
	if l.left = l.Total(n); l.Kind == simcore.LoopBarrier {
		l.round(s, s.now)
	}
}

func (l *loop) wake(s *Sim, e int32) { s.epActive[e>>6] |= 1 << (e & 63) }

// round begins a round of a barrier in a cycle.
func (l *loop) round(s *Sim, at simcore.Cycle) {
	l.began, l.left = at, 0
	for e := range l.ends {
		x := &l.ends[e]
		x.dst = int32(s.traffic.Dest(topology.EndpointID(e), &s.srcOf[e].dest))
		if x.dst < 0 {
			continue
		}
		x.flits, x.since = int32(l.Message), int32(at)
		l.left += int64(l.Message)
		l.wake(s, int32(e))
	}
	if l.left == 0 {
		l.done = at // nobody sends anything
	}
}

// next gives the next packet that an endpoint may send: its destination, flits and when it could
// have been sent. dst < 0: none now.
func (l *loop) next(s *Sim, e int32, x *source) (dst, size, since int32) {
	end := &l.ends[e]
	if l.Kind == simcore.LoopWindow {
		return l.nextOfWindow(s, e, x)
	}
	if end.flits == 0 && !l.begin(s, e, end) {
		return -1, 0, 0
	}
	size = min(end.flits, int32(s.cfg.PacketFlits))
	end.flits -= size
	return end.dst, size, end.since
}

// begin takes up the next message of an all-to-all or a ring.
func (l *loop) begin(s *Sim, e int32, end *loopEnd) bool {
	n := int32(s.endpoints)
	if !end.Ready(l.Kind, n) {
		return false
	}
	_, end.dst = end.Begin(l.Kind, e, n)
	if end.since = int32(s.now); l.Kind == simcore.LoopAllToAll {
		end.since = int32(l.began)
	}
	end.flits = int32(l.Message)
	return true
}

// silentDraws is the number of times that a source whose traffic has no destination for it asks
// again before it is silent for good: a matrix may name it once in a thousand times.
const silentDraws = 10_000

func (l *loop) nextOfWindow(s *Sim, e int32, x *source) (dst, size, since int32) {
	end := &l.ends[e]
	if end.held == 0 {
		return -1, 0, 0
	}
	d := topology.EndpointID(-1)
	for range silentDraws {
		if d = s.traffic.Dest(topology.EndpointID(e), &x.dest); d >= 0 {
			break
		}
	}
	if d < 0 {
		end.held = 0
		return -1, 0, 0
	}
	w := int32(l.Window)
	since = l.permits[e*w+end.first]
	end.held--
	if end.first++; end.first == w {
		end.first = 0
	}
	return int32(d), int32(s.drawSize(&x.arrive)), since
}

// has reports whether an endpoint may send something now.
func (l *loop) has(s *Sim, e int32) bool {
	end := &l.ends[e]
	if l.Kind == simcore.LoopWindow {
		return end.held > 0
	}
	return end.flits > 0 || end.Ready(l.Kind, int32(s.endpoints))
}

// arrived takes the last flit of a packet; what it lets happen happens in the next cycle.
func (l *loop) arrived(s *Sim, p *packet) {
	switch l.Kind {
	case simcore.LoopWindow:
		e, w := int32(p.Src), int32(l.Window)
		end := &l.ends[e]
		at := end.first + end.held
		if at >= w {
			at -= w
		}
		l.permits[e*w+at] = int32(s.now + 1)
		end.held++
		l.wake(s, e)
		return
	case simcore.LoopRing:
		l.received(s, p)
	}
	if l.left -= int64(p.size); l.left > 0 {
		return
	}
	if l.Kind == simcore.LoopBarrier {
		l.took = append(l.took, int64(s.now-l.began))
		if len(l.took) < l.Rounds {
			l.round(s, s.now+1)
			return
		}
	}
	l.done = s.now
}

// received counts a packet of a ring towards its message.
func (l *loop) received(s *Sim, p *packet) {
	per := (l.Message + s.cfg.PacketFlits - 1) / s.cfg.PacketFlits
	l.ends[p.Dst].Receive(int32(p.seq)/int32(per), int32(p.size), int32(l.Message))
	l.wake(s, int32(p.Dst))
}

// createInLoop makes the packets that a workload lets the endpoint send, as far as they have room.
func (s *Sim) createInLoop(e int32, x *source) {
	if x.pend >= 0 {
		if !s.enqueue(e, x.pend) {
			return
		}
		x.pend = -1
	}
	if s.srcDepth == 1 && s.src[s.srcStart[e]].cur >= 0 {
		return
	}
	for {
		dst, size, since := s.loop.next(s, e, x)
		if dst < 0 {
			return
		}
		s.stat.attempts++
		p := s.make(e, x, topology.EndpointID(dst), int(size), simcore.Cycle(since))
		if p < 0 { // dropped: it counts as arrived, or others would wait for it for ever
			s.loop.arrived(s, &packet{Packet: simcore.Packet{Src: topology.EndpointID(e), Dst: topology.EndpointID(dst)}, size: uint16(size), seq: x.seq - 1})
			return
		}
		if !s.enqueue(e, p) {
			x.pend = p
			return
		}
		if s.srcDepth == 1 {
			return
		}
	}
}
