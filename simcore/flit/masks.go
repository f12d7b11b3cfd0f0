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

// later files an input VC into a ring of lists: it is taken out at the end of the cycle that lies
// as many cycles ahead as the ring is long, less one.
func (s *Sim) later(ring [][]int32, iv int32) {
	k := 0
	if n := len(ring); n > 1 {
		k = int((int64(s.now) + int64(n) - 1) % int64(n))
	}
	ring[k] = append(ring[k], iv)
}

func (s *Sim) takeOut(ring [][]int32) *[]int32 {
	if n := len(ring); n > 1 {
		return &ring[int64(s.now)%int64(n)]
	}
	return &ring[0]
}

// settle lets what was decided in this cycle take effect in the next.
func (s *Sim) settle(d *dims) {
	for k := d.word; k < d.word+d.words; k++ {
		s.readyW[k] |= s.readyNew[k]
		s.waitW[k] |= s.waitNew[k]
		s.readyNew[k], s.waitNew[k] = 0, 0
	}
}

func (s *Sim) dropIfIdle(sw int) {
	var any uint64
	d := &s.dims[sw]
	for k := d.word; k < d.word+d.words; k++ {
		any |= s.readyW[k] | s.waitW[k]
	}
	if any == 0 {
		s.active[sw>>6] &^= 1 << (sw & 63)
	}
}

// endOfStep starts what was decided in this step and takes effect in the next.
func (s *Sim) endOfStep() {
	l := s.takeOut(s.waitAt)
	for _, iv := range *l {
		s.setWait(iv)
	}
	*l = (*l)[:0]
	l = s.takeOut(s.readyAt)
	for _, iv := range *l {
		s.activate(iv)
	}
	*l = (*l)[:0]
}

// activate lets a VC bid for the switch. It has room at the next buffer or is woken by a credit.
func (s *Sim) activate(iv int32) {
	st := &s.vc[iv]
	if st.state != vcGranted {
		return // its speculative bid was successful
	}
	st.state = vcActive
	if s.out[st.op].full>>(st.ovc&31)&1 == 0 {
		s.setReady(iv)
	}
}
