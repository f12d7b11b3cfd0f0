package flit

import "math/bits"

// allocLean is the separable input-first allocation of output VCs: each head picks a free VC of its
// range, each VC picks one of the heads that chose it. Only a completed match moves the pointers of
// both. Heads that ask are in the lists of the outputs in lane.asked; those that lose are put there again, and those that
// were routed in this step.
func (s *Sim) allocLean(l *lane) {
	if s.alts != nil {
		s.allocAlts(l)
	} else {
		s.allocHeads(l)
	}
	for _, iv := range l.routed {
		s.askLean(l, s.vc[iv].op, iv)
	}
	l.routed = l.routed[:0]
}

// allocEarly is allocLean where routings do not see the lists: then it comes before heads are routed, which so go straight
// into the lists for the next step.
func (s *Sim) allocEarly(l *lane) {
	if s.blind {
		s.allocLean(l)
	}
}

// allocHeads is allocLean where heads have a single choice.
func (s *Sim) allocHeads(l *lane) {
	list := l.asked
	l.asked = l.askedNext[:0]
	l.askedNext = list
	shift := s.vs & 31
	vcs := int32(1) << shift
	outs, sts, ovs := s.out, s.vc, s.ov
	for _, op := range list {
		o := &outs[op]
		iv := o.heads
		o.heads = -1
		st := &sts[iv]
		if st.next >= 0 {
			s.rivalsLean(l, op, o, iv)
			continue
		}
		free := ^o.inUse & (uint32(2<<(st.hi&31)-1) &^ uint32(1<<(st.lo&31)-1))
		if free == 0 {
			st.next = o.asleep
			o.asleep = iv
			continue
		}
		first := op << shift
		v := afterVC(free, st.vaPtr-first, vcs)
		o.inUse |= 1 << (v & 31)
		ovs[first+v].last = iv
		st.vaPtr = first + v + 1
		st.ovc, st.state = uint8(v), vcActive
		if o.full>>(v&31)&1 == 0 {
			l.granted = append(l.granted, iv)
		}
	}
}

// rivalsLean allocates VCs of an output that several heads want.
func (s *Sim) rivalsLean(l *lane, op int32, o *outPort, heads int32) {
	shift := s.vs & 31
	first := op << shift
	ovs := s.ov[first : first+1<<shift]
	var best [MaxVCs]int32
	chosen := uint32(0)
	for iv := heads; iv >= 0; {
		st := &s.vc[iv]
		next := st.next
		free := ^o.inUse & rangeMask(st.lo, st.hi)
		if free == 0 {
			st.next, o.asleep = o.asleep, iv
			iv = next
			continue
		}
		v := afterVC(free, st.vaPtr-first, 1<<shift)
		lost := iv
		if chosen>>(v&31)&1 == 0 {
			chosen |= 1 << (v & 31)
			best[v], lost = iv, -1
		} else if ptr := ovs[v].last + 1; uint32(iv-ptr) < uint32(best[v]-ptr) {
			best[v], lost = iv, best[v]
		}
		if lost >= 0 {
			s.askLean(l, op, lost)
		}
		iv = next
	}
	for ; chosen != 0; chosen &= chosen - 1 {
		v := int32(bits.TrailingZeros32(chosen))
		s.grantVCLean(l, best[v], op, v)
	}
}

// askLean lets a head ask for a VC of an output in the next step.
func (s *Sim) askLean(l *lane, op, iv int32) {
	o := &s.out[op]
	if o.heads < 0 {
		l.asked = append(l.asked, op)
	}
	s.vc[iv].next, o.heads = o.heads, iv
}

// grantVCLean gives an output VC to the head of an input VC: from the next cycle on it bids, and
// nobody else can fill the VC till then.
func (s *Sim) grantVCLean(l *lane, iv, op, v int32) {
	st, o, ov := &s.vc[iv], &s.out[op], op<<(s.vs&31)+v
	o.inUse |= 1 << (v & 31)
	s.ov[ov].last = iv
	st.op, st.vaPtr = op, ov+1
	st.ovc, st.state = uint8(v), vcActive
	if o.full>>(v&31)&1 == 0 {
		l.granted = append(l.granted, iv)
	}
}

// allocAlts is allocHeads where heads may have a second choice, whose VCs others choose, too. Such
// heads do not sleep: they ask in every cycle.
func (s *Sim) allocAlts(l *lane) {
	list := l.asked
	s.forgetAsked(l.askedNext)
	l.asked = l.askedNext[:0]
	l.askedNext = list
	if s.bidFor == nil {
		s.bidFor = make([]int32, len(s.ov)) // input VC + 1; 0: none
	}
	shift := s.vs & 31
	touched, losers := s.scratch.touched[:0], s.scratch.losers[:0]
	for _, op := range list {
		iv := s.out[op].heads
		s.out[op].heads = -1
		for iv >= 0 {
			st := &s.vc[iv]
			next := st.next
			lost := iv
			s.noteAsked(op, iv)
			if o := s.chooseVC(iv); o >= 0 {
				b := &s.bidFor[o]
				if *b == 0 {
					touched = append(touched, o)
					*b, lost = iv+1, -1
				} else if ptr := s.ov[o].last + 1; uint32(iv-ptr) < uint32(*b-1-ptr) {
					*b, lost = iv+1, *b-1
				}
			}
			if lost >= 0 {
				losers = append(losers, lost)
			}
			iv = next
		}
	}
	for _, iv := range losers {
		if s.escape != nil {
			s.routeLoser(iv)
		}
		s.askLean(l, s.vc[iv].op, iv)
	}
	for _, o := range touched {
		s.grantVCLean(l, s.bidFor[o]-1, o>>shift, o&s.vmask)
		s.bidFor[o] = 0
	}
	s.scratch.touched, s.scratch.losers = touched, losers
}
