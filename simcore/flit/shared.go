package flit

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

// isFull tells from the numbers, for checks, what the mask of a port has to say of a VC.
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
