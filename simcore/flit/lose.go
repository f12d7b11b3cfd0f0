package flit

import "toposearch/simcore"

// mark counts a packet as lost, unless it is. Its flits go on to where they are swallowed.
func (s *Sim) mark(i int32, cause int) {
	f := s.failing
	if _, ok := f.lost[i]; ok {
		return
	}
	f.lost[i] = cause
	p := s.packet(i)
	if p.rec {
		s.stat.outstanding--
	}
	s.stat.gone += int64(p.size)
	f.phases.Lose(int64(s.now), cause, int64(p.size))
}

// end takes a tail of a lost packet out, and with the last one the packet.
func (s *Sim) end(i int32) {
	f := s.failing
	if f.tails[i] > 0 {
		f.tails[i]--
		return
	}
	s.forget(i)
}

func (s *Sim) forget(i int32) {
	delete(s.failing.lost, i)
	delete(s.failing.tails, i)
	s.discard(i)
}

// passes says whether a flit arrives at an input VC, and as what; otherwise it is swallowed.
func (s *Sim) passes(iv int32, flit uint32) (uint32, bool) {
	f, i, ip := s.failing, int32(flit>>2), iv>>(s.vs&31)
	switch m := f.mode[iv]; {
	case m == modeCut:
		delete(f.mode, iv)
		s.mark(i, simcore.LostOnLink)
		if flit&tailBit == 0 {
			f.tails[i]++
			f.mode[iv] = modeSwallow
		}
		return flit | tailBit, true
	case m == 0 && !f.dead[ip]:
		return flit, true
	}
	s.mark(i, simcore.LostAtPort)
	f.mode[iv] = modeSwallow
	s.swallow(ip, iv, flit)
	if flit&tailBit != 0 {
		delete(f.mode, iv)
	}
	return 0, false
}

// swallow takes a flit of a lost packet out, and returns its slot.
func (s *Sim) swallow(ip, iv int32, flit uint32) {
	s.giveCredit(ip, iv&s.vmask)
	s.inNet--
	s.moved = s.now
	if flit&tailBit != 0 {
		s.end(int32(flit >> 2))
	}
}

// strand loses the packet at the front of an input VC, from which no route leads on.
func (s *Sim) strand(iv int32, st *vcState, flit uint32) {
	st.state = vcRouting // and stays so until its tail is gone
	s.mark(int32(flit>>2), simcore.LostNoRoute)
	s.failing.drains = append(s.failing.drains, iv)
}
