package simcore

import (
	"fmt"

	"toposearch/topology"
)

// Kinds of closed loop.
const (
	// LoopWindow keeps Workload.Window packets of every endpoint under way: the arrival of one,
	// known at once, lets its source make another. Throughput and latency are measured in a window.
	LoopWindow = "window"
	// LoopBarrier is Workload.Rounds rounds: every endpoint sends a message to where the traffic
	// says, and the next round begins for all in the cycle after the last flit of all has arrived.
	LoopBarrier = "barrier"
	// LoopAllToAll sends a message from every endpoint to every other, to the next by number first,
	// one after the other without waiting.
	LoopAllToAll = "alltoall"
	// LoopRing is the 2 (N - 1) steps of a ring all-reduce: in each, every endpoint sends a message
	// (one N-th of the vector) to the next by number, once it has received that of the step before.
	LoopRing = "ring"
)

// Workload is a closed loop of traffic: what is sent depends on what has arrived.
type Workload struct {
	Kind    string `json:"kind"`
	Window  int    `json:"window,omitempty"`        // packets
	Message int    `json:"message_flits,omitempty"` // split into packets of Config.PacketFlits
	Rounds  int    `json:"rounds,omitempty"`
	// MaxCycles ends a workload that is to be completed; 0: 100 million.
	MaxCycles int64 `json:"max_cycles,omitempty"`
}

// completionLimit is the default of MaxCycles: hours of one core for a thousand endpoints.
const completionLimit = 100_000_000

// Validate names every setting that is out of range.
func (w *Workload) Validate() error {
	var f faults
	switch w.Kind {
	case LoopWindow:
		f.check(w.Window >= 1 && w.Window <= 1<<12, "Window = %d is not in 1..4096", w.Window)
	case LoopBarrier, LoopAllToAll, LoopRing:
		f.check(w.Message >= 1 && w.Message <= 1<<30, "Message = %d is not in 1..%d", w.Message, 1<<30)
	default:
		f.check(false, "workload %q is not %s, %s, %s or %s", w.Kind, LoopWindow, LoopBarrier, LoopAllToAll, LoopRing)
	}
	f.check(w.Kind != LoopBarrier || w.Rounds >= 1 && w.Rounds <= 1<<20, "Rounds = %d is not in 1..%d", w.Rounds, 1<<20)
	f.check(w.MaxCycles >= 0 && w.MaxCycles <= maxCycles, "MaxCycles = %d is not in 0..%d", w.MaxCycles, maxCycles)
	return f.join()
}

// loop is a workload under way. It runs on one part: an arrival is known at its source in the next
// cycle, wherever that is.
type loop struct {
	Workload
	ends []loopEnd
	left int64 // flits of the round or of all that have not arrived
	// Rounds of a barrier: when the running one began, and how long those before took.
	began Cycle
	took  []int64
	done  Cycle // when the last flit arrived; never: not yet

	permits []int32 // of a window: when each packet was allowed, a ring for every endpoint
}

// Turns is how far an endpoint is in an all-to-all or a ring, of any model.
type Turns struct {
	step int32 // messages begun
	// A ring: messages received whole, and what has come of those behind them.
	got   int32
	early []int32
}

// Ready tells whether one of n endpoints may begin a message.
func (t *Turns) Ready(kind string, n int32) bool {
	switch kind {
	case LoopAllToAll:
		return t.step < n-1
	case LoopRing:
		return t.step < 2*(n-1) && t.step <= t.got
	}
	return false
}

// Begin takes up the next message of endpoint e of n, and gives its number and its destination.
func (t *Turns) Begin(kind string, e, n int32) (number, dst int32) {
	t.step++
	if kind == LoopAllToAll {
		return t.step - 1, (e + t.step) % n
	}
	return t.step - 1, (e + 1) % n
}

// Got is the number of messages of a ring received whole.
func (t *Turns) Got() int32 { return t.got }

// Receive counts a piece of a message of a ring by the number of that message, and gives how many
// messages it completes. Pieces of the next message may come first where routes differ.
func (t *Turns) Receive(number, size, message int32) (whole int) {
	k := number - t.got
	for int(k) >= len(t.early) {
		t.early = append(t.early, 0)
	}
	t.early[k] += size
	for len(t.early) > 0 && t.early[0] == message {
		t.early = append(t.early[:0], t.early[1:]...)
		t.got++
		whole++
	}
	return whole
}

// loopEnd is an endpoint's side.
type loopEnd struct {
	dst   int32 // of the message that is sent, -1: none
	flits int32 // of it that are in no packet yet
	since int32 // when it could begin
	Turns
	// A window: permits in the ring from first on.
	first, held int32
}

func newLoop(w Workload, s *Sim) (*loop, error) {
	if err := w.Validate(); err != nil {
		return nil, err
	}
	l := &loop{Workload: w, ends: make([]loopEnd, s.endpoints), done: never}
	if s.endpoints < 2 {
		return nil, fmt.Errorf("simcore: a workload needs 2 endpoints, and there are %d", s.endpoints)
	}
	if w.Kind == LoopWindow {
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
	if l.left = l.Total(n); l.Kind == LoopBarrier {
		l.round(s, s.now)
	}
}

// Total is what n endpoints send in an all-to-all or a ring, in units of Message; 0 of other kinds.
func (w *Workload) Total(n int64) int64 {
	switch w.Kind {
	case LoopAllToAll:
		return n * (n - 1) * int64(w.Message)
	case LoopRing:
		return n * 2 * (n - 1) * int64(w.Message)
	}
	return 0
}

// Chain is the number of messages of which each can begin only when the one before it has arrived.
// In a ring each chain passes every link of the ring alike on the average, and the longest is no
// shorter than that.
func (w *Workload) Chain(n int) int {
	switch w.Kind {
	case LoopBarrier:
		return w.Rounds
	case LoopRing:
		return 2 * (n - 1)
	}
	return 1
}

func (l *loop) wake(s *Sim, e int32) { s.epActive[e>>6] |= 1 << (e & 63) }

// round begins a round of a barrier in a cycle.
func (l *loop) round(s *Sim, at Cycle) {
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
	if l.Kind == LoopWindow {
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
	if end.since = int32(s.now); l.Kind == LoopAllToAll {
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

// has tells whether an endpoint may send something now.
func (l *loop) has(s *Sim, e int32) bool {
	end := &l.ends[e]
	if l.Kind == LoopWindow {
		return end.held > 0
	}
	return end.flits > 0 || end.Ready(l.Kind, int32(s.endpoints))
}

// arrived takes the last flit of a packet; what it lets happen happens in the next cycle.
func (l *loop) arrived(s *Sim, p *Packet) {
	switch l.Kind {
	case LoopWindow:
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
	case LoopRing:
		l.received(s, p)
	}
	if l.left -= int64(p.size); l.left > 0 {
		return
	}
	if l.Kind == LoopBarrier {
		l.took = append(l.took, int64(s.now-l.began))
		if len(l.took) < l.Rounds {
			l.round(s, s.now+1)
			return
		}
	}
	l.done = s.now
}

// received counts a packet of a ring towards its message.
func (l *loop) received(s *Sim, p *Packet) {
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
		p := s.make(e, x, topology.EndpointID(dst), int(size), Cycle(since))
		if p < 0 { // dropped: it counts as arrived, or others would wait for it for ever
			s.loop.arrived(s, &Packet{Src: topology.EndpointID(e), Dst: topology.EndpointID(dst), size: uint16(size), seq: x.seq - 1})
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
