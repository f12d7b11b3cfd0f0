package flit

import "math/bits"

// What a routing that decides anew sees waiting for a channel (View.Waiting) are the heads that asked for it when VCs were last
// allocated: heads are asked anew one after the other, and what they then want must not depend on the order.

// noteAsked counts a head that asks for a VC of an output; whoever begins to count calls forgetAsked first.
func (s *Sim) noteAsked(op, iv int32) {
	if s.asked != nil {
		s.asked[op] += int32(s.packet(int32(s.front(iv) >> 2)).size)
	}
}

// forgetAsked forgets what was counted at some outputs.
func (s *Sim) forgetAsked(ops []int32) {
	if s.asked == nil {
		return
	}
	for _, op := range ops {
		s.asked[op] = 0
	}
}

// forgetAllAsked is forgetAsked of the outputs of all switches, before they allocate in a step.
func (s *Sim) forgetAllAsked() {
	s.forgetAsked(s.askedAt)
	s.askedAt = s.askedAt[:0]
}

// noteAllAsked is noteAsked of all heads that wait at a switch.
func (s *Sim) noteAllAsked(d *dims) {
	if s.asked == nil {
		return
	}
	for w, m := range s.waitW[d.word : d.word+d.words] {
		for ; m != 0; m &= m - 1 {
			iv := d.in0<<(s.vs&31) + int32(w<<6+bits.TrailingZeros64(m))
			op := s.vc[iv].op
			s.askedAt = append(s.askedAt, op)
			s.noteAsked(op, iv)
		}
	}
}

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
