package flit

import "math/bits"

// routeLosers asks the routing anew where the heads go that have just asked for a VC in vain: all that still wait at a switch.
func (s *Sim) routeLosers(d *dims) {
	if s.escape == nil {
		return
	}
	for w, m := range s.waitW[d.word : d.word+d.words] {
		for ; m != 0; m &= m - 1 {
			s.routeLoser(d.in0<<(s.vs&31) + int32(w<<6+bits.TrailingZeros64(m)))
		}
	}
}

// routeLoser is routeLosers for one head.
func (s *Sim) routeLoser(iv int32) {
	st := &s.vc[iv]
	if s.out[st.op].down >= s.nIn {
		return // it has arrived
	}
	ip := iv >> (s.vs & 31)
	h := s.escape.again(s.in[ip].sw, &s.packet(int32(s.front(iv)>>2)).Packet, &s.view)
	if int(h.Hi) >= s.vcs || h.Lo > h.Hi {
		s.badVCs(h.Lo, h.Hi)
	}
	c := newChoice(s.in[ip].out0, h)
	s.setRoute(iv, st, &c)
}
