package flit

import (
	"math/bits"

	"toposearch/topology"
)

// inject creates packets and lets every endpoint port send a flit.
func (s *Sim) inject() {
	if s.loop != nil {
		s.loop.wakeDue(s)
	}
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
				if s.loop != nil && s.loop.script != nil {
					s.loop.await(s, e) // its next message may be for a time to come
				}
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
			s.sendFrom(e, k, sp)
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
	at := s.createdOwn(x)
	if s.watched(e, at) {
		return s.drawWatched(e, x)
	}
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
		x.silent++
		return -1
	}
	return s.make(e, x, dst, -1, size, at)
}

// drawWatched makes a packet of the watched pair; -1: its destination cannot be reached.
func (s *Sim) drawWatched(e int32, x *source) int32 {
	w := s.watch
	at := w.next
	w.advance()
	p := s.make(e, x, w.Dst, -1, s.drawSize(&w.rand), at)
	if p >= 0 {
		s.packet(p).seq |= watchedSeq
	}
	return p
}

// sendFrom sends the next flit of the packet of an endpoint's port, if it has a VC with room. Packets lie all over memory: one
// is looked at for its head alone, the port knows the rest.
func (s *Sim) sendFrom(e, k int32, sp *srcPort) {
	op := s.nOut + k
	o := &s.out[op]
	if s.slow != nil && !s.canSend(op) {
		return
	}
	if sp.vc < 0 {
		if s.reinject != nil {
			sp.lo, sp.hi = s.reinject.Reinject(&s.packet(sp.cur).Packet, &s.view)
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
		p := s.packet(sp.cur)
		p.injected = int32(s.now)
		p.VC = v
	}
	if s.flitTimes {
		s.noteInjection(sp.cur, s.packet(sp.cur), sp.sent)
	}
	sp.sent++
	if sp.sent == sp.size {
		f |= tailBit
		sp.cur, sp.last, sp.vc = -1, sp.vc, -1
	}
	s.inNet++
	s.moved = s.now
	s.stat.injected(e)
	if s.lean {
		s.sendLeanFrom(o, op, v, f)
		return
	}
	s.send(o, op, v, f)
}

// sendLeanFrom is send in the lean cycle, where no head waits for a VC of a source.
func (s *Sim) sendLeanFrom(o *outPort, op int32, v uint8, f uint32) {
	x := &s.ov[op<<(s.vs&31)|int32(v)]
	x.occ++
	o.full |= uint32(b2i(x.occ >= s.depth)) << (v & 31)
	o.inUse &^= f / tailBit & 1 << (v & 31)
	if s.sent != nil || s.log != nil || s.slow != nil || s.farOut != nil {
		s.launch(o, op, v, f)
		return
	}
	s.fileFlit(&s.wheel[s.place(s.now, o.lag)], flitAt(o.down<<(s.vs&31)|int32(v), f))
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

// eject takes flits at their endpoints and returns the credits.
func (s *Sim) eject(flits []uint64) {
	if len(flits) == 0 {
		return
	}
	s.inNet -= len(flits)
	s.moved = s.now
	s.stat.accFlits += int64(len(flits))
	s.stat.gone += int64(len(flits))
	for _, e := range flits {
		iv, f := int32(e>>32), uint32(e)
		ip := iv >> (s.vs & 31)
		in := &s.in[ip]
		if s.farIn == nil {
			s.fileCredit(&s.wheel[s.place(s.now, in.crLag)], in.up<<(s.vs&31)|iv&s.vmask)
		} else {
			s.giveCredit(ip, iv&s.vmask)
		}
		to := in.sw
		s.stat.acc[to]++
		if f&(headBit|tailBit) == 0 && !s.flitTimes {
			continue
		}
		p := s.packet(int32(f >> 2))
		if int32(p.Dst) != to {
			panic("simcore: routing " + s.routingName + " delivers a packet to a wrong endpoint")
		}
		if s.flitTimes {
			s.noteArrival(int32(f>>2), p)
		}
		if f&headBit != 0 {
			p.headAt = int32(s.now)
		}
		if f&tailBit != 0 {
			s.stat.retire(p, s.now)
			if s.loop != nil {
				s.loop.arrived(s, p, *s.loop.tag(int32(f >> 2)))
			}
			s.discard(int32(f >> 2))
		}
	}
}
