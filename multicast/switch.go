package multicast

import "math/bits"

// arrive puts a packet into a buffer.
func (s *Sim) arrive(i, p int32) {
	in := &s.in[i]
	in.queue = append(in.queue, p)
	s.occupy(i, s.packet[p].size)
	if len(in.queue) == 1 {
		s.front(i)
	}
}

// front makes the copies of the packet at the front of a buffer.
func (s *Sim) front(i int32) {
	in, t := &s.in[i], s.f.tie(i)
	p := s.packet[in.queue[0]]
	in.copies, in.done = in.copies[:0], 0
	wait := int64(s.cfg.RouteCycles)
	switch p.kind {
	case KindGroup, KindDelete:
		e := s.lookup(t.Switch, p.id)
		if e == nil {
			s.Count.Missed++ // dropped
			break
		}
		e.used = s.now
		for rest := e.ports &^ (1 << t.Port); rest != 0; rest &= rest - 1 {
			s.copy(i, uint8(bits.TrailingZeros64(uint64(rest))), p)
		}
		if p.kind == KindDelete {
			delete(s.tables[t.Switch], p.id)
		}
	case KindHeads:
		wait += int64(len(p.heads)) - 1 // all heads are read before the packet is split
		s.split(i, p)
	default:
		if p.kind == KindCreate {
			s.install(t.Switch, p.id, p.lists[p.pos])
		}
		if int(p.pos) < len(p.route) {
			port := p.route[p.pos]
			p.pos++
			s.copy(i, port, p)
		}
	}
	if in.left = len(in.copies); in.left == 0 {
		s.moved = s.now
		s.file(wait+int64(p.size), event{leaves, i, 0}) // it ends here
		return
	}
	s.file(wait, event{bids, i, 0})
}

// copy makes a copy for an output; the packet leaves its buffer when all have gone.
func (s *Sim) copy(i int32, port uint8, p packet) {
	s.in[i].copies = append(s.in[i].copies, copied{port, s.hold(p)})
}

// split copies a multi-head packet to the outputs that its heads name, each with its heads.
func (s *Sim) split(i int32, p packet) {
	data := p.size - int32(len(p.heads))
	var ports Ports
	for _, h := range p.heads {
		ports |= 1 << h.route[p.pos]
	}
	for ; ports != 0; ports &= ports - 1 {
		port := uint8(bits.TrailingZeros64(uint64(ports)))
		part := p
		part.heads = nil
		for _, h := range p.heads {
			if h.route[p.pos] == port {
				part.heads = append(part.heads, h)
			}
		}
		part.pos++
		part.size = data + int32(len(part.heads))
		s.copy(i, port, part)
	}
}

// ask lets an input ask for an output of its switch.
func (s *Sim) ask(i int32, port uint8) {
	t := s.f.tie(i)
	o := s.f.start[t.Switch] + int32(port)
	s.out[o].asks |= 1 << t.Port
	s.list(o)
}

// serve grants an output to the next input that asks for it, if it is free and there is room for the
// whole copy behind it. Who has no room for its packet is passed over.
func (s *Sim) serve(o int32) {
	out := &s.out[o]
	if out.free > s.now {
		return
	}
	if int(o) >= len(s.f.to) {
		s.inject(o)
		return
	}
	first := s.f.start[s.f.tie(o).Switch]
	end := s.f.to[o].Switch < 0 // endpoints take what comes
	turned := bits.RotateLeft64(uint64(out.asks), -int(out.last)-1)
	for ; turned != 0; turned &= turned - 1 {
		port := (bits.TrailingZeros64(turned) + int(out.last) + 1) % 64
		in := &s.in[first+int32(port)]
		p := in.copyFor(uint8(o - first))
		size := s.packet[p].size
		if !end && out.credit < size {
			continue
		}
		out.asks &^= 1 << port
		out.last = uint8(port)
		s.send(o, p, size)
		in.done = max(in.done, s.now+int64(size))
		if in.left--; in.left == 0 {
			s.file(in.done-s.now, event{leaves, first + int32(port), 0})
		}
		return
	}
}

func (in *input) copyFor(port uint8) int32 {
	for _, c := range in.copies {
		if c.port == port {
			return c.packet
		}
	}
	panic("multicast: an input asks for an output without a copy for it")
}

// send puts a packet onto the link of an output.
func (s *Sim) send(o, p, size int32) {
	out := &s.out[o]
	out.free = s.now + int64(size)
	out.flits += int64(size)
	s.moved = s.now
	to := s.f.to[o]
	if to.Switch < 0 {
		s.file(int64(s.cfg.LinkCycles)+int64(size)-1, event{delivers, to.endpoint, p})
		return
	}
	out.credit -= size
	s.file(int64(s.cfg.LinkCycles), event{arrives, s.f.index(to.Tie), p})
}

// inject sends the next packet of an endpoint's queue, if there is room for it.
func (s *Sim) inject(o int32) {
	out, e := &s.out[o], int(o)-len(s.f.to)
	p := s.source[e][0]
	size := s.packet[p].size
	if out.credit < size {
		return
	}
	if s.source[e] = s.source[e][1:]; len(s.source[e]) == 0 {
		out.asks = 0
	}
	out.free, out.credit, s.moved = s.now+int64(size), out.credit-size, s.now
	s.file(int64(s.cfg.InjectCycles), event{arrives, s.f.index(s.f.at[e]), p})
}

// leave frees the buffer of the packet at its front.
func (s *Sim) leave(i int32) {
	in := &s.in[i]
	p := in.queue[0]
	in.queue = in.queue[1:]
	size := s.packet[p].size
	s.occupy(i, -size)
	s.release(p)
	before := s.f.to[i] // a link's two ways have the same ends
	o := int32(len(s.f.to)) + before.endpoint
	if before.Switch >= 0 {
		o = s.f.index(before.Tie)
	}
	s.file(int64(s.cfg.CreditCycles), event{frees, o, size})
	if len(in.queue) > 0 {
		s.front(i)
	}
}
