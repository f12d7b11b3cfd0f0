package cutthrough

import (
	"math"

	"toposearch/simcore"
	"toposearch/topology"
)

// calendarSize is the number of windows ahead for which endpoints are filed by their next packet;
// later ones are filed again when their turn comes.
const calendarSize = 1024

func (s *Sim) resetSources(load float64, seed uint64) {
	s.load, s.gap = load, 0
	if load > 0 {
		s.gap = s.mean * 8000 / (load * s.cfg.BandwidthGbps)
	}
	var base [3]uint64
	for i := range base {
		r := simcore.NewRand(seed, uint64(i+1))
		base[i] = r.Uint64()
	}
	s.processes, _ = simcore.ParseInjection(s.cfg.Arrivals, arrivals...) // Validate has seen to errors
	of := simcore.Assign(s.processes, len(s.src), seed)
	s.resetWatch(load, seed)
	for e := range s.src {
		x := &s.src[e]
		*x = source{process: &s.processes[of[e]], arrive: simcore.NewRand(base[0], uint64(e)), dest: simcore.NewRand(base[1], uint64(e)),
			packet: simcore.NewRand(base[2], uint64(e)), pend: -1, next: never}
		if load <= 0 || s.epStart[e] == s.epStart[e+1] {
			continue
		}
		x.next = 0
		switch p := x.process; p.Kind {
		case simcore.Constant:
			x.next = simcore.Drawn(x.arrive.Float64() * s.gap) // a random phase
		case simcore.OnOff:
			x.on = x.arrive.Float64() < p.Alpha/(p.Alpha+p.Beta)
			x.turns(0)
			s.advance(x)
		default:
			s.advance(x)
		}
		s.homeOf(int32(e)).file(int32(e), x)
	}
}

// homeOf is the worker that creates an endpoint's packets.
func (s *Sim) homeOf(e int32) *worker {
	return &s.workers[s.owner[s.nic[s.epTie[s.epStart[e]]].sw]]
}

// advance moves an endpoint's clock to its next packet.
func (s *Sim) advance(x *source) {
	switch p := x.process; p.Kind {
	case simcore.Constant:
		x.next += simcore.Drawn(s.gap + 0.5)
	case simcore.OnOff:
		gap := 1000 / p.Rate // ps
		if p.Rate == 0 {
			gap = s.gap * p.Alpha / (p.Alpha + p.Beta)
		}
		x.advanceOnOff(gap)
	default:
		x.next += x.exponential(s.gap)
	}
}

// exponential draws a time with a mean.
func (x *source) exponential(mean float64) int64 {
	return simcore.Drawn(mean*-math.Log(1-x.arrive.Float64()) + 0.5)
}

// advanceOnOff goes on to the next packet of a source that makes them, while it is on, with exponential gaps of a mean, ps.
func (x *source) advanceOnOff(gap float64) {
	for x.next < never {
		if x.on {
			if at := x.next + x.exponential(gap); at <= x.turn {
				x.next = at
				return
			}
		}
		x.next, x.on = x.turn, !x.on // a gap that was cut short is drawn anew: it has no memory
		x.turns(x.next)
	}
}

// turns draws when the state in which a source is from a time on ends. Rates are per ns.
func (x *source) turns(now int64) {
	rate := x.process.Alpha
	if x.on {
		rate = x.process.Beta
	}
	x.turn = now + x.exponential(1000/rate) + 1
}

// file puts an endpoint into the calendar, at the earliest for the window that begins now.
func (w *worker) file(e int32, x *source) {
	s := w.s
	at := min(max(s.createdBy(e, x), s.now), s.now+(calendarSize-1)<<s.shift)
	k := at >> s.shift & (calendarSize - 1)
	s.calNext[e], w.calendar[k] = w.calendar[k], e
}

// drawSize draws the size of a packet.
func (s *Sim) drawSize(r *simcore.Rand) (size uint8) {
	if len(s.sums) > 1 {
		d := r.IntN(s.sums[len(s.sums)-1])
		for d >= s.sums[size] {
			size++
		}
	}
	return size
}

// draw makes one packet; -1 if the endpoint sends nothing this time or cannot reach it.
func (w *worker) draw(e int32, x *source) int32 {
	s := w.s
	at := x.next
	if s.watched(e) {
		if s.watch.next <= at {
			return w.drawWatched(e, x)
		}
		at &^= 1 // see watch
	}
	w.now = max(at, s.now)
	dst := s.traffic.Dest(topology.EndpointID(e), &x.dest)
	size := s.drawSize(&x.arrive)
	s.advance(x)
	if at < s.recTo && x.next >= s.recTo {
		w.stat.behind--
	}
	w.stat.attempts++
	if dst < 0 {
		w.stat.silent++
		x.silent++
		return -1
	}
	x.made++
	return w.make(e, x, at, dst, -1, size)
}

// make makes a packet that was created at a time, by way of an endpoint if via is one; -1: its destination cannot be reached.
func (w *worker) make(e int32, x *source, at int64, dst topology.EndpointID, via int32, size uint8) int32 {
	s := w.s
	q := &w.query
	*q = simcore.Packet{Src: topology.EndpointID(e), Dst: dst, Mid: via, Rand: simcore.NewRand(x.packet.Uint64(), 0)}
	en := s.routing.Inject(q, &w.view)
	if w.stat.phases != nil {
		w.stat.phases.Generate(at, en.Port != simcore.NoPort)
	}
	if en.Port == simcore.NoPort {
		w.stat.unreachable++
		return -1
	}
	x.sends = true
	w.stat.made += int64(s.bytes[size])
	i := w.take()
	p := s.at(i)
	*p = packet{src: e, dst: int32(dst), mid: q.Mid, aux: q.Aux, rand: q.Rand, created: at, size: size, port: uint8(en.Port),
		state: q.State, phase: phaseOf(q), sibling: s.entryVCs(en)}
	if at >= s.recFrom && at < s.recTo {
		p.vc = flagRec
		w.stat.outstanding++
	}
	return i
}

// handleNIC works through an event of an endpoint's port.
func (w *worker) handleNIC(e *event, k int32) {
	s := w.s
	x := &s.nic[k]
	switch e.key >> portBits & (1<<kindBits - 1) {
	case kindNICCredit:
		s.nicCredit[k*int32(s.vcs)+int32(e.what>>16)] += int32(e.what & maxBytes)
	case kindNICControl:
		on := e.what & 1
		if s.internal { // at once: of several in one instant the last holds
			on = s.pausing[x.in] >> (e.what >> 1) & 1
		}
		setBit(&x.paused, e.what>>1, on)
	case kindCreate:
		x.append(s, int32(e.what))
	case kindNICWake:
		if x.wake != w.now {
			return
		}
		x.wake = 0
	}
	w.sendFrom(k, x)
}

// sendFrom lets an endpoint's port send the packet at the front of its queue, if it is idle and
// one of the VCs has room.
func (w *worker) sendFrom(k int32, x *nicPort) {
	s := w.s
	i := x.head
	if i < 0 {
		return
	}
	if x.fault&faultDown != 0 {
		w.loseAtSource(x)
		return
	}
	if x.free > w.now {
		if x.wake == 0 {
			x.wake = x.free
			w.push(x.free, kindNICWake, x.in-s.inStart[x.sw], x.sw, 0)
		}
		return
	}
	p := s.at(i)
	credit := s.nicCredit[k*int32(s.vcs) : (k+1)*int32(s.vcs)]
	vc := int32(-1)
	for v := p.sibling & 255; v <= p.sibling>>8; v++ {
		if x.paused>>v&1 == 0 && credit[v] >= s.bytes[p.size] && (vc < 0 || credit[v] > credit[vc]) {
			vc = v
		}
	}
	if vc < 0 {
		return // until a credit or a resume
	}
	ser := s.ser[0][p.size]
	x.head, x.free = p.next, w.now+ser
	x.n--
	x.bytes -= s.bytes[p.size]
	w.stat.injected += int64(s.bytes[p.size])
	if w.now >= s.recFrom && w.now < s.recTo {
		x.sent += int64(s.bytes[p.size])
	}
	if w.now < s.recTo && x.free > s.recFrom {
		x.busy += min(x.free, s.recTo) - max(w.now, s.recFrom)
	}
	if s.tick > 0 {
		w.stat.sample(w.now / s.tick).injected += int64(s.bytes[p.size])
	}
	p.vc = p.vc&^vcMask | uint8(vc)
	p.wait = uint32(min((w.now-p.created+waitUnit/2)/waitUnit, math.MaxUint32))
	w.inNet++
	w.stat.moved = w.now
	at := w.now
	p.tail = at // an endpoint's own switch has it in memory
	if !s.internal {
		at += s.cable[0] + s.pass[0]
		p.tail = at + ser
	}
	if p.vc&flagRec != 0 {
		w.stat.way += at - w.now
	}
	if x.head >= 0 {
		x.wake = x.free
		w.push(x.free, kindNICWake, x.in-s.inStart[x.sw], x.sw, 0)
	}
	if x.fault != 0 && x.free+s.cable[0] > s.failing.nicCut[k] {
		w.lose(i, p, simcore.LostOnLink, s.failing.nicCut[k])
		return
	}
	if credit[vc] -= s.bytes[p.size]; credit[vc] < s.refill {
		for v := range credit {
			credit[v] = min(credit[v]+pfcCredit/2, pfcCredit)
		}
	}
	w.push(at, kindArrive, x.in-s.inStart[x.sw], x.sw, uint32(i))
}

// entryVCs are the VCs of an entry as packet.sibling has them.
func (s *Sim) entryVCs(en simcore.Entry) int32 {
	return int32(en.Lo) | int32(min(int(en.Hi), s.vcs-1))<<8
}

// append puts a packet behind those that wait at an endpoint's port.
func (x *nicPort) append(s *Sim, i int32) {
	s.at(i).next = -1
	if x.head < 0 {
		x.head = i
	} else {
		s.at(x.tail).next = i
	}
	x.tail = i
}

// resetWatch begins to watch the pair of the configuration at a load.
func (s *Sim) resetWatch(load float64, seed uint64) {
	s.watch = nil
	pair := s.cfg.Observe.Watch
	if pair == nil || load <= 0 {
		return
	}
	able := 0
	for e := range s.src {
		if s.epStart[e] < s.epStart[e+1] {
			able++
		}
	}
	w := &watch{Pair: *pair, load: simcore.WatchLoad(load, able), rand: simcore.NewRand(seed, 4)}
	w.gap = s.mean * 8000 / (w.load * s.cfg.BandwidthGbps)
	w.advance()
	s.watch, s.able = w, able
}

func (w *watch) advance() { w.next += 1 + simcore.Drawn(w.gap*-math.Log(1-w.rand.Float64())) }

// drawWatched makes a packet of the pair; -1: its destination cannot be reached.
func (w *worker) drawWatched(e int32, x *source) int32 {
	s := w.s
	p := s.watch
	at := p.next | 1
	p.advance()
	w.now = max(at, s.now)
	return w.make(e, x, at, p.Dst, -1, s.drawSize(&p.rand))
}
