package flit

// slot is a place in the ring of an input VC.
func (s *Sim) slot(iv int32, st *vcState, at int32) *uint32 {
	if at < ringFlits {
		return &st.ring[at]
	}
	return &s.buf[int(iv)*int(s.deep)+int(at-ringFlits)]
}

// front is the first flit of an input VC.
func (s *Sim) front(iv int32) uint32 {
	st := &s.vc[iv]
	return *s.slot(iv, st, int32(st.head))
}

// owner is the input VC whose packet holds an output VC, -1 if none does.
func (s *Sim) owner(o *outPort, op, v int32) int32 {
	if o.inUse>>(v&31)&1 == 0 || s.tailSent != nil && s.tailSent[op]>>(v&31)&1 != 0 {
		return -1
	}
	return s.ov[op<<(s.vs&31)|v].last
}

// used is the congestion of an output port: flits and credits in flight and flits in the next buffer.
func (s *Sim) used(op int32) int {
	if s.failing != nil && s.failing.dead[s.out[op].down] { // a switch knows its own ports
		return s.vcs * int(s.depth)
	}
	n := 0
	ov := s.ov[op<<(s.vs&31) : (op+1)<<(s.vs&31)]
	for i := range ov { // occ alone: owners change while others read this
		n += int(ov[i].occ)
	}
	return n
}
