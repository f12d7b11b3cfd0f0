package multicast

// deliver hands a packet to an endpoint.
func (s *Sim) deliver(e int, i int32) {
	p := s.packet[i]
	s.release(i)
	s.moved = s.now
	switch {
	case p.kind == KindNotify:
		s.Count.Notified++
		s.notes[note{int32(e), p.id}] = true
	case p.kind == KindDelete:
		delete(s.notes, note{int32(e), p.id})
	case p.message < 0:
		s.arrived(&p)
	default:
		s.receive(e, int(p.message))
	}
}

// receive counts a delivery of a message.
func (s *Sim) receive(e, n int) {
	m := &s.messages[n]
	if m.group != nil {
		place, ok := m.group.place[e]
		switch {
		case !ok:
			s.Count.Strangers++
			return
		case m.got[place]:
			s.Count.Duplicates++
			return
		}
		m.got[place] = true
	}
	m.last = s.now
	if m.left--; m.left == 0 {
		s.open--
	}
	if m.then != nil {
		m.then(e)
	}
}
