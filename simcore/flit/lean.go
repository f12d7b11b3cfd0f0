package flit

import (
	"math/bits"
	"slices"

	"toposearch/simcore"
	"toposearch/topology"
)

// The cycle of the commonest configuration (Sim.lean): separable allocation, stages of one cycle,
// no look-ahead, private buffers, lines of a flit per cycle, VCs free again with the tail. It does
// what cycle.go and alloc.go do elsewhere; TestPlainAgreesWithGeneral and the slow twin hold it to
// that.
//
// It does not go from switch to switch. Each step is one loop over everything in the network that
// has to take it: credits, heads that ask for a VC, flits that arrive, ports that bid for their
// crossbar, outputs that grant. What is at hand differs from switch to switch, and loops over it
// would be of one or two rounds, whose end no processor foresees; a loop over thousands it does, and
// works on several rounds at a time, so that their cache misses overlap.

// routeAgainLean is routeAgain.
func (s *Sim) routeAgainLean(l *lane) {
	for _, iv := range l.again {
		s.routeLean(l, iv, &s.vc[iv], s.front(iv), &s.in[iv>>(s.vs&31)])
	}
	l.again = l.again[:0]
}

// creditsLean takes the credits of this cycle. Those of VCs that were full are found first, without a branch: close to saturation
// whether a VC was is a toss-up.
func (s *Sim) creditsLean(l *lane, credits []int32) {
	ov, depth := s.ov, s.depth
	s.scratch.freed = slices.Grow(s.scratch.freed[:0], len(credits)+1)
	freed, found := s.scratch.freed[:len(credits)+1], 0
	for _, c := range credits {
		x := &ov[c]
		n := x.occ
		x.occ = n - 1
		freed[found] = c
		found += b2i(n >= depth)
	}
	for _, c := range freed[:found] {
		s.roomLean(l, c)
	}
}

// roomLean lets the packet that owns an output VC that was full bid again.
func (s *Sim) roomLean(l *lane, ov int32) {
	op, v := ov>>(s.vs&31), ov&s.vmask
	o := &s.out[op]
	o.full &^= 1 << (v & 31)
	if iv := s.owner(o, op, v); iv >= 0 {
		if st := &s.vc[iv]; st.state == vcActive && st.n > 0 {
			s.readyLean(l, iv)
		}
	}
}

// readyLean lets a VC bid for the crossbar.
func (s *Sim) readyLean(l *lane, iv int32) {
	ip := iv >> (s.vs & 31)
	p := &s.in[ip]
	p.ready |= 1 << (iv & s.vmask & 31)
	if p.listed == 0 {
		p.listed = 1
		l.ports = append(l.ports, ip)
	}
}

// arriveLean takes the flits that arrive at switches in a cycle.
func (s *Sim) arriveLean(l *lane, flits []uint64) {
	shift := s.vs & 31
	vcs := s.vc
	l.heads = slices.Grow(l.heads[:0], len(flits)+1)
	heads, found := l.heads[:len(flits)+1], 0
	for _, e := range flits {
		iv, f := int32(e>>32), uint32(e)
		st := &vcs[iv]
		n := int32(st.n)
		at := int32(st.head) + n
		if at >= s.depth {
			at -= s.depth
		}
		st.n = uint16(n + 1)
		if at < ringFlits {
			st.ring[at] = f
		} else {
			*s.slot(iv, st, at) = f
		}
		idle := b2i(st.state == vcIdle)
		heads[found] = e
		found += idle
		// If it was empty and is not idle it is active: in all other states its head is here.
		if b2i(n == 0)&^idle != 0 && s.out[st.op].full>>(st.ovc&31)&1 == 0 {
			s.readyLean(l, iv)
		}
	}
	l.heads = heads[:found]
	s.fetch(l)
	for _, e := range l.heads {
		iv := int32(e >> 32)
		s.routeLean(l, iv, &vcs[iv], uint32(e), &s.in[iv>>shift])
	}
}

// fetch reads the packets of the heads that are to be routed: all over memory, and routing one has branches that depend on what
// is read there, so that it would wait for each in turn. Here nothing depends on it, and all are fetched at a time.
func (s *Sim) fetch(l *lane) {
	any := int32(0)
	for _, e := range l.heads {
		any |= int32(s.packet(int32(uint32(e) >> 2)).Dst)
	}
	l.fetched = any
}

// routeLean computes the route of a head that is at the front; it asks for a VC in the next step.
func (s *Sim) routeLean(l *lane, iv int32, st *vcState, f uint32, in *inPort) {
	p := &s.pages[f>>2>>pageBits].packet[f>>2&pageMask]
	p.VC = uint8(iv & s.vmask)
	if s.marks != nil {
		s.marks[iv] = s.kept.Enter(topology.SwitchID(in.sw), &p.Packet, &s.view)
	}
	h := s.routePort(in.sw, &p.Packet, &s.view)
	p.Hops++
	if int(h.Hi) >= s.vcs || h.Lo > h.Hi {
		s.badVCs(h.Lo, h.Hi)
	}
	op := in.out0 + h.Port
	st.op, st.lo, st.hi, st.state = op, h.Lo, h.Hi, vcWaiting
	if h.HasAlt || s.alts != nil {
		a := route{op: -1}
		if h.HasAlt {
			a = route{in.out0 + h.AltPort, h.AltLo, h.AltHi}
		}
		s.setAlt(iv, a)
	}
	if s.blind {
		s.askLean(l, op, iv)
		return
	}
	l.routed = append(l.routed, iv)
}

// sendLean is the separable input-first allocation of the crossbars: each input port picks one of
// its ready VCs, each output one of the ports that want it; then what was granted is sent.
func (s *Sim) sendLean(l *lane) {
	shift := s.vs & 31
	ports := l.ports
	// Room for one element more than is kept, as what is dropped is written, too.
	lost := slices.Grow(l.portsNext[:0], len(ports)+1)[:len(ports)+1]
	bids := slices.Grow(s.scratch.touched[:0], len(ports)+1)[:len(ports)+1]
	l.portsNext = ports
	losers, firsts := 0, 0
	ins, sts, outs := s.in, s.vc, s.out
	for _, ip := range ports {
		p := &ins[ip]
		m := p.ready
		iv := ip<<shift + int32(bits.TrailingZeros32(m))
		if m&(m-1) != 0 {
			iv = s.pickLean(ip<<shift, p, m)
		}
		op := sts[iv].op
		o := &outs[op]
		// Who wins is a toss-up, and so is done without a branch. No rival is one with the highest key.
		rival := o.bid
		first := int(uint32(rival) >> 31)
		key := uint64(uint32(rival>>shift-o.saPtr)) | uint64(first)<<32
		wins := -int32(b2i(uint64(uint32(ip-o.saPtr)) < key))
		o.bid = rival ^ (rival^iv)&wins
		lost[losers] = ip ^ (ip^rival>>shift)&wins
		losers += 1 - first
		bids[firsts] = op
		firsts += first
	}
	l.ports, bids = lost[:losers], bids[:firsts]
	s.scratch.touched = bids
	if len(bids) > 0 {
		s.stat.flitHops += int64(len(bids))
		s.moved = s.now
		s.grantLean(l, bids)
	}
	for _, iv := range l.granted {
		s.readyLean(l, iv)
	}
	l.granted = l.granted[:0]
}

// pickLean picks the VC, of those of m, by which an input port bids: for the first output after
// the one granted last, of those for that output the first after the VC granted last. iv0 is the
// port's VC 0.
func (s *Sim) pickLean(iv0 int32, p *inPort, m uint32) int32 {
	best := ^uint64(0) // output, VC from off on, VC
	for ; m != 0; m &= m - 1 {
		v := int32(bits.TrailingZeros32(m))
		best = min(best, uint64(uint32(s.vc[iv0+v].op-p.saPtr))<<10|uint64((v-int32(p.off))&31)<<5|uint64(v))
	}
	return iv0 + int32(best&31)
}

// grantLean sends, for each output of a list, the front flit of the input VC that has won it, and
// returns the credit of the slot that it leaves.
func (s *Sim) grantLean(l *lane, bids []int32) {
	shift, vmask := s.vs&31, s.vmask
	now, depth := s.now, s.depth
	ins, sts, outs, ovs := s.in, s.vc, s.out, s.ov
	bidding := len(l.ports)
	again := slices.Grow(l.ports, len(bids)+1)[:bidding+len(bids)+1]
	for _, op := range bids {
		o := &outs[op]
		iv := o.bid
		o.bid = -1
		ip, vin := iv>>shift, iv&vmask
		st, p := &sts[iv], &ins[ip]
		vout := int32(st.ovc)
		p.saPtr, o.saPtr, p.off = op+1, ip+1, uint8(vin+1)
		at := int32(st.head)
		n, head := st.n-1, at+1
		if head >= depth {
			head = 0
		}
		if n == 0 {
			head = 0
		}
		st.n, st.head = n, uint16(head)
		var f uint32
		if at < ringFlits {
			f = st.ring[at]
		} else {
			f = *s.slot(iv, st, at)
		}
		if s.sent != nil {
			s.sent[op]++
		}
		leaves, credit := now, now // the cycles in which the flit and its credit do
		if s.steps != nil {
			leaves, credit = s.behindLean(op, ip)
		}
		if s.log != nil {
			s.log.note(op, leaves)
		}
		if s.farOut == nil {
			s.fileFlit(&s.wheel[s.place(leaves, o.lag)], flitAt(o.down<<shift|vout, f))
			s.fileCredit(&s.wheel[s.place(credit, p.crLag)], p.up<<shift|vin)
		} else {
			s.flitAnywhere(op, o, vout, f, leaves)
			s.creditLater(ip, vin, credit)
		}
		x := &ovs[op<<shift|vout]
		x.occ++
		full := b2i(x.occ >= depth)
		o.full |= uint32(full) << (vout & 31)
		blocked := b2i(n == 0) | full
		if f&tailBit != 0 {
			blocked = 1
			o.inUse &^= 1 << (vout & 31)
			if o.asleep >= 0 {
				s.wakeLean(l, op, o)
			}
			if s.marks != nil {
				s.leave(iv)
			}
			if st.state = vcIdle; n > 0 {
				st.state = vcRouting
				l.again = append(l.again, iv)
			}
		}
		m := p.ready &^ (uint32(blocked) << (vin & 31))
		p.ready = m
		more := b2i(m != 0)
		p.listed = uint8(more)
		again[bidding] = ip
		bidding += more
	}
	l.ports = again[:bidding]
}

// flitAnywhere puts a flit on a line that may lead to another part.
func (s *Sim) flitAnywhere(op int32, o *outPort, v int32, f uint32, leaves simcore.Cycle) {
	iv := o.down<<(s.vs&31) | v
	if to := s.farOut[op]; to != 0 {
		s.flitFar(to-1, leaves, o.lag, iv, f)
		return
	}
	s.fileFlit(&s.wheel[s.place(leaves, o.lag)], flitAt(iv, f))
}

// wakeLean lets the heads that sleep at an output ask again, in the next cycle.
func (s *Sim) wakeLean(l *lane, op int32, o *outPort) {
	first, last := o.asleep, o.asleep
	if o.heads < 0 {
		l.asked = append(l.asked, op)
	} else {
		for s.vc[last].next >= 0 {
			last = s.vc[last].next
		}
		s.vc[last].next = o.heads
	}
	o.heads, o.asleep = first, -1
}
