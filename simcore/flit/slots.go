package flit

// credit takes a credit for an output VC.
func (s *Sim) credit(ov int32) {
	op, v := ov>>(s.vs&31), ov&s.vmask
	o, x := &s.out[op], &s.ov[ov]
	x.occ--
	if s.common != nil {
		s.giveShared(o, op, x)
	}
	bit := uint32(1) << (v & 31)
	if o.full&bit != 0 {
		s.hasRoomAgain(o, op, v)
	}
	if s.tailSent != nil && s.tailSent[op]&bit != 0 && x.occ == 0 {
		s.tailSent[op] &^= bit
		o.inUse &^= bit
		s.wake(o)
	}
}

// canSend reports whether a line of less than a flit per cycle is free in this cycle.
func (s *Sim) canSend(op int32) bool {
	l := &s.slow[op]
	return l.num == 0 || l.free < int64(s.now+1)*l.num
}

// send takes a slot of the next buffer and puts a flit on the line of an output port: it arrives
// some cycles later.
func (s *Sim) send(o *outPort, op int32, v uint8, f uint32) {
	s.takeSlot(o, op, v, f)
	s.launch(o, op, v, f)
}

// takeSlot accounts for a flit that has been granted the switch.
func (s *Sim) takeSlot(o *outPort, op int32, v uint8, f uint32) {
	x := &s.ov[op<<(s.vs&31)|int32(v)]
	x.occ++
	if s.common != nil {
		s.takeShared(o, op, v, x)
	} else if x.occ >= s.depth {
		o.full |= 1 << (v & 31)
	}
	if f&tailBit != 0 {
		if s.tailSent != nil {
			s.tailSent[op] |= 1 << (v & 31)
		} else {
			o.inUse &^= 1 << (v & 31)
			if o.asleep >= 0 {
				s.wake(o)
			}
		}
	}
	if f&headBit != 0 && s.cfg.RoutingDelay == 0 && o.down < s.nIn {
		p := s.packet(int32(f >> 2))
		p.VC = v
		if s.cfg.RouteAtInjection && op >= s.nOut {
			s.routeAt(s.in[o.down].sw, p, s.routedAt(int32(f>>2)))
			return
		}
		s.ahead = append(s.ahead, int32(f>>2))
		s.aheadAt = append(s.aheadAt, s.in[o.down].sw)
	}
}

// Shared buffers: each VC of an input port has private slots, and the VCs share the rest. The sender
// keeps the account from its credits, as for private buffers: what a VC holds beyond its own slots
// stands in the shared ones, so that no message has to say which slot has been freed.

// takeShared accounts for a slot that VC v has just taken.
func (s *Sim) takeShared(o *outPort, op int32, v uint8, x *ovState) {
	if x.occ <= s.private {
		if x.occ == s.private && s.common[op] >= int32(s.cfg.SharedFlits) {
			o.full |= 1 << (v & 31)
		}
		return
	}
	if s.common[op]++; s.common[op] < int32(s.cfg.SharedFlits) {
		return
	}
	for w := range int32(s.vcs) {
		x := &s.ov[op<<(s.vs&31)|w]
		if x.occ < s.private {
			continue
		}
		o.full |= 1 << (w & 31)
		if iv := s.owner(o, op, w); iv >= 0 { // a VC that bids has room
			s.clearReady(iv)
		}
	}
}

// giveShared accounts for a slot that a VC has just given back. A shared one is room for all.
func (s *Sim) giveShared(o *outPort, op int32, x *ovState) {
	if x.occ < s.private {
		return
	}
	s.common[op]--
	for w := range int32(s.vcs) {
		if o.full>>(w&31)&1 != 0 {
			s.hasRoomAgain(o, op, w)
		}
	}
}

// isFull works out from the numbers, for checks, what the mask of a port has to say of a VC.
func (s *Sim) isFull(op, v int32) bool {
	occ := s.ov[op<<s.vs|v].occ
	if s.common == nil {
		return occ >= s.depth
	}
	return occ >= s.private && s.common[op] >= int32(s.cfg.SharedFlits)
}

// shared counts the slots of a port that stand in its shared part.
func (s *Sim) shared(op int32) int32 {
	n := int32(0)
	for v := range int32(s.vcs) {
		n += max(0, s.ov[op<<s.vs|v].occ-s.private)
	}
	return n
}

// hasRoomAgain lets the packet that owns an output VC bid again.
func (s *Sim) hasRoomAgain(o *outPort, op, v int32) {
	o.full &^= 1 << (v & 31)
	if iv := s.owner(o, op, v); iv >= 0 {
		if st := &s.vc[iv]; st.state == vcActive && st.n > 0 {
			s.setReady(iv)
		}
	}
}
