package flit

import "fmt"

// Whole counts the packets that there are and are not lost.
func (s *Sim) Whole() int64 { return int64(s.live - len(s.failing.lost)) }

// Settled stops the sources, lets all that is under way arrive, and checks that no packet, flit or credit is missing.
func (s *Sim) Settled() error {
	s.stopped = true
	for range 20000 {
		if s.live == 0 && s.inNet == 0 {
			break
		}
		s.Step(1)
	}
	s.Step(s.longest + 2)
	if err := s.check(); err != nil {
		return err
	}
	if s.live != 0 || s.inNet != 0 {
		return fmt.Errorf("%d packets and %d flits are left", s.live, s.inNet)
	}
	for ov := range s.ov {
		if s.ov[ov].occ != 0 {
			return fmt.Errorf("port %d VC %d lacks %d credits", ov>>s.vs, int32(ov)&s.vmask, s.ov[ov].occ)
		}
	}
	for op := range s.out {
		if s.out[op].inUse != 0 {
			return fmt.Errorf("port %d: VCs %b are in use", op, s.out[op].inUse)
		}
	}
	if f := s.failing; len(f.lost)+len(f.tails)+len(f.drains) != 0 {
		return fmt.Errorf("lost packets are left: %v, %v, %v", f.lost, f.tails, f.drains)
	}
	return nil
}
