package multicast

// Step simulates a cycle.
func (s *Sim) Step() {
	bucket := &s.wheel[s.now&int64(len(s.wheel)-1)]
	for _, e := range *bucket {
		switch e.what {
		case arrives:
			s.arrive(e.at, e.of)
		case bids:
			for _, c := range s.in[e.at].copies {
				s.ask(e.at, c.port)
			}
		case leaves:
			s.leave(e.at)
		case frees:
			s.out[e.at].credit += e.of
		case delivers:
			s.deliver(int(e.at), e.of)
		case calls:
			s.calls[e.at]()
			s.calls[e.at] = nil
			s.due--
		}
	}
	*bucket = (*bucket)[:0]
	s.draw()
	active := s.active[:0]
	for _, o := range s.active {
		if s.serve(o); s.out[o].asks != 0 {
			active = append(active, o)
		} else {
			s.out[o].listed = false
		}
	}
	s.active = active
	s.now++
}

// deadlockCycles without a packet moving is a deadlock: far above the longest packet and any delay of an idle link.
const deadlockCycles = 5000

// Stuck reports whether packets are under way and none has moved for a long time.
func (s *Sim) Stuck() bool { return s.live > 0 && s.now-s.moved > deadlockCycles }

// Run simulates until every message has arrived and every packet of the protocol, or a number of cycles has
// passed, or nothing moves any more; it reports whether the first was it. With a background it does not wait for packets
// that are of no message.
func (s *Sim) Run(most int64) bool {
	quiet := s.cfg.Load == 0
	for end := s.now + most; s.open > 0 || quiet && s.live+s.due > 0; s.Step() {
		if s.now >= end || s.Stuck() || quiet && s.live+s.due == 0 {
			return false
		}
	}
	return true
}
