package simcore

import "math/bits"

// scratch is the working memory of the allocators, for the largest switch.
type scratch struct {
	best    []best  // per output port or VC
	touched []int32 // outputs with a request
}

// best is the best request of an output so far: its key, and the input VC.
type best struct{ key, in int32 }

func (c *scratch) init(ports, vcs int, vs uint) {
	n := ports << vs
	c.best = make([]best, n)
	for i := range c.best {
		c.best[i].key = noKey
	}
	c.touched = make([]int32, 0, n)
}

const noKey = 1<<31 - 1

// rangeMask has the bits lo..hi.
func rangeMask(lo, hi uint8) uint32 { return uint32(2<<(hi&31)-1) &^ uint32(1<<(lo&31)-1) }

// dims are where a switch's ports and the words of its VCs are in the arrays.
type dims struct{ in0, out0, nIn, nOut, word, words int32 }

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
			if o := s.chooseVC(iv, d.out0); o >= 0 {
				s.grantVC(iv, o, d)
			} else {
				s.sleep(iv)
			}
			return
		}
	}
	c := &s.scratch
	touched := c.touched[:0]
	vcs := int32(s.vcs)
	ovs := s.ov[d.out0<<(s.vs&31):]
	for w, m := range waiting {
		for ; m != 0; m &= m - 1 {
			local := int32(w<<6 + bits.TrailingZeros64(m))
			iv := first + local
			o := s.chooseVC(iv, d.out0)
			if o < 0 {
				s.sleep(iv)
				continue
			}
			k := local>>(s.vs&31)*vcs + local&s.vmask - ovs[o].ptr
			k += k >> 31 & (d.nIn * vcs) // if negative
			best := &c.best[o]
			if best.key == noKey {
				touched = append(touched, o)
			}
			if k < best.key {
				best.key, best.in = k, iv
			}
		}
	}
	for _, o := range touched {
		c.best[o].key = noKey
		s.grantVC(c.best[o].in, o, d)
	}
	c.touched = touched
}

// chooseVC is the input's choice: of the free VCs of its range the first at or after its pointer.
// The answer is the output VC relative to the switch, -1 if none is free.
func (s *Sim) chooseVC(iv, out0 int32) int32 {
	st := &s.vc[iv]
	op := st.op
	// rangeMask(lo, hi), and what is not in use of it; inlined, for this is done for every head.
	free := ^s.out[op].inUse & (uint32(2<<(st.hi&31)-1) &^ uint32(1<<(st.lo&31)-1))
	if s.cfg.VCBusyWhenFull {
		free &^= s.out[op].full
	}
	if free == 0 {
		if s.alts == nil || s.alts[iv].op < 0 {
			return -1
		}
		a := &s.alts[iv]
		if op, free = a.op, s.freeVCs(a.op, a.lo, a.hi); free == 0 {
			return -1
		}
	}
	op -= out0
	// Written for conditional moves: whether the pointer is in the range is a toss.
	p := st.vaPtr - op*int32(s.vcs)
	after := free >> (p & 31) << (p & 31)
	if uint32(p) >= uint32(s.vcs) {
		after = 0
	}
	if after == 0 {
		after = free
	}
	return op<<(s.vs&31) | int32(bits.TrailingZeros32(after))
}

func (s *Sim) freeVCs(op int32, lo, hi uint8) uint32 {
	o := &s.out[op]
	free := ^o.inUse & rangeMask(lo, hi)
	if s.cfg.VCBusyWhenFull {
		free &^= o.full
	}
	return free
}

// grantVC gives output VC o (relative to the switch) to the head of an input VC.
func (s *Sim) grantVC(iv, o int32, d *dims) {
	st := &s.vc[iv]
	shift := s.vs & 31
	ovc, po, vcs := o&s.vmask, o>>shift, int32(s.vcs)
	out := &s.out[d.out0+po]
	st.op, st.ovc = d.out0+po, uint8(ovc)
	out.inUse |= 1 << (ovc & 31)
	x := &s.ov[d.out0<<shift+o]
	x.owner = iv
	ptr := po*vcs + ovc + 1
	if ptr >= d.nOut*vcs {
		ptr = 0
	}
	st.vaPtr = ptr
	if ptr = (iv>>shift-d.in0)*vcs + iv&s.vmask + 1; ptr >= d.nIn*vcs {
		ptr = 0
	}
	x.ptr = ptr
	p := &s.in[iv>>shift]
	bit := uint64(1) << ((int32(p.bit) + iv&s.vmask) & 63)
	s.waitW[p.word] &^= bit
	if !s.quick {
		st.state = vcGranted
		s.later(s.readyAt, iv)
		return
	}
	// From the next cycle on it bids; nobody else can fill the VC till then.
	st.state = vcActive
	if out.full>>(ovc&31)&1 == 0 {
		s.readyNew[p.word] |= bit
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
		if m&(m-1) == 0 && s.slow == nil && !s.lean { // lean: switchLean has done that
			s.grantSwitch(first+int32(bits.TrailingZeros64(m)), d)
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
			iv := s.choosePort(first+int32(w)<<6+at, uint32(m&port>>(at&63)), d)
			m &^= port
			if iv < 0 {
				continue
			}
			op := s.vc[iv].op
			k := iv>>(s.vs&31) - d.in0 - int32(s.out[op].saPtr)
			k += k >> 31 & d.nIn // if negative
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
		if s.lean {
			s.grantLean(c.best[o].in, d)
		} else {
			s.grantSwitch(c.best[o].in, d)
		}
	}
	c.touched = touched
}

// choosePort picks the VC, of those of r, by which an input port bids, -1 if none can. iv0 is the
// port's VC 0.
func (s *Sim) choosePort(iv0 int32, r uint32, d *dims) int32 {
	if r&(r-1) == 0 && s.slow == nil {
		return iv0 + int32(bits.TrailingZeros32(r))
	}
	p := &s.in[iv0>>(s.vs&31)]
	ptr, off := d.out0+int32(p.saPtr), int32(p.off)
	best, iv := int32(noKey), int32(-1)
	for ; r != 0; r &= r - 1 {
		v := int32(bits.TrailingZeros32(r))
		op := s.vc[iv0+v].op
		if s.slow != nil && !s.canSend(op) {
			continue
		}
		k := op - ptr
		k += k >> 31 & d.nOut // if negative
		turn := v - off
		turn += turn >> 31 & int32(s.vcs)
		if k = k<<5 | turn; k < best {
			best, iv = k, iv0+v
		}
	}
	return iv
}

// grantSwitch sends the front flit of an input VC.
func (s *Sim) grantSwitch(iv int32, d *dims) {
	shift := s.vs & 31
	ip, v := iv>>shift, iv&s.vmask
	st := &s.vc[iv]
	op := st.op
	p, o := &s.in[ip], &s.out[op]
	out, in, off := op-d.out0+1, ip-d.in0+1, v+1
	if out >= d.nOut {
		out = 0
	}
	if in >= d.nIn {
		in = 0
	}
	if int(off) >= s.vcs {
		off = 0
	}
	p.saPtr, o.saPtr, p.off = uint16(out), uint16(in), uint8(off)
	f := s.pop(iv, st)
	s.send(o, op, st.ovc, f, Cycle(o.delay))
	s.giveCredit(p, v)
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
	st.state = vcIdle
	if st.n > 0 {
		s.headIn(iv, *s.slot(iv, st, int32(st.head)), false)
	}
}
