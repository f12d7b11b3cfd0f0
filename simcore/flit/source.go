package flit

import (
	"math"
	"math/bits"

	"toposearch/simcore"
	"toposearch/topology"
)

// calendarSize is the number of cycles ahead for which idle endpoints are filed by their next
// packet; later ones are filed again when their slot comes.
const calendarSize = 1024

const never = math.MaxInt64 / 4

func (s *Sim) resetSources(load float64, seed uint64) {
	for i := range s.src {
		p := &s.src[i]
		*p = srcPort{cur: -1, head: -1, tail: -1, vc: -1, last: -1, port: p.port}
	}
	s.countSenders()
	for _, p := range s.all() {
		p.able, p.trials = s.able, s.trials
		p.setLoad(load)
	}
	a, d, p := simcore.NewRand(seed, 1), simcore.NewRand(seed, 2), simcore.NewRand(seed, 3)
	for e := range s.srcOf {
		x := &s.srcOf[e]
		*x = source{pend: -1}
		x.arrive = a.Derive(uint64(e))
		x.dest = d.Derive(uint64(e))
		x.packet = p.Derive(uint64(e))
		x.on = s.cfg.Injection == "on_off" && x.arrive.Coin()
		x.next = -1
		p := s
		if s.endOf != nil {
			p = s.parts[s.endOf[e]]
		}
		p.advance(int32(e), x)
		p.file(int32(e), x)
	}
}

// countSenders finds how many endpoints have a port, and the most ports of one.
func (s *Sim) countSenders() {
	s.able, s.trials = 0, 1
	for e := range s.endpoints {
		if k := s.srcStart[e+1] - s.srcStart[e]; k > 0 {
			s.able++
			s.trials = max(s.trials, int64(k))
		}
	}
}

// setLoad derives the probability of a packet per trial. Every endpoint has as many trials per
// cycle as the one with the most ports has of these, so that the probability stays below 1 and an
// endpoint that has lost a port still offers what the others do.
func (s *Sim) setLoad(load float64) {
	s.load = load
	s.prob = min(1, load*float64(s.rateNum)/float64(s.rateDen)/s.cfg.MeanFlits()/float64(s.trials))
	s.gaps.set(math.Log1p(-s.prob))
	if s.r1 = s.cfg.BurstRate; s.r1 <= 0 && s.cfg.Injection == "on_off" {
		s.r1 = s.prob * (s.cfg.Alpha + s.cfg.Beta) / s.cfg.Alpha
	}
}

// advance moves an endpoint's clock to the trial of its next packet.
func (s *Sim) advance(e int32, x *source) {
	if s.prob <= 0 || s.srcStart[e+1] == s.srcStart[e] {
		x.next = never
		return
	}
	if s.cfg.Injection == "on_off" {
		s.advanceOnOff(x)
		return
	}
	x.next++
	if s.prob < 1 {
		// The number of failures before a success: geometric.
		x.next += s.gaps.draw(x.arrive.Float64())
	}
}

// advanceOnOff runs the two-state process trial by trial.
func (s *Sim) advanceOnOff(x *source) {
	for range onOffHorizon {
		x.next++
		if x.on {
			x.on = x.arrive.Float64() >= s.cfg.Beta
		} else {
			x.on = x.arrive.Float64() < s.cfg.Alpha
		}
		if x.on && x.arrive.Float64() < s.r1 {
			return
		}
	}
	x.next = never
}

// onOffHorizon is the number of trials after which an on/off source without a packet is taken to
// be silent for good: longer than any run of interest.
const onOffHorizon = 1 << 24

// created is the cycle of the endpoint's next packet.
func (s *Sim) created(_ int32, x *source) simcore.Cycle {
	if n := s.trials; n > 1 {
		return simcore.Cycle(x.next / n)
	}
	return simcore.Cycle(x.next)
}

// file puts an idle endpoint into the calendar.
func (s *Sim) file(e int32, x *source) {
	if x.next >= never {
		return
	}
	at := s.created(e, x)
	at = min(max(at, s.now), s.now+calendarSize-1)
	k := at % calendarSize
	s.calNext[e], s.calendar[k] = s.calendar[k], e
}

// inject creates packets and lets every endpoint port send a flit.
func (s *Sim) inject() {
	k := s.now % calendarSize
	e := s.calendar[k]
	s.calendar[k] = -1
	for e >= 0 {
		x, next := &s.srcOf[e], s.calNext[e]
		if s.created(e, x) > s.now {
			s.file(e, x)
		} else {
			s.epActive[e>>6] |= 1 << (e & 63)
		}
		e = next
	}
	for w, m := range s.epActive {
		for ; m != 0; m &= m - 1 {
			e := int32(w<<6 + bits.TrailingZeros64(m))
			if !s.feed(e) {
				s.epActive[w] &^= 1 << (e & 63)
				s.file(e, &s.srcOf[e])
			}
		}
	}
}

// feed lets one endpoint create and send; false: it has nothing more to do before its next packet.
func (s *Sim) feed(e int32) bool {
	x := &s.srcOf[e]
	if s.loop != nil {
		s.createInLoop(e, x)
	} else {
		s.create(e, x)
	}
	busy := s.loop != nil && s.loop.has(s, e)
	for k := s.srcStart[e]; k < s.srcStart[e+1]; k++ {
		sp := &s.src[k]
		if sp.cur < 0 && sp.head >= 0 {
			s.dequeue(sp)
		}
		if sp.cur >= 0 {
			s.sendFrom(k, sp)
		}
		busy = busy || sp.cur >= 0 || sp.head >= 0
	}
	return busy || x.pend >= 0 || !s.stopped && s.created(e, x) <= s.now+1
}

// create makes the packets that are due, as far as they have room in the queues of their ports.
// What is due later stays a number: the source queue has no length limit and needs no memory.
func (s *Sim) create(e int32, x *source) {
	if x.pend >= 0 {
		if !s.enqueue(e, x.pend) {
			return
		}
		x.pend = -1
	}
	if s.srcDepth == 1 && s.src[s.srcStart[e]].cur >= 0 {
		return
	}
	for !s.stopped && s.created(e, x) <= s.now {
		p := s.draw(e, x)
		if p < 0 {
			continue
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

// draw makes one packet; -1 if the endpoint sends nothing this time or cannot reach it.
func (s *Sim) draw(e int32, x *source) int32 {
	at := s.created(e, x)
	if s.cfg.AtHead {
		at = s.now
	}
	dst := s.traffic.Dest(topology.EndpointID(e), &x.dest)
	size := s.drawSize(&x.arrive)
	s.advance(e, x)
	if n := s.cfg.PacketsEach; n > 0 && int(x.seq)+1 >= n {
		x.next = never
	}
	s.stat.attempts++
	if dst < 0 {
		s.stat.silent++
		return -1
	}
	return s.make(e, x, dst, size, at)
}

// make makes a packet that could be sent from cycle at on; -1 if its destination cannot be reached.
func (s *Sim) make(e int32, x *source, dst topology.EndpointID, size int, at simcore.Cycle) int32 {
	i := s.newPacket()
	p := s.packet(i)
	*p = packet{Packet: simcore.Packet{Src: topology.EndpointID(e), Dst: dst, Mid: -1, Rand: simcore.RandAt(x.packet.Uint64())},
		created: int32(at), next: -1, seq: x.seq, size: uint16(size)}
	x.seq++
	p.rec = s.stat.records(s.now, at)
	en := s.routing.InjectPort(&p.Packet, &s.view)
	if en.Port == simcore.NoPort {
		s.stat.unreachable++
		s.discard(i)
		return -1
	}
	p.Port = uint8(en.Port)
	p.lo, p.hi = en.Lo, en.Hi
	if p.rec {
		s.stat.outstanding++
	}
	return i
}

func (s *Sim) drawSize(r *simcore.Rand) int {
	if len(s.cumWeight) == 0 {
		return s.cfg.PacketFlits
	}
	x := r.IntN(s.cumWeight[len(s.cumWeight)-1])
	for i, c := range s.cumWeight {
		if x < c {
			return s.cfg.Sizes[i]
		}
	}
	panic("simcore: packet sizes")
}

// enqueue puts a packet behind the port it chose; of several parallel ones, the shortest queue.
func (s *Sim) enqueue(e, i int32) bool {
	p := s.packet(i)
	best := int32(-1)
	for k := s.srcStart[e]; k < s.srcStart[e+1]; k++ {
		if s.src[k].port == p.Port && (best < 0 || s.waiting(k) < s.waiting(best)) {
			best = k
		}
	}
	if best < 0 {
		panic("simcore: routing " + s.routingName + " injects at a port that the endpoint has not got")
	}
	sp := &s.src[best]
	if sp.queued >= s.srcDepth {
		return false
	}
	if sp.head < 0 {
		sp.head = i
	} else {
		s.packet(sp.tail).next = i
	}
	sp.tail = i
	sp.queued++
	return true
}

// waiting is the number of packets at a source port.
func (s *Sim) waiting(k int32) int32 {
	n := s.src[k].queued
	if s.src[k].cur >= 0 {
		n++
	}
	return n
}

func (s *Sim) usedEntry(e int32, port int) int {
	n := 0
	for k := s.srcStart[e]; k < s.srcStart[e+1]; k++ {
		if int(s.src[k].port) == port {
			n += s.used(s.nOut+k) + int(s.waiting(k))*s.cfg.PacketFlits
		}
	}
	return n
}

func (s *Sim) dequeue(sp *srcPort) {
	i := sp.head
	p := s.packet(i)
	sp.cur, sp.head = i, p.next
	sp.queued--
	sp.sent, sp.vc = 0, -1
	sp.lo, sp.hi = p.lo, p.hi
}

// sendFrom sends the next flit of a source port's packet, if it has a VC with room.
func (s *Sim) sendFrom(k int32, sp *srcPort) {
	op := s.nOut + k
	o := &s.out[op]
	if s.slow != nil && !s.canSend(op) {
		return
	}
	p := s.packet(sp.cur)
	if sp.vc < 0 {
		if s.reinject != nil {
			sp.lo, sp.hi = s.reinject.Reinject(&p.Packet, &s.view)
		}
		if !sp.pickVC(^(o.inUse | o.full)) {
			return
		}
		o.inUse |= 1 << sp.vc
	}
	v := uint8(sp.vc)
	if o.full>>v&1 != 0 {
		return
	}
	f := uint32(sp.cur) << 2
	if sp.sent == 0 {
		f |= headBit
		p.injected = int32(s.now)
		p.VC = v
	}
	if s.flitTimes {
		s.noteInjection(sp.cur, p, sp.sent)
	}
	sp.sent++
	if sp.sent == p.size {
		f |= tailBit
		sp.cur, sp.last, sp.vc = -1, sp.vc, -1
	}
	s.inNet++
	s.moved = s.now
	s.stat.injected(int32(p.Src))
	s.send(o, op, v, f)
}

// pickVC tries the VCs of the range in turn, from the one after the last used on; only the first
// of the range if that was outside.
func (sp *srcPort) pickVC(free uint32) bool {
	lo, hi := int16(sp.lo), int16(sp.hi)
	if sp.last < lo || sp.last > hi {
		if free>>lo&1 != 0 {
			sp.vc = lo
		}
		return sp.vc >= 0
	}
	v := sp.last
	for range hi - lo + 1 {
		if v++; v > hi {
			v = lo
		}
		if free>>v&1 != 0 {
			sp.vc = v
			return true
		}
	}
	return false
}
