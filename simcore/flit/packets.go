package flit

// packet with a number.
func (s *Sim) packet(i int32) *packet {
	return &s.pages[uint32(i)>>pageBits].packet[i&pageMask]
}

// routedAt is where the route of a packet at its next switch stands.
func (s *Sim) routedAt(i int32) *choice {
	return &s.pool.more[uint32(i)>>pageBits].routed[i&pageMask]
}

// newPacket takes a packet from the free list.
func (s *Sim) newPacket() int32 {
	s.live++
	if i := s.free; i >= 0 {
		s.free = s.packet(i).next
		return i
	}
	if s.fresh == s.freshEnd {
		s.takePage()
	}
	s.fresh++
	return s.fresh - 1
}

// takePage provides fresh packets. Pages stay in the table over a Reset.
func (s *Sim) takePage() {
	k := s.pool.used.Add(1) - 1
	if k >= s.mostPages {
		s.outOfPages(k)
	}
	s.pool.owner[k] = s.me
	pg := s.pages[k]
	if pg == nil {
		if len(s.slab) == 0 {
			s.slab = inHugePages(make([]packetPage, min(k+1, slabPages)))
		}
		pg = &s.slab[0]
		s.slab = s.slab[1:]
		if s.cfg.RoutingDelay == 0 {
			s.pool.more[k].routed = make([]choice, 1<<pageBits)
		}
		s.pages[k] = pg
	}
	clear(pg.packet[:])
	s.fresh, s.freshEnd = k<<pageBits, (k+1)<<pageBits
}

// discard returns a packet to the part that it came from.
func (s *Sim) discard(i int32) {
	s.live--
	p := s.packet(i)
	p.size = 0
	if s.parts != nil {
		if o := s.pool.owner[i>>pageBits]; o != s.me {
			s.post(o).freed = append(s.post(o).freed, i)
			return
		}
	}
	p.next = s.free
	s.free = i
}

// mostPackets is a bound on the packets that exist at a time: every packet in the network has a
// flit in a buffer slot or on a line that leads to one; an endpoint holds one that has no room,
// and a port a queue and the packet that it sends. A packet delivered to another part counts
// until the next exchange: what its sinks can take by then is added.
func (s *Sim) mostPackets(window int) int64 {
	n := int64(s.endpoints) + int64(len(s.src))*int64(s.srcDepth+1)
	n += int64(len(s.ov)>>s.vs*s.vcs) * int64(s.depth)
	return n + int64(len(s.sinkOut))*int64(window)
}
