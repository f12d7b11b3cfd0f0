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
	if s.endpoints < 2 {
		return nil, fmt.Errorf("simcore: a workload needs 2 endpoints, and there are %d", s.endpoints)
	}
	if w.Kind == simcore.LoopWindow {
		l.permits = make([]int32, s.endpoints*w.Window)
		return l, nil
	}
	sizes := []int32{int32(w.Message)}
	if l.script, l.atOnce = w.Scripted(s.endpoints), 1; l.script != nil {
		l.atOnce, sizes = l.script.AtOnce(), l.script.Sizes()
	}
	for _, size := range sizes {
		if s.escape != nil && int(size)%s.cfg.PacketFlits != 0 {
			return nil, fmt.Errorf("simcore: messages of %d flits end in a packet of less than %d; bubble flow control of routing %s needs packets of one size", size, s.cfg.PacketFlits, s.routingName)
		}
	}
	return l, nil
}

// start makes the first sends possible.
func (l *loop) start(s *Sim) {
	l.began, l.done = s.now, never
	for e := range l.ends {
		l.ends[e] = loopEnd{held: int32(l.Window)}
		if l.Kind == simcore.LoopWindow {
			l.wake(s, int32(e))
		}
	}
	switch {
	case l.Kind == simcore.LoopBarrier:
		l.round(s, s.now)
	case l.script != nil:
		l.script.Begin()
		if l.left = l.script.Total(); l.left == 0 {
			l.done = s.now
		}
		for e := range l.ends {
			l.await(s, int32(e))
		}
	}
}

// await wakes an endpoint of a script when it may send its next message.
func (l *loop) await(s *Sim, e int32) {
	switch due := l.script.Due(e); {
	case due <= int64(s.now+1):
		l.wake(s, e)
	case due < simcore.Never && due != l.ends[e].planned:
		l.ends[e].planned = due
		l.later.Push(due, uint64(e), e)
	}
}

// wakeDue wakes the endpoints whose time has come.
func (l *loop) wakeDue(s *Sim) {
	for l.later.Len() > 0 {
		due, e := l.later.Least()
		if due > int64(s.now) {
			return
		}
		l.later.Pop()
		l.ends[e].planned = 0
		l.wake(s, e)
	}
}

func (l *loop) wake(s *Sim, e int32) { s.epActive[e>>6] |= 1 << (e & 63) }

// round begins a round of a barrier in a cycle.
func (l *loop) round(s *Sim, at simcore.Cycle) {
	l.began, l.left = at, 0
	for e := range l.ends {
		x := &l.ends[e]
		dst := int32(s.traffic.Dest(topology.EndpointID(e), &s.srcOf[e].dest))
		if dst < 0 {
			continue
		}
		x.Begin(simcore.Message{Dst: dst, Size: int32(l.Message)}, int64(at))
		l.left += int64(l.Message)
		l.wake(s, int32(e))
	}
	if l.left == 0 {
		l.done = at // nobody sends anything
	}
}

// next gives the next packet that an endpoint may send, as a message of its size, and when it could
// have been sent. Its destination is below 0: none now.
func (l *loop) next(s *Sim, e int32, x *source) (m simcore.Message, since int64) {
	end := &l.ends[e]
	if l.Kind == simcore.LoopWindow {
		return l.nextOfWindow(s, e, x)
	}
	if l.script != nil {
		for end.Open() < l.atOnce {
			due := l.script.Due(e)
			if due > int64(s.now) {
				break
			}
			end.Begin(l.script.Next(e), due)
		}
	}
	if end.Open() == 0 {
		return simcore.Message{Dst: -1}, 0
	}
	return end.Take(int32(s.cfg.PacketFlits))
}

// silentDraws is the number of times that a source whose traffic has no destination for it asks
// again before it is silent for good: a matrix may name it once in a thousand times.
const silentDraws = 10_000

func (l *loop) nextOfWindow(s *Sim, e int32, x *source) (m simcore.Message, since int64) {
	end := &l.ends[e]
	m.Dst = -1
	if end.held == 0 {
		return m, 0
	}
	d := topology.EndpointID(-1)
	for range silentDraws {
		if d = s.traffic.Dest(topology.EndpointID(e), &x.dest); d >= 0 {
			break
		}
	}
	if d < 0 {
		end.held = 0
		return m, 0
	}
	w := int32(l.Window)
	since = int64(l.permits[e*w+end.first])
	end.held--
	if end.first++; end.first == w {
		end.first = 0
	}
	return simcore.Message{Dst: int32(d), Size: int32(s.drawSize(&x.arrive))}, since
}

// has reports whether an endpoint may send something now, or in the next cycle; what a script has for later is planned.
func (l *loop) has(s *Sim, e int32) bool {
	end := &l.ends[e]
	switch {
	case l.Kind == simcore.LoopWindow:
		return end.held > 0
	case end.Open() > 0:
		return true
	case l.script == nil:
		return false
	case l.script.Due(e) <= int64(s.now+1):
		return true
	}
	l.await(s, e)
	return false
}

// arrived takes the last flit of a packet with the tag of its message; what it lets happen happens in the next cycle.
func (l *loop) arrived(s *Sim, p *packet, tag int64) {
	switch {
	case l.Kind == simcore.LoopWindow:
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
	case l.script != nil:
		l.script.Arrived(int32(p.Dst), tag, int32(p.size), int64(s.now+1))
		l.await(s, int32(p.Dst))
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

// tag is that of the message of a packet.
func (l *loop) tag(i int32) *int64 {
	if n := int(i) + 1 - len(l.tags); n > 0 {
		l.tags = append(l.tags, make([]int64, n)...)
	}
	return &l.tags[i]
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
		m, since := s.loop.next(s, e, x)
		if m.Dst < 0 {
			return
		}
		s.stat.attempts++
		dst := topology.EndpointID(m.Dst)
		p := s.make(e, x, dst, m.Via-1, int(m.Size), simcore.Cycle(since))
		if p < 0 { // dropped: it counts as arrived, or others would wait for it for ever
			s.loop.arrived(s, &packet{Packet: simcore.Packet{Src: topology.EndpointID(e), Dst: dst}, size: uint16(m.Size)}, m.Tag)
			return
		}
		*s.loop.tag(p) = m.Tag
		if !s.enqueue(e, p) {
			x.pend = p
			return
		}
		if s.srcDepth == 1 {
			return
		}
	}
}
