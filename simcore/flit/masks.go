package flit

// bit is where an input VC stands in the words of its switch, which is made active.
func (s *Sim) bit(iv int32) (word int32, bit uint64) {
	p := &s.in[iv>>(s.vs&31)]
	s.active[p.sw>>6] |= 1 << (p.sw & 63)
	return p.word, 1 << ((int32(p.bit) + iv&s.vmask) & 63)
}

func (s *Sim) setReady(iv int32) {
	w, b := s.bit(iv)
	s.readyW[w] |= b
}

func (s *Sim) clearReady(iv int32) {
	p := &s.in[iv>>(s.vs&31)]
	s.readyW[p.word] &^= 1 << ((int32(p.bit) + iv&s.vmask) & 63)
}

func (s *Sim) setWait(iv int32) {
	w, b := s.bit(iv)
	s.waitW[w] |= b
	s.vc[iv].state = vcWaiting
}

// waitNext lets a head wait from the next cycle on.
func (s *Sim) waitNext(iv int32) {
	if !s.quick {
		s.vc[iv].state = vcRouting
		s.later(s.waitAt, iv)
		return
	}
	w, b := s.bit(iv)
	s.waitNew[w] |= b
	s.vc[iv].state = vcWaiting
}

// sleep takes a head that finds no free VC out of the allocation until one is freed. Heads with a
// second choice, or that also wait for credits, have to ask again in every cycle.
func (s *Sim) sleep(iv int32) {
	if s.alts != nil || s.cfg.VCBusyWhenFull {
		return
	}
	o := &s.out[s.vc[iv].op]
	s.clearWait(iv)
	s.vc[iv].next, o.asleep = o.asleep, iv
}

// wake lets the heads that sleep at an output ask again.
func (s *Sim) wake(o *outPort) {
	for iv := o.asleep; iv >= 0; iv = s.vc[iv].next {
		s.setWait(iv)
	}
	o.asleep = -1
}

func (s *Sim) clearWait(iv int32) {
	p := &s.in[iv>>(s.vs&31)]
	s.waitW[p.word] &^= 1 << ((int32(p.bit) + iv&s.vmask) & 63)
}
