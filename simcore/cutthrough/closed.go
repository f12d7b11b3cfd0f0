package cutthrough

import (
	"math"

	"toposearch/simcore"
	"toposearch/topology"
)

// told marks a packet whose arrival is known already.
const told = -1

func (l *loop) part(i int32) *part { return &l.tags[i>>chunkBits][i&(1<<chunkBits-1)] }

// start makes the first sends possible.
func (s *Sim) start() {
	l := s.loop
	l.left, l.began, l.done, l.took = 0, 0, never, nil
	for e := range l.ends {
		l.ends[e] = loopEnd{held: int32(l.Window)}
	}
	clear(l.permits)
	if l.script != nil {
		l.script.Begin()
		if l.left = l.script.Total(); l.left == 0 {
			l.done = 0
		}
	}
	if l.Kind == simcore.LoopBarrier {
		s.round(0)
		return
	}
	for e := range l.ends {
		s.wake(int32(e))
	}
}

// round begins a round of a barrier at a time.
func (s *Sim) round(at int64) {
	l := s.loop
	l.began, l.left = at, 0
	for e := range l.ends {
		end := &l.ends[e]
		dst := int32(s.traffic.Dest(topology.EndpointID(e), &s.src[e].dest))
		if dst < 0 || s.epStart[e] == s.epStart[e+1] {
			continue
		}
		end.Begin(simcore.Message{Dst: dst, Size: int32(l.Message)}, at)
		l.left += int64(l.Message)
		s.wake(int32(e))
	}
	if l.left == 0 {
		l.done = at // nobody sends anything
	}
}

// wake lets an endpoint send what it may.
func (s *Sim) wake(e int32) {
	if s.epStart[e] == s.epStart[e+1] {
		return
	}
	end, x := &s.loop.ends[e], &s.src[e]
	if x.next = s.due(e); x.next < never && !end.sending {
		end.sending = true
		w := s.homeOf(e)
		w.sending = append(w.sending, e)
	}
}

// due is when an endpoint may send its next packet; never: not before something arrives.
func (s *Sim) due(e int32) int64 {
	l := s.loop
	end := &l.ends[e]
	switch {
	case l.Kind == simcore.LoopWindow:
		if end.held > 0 {
			return l.permits[int(e)*l.Window+int(end.first)]
		}
	case end.Open() > 0:
		return end.Since()
	case l.script != nil:
		return l.script.Due(e)
	}
	return never
}

// hear gives an endpoint a notice.
func (s *Sim) hear(n notice) {
	l := s.loop
	end := &l.ends[n.e]
	if l.Kind == simcore.LoopWindow {
		at := end.first + end.held
		if at >= int32(l.Window) {
			at -= int32(l.Window)
		}
		l.permits[int(n.e)*l.Window+int(at)] = n.at
		end.held++
	} else {
		l.script.Arrived(n.e, n.tag, n.bytes, n.at)
	}
	s.wake(n.e)
}

// drawInLoop makes the next packet of an endpoint; -1: it is silent, or cannot reach its destination.
func (w *worker) drawInLoop(e int32, x *source) int32 {
	s := w.s
	l := s.loop
	w.now = max(x.next, s.now)
	m, at, size := l.next(w, e, x)
	x.next = s.due(e)
	if m.Dst < 0 {
		return -1
	}
	w.stat.attempts++
	i := w.make(e, x, at, topology.EndpointID(m.Dst), m.Via-1, size)
	of := part{m.Tag, m.Size}
	if i < 0 { // it counts as arrived, or others would wait for it for ever
		w.tell(&packet{src: e, dst: m.Dst}, of, s.now+1<<s.shift)
		return -1
	}
	*l.part(i) = of
	return i
}

// silentDraws is the number of times that a source whose traffic has no destination for it asks
// again before it is silent for good: a matrix may name it once in a thousand times.
const silentDraws = 10_000

// next gives the next packet of an endpoint: its part of a message, or of a window the whole of it, since when it could be
// sent, and the number of its size. A destination below 0: there is none.
func (l *loop) next(w *worker, e int32, x *source) (m simcore.Message, since int64, size uint8) {
	s, end := w.s, &l.ends[e]
	if l.Kind == simcore.LoopWindow {
		since = x.next
		d := topology.EndpointID(-1)
		for k := 0; k < silentDraws && d < 0; k++ {
			d = s.traffic.Dest(topology.EndpointID(e), &x.dest)
		}
		m.Dst = int32(d)
		if d < 0 {
			end.held = 0
			return m, since, 0
		}
		end.held--
		if end.first++; end.first == int32(l.Window) {
			end.first = 0
		}
		size = s.drawSize(&x.arrive)
		m.Size = s.bytes[size]
		return m, since, size
	}
	for l.script != nil && end.Open() < l.atOnce {
		due := l.script.Due(e)
		if due > w.now {
			break
		}
		end.Begin(l.script.Next(e), due)
	}
	m, since = end.Take(l.mtu)
	return m, since, l.sizeOf[m.Size]
}

// notify tells whom it concerns of the arrival of a packet at a time ahead.
func (w *worker) notify(i int32, p *packet, at int64) {
	of := w.s.loop.part(i)
	if of.bytes == told {
		return
	}
	w.tell(p, *of, at+ps(w.s.cfg.NICNs))
	of.bytes = told
}

func (w *worker) tell(p *packet, of part, at int64) {
	s := w.s
	w.arrived += int64(of.bytes)
	w.lastTail = max(w.lastTail, at)
	n := notice{at: at, e: p.src, tag: of.tag, bytes: of.bytes}
	switch {
	case s.loop.script != nil:
		n.e = p.dst
	case s.loop.Kind == simcore.LoopBarrier:
		return
	}
	home := s.owner[s.nic[s.epTie[s.epStart[n.e]]].sw]
	box := &w.told[home][int(at>>s.shift)&(s.slots-1)]
	*box = append(*box, n)
}

// foresee tells of a packet that starts on its last link to an endpoint that relays: there the head
// would be asked for its route only behind a pipeline that it does not pass. Asked now, with no
// queues to look at, the routing says whether the way ends there.
func (w *worker) foresee(sw, i int32, p *packet, tail int64) {
	s := w.s
	if k := s.tieStart[sw]; k == s.tieStart[sw+1] || s.nic[k].endpoint != p.dst {
		return
	}
	q := simcore.Packet{Src: topology.EndpointID(p.src), Dst: topology.EndpointID(p.dst), Hops: uint16(p.hops), VC: p.vc & vcMask,
		Port: p.port, State: p.state, Phase: p.phase & (1<<lanesBit - 1), Lanes: p.phase >> lanesBit, Mid: p.mid, Aux: p.aux, Rand: p.rand}
	if s.routing.Route(topology.SwitchID(sw), &q, &s.loop.idle).Channel == simcore.Eject {
		w.notify(i, p, tail)
	}
}

// calm is a network without packets.
type calm struct{}

func (calm) Used(topology.ChannelID) int            { return 0 }
func (calm) Waiting(topology.ChannelID) int         { return 0 }
func (calm) Line(topology.ChannelID) simcore.Line   { return simcore.Line{} }
func (calm) UsedVC(topology.ChannelID, uint8) int   { return 0 }
func (calm) UsedEntry(topology.EndpointID, int) int { return 0 }
func (calm) Now() simcore.Cycle                     { return 0 }

// collect looks, between two windows of events, whether all has arrived.
func (s *Sim) collect() {
	l := s.loop
	last := int64(math.MinInt64)
	for i := range s.workers {
		w := &s.workers[i]
		l.left -= w.arrived
		w.arrived = 0
		last = max(last, w.lastTail)
	}
	if l.Kind == simcore.LoopWindow || l.left > 0 || l.done < never {
		return
	}
	if l.Kind == simcore.LoopBarrier {
		l.took = append(l.took, last-l.began)
		if len(l.took) < l.Rounds {
			s.round(last)
			return
		}
	}
	l.done = last
}
