package simcore

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

// sendLean accounts for a flit that has been granted the switch, puts it on its line, and returns
// the credit of the slot that it leaves.
func (s *Sim) sendLean(p *inPort, o *outPort, op, iv int32, st *vcState, f uint32) {
	shift, v := s.vs&31, int32(st.ovc)
	bit := uint32(1) << (v & 31)
	x := &s.ov[op<<shift|v]
	o.used++
	x.occ++
	if x.occ >= s.depth {
		o.full |= bit
	}
	if f&tailBit != 0 {
		x.owner = -1
		o.inUse &^= bit
		if o.asleep >= 0 {
			s.wake(o)
		}
	}
	if s.sent != nil {
		s.sent[op]++
	}
	at, to := s.now+Cycle(o.delay), o.down<<shift|v
	if o.far == 0 {
		b := &s.wheel[at&s.wheelMask]
		if b.flits == nil {
			b.flits = s.spare.takeFlits()
		}
		b.flits = append(b.flits, uint64(to)<<32|uint64(f))
	} else {
		s.flitFar(o.far-1, at, to, f)
	}
	at, to = s.now+Cycle(p.crDelay), p.up<<shift|iv&s.vmask
	if p.far == 0 {
		b := &s.wheel[at&s.wheelMask]
		if b.credits == nil {
			b.credits = s.spare.takeCredits()
		}
		b.credits = append(b.credits, to)
	} else {
		s.creditFar(p.far-1, at, to)
	}
}
