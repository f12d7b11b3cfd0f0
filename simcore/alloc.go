package simcore

import "math/bits"

// scratch is the working memory of the allocators, for the largest switch.
type scratch struct {
	bestKey []int32 // per output (port or VC): the key of the best request so far
	bestIn  []int32 // and its input
	touched []int32 // outputs with a request
	wants   []int32 // per input VC or port: the output VC it asked for
}

func (c *scratch) init(ports, vcs int, vs uint) {
	n := ports << vs
	c.bestKey, c.bestIn, c.wants = make([]int32, n), make([]int32, n), make([]int32, n)
	for i := range c.bestKey {
		c.bestKey[i] = noKey
	}
	c.touched = make([]int32, 0, n)
}

const noKey = 1<<31 - 1

// rangeMask has the bits lo..hi.
func rangeMask(lo, hi uint8) uint64 { return (2<<hi - 1) &^ (1<<lo - 1) }

// allocVCs is the separable input-first allocation of output VCs with round-robin arbiters: each
// waiting head picks a free VC of its range, each VC picks one of the heads that chose it. Only a
// completed match moves the pointers of both.
func (s *Sim) allocVCs(sw int32) {
	in0, out0 := s.inStart[sw], s.outStart[sw]
	nOut := (s.outStart[sw+1] - out0) * int32(s.vcs)
	nIn := (s.inStart[sw+1] - in0) * int32(s.vcs)
	c := &s.scratch
	touched := c.touched[:0]
	for w := s.maskStart[sw]; w < s.maskStart[sw+1]; w++ {
		base := (w - s.maskStart[sw]) << 6
		for m := s.waitW[w]; m != 0; m &= m - 1 {
			i := base + int32(bits.TrailingZeros64(m))
			for r := s.in[in0+i].wait; r != 0; r &= r - 1 {
				v := int32(bits.TrailingZeros64(r))
				iv := (in0+i)<<s.vs | v
				o, ok := s.chooseVC(iv, out0)
				if !ok {
					continue
				}
				ov := &s.ov[out0<<s.vs+o]
				k := i*int32(s.vcs) + v - ov.ptr
				if k < 0 {
					k += nIn
				}
				if c.bestKey[o] == noKey {
					touched = append(touched, o)
				}
				if k < c.bestKey[o] {
					c.bestKey[o], c.bestIn[o] = k, iv
				}
			}
		}
	}
	for _, o := range touched {
		c.bestKey[o] = noKey
		s.grantVC(c.bestIn[o], in0, out0, o, nIn, nOut)
	}
	c.touched = touched
}

// chooseVC is the input's choice: of the free VCs of its range the first at or after its pointer.
// The answer is the output VC relative to the switch.
func (s *Sim) chooseVC(iv, out0 int32) (o int32, ok bool) {
	st := &s.vc[iv]
	op, free := st.op, s.freeVCs(st.op, st.lo, st.hi)
	if free == 0 && s.alts != nil && s.alts[iv].op >= 0 {
		a := &s.alts[iv]
		op, free = a.op, s.freeVCs(a.op, a.lo, a.hi)
	}
	if free == 0 {
		return 0, false
	}
	if p := st.vaPtr - (op-out0)*int32(s.vcs); p > 0 && p < int32(s.vcs) {
		if hi := free >> p << p; hi != 0 {
			free = hi
		}
	}
	return (op-out0)<<s.vs | int32(bits.TrailingZeros64(free)), true
}

func (s *Sim) freeVCs(op int32, lo, hi uint8) uint64 {
	o := &s.out[op]
	free := ^o.inUse & rangeMask(lo, hi)
	if s.cfg.VCBusyWhenFull {
		free &^= o.full
	}
	return free
}

func (s *Sim) grantVC(iv, in0, out0, o, nIn, nOut int32) {
	st := &s.vc[iv]
	ovc := o & (1<<s.vs - 1)
	st.op, st.ovc, st.state = out0+o>>s.vs, uint8(ovc), vcGranted
	s.out[st.op].inUse |= 1 << ovc
	x := &s.ov[out0<<s.vs+o]
	x.owner = iv
	st.vaPtr = (st.op-out0)*int32(s.vcs) + ovc + 1
	if st.vaPtr >= nOut {
		st.vaPtr = 0
	}
	x.ptr = (iv>>s.vs-in0)*int32(s.vcs) + iv&(1<<s.vs-1) + 1
	if x.ptr >= nIn {
		x.ptr = 0
	}
	s.clearWait(iv)
	s.later(s.readyAt, iv)
}

// allocSwitch is the separable input-first switch allocation: each input port picks one of the
// outputs that its ready VCs want (and of the VCs for that output the first after the one granted
// last), each output one of those inputs.
func (s *Sim) allocSwitch(sw int32) {
	in0, out0 := s.inStart[sw], s.outStart[sw]
	nIn, nOut := s.inStart[sw+1]-in0, s.outStart[sw+1]-out0
	c := &s.scratch
	touched := c.touched[:0]
	for w := s.maskStart[sw]; w < s.maskStart[sw+1]; w++ {
		base := (w - s.maskStart[sw]) << 6
		for m := s.readyW[w]; m != 0; m &= m - 1 {
			i := base + int32(bits.TrailingZeros64(m))
			iv, ok := s.choosePort(in0+i, out0, nOut)
			if !ok {
				continue
			}
			o := s.vc[iv].op - out0
			k := i - int32(s.out[out0+o].saPtr)
			if k < 0 {
				k += nIn
			}
			if c.bestKey[o] == noKey {
				touched = append(touched, o)
			}
			if k < c.bestKey[o] {
				c.bestKey[o], c.bestIn[o] = k, iv
			}
		}
	}
	for _, o := range touched {
		c.bestKey[o] = noKey
		s.grantSwitch(c.bestIn[o], in0, out0, nIn, nOut)
	}
	c.touched = touched
}

// choosePort picks the VC by which an input port bids.
func (s *Sim) choosePort(ip, out0, nOut int32) (iv int32, ok bool) {
	p := &s.in[ip]
	ptr, off, n := out0+int32(p.saPtr), int32(p.off), int32(s.vcs)
	best := int32(noKey)
	for r := p.ready; r != 0; r &= r - 1 {
		v := int32(bits.TrailingZeros64(r))
		op := s.vc[ip<<s.vs|v].op
		if s.slow != nil && !s.canSend(op) {
			continue
		}
		k := op - ptr
		if k < 0 {
			k += nOut
		}
		d := v - off
		if d < 0 {
			d += n
		}
		if k = k<<6 | d; k < best {
			best, iv = k, ip<<s.vs|v
		}
	}
	return iv, best != noKey
}

// grantSwitch sends the front flit of an input VC.
func (s *Sim) grantSwitch(iv, in0, out0, nIn, nOut int32) {
	ip, v := iv>>s.vs, iv&(1<<s.vs-1)
	st := &s.vc[iv]
	op := st.op
	p, o := &s.in[ip], &s.out[op]
	if p.saPtr = uint16(op - out0 + 1); int32(p.saPtr) >= nOut {
		p.saPtr = 0
	}
	if o.saPtr = uint16(ip - in0 + 1); int32(o.saPtr) >= nIn {
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
	switch {
	case f&tailBit != 0:
		s.clearReady(iv)
		s.nextPacket(iv, st)
	case st.n == 0 || o.full>>st.ovc&1 != 0:
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
