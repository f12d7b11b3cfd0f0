package flit

// TimeFlits counts the latency of every flit from its own injection. It holds from the next Reset on
// and costs a few ns a flit delivered.
func (s *Sim) TimeFlits() { s.flitTimes = true }

// noteInjection notes when flit k of a packet is injected. The head's time stands in the packet, and
// those of the others follow from it until one is late.
func (s *Sim) noteInjection(i int32, p *packet, k uint16) {
	if now := int32(s.now); now != p.injected+int32(k) || p.late {
		s.noteLate(i, p, k, now)
	}
}

func (s *Sim) noteLate(i int32, p *packet, k uint16, now int32) {
	pg := &s.pool.more[uint32(i)>>pageBits]
	if pg.flitAt == nil {
		pg.flitAt = make([][]int32, 1<<pageBits)
	}
	at := &pg.flitAt[i&pageMask]
	if len(*at) < int(p.size) {
		*at = make([]int32, p.size)
	}
	if !p.late {
		p.late = true
		for j := range int32(k) {
			(*at)[j] = p.injected + j
		}
	}
	(*at)[k] = now
}

// injectedAt is when flit k of a packet was injected.
func (s *Sim) injectedAt(i int32, p *packet, k uint16) int32 {
	if !p.late {
		return p.injected + int32(k)
	}
	return s.pool.more[uint32(i)>>pageBits].flitAt[i&pageMask][k]
}

// noteArrival counts the next flit of a packet, which has arrived. Flits of a packet keep their order.
func (s *Sim) noteArrival(i int32, p *packet) {
	s.stat.flat.Add(int64(s.now) - int64(s.injectedAt(i, p, p.gone)))
	p.gone++
}
