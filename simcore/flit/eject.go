package flit

// eject takes flits at their endpoints and returns the credits.
func (s *Sim) eject(flits []uint64) {
	if len(flits) == 0 {
		return
	}
	s.inNet -= len(flits)
	s.moved = s.now
	s.stat.accFlits += int64(len(flits))
	for _, e := range flits {
		iv, f := int32(e>>32), uint32(e)
		ip := iv >> (s.vs & 31)
		s.giveCredit(ip, iv&s.vmask)
		to := s.in[ip].sw
		s.stat.acc[to]++
		if f&(headBit|tailBit) == 0 && !s.flitTimes {
			continue
		}
		p := s.packet(int32(f >> 2))
		if int32(p.Dst) != to {
			panic("simcore: routing " + s.routingName + " delivers a packet to a wrong endpoint")
		}
		if s.flitTimes {
			s.noteArrival(int32(f>>2), p)
		}
		if f&headBit != 0 {
			p.headAt = int32(s.now)
		}
		if f&tailBit != 0 {
			s.stat.retire(p, s.now)
			if s.loop != nil {
				s.loop.arrived(s, p)
			}
			s.discard(int32(f >> 2))
		}
	}
}
