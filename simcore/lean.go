package simcore

import "math/bits"

// The two paths that every flit takes at every switch, arrival and departure, for the commonest
// configuration (Sim.lean): no look-ahead, private buffers, lines of a flit per cycle, VCs free
// again with the tail. They do what arrive and grantSwitch do elsewhere, in one piece each, without
// calls in between; TestPlainAgreesWithGeneral and the slow twin hold them to it.

// arriveLean takes the flits that arrive in a cycle.
func (s *Sim) arriveLean(flits []uint64) {
	shift := s.vs & 31
	vcs := s.vc
	for _, e := range flits {
		iv, f := int32(e>>32), uint32(e)
		if uint(iv) >= uint(len(vcs)) { // the VCs of sinks have no buffers
			s.eject(iv, f)
			continue
		}
		st := &vcs[iv]
		at := int32(st.head) + int32(st.n)
		if at >= s.depth {
			at -= s.depth
		}
		st.n++
		if at < ringFlits {
			st.ring[at] = f
		} else {
			*s.slot(iv, st, at) = f
		}
		if st.state == vcIdle {
			s.routeLean(iv, st, f, &s.in[iv>>shift])
		} else if st.state == vcActive && st.n == 1 && s.out[st.op].full>>(st.ovc&31)&1 == 0 {
			s.setReady(iv)
		}
	}
}

// routeLean is routeHead.
func (s *Sim) routeLean(iv int32, st *vcState, f uint32, in *inPort) {
	p := &s.pages[f>>2>>pageBits].packet[f>>2&pageMask]
	v := iv & s.vmask
	p.VC = uint8(v)
	h := s.routePort(in.sw, p, &s.view)
	p.Hops++
	if int(h.Hi) >= s.vcs || h.Lo > h.Hi {
		s.badVCs(h.Lo, h.Hi)
	}
	first := s.dims[in.sw].out0
	st.op, st.lo, st.hi, st.state = first+h.Port, h.Lo, h.Hi, vcWaiting
	if h.HasAlt || s.alts != nil {
		a := route{op: -1}
		if h.HasAlt {
			a = route{first + h.AltPort, h.AltLo, h.AltHi}
		}
		s.setAlt(iv, a)
	}
	s.active[in.sw>>6] |= 1 << (in.sw & 63)
	s.waitNew[in.word] |= 1 << ((int32(in.bit) + v) & 63)
}

// switchLean is allocVCs, allocSwitch and settle; false: the switch has no more to do.
func (s *Sim) switchLean(d *dims) bool {
	if s.alts == nil && !s.cfg.VCBusyWhenFull {
		s.allocVCsLean(d)
	} else {
		s.allocVCs(d)
	}
	if m := s.readyW[d.word]; d.words > 1 || m&(m-1) != 0 {
		s.allocSwitch(d)
	} else if m != 0 {
		s.grantLean(d.in0<<(s.vs&31)+int32(bits.TrailingZeros64(m)), d)
	}
	any := uint64(0)
	for k := d.word; k < d.word+d.words; k++ {
		ready, wait := s.readyW[k]|s.readyNew[k], s.waitW[k]|s.waitNew[k]
		s.readyW[k], s.waitW[k], s.readyNew[k], s.waitNew[k] = ready, wait, 0, 0
		any |= ready | wait
	}
	return any != 0
}

// allocVCsLean is allocVCs, with chooseVC and grantVC in it.
func (s *Sim) allocVCsLean(d *dims) {
	waiting, ready := s.waitW[d.word:d.word+d.words], s.readyNew[d.word:d.word+d.words]
	if len(waiting) == 1 && waiting[0] == 0 {
		return
	}
	shift, vmask, vcs := s.vs&31, s.vmask, int32(s.vcs)
	first := d.in0 << shift
	c := &s.scratch
	touched := c.touched[:0]
	best := c.best
	ovs := s.ov[d.out0<<shift : (d.out0+d.nOut)<<shift]
	outs := s.out[d.out0 : d.out0+d.nOut]
	sts := s.vc[first : first+d.nIn<<shift]
	for w, m := range waiting {
		for ; m != 0; m &= m - 1 {
			local := int32(w<<6 + bits.TrailingZeros64(m))
			st := &sts[local]
			op := st.op - d.out0
			free := ^outs[op].inUse & (uint32(2<<(st.hi&31)-1) &^ uint32(1<<(st.lo&31)-1))
			if free == 0 {
				s.sleep(first + local)
				continue
			}
			p := st.vaPtr - op*vcs
			after := free >> (p & 31) << (p & 31)
			if uint32(p) >= uint32(vcs) {
				after = 0
			}
			if after == 0 {
				after = free
			}
			o := op<<shift | int32(bits.TrailingZeros32(after))
			k := local>>shift*vcs + local&vmask - ovs[o].ptr
			k += k >> 31 & (d.nIn * vcs) // if negative
			b := &best[o]
			if b.key == noKey {
				touched = append(touched, o)
			}
			if k < b.key {
				b.key, b.in = k, local
			}
		}
	}
	for _, o := range touched {
		b := &best[o]
		b.key = noKey
		local := b.in
		st, x, po, ovc := &sts[local], &ovs[o], o>>shift, o&vmask
		outs[po].inUse |= 1 << (ovc & 31)
		x.owner = first + local
		ptr := po*vcs + ovc + 1
		if ptr >= d.nOut*vcs {
			ptr = 0
		}
		st.vaPtr = ptr
		if ptr = local>>shift*vcs + local&vmask + 1; ptr >= d.nIn*vcs {
			ptr = 0
		}
		x.ptr = ptr
		st.ovc, st.state = uint8(ovc), vcActive
		bit := uint64(1) << (local & 63)
		waiting[local>>6] &^= bit
		ready[local>>6] |= bit &^ (uint64(outs[po].full>>(ovc&31)&1) << (local & 63))
	}
	c.touched = touched
}

// grantLean sends the front flit of an input VC that has been granted the switch, and returns the
// credit of the slot that it leaves.
func (s *Sim) grantLean(iv int32, d *dims) {
	shift := s.vs & 31
	ip, vin := iv>>shift, iv&s.vmask
	st, p := &s.vc[iv], &s.in[ip]
	op, vout := st.op, int32(st.ovc)
	o, x := &s.out[op], &s.ov[op<<shift|vout]
	out, in, off := op-d.out0+1, ip-d.in0+1, vin+1
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
	s.stat.flitHops++
	s.moved = s.now
	if s.sent != nil {
		s.sent[op]++
	}
	at, to := s.now+Cycle(o.delay), o.down<<shift|vout
	if o.far == 0 {
		b := &s.wheel[at&s.wheelMask]
		if b.flits == nil {
			b.flits = s.spare.takeFlits()
		}
		b.flits = append(b.flits, uint64(to)<<32|uint64(f))
	} else {
		s.flitFar(o.far-1, at, to, f)
	}
	at, to = s.now+Cycle(p.crDelay), p.up<<shift|vin
	if p.far == 0 {
		b := &s.wheel[at&s.wheelMask]
		if b.credits == nil {
			b.credits = s.spare.takeCredits()
		}
		b.credits = append(b.credits, to)
	} else {
		s.creditFar(p.far-1, at, to)
	}
	bit := uint32(1) << (vout & 31)
	o.used++
	x.occ++
	if x.occ >= s.depth {
		o.full |= bit
	}
	if f&tailBit != 0 {
		s.readyW[p.word] &^= 1 << ((int32(p.bit) + vin) & 63)
		x.owner = -1
		o.inUse &^= bit
		if o.asleep >= 0 {
			s.wake(o)
		}
		if st.state = vcIdle; st.n > 0 {
			st.state = vcRouting
			s.routeNext = append(s.routeNext, iv)
		}
	} else if st.n == 0 || o.full&bit != 0 {
		s.readyW[p.word] &^= 1 << ((int32(p.bit) + vin) & 63)
	}
}
