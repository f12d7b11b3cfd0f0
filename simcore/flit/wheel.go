package flit

import "toposearch/simcore"

// place is the bucket in which something arrives that leaves in a cycle.
func (s *Sim) place(now simcore.Cycle, l lag) int32 {
	return int32((now+l.delay())&s.wheelMask)<<(s.laneBits&31) | int32(l&0xff)
}

// due are the buckets of this cycle, by lane; the last is that of the endpoints.
func (s *Sim) due() []bucket {
	at := int(s.now&s.wheelMask) << s.laneBits
	return s.wheel[at : at+len(s.lanes)+1]
}

// launch puts a flit on a line.
func (s *Sim) launch(o *outPort, op int32, v uint8, f uint32) {
	if s.sent != nil {
		s.sent[op]++
	}
	if s.log != nil {
		s.log.note(op, s.now)
	}
	if s.slow != nil {
		if l := &s.slow[op]; l.num > 0 {
			l.free = max(l.free, int64(s.now)*l.num) + l.den
		}
	}
	iv := o.down<<(s.vs&31) | int32(v)
	if s.farOut != nil && s.farOut[op] != 0 {
		s.flitFar(s.farOut[op]-1, s.now, o.lag, iv, f)
		return
	}
	s.fileFlit(&s.wheel[s.place(s.now, o.lag)], flitAt(iv, f))
}

// flitAt is a flit and the input VC that it goes to, as buckets have it.
func flitAt(iv int32, f uint32) uint64 { return uint64(iv)<<32 | uint64(f) }

// fileFlit and fileCredit are small enough to be inlined: the call that makes room is rare.
func (s *Sim) fileFlit(b *bucket, e uint64) {
	if len(b.flits) == cap(b.flits) {
		s.spare.roomForFlits(b)
	}
	b.flits = append(b.flits, e)
}

// giveCredit returns the slot of a flit that leaves input VC v of port ip in this cycle.
func (s *Sim) giveCredit(ip, v int32) { s.creditLater(ip, v, s.now) }

// creditLater returns a slot by a credit that is sent in cycle at.
func (s *Sim) creditLater(ip, v int32, at simcore.Cycle) {
	p := &s.in[ip]
	if s.farIn != nil && s.farIn[ip] != 0 {
		s.creditFar(s.farIn[ip]-1, at, p.crLag, p.up<<(s.vs&31)|v)
		return
	}
	s.fileCredit(&s.wheel[s.place(at, p.crLag)], p.up<<(s.vs&31)|v)
}

func (s *Sim) fileCredit(b *bucket, ov int32) {
	if len(b.credits) == cap(b.credits) {
		s.spare.roomForCredits(b)
	}
	b.credits = append(b.credits, ov)
}

// post is what this part has for part o; two sets alternate, so that one is read while the other
// is filled.
func (s *Sim) post(o uint16) *outbox { return &s.outboxes[s.parity][o] }

func (s *Sim) flitFar(to uint16, now simcore.Cycle, l lag, iv int32, f uint32) {
	b := s.post(to)
	b.flits = append(b.flits, farFlit{s.place(now, l), iv, f})
}

func (s *Sim) creditFar(to uint16, now simcore.Cycle, l lag, ov int32) {
	b := s.post(to)
	b.credits = append(b.credits, farCredit{s.place(now, l), ov})
}
