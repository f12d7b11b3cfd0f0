package cutthrough

import (
	"math"

	"toposearch/simcore"
	"toposearch/topology"
)

// told marks a packet whose arrival is known already.
const told = -1

func (l *loop) tag(i int32) *int32 { return &l.tags[i>>chunkBits][i&(1<<chunkBits-1)] }

// start makes the first sends possible.
func (s *Sim) start() {
	l := s.loop
	l.left, l.began, l.done, l.took = l.Total(int64(len(s.src))), 0, never, nil
	for e := range l.ends {
		l.ends[e] = loopEnd{held: int32(l.Window)}
		if l.Kind == simcore.LoopRing {
			l.ends[e].ready = append(l.ends[e].ready, 0)
		}
	}
	clear(l.permits)
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
		if end.dst = int32(s.traffic.Dest(topology.EndpointID(e), &s.src[e].dest)); end.dst < 0 || s.epStart[e] == s.epStart[e+1] {
			continue
		}
		end.left, end.since = int32(l.Message), at
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
	case end.left > 0:
		return end.since
	case end.Ready(l.Kind, int32(len(l.ends))):
		if l.Kind == simcore.LoopRing {
			return end.ready[0]
		}
		return l.began
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
		ahead := int32(int16(uint16(n.what>>16) - uint16(end.Got())))
		for range end.Receive(end.Got()+ahead, int32(n.what&maxBytes), int32(l.Message)) {
			end.ready = append(end.ready, n.at)
		}
	}
	s.wake(n.e)
}

// drawInLoop makes the next packet of an endpoint; -1: it is silent, or cannot reach its destination.
func (w *worker) drawInLoop(e int32, x *source) int32 {
	s := w.s
	l := s.loop
	at := x.next
	w.now = max(at, s.now)
	dst, size, number := l.next(s, e, x)
	x.next = s.due(e)
	if dst < 0 {
		return -1
	}
	w.stat.attempts++
	i := w.make(e, x, at, topology.EndpointID(dst), size)
	if i < 0 { // it counts as arrived, or others would wait for it for ever
		w.tell(&packet{src: e, dst: dst, size: size}, number, s.now+1<<s.shift)
		return -1
	}
	*l.tag(i) = number
	return i
}

// silentDraws is the number of times that a source whose traffic has no destination for it asks
// again before it is silent for good: a matrix may name it once in a thousand times.
const silentDraws = 10_000

// next gives the next packet of an endpoint: its destination, its size, and the number of its message.
func (l *loop) next(s *Sim, e int32, x *source) (dst int32, size uint8, number int32) {
	end := &l.ends[e]
	if l.Kind == simcore.LoopWindow {
		d := topology.EndpointID(-1)
		for k := 0; k < silentDraws && d < 0; k++ {
			d = s.traffic.Dest(topology.EndpointID(e), &x.dest)
		}
		if d < 0 {
			end.held = 0
			return -1, 0, 0
		}
		end.held--
		if end.first++; end.first == int32(l.Window) {
			end.first = 0
		}
		return int32(d), s.drawSize(x), 0
	}
	if end.left == 0 {
		end.since = s.due(e)
		end.number, end.dst = end.Begin(l.Kind, e, int32(len(l.ends)))
		end.left = int32(l.Message)
		if l.Kind == simcore.LoopRing {
			end.ready = append(end.ready[:0], end.ready[1:]...)
		}
	}
	b := min(end.left, l.mtu)
	if end.left -= b; b != s.bytes[0] { // what is left of a message
		size = uint8(len(s.bytes) - 1)
	}
	return end.dst, size, end.number
}

// notify tells whom it concerns of the arrival of a packet at a time ahead.
func (w *worker) notify(i int32, p *packet, at int64) {
	tag := w.s.loop.tag(i)
	if *tag == told {
		return
	}
	w.tell(p, *tag, at+ps(w.s.cfg.NICNs))
	*tag = told
}

func (w *worker) tell(p *packet, number int32, at int64) {
	s := w.s
	b := s.bytes[p.size]
	w.arrived += int64(b)
	w.lastTail = max(w.lastTail, at)
	n := notice{at: at, e: p.src}
	switch s.loop.Kind {
	case simcore.LoopWindow:
	case simcore.LoopRing:
		n.e, n.what = p.dst, uint32(uint16(number))<<16|uint32(b)
	default:
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
		Port: p.port, State: p.state, Phase: p.phase &^ single, Single: p.phase&single != 0, Mid: p.mid, Aux: p.aux, Rand: p.rand}
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
