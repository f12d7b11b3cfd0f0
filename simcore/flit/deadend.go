package flit

import "toposearch/simcore"

// swallowLost swallows, of flits that come to their endpoints, those of lost packets, and leaves the others.
func (s *Sim) swallowLost(flits []uint64) (good []uint64) {
	f := s.failing
	good = flits[:0]
	for _, e := range flits {
		iv, flit := int32(e>>32), uint32(e)
		i, ip := int32(flit>>2), iv>>(s.vs&31)
		if f.dead[ip] {
			s.mark(i, simcore.LostAtPort)
		}
		if _, lost := f.lost[i]; lost {
			s.swallow(ip, iv, flit)
			continue
		}
		good = append(good, e)
		if flit&tailBit != 0 {
			p := s.packet(i)
			f.phases.Arrive(int64(s.now), int64(p.size))
			f.phases.Deliver(int64(p.created), int64(s.now)-int64(p.created))
		}
	}
	return good
}

// drainStranded swallows a flit of each packet that is stranded.
func (s *Sim) drainStranded() {
	f := s.failing
	if f == nil || len(f.drains) == 0 {
		return
	}
	still := f.drains[:0]
	for _, iv := range f.drains {
		st := &s.vc[iv]
		if st.n == 0 {
			still = append(still, iv)
			continue
		}
		flit := s.pop(iv, st)
		s.swallow(iv>>(s.vs&31), iv, flit)
		if flit&tailBit == 0 {
			still = append(still, iv)
			continue
		}
		s.nextPacket(iv, st)
	}
	f.drains = still
}
