package simcore

// TimeFlits counts the latency of every flit from its own injection. It holds from the next Reset on
// and costs a few ns a flit delivered.
func (s *Sim) TimeFlits() { s.flitTimes = true }

// noteInjection notes when flit k of a packet is injected. The head's time stands in the packet.
func (s *Sim) noteInjection(i int32, p *Packet, k uint16) {
	if k == 0 {
		return
	}
	pg := s.pages[uint32(i)>>pageBits]
	if pg.flitAt == nil {
		pg.flitAt = make([][]int32, 1<<pageBits)
	}
	at := &pg.flitAt[i&pageMask]
	if len(*at) < int(p.size) {
		*at = make([]int32, p.size)
	}
	(*at)[k] = int32(s.now)
}

// injectedAt is when flit k of a packet was injected.
func (s *Sim) injectedAt(i int32, p *Packet, k uint16) int32 {
	if k == 0 {
		return p.injected
	}
	return s.pages[uint32(i)>>pageBits].flitAt[i&pageMask][k]
}

// noteArrival counts the next flit of a packet, which has arrived. Flits of a packet keep their order.
func (s *Sim) noteArrival(i int32, p *Packet) {
	s.stat.flat.Add(int64(s.now) - int64(s.injectedAt(i, p, p.gone)))
	p.gone++
}
