package simcore

// bucket is what arrives in one cycle.
type bucket struct {
	flits   []uint64 // input VC << 32 | flit
	credits []int32  // output VCs
}

// spares are the arrays of buckets that have been emptied, the last used first: few arrays, and
// those in cache, serve a wheel of any size. Arrays smaller than the largest that was needed are
// replaced once, so that growth ends.
type spares struct {
	flits                  [][]uint64
	credits                [][]int32
	mostFlits, mostCredits int
}

func (p *spares) giveBack(b *bucket) {
	if b.flits != nil {
		p.flits = append(p.flits, b.flits[:0])
		p.mostFlits = max(p.mostFlits, cap(b.flits))
		b.flits = nil
	}
	if b.credits != nil {
		p.credits = append(p.credits, b.credits[:0])
		p.mostCredits = max(p.mostCredits, cap(b.credits))
		b.credits = nil
	}
}

func (p *spares) takeFlits() []uint64 {
	if n := len(p.flits); n > 0 {
		b := p.flits[n-1]
		p.flits = p.flits[:n-1]
		if cap(b) >= p.mostFlits {
			return b
		}
	}
	return make([]uint64, 0, max(64, p.mostFlits))
}

func (p *spares) takeCredits() []int32 {
	if n := len(p.credits); n > 0 {
		b := p.credits[n-1]
		p.credits = p.credits[:n-1]
		if cap(b) >= p.mostCredits {
			return b
		}
	}
	return make([]int32, 0, max(64, p.mostCredits))
}

// launch puts a flit on a line.
func (s *Sim) launch(o *outPort, op int32, v uint8, f uint32, delay Cycle) {
	if s.sent != nil {
		s.sent[op]++
	}
	if s.slow != nil {
		if l := &s.slow[op]; l.num > 0 {
			l.free = max(l.free, int64(s.now)*l.num) + l.den
		}
	}
	at, iv := s.now+delay, o.down<<(s.vs&31)|int32(v)
	if o.far != 0 {
		s.flitFar(o.far-1, at, iv, f)
		return
	}
	s.fileFlit(&s.wheel[at&s.wheelMask], iv, f)
}

func (s *Sim) fileFlit(b *bucket, iv int32, f uint32) {
	if b.flits == nil {
		b.flits = s.spare.takeFlits()
	}
	b.flits = append(b.flits, uint64(iv)<<32|uint64(f))
}

// giveCredit returns the slot of a flit that leaves input VC v of a port in this cycle.
func (s *Sim) giveCredit(p *inPort, v int32) { s.creditLater(p, v, s.now) }

// creditLater returns a slot by a credit that is sent in cycle at.
func (s *Sim) creditLater(p *inPort, v int32, at Cycle) {
	at += Cycle(p.crDelay)
	if p.far != 0 {
		s.creditFar(p.far-1, at, p.up<<(s.vs&31)|v)
		return
	}
	s.fileCredit(&s.wheel[at&s.wheelMask], p.up<<(s.vs&31)|v)
}

func (s *Sim) fileCredit(b *bucket, ov int32) {
	if b.credits == nil {
		b.credits = s.spare.takeCredits()
	}
	b.credits = append(b.credits, ov)
}
