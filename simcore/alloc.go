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

// allocVCs is the separable input-first allocation of output VCs with round-robin arbiters: each
// waiting head picks a free VC of its range, each VC picks one of the heads that chose it. Only a
// completed match moves the pointers of both.
func (s *Sim) allocVCs(sw int32) {
	w0, w1 := s.maskStart[sw], s.maskStart[sw+1]
	waiting := s.waitW[w0:w1]
	if len(waiting) == 1 && waiting[0] == 0 {
		return
	}
	d := s.dims(sw)
	shift := s.vs & 31
	// A lone head has no rival, and needs no comparison.
	if len(waiting) == 1 && waiting[0]&(waiting[0]-1) == 0 {
		i := int32(bits.TrailingZeros64(waiting[0]))
		if r := s.in[d.in0+i].wait; r&(r-1) == 0 {
			iv := (d.in0+i)<<shift | int32(bits.TrailingZeros32(r))
			if o := s.chooseVC(iv, d.out0); o >= 0 {
				s.grantVC(iv, o, &d)
			} else {
				s.sleep(iv)
			}
			return
		}
	}
	c := &s.scratch
	touched := c.touched[:0]
	vcs := int32(s.vcs)
	ovs := s.ov[d.out0<<shift:]
	for w, m := range waiting {
		for ; m != 0; m &= m - 1 {
			i := int32(w<<6 + bits.TrailingZeros64(m))
			for r := s.in[d.in0+i].wait; r != 0; r &= r - 1 {
				v := int32(bits.TrailingZeros32(r))
				iv := (d.in0+i)<<shift | v
				o := s.chooseVC(iv, d.out0)
				if o < 0 {
					s.sleep(iv)
					continue
				}
				k := i*vcs + v - ovs[o].ptr
				if k < 0 {
					k += d.nIn * vcs
				}
				best := &c.best[o]
				if best.key == noKey {
					touched = append(touched, o)
				}
				if k < best.key {
					best.key, best.in = k, iv
				}
			}
		}
	}
	for _, o := range touched {
		c.best[o].key = noKey
		s.grantVC(c.best[o].in, o, &d)
	}
	c.touched = touched
}

// dims are where a switch's ports are in the arrays.
type dims struct{ in0, out0, nIn, nOut int32 }

func (s *Sim) dims(sw int32) dims {
	in0, out0 := s.inStart[sw], s.outStart[sw]
	return dims{in0, out0, s.inStart[sw+1] - in0, s.outStart[sw+1] - out0}
}

// chooseVC is the input's choice: of the free VCs of its range the first at or after its pointer.
// The answer is the output VC relative to the switch, -1 if none is free.
func (s *Sim) chooseVC(iv, out0 int32) int32 {
	st := &s.vc[iv]
	op, free := st.op, s.freeVCs(st.op, st.lo, st.hi)
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
	if p := st.vaPtr - op*int32(s.vcs); uint32(p) < uint32(s.vcs) {
		if hi := free >> (p & 31) << (p & 31); hi != 0 {
			free = hi
		}
	}
	return op<<(s.vs&31) | int32(bits.TrailingZeros32(free))
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
	st.op, st.ovc, st.state = d.out0+po, uint8(ovc), vcGranted
	s.out[d.out0+po].inUse |= 1 << (ovc & 31)
	x := &s.ov[d.out0<<shift+o]
	x.owner = iv
	if st.vaPtr = po*vcs + ovc + 1; st.vaPtr >= d.nOut*vcs {
		st.vaPtr = 0
	}
	if x.ptr = (iv>>shift-d.in0)*vcs + iv&s.vmask + 1; x.ptr >= d.nIn*vcs {
		x.ptr = 0
	}
	s.clearWait(iv)
	s.later(s.readyAt, iv)
}

// allocSwitch is the separable input-first switch allocation: each input port picks one of the
// outputs that its ready VCs want (and of the VCs for that output the first after the one granted
// last), each output one of those inputs.
func (s *Sim) allocSwitch(sw int32) {
	w0, w1 := s.maskStart[sw], s.maskStart[sw+1]
	ready := s.readyW[w0:w1]
	if len(ready) == 1 && ready[0] == 0 {
		return
	}
	d := s.dims(sw)
	if len(ready) == 1 && ready[0]&(ready[0]-1) == 0 {
		if iv := s.choosePort(d.in0+int32(bits.TrailingZeros64(ready[0])), &d); iv >= 0 {
			s.grantSwitch(iv, &d)
		}
		return
	}
	c := &s.scratch
	touched := c.touched[:0]
	for w, m := range ready {
		for ; m != 0; m &= m - 1 {
			i := int32(w<<6 + bits.TrailingZeros64(m))
			iv := s.choosePort(d.in0+i, &d)
			if iv < 0 {
				continue
			}
			op := s.vc[iv].op
			k := i - int32(s.out[op].saPtr)
			if k < 0 {
				k += d.nIn
			}
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
		s.grantSwitch(c.best[o].in, &d)
	}
	c.touched = touched
}

// choosePort picks the VC by which an input port bids, -1 if none can.
func (s *Sim) choosePort(ip int32, d *dims) int32 {
	p := &s.in[ip]
	shift := s.vs & 31
	r := p.ready
	if r&(r-1) == 0 && s.slow == nil {
		return ip<<shift | int32(bits.TrailingZeros32(r))
	}
	ptr, off := d.out0+int32(p.saPtr), int32(p.off)
	best, iv := int32(noKey), int32(-1)
	for ; r != 0; r &= r - 1 {
		v := int32(bits.TrailingZeros32(r))
		op := s.vc[ip<<shift|v].op
		if s.slow != nil && !s.canSend(op) {
			continue
		}
		k := op - ptr
		if k < 0 {
			k += d.nOut
		}
		turn := v - off
		if turn < 0 {
			turn += int32(s.vcs)
		}
		if k = k<<5 | turn; k < best {
			best, iv = k, ip<<shift|v
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
	if p.saPtr = uint16(op - d.out0 + 1); int32(p.saPtr) >= d.nOut {
		p.saPtr = 0
	}
	if o.saPtr = uint16(ip - d.in0 + 1); int32(o.saPtr) >= d.nIn {
		o.saPtr = 0
	}
	if p.off = uint8(v + 1); int(p.off) >= s.vcs {
		p.off = 0
	}
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
	f := s.buf[iv*s.depth+int32(st.head)]
	st.n--
	st.head++
	if int32(st.head) >= s.depth || st.n == 0 {
		st.head = 0
	}
	return f
}

// nextPacket starts the packet behind a tail that has left, if there is one.
func (s *Sim) nextPacket(iv int32, st *vcState) {
	st.state = vcIdle
	if st.n > 0 {
		s.headIn(iv, s.buf[iv*s.depth+int32(st.head)], false)
	}
}
