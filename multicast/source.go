package multicast

// queue puts a packet at the end of its source's queue.
func (s *Sim) queue(p packet) {
	p.born = s.now
	switch {
	case p.kind == KindHeads:
		s.Count.Heads[KindHead]++
		s.Count.Heads[KindHeads] += int64(len(p.heads)) - 1
	case p.kind != KindUnicast || p.message >= 0:
		s.Count.Heads[p.kind]++
	}
	e := p.src
	s.source[e] = append(s.source[e], s.hold(p))
	o := int32(len(s.f.to)) + e
	s.out[o].asks = 1
	s.list(o)
}

// after lets an endpoint act when its software has.
func (s *Sim) after(f func()) {
	if s.cfg.SoftwareCycles == 0 {
		f()
		return
	}
	s.calls = append(s.calls, f)
	s.due++
	s.file(int64(s.cfg.SoftwareCycles), event{calls, int32(len(s.calls) - 1), 0})
}

// draw makes the packets of the background that are due.
func (s *Sim) draw() {
	n := int64(s.f.Endpoints())
	for s.cfg.Load > 0 && s.next < (s.now+1)*n {
		src := int(s.next % n)
		dst := s.background.IntN(int(n) - 1)
		if dst >= src {
			dst++
		}
		s.queue(packet{kind: KindUnicast, src: int32(src), dst: int32(dst), size: int32(s.cfg.Flits), route: s.r.Route(nil, src, dst), message: -1})
		s.offered++
		s.next += s.gap()
	}
}
