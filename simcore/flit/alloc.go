package flit

import "math/bits"

// allocVCs is the separable input-first allocation of output VCs with round-robin arbiters: each
// waiting head picks a free VC of its range, each VC picks one of the heads that chose it. Only a
// completed match moves the pointers of both.
func (s *Sim) allocVCs(d *dims) {
	waiting := s.waitW[d.word : d.word+d.words]
	first := d.in0 << (s.vs & 31)
	// A lone head has no rival, and needs no comparison.
	if len(waiting) == 1 {
		m := waiting[0]
		if m == 0 {
			return
		}
		if m&(m-1) == 0 {
			iv := first + int32(bits.TrailingZeros64(m))
			if o := s.chooseVC(iv); o >= 0 {
				s.grantVC(iv, o)
			} else {
				s.sleep(iv)
			}
			return
		}
	}
	c := &s.scratch
	touched := c.touched[:0]
	for w, m := range waiting {
		for ; m != 0; m &= m - 1 {
			iv := first + int32(w<<6+bits.TrailingZeros64(m))
			o := s.chooseVC(iv)
			if o < 0 {
				s.sleep(iv)
				continue
			}
			k := uint64(uint32(iv - s.ov[o].last - 1))
			best := &c.best[o-d.out0<<(s.vs&31)]
			if best.key == noKey {
				touched = append(touched, o)
			}
			if k < best.key {
				best.key, best.in = k, iv
			}
		}
	}
	for _, o := range touched {
		b := &c.best[o-d.out0<<(s.vs&31)]
		b.key = noKey
		s.grantVC(b.in, o)
	}
	c.touched = touched
}

// chooseVC is the input's choice: of the free VCs of its range the first at or after its pointer.
// The answer is the output VC, -1 if none is free.
func (s *Sim) chooseVC(iv int32) int32 {
	st := &s.vc[iv]
	op := st.op
	free := s.freeFor(iv, op, st.lo, st.hi)
	if free == 0 {
		if s.alts == nil || s.alts[iv].op < 0 {
			return -1
		}
		a := &s.alts[iv]
		if op, free = a.op, s.freeFor(iv, a.op, a.lo, a.hi); free == 0 {
			return -1
		}
	}
	first := op << (s.vs & 31)
	return first | afterVC(free, st.vaPtr-first, 1<<(s.vs&31))
}

// grantVC gives an output VC to the head of an input VC.
func (s *Sim) grantVC(iv, ov int32) {
	st := &s.vc[iv]
	op, v := ov>>(s.vs&31), ov&s.vmask
	o := &s.out[op]
	o.inUse |= 1 << (v & 31)
	s.ov[ov].last = iv
	st.op, st.ovc, st.vaPtr = op, uint8(v), ov+1
	s.clearWait(iv)
	if !s.quick {
		st.state = vcGranted
		s.later(s.readyAt, iv)
		return
	}
	// From the next cycle on it bids; nobody else can fill the VC till then.
	st.state = vcActive
	if o.full>>(v&31)&1 == 0 {
		p := &s.in[iv>>(s.vs&31)]
		s.readyNew[p.word] |= 1 << ((int32(p.bit) + iv&s.vmask) & 63)
	}
}

// allocSwitch is the separable input-first switch allocation: each input port picks one of the
// outputs that its ready VCs want (and of the VCs for that output the first after the one granted
// last), each output one of those inputs.
func (s *Sim) allocSwitch(d *dims) {
	ready := s.readyW[d.word : d.word+d.words]
	first := d.in0 << (s.vs & 31)
	if len(ready) == 1 {
		m := ready[0]
		if m == 0 {
			return
		}
		if m&(m-1) == 0 && s.slow == nil {
			s.grantSwitch(first + int32(bits.TrailingZeros64(m)))
			return
		}
	}
	c := &s.scratch
	touched := c.touched[:0]
	for w, m := range ready {
		for m != 0 {
			// The VCs of the next port.
			at := int32(bits.TrailingZeros64(m)) &^ s.vmask
			port := s.portMask << (at & 63)
			iv := s.choosePort(first+int32(w)<<6+at, uint32(m&port>>(at&63)))
			m &^= port
			if iv < 0 {
				continue
			}
			op := s.vc[iv].op
			k := uint64(uint32(iv>>(s.vs&31) - s.out[op].saPtr))
			best := &c.best[op-d.out0]
			if best.key == noKey {
				touched = append(touched, op-d.out0)
			}
			if k < best.key {
				best.key, best.in = k, iv
			}
		}
	}
	for _, o := range touched {
		c.best[o].key = noKey
		s.grantSwitch(c.best[o].in)
	}
	c.touched = touched
}

// choosePort picks the VC, of those of r, by which an input port bids, -1 if none can. iv0 is the
// port's VC 0.
func (s *Sim) choosePort(iv0 int32, r uint32) int32 {
	if r&(r-1) == 0 && s.slow == nil {
		return iv0 + int32(bits.TrailingZeros32(r))
	}
	p := &s.in[iv0>>(s.vs&31)]
	best, iv := uint64(noKey), int32(-1)
	for ; r != 0; r &= r - 1 {
		v := int32(bits.TrailingZeros32(r))
		op := s.vc[iv0+v].op
		if s.slow != nil && !s.canSend(op) {
			continue
		}
		if k := uint64(uint32(op-p.saPtr))<<5 | uint64((v-int32(p.off))&31); k < best {
			best, iv = k, iv0+v
		}
	}
	return iv
}

// grantSwitch sends the front flit of an input VC.
func (s *Sim) grantSwitch(iv int32) {
	shift := s.vs & 31
	ip, v := iv>>shift, iv&s.vmask
	st := &s.vc[iv]
	op := st.op
	p, o := &s.in[ip], &s.out[op]
	p.saPtr, o.saPtr, p.off = op+1, ip+1, uint8(v+1)
	f := s.pop(iv, st)
	s.send(o, op, st.ovc, f)
	s.giveCredit(ip, v)
	s.stat.flitHops++
	s.moved = s.now
	if f&tailBit != 0 {
		s.clearReady(iv)
		s.nextPacket(iv, st)
	} else if st.n == 0 || o.full>>(st.ovc&31)&1 != 0 {
		s.clearReady(iv)
	}
}

// pop takes the front flit. An emptied ring starts again at its first slot, so that shallow
// queues touch little memory.
func (s *Sim) pop(iv int32, st *vcState) uint32 {
	f := *s.slot(iv, st, int32(st.head))
	n, head := st.n-1, st.head+1
	if int32(head) >= s.depth {
		head = 0
	}
	if n == 0 {
		head = 0
	}
	st.n, st.head = n, head
	return f
}

// nextPacket starts the packet behind a tail that has left, if there is one.
func (s *Sim) nextPacket(iv int32, st *vcState) {
	if s.marks != nil {
		s.leave(iv)
	}
	st.state = vcIdle
	if st.n > 0 {
		s.headIn(iv, *s.slot(iv, st, int32(st.head)), false)
	}
}
