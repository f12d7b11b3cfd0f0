package cutthrough

import "fmt"

// Settled checks that an idle network has all its credits and no packet, and that nothing was
// lost; it runs the clock until everything under way has come to rest, with sources stopped.
func (s *Sim) Settled() error {
	for e := range s.src {
		s.src[e].next = never
	}
	s.load = 0
	for i := 0; i < 200_000; i++ {
		n, _ := s.inNetwork()
		waiting := int32(0)
		for k := range s.nic {
			waiting += s.nic[k].n
		}
		for e := range s.src {
			if s.src[e].pend >= 0 {
				waiting++
			}
		}
		if n == 0 && waiting == 0 {
			break
		}
		s.step()
	}
	for range s.slots {
		s.step() // credits and resumes on their way
	}
	for k := range s.nic {
		if s.nic[k].n != 0 || s.nic[k].bytes != 0 {
			return fmt.Errorf("%d packets wait at tie %d", s.nic[k].n, k)
		}
	}
	n, _ := s.inNetwork()
	if n != 0 {
		return fmt.Errorf("%d packets are left", n)
	}
	for i := range s.out {
		o := &s.out[i]
		if o.queued != 0 || o.waiting != 0 || o.paused != 0 {
			return fmt.Errorf("output %d: %d bytes wait on VCs %b, paused are %b", i, o.queued, o.waiting, o.paused)
		}
		for v := range s.vcs {
			if q := s.lanes[i*s.vcs+v]; o.downSw >= 0 && !s.pfc && q.credit != s.perVC {
				return fmt.Errorf("output %d VC %d: %d credits, want %d", i, v, q.credit, s.perVC)
			}
		}
	}
	for k, c := range s.nicCredit {
		if !s.pfc && c != s.perVC {
			return fmt.Errorf("tie %d: %d credits, want %d", k/s.vcs, c, s.perVC)
		}
	}
	for i, b := range s.occ {
		if b != 0 || s.pfc && s.head[i] != 0 {
			return fmt.Errorf("input %d holds %d bytes", i/s.vcs, b)
		}
	}
	for sw, b := range s.stored {
		if b != 0 || s.pfc && s.pool[sw] != 0 {
			return fmt.Errorf("switch %d holds %d bytes", sw, b)
		}
	}
	return nil
}

// PerVC is the buffer of an input and VC, bytes.
func (s *Sim) PerVC() int { return int(s.perVC) }

// Steps simulates n windows.
func (s *Sim) Steps(n int) {
	for range n {
		s.step()
	}
}

// Hops is the number of packets that have passed a switch since Reset.
func (s *Sim) Hops() int64 { return s.total().hops }

// AllowChunks lets a simulation have n chunks of packets.
func (s *Sim) AllowChunks(n int) { s.mostChunks = n }

// UnderWay counts the packets that there are, one by one: in queues of sources, in switches and on their way.
func (s *Sim) UnderWay() (n int64) {
	for e := range s.src {
		if s.src[e].pend >= 0 {
			n++
		}
	}
	count := func(i int32) {
		for ; i >= 0; i = s.at(i).next {
			n++
		}
	}
	for k := range s.nic {
		count(s.nic[k].head)
	}
	for l := range s.lanes {
		for h := s.lanes[l].first; h >= 0; h = s.at(h).sibling {
			count(h)
		}
	}
	for i := range s.workers {
		for _, b := range s.workers[i].boxes {
			for _, events := range b {
				for _, e := range events {
					if e.key>>portBits&(1<<kindBits-1) == kindArrive {
						n++
					}
				}
			}
		}
	}
	return n
}
