package multicast

// occupy changes the flits held by packets in a buffer, which counts a packet from the arrival of its
// head to the departure of the last flit of its last copy, in full.
func (s *Sim) occupy(i, flits int32) {
	s.heldSum += s.tally.held * (s.now - s.heldAt)
	s.heldAt = s.now
	s.tally.held += int64(flits)
	s.in[i].held += flits
	s.heldMost = max(s.heldMost, s.in[i].held)
}

// arrived counts a packet of the background.
func (s *Sim) arrived(p *packet) {
	if p.kind != KindUnicast {
		return
	}
	s.accepted += int64(p.size)
	if p.born >= s.since {
		s.delay += s.now - p.born
		s.delayed++
	}
}

// Restart begins a window.
func (s *Sim) Restart() {
	s.tally = tally{since: s.now, held: s.tally.held, heldAt: s.now, flitsAt: make([]int64, len(s.f.to))}
	for i := range s.in {
		s.heldMost = max(s.heldMost, s.in[i].held)
	}
	for o := range s.f.to {
		s.flitsAt[o] = s.out[o].flits
	}
}

// Window is what has been measured since Restart.
type Window struct {
	Cycles   int64
	Offered  float64 // of the background, flits per cycle per endpoint
	Accepted float64
	// Latency is the mean time of background packets that were created in the window and have arrived, from creation
	// to last flit.
	Latency float64
	// LinkLoad is the mean number of flits per cycle on links between switches, each way by itself; LinkMost that on the busiest.
	LinkLoad, LinkMost float64
	// BufferMean is the mean number of flits held in an input buffer, BufferMost the largest in any.
	BufferMean float64
	BufferMost int
	Flits      int64 // over links between switches
}

// Window measures.
func (s *Sim) Window() Window {
	w := Window{Cycles: s.now - s.since, BufferMost: int(s.heldMost)}
	if w.Cycles == 0 {
		return w
	}
	cycles := float64(w.Cycles)
	ends := cycles * float64(s.f.Endpoints())
	w.Offered, w.Accepted = float64(s.offered*int64(s.cfg.Flits))/ends, float64(s.accepted)/ends
	if s.delayed > 0 {
		w.Latency = float64(s.delay) / float64(s.delayed)
	}
	links, inputs := 0, 0
	var most int64
	for o, p := range s.f.to {
		if p != unused {
			inputs++
		}
		if p.Switch >= 0 {
			links++
			n := s.out[o].flits - s.flitsAt[o]
			w.Flits += n
			most = max(most, n)
		}
	}
	w.LinkLoad, w.LinkMost = float64(w.Flits)/cycles/float64(max(links, 1)), float64(most)/cycles
	w.BufferMean = float64(s.heldSum+s.tally.held*(s.now-s.heldAt)) / cycles / float64(max(inputs, 1))
	return w
}

// Counts are the packets that endpoints have sent, in the terms of the source's table.
func (s *Sim) Counts() Counts {
	h := &s.Count.Heads
	return Counts{
		Heads:   float64(h[KindUnicast] + h[KindGroup] + h[KindHeads] + h[KindHead]),
		Control: float64(h[KindCreate]),
		Notify:  float64(h[KindNotify]),
	}
}
