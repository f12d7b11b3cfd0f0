package flit

import (
	"errors"
	"fmt"
	"math/bits"
)

// What an EscapeRouting asks of switches: virtual cut-through, and a ring under bubble flow control.
//
// Virtual cut-through: a head gets a VC only if the buffer behind it has room for the whole packet. The VC is the packet's own
// until its tail is sent, and all packets before it have been sent whole, so what the sender counts as taken is at
// least what those packets take that have no VC further on. A packet that has a VC therefore leaves its buffer without
// waiting for anything but its turn on crossbar and line.
//
// Bubble (Carrion, Beivide, Gregorio, Vallejo, HiPC 1997; Puente et al., JPDC 61(9), 2001): who comes to the ring from elsewhere
// needs room for two packets, who goes on on it for one. So at all times some buffer of the ring has room for a
// packet: one has after a packet came to it, and where a packet leaves one it leaves room. (That holds for packets of one size;
// smaller ones would leave less than the next one takes.) The nearest packet behind that room goes on, or leaves the ring.

// checkEscape refuses what the argument above does not hold for.
func (s *Sim) checkEscape() error {
	if s.escape == nil {
		return nil
	}
	c, size := &s.cfg, s.cfg.largestPacket()
	var f faults
	for _, n := range c.Sizes {
		if n != size {
			f = append(f, fmt.Errorf("simcore: routing %s relies on bubble flow control, which needs packets of one size, and there are some of %d and of %d flits", s.routingName, n, size))
			break
		}
	}
	f.check(c.BufferFlits >= 2*size, "BufferFlits = %d: bubble flow control of routing %s needs room for two packets of %d flits in each VC; 0 derives enough", c.BufferFlits, s.routingName, size)
	f.check(c.SharedFlits == 0, "SharedFlits = %d: bubble flow control of routing %s needs buffers that VCs do not share", c.SharedFlits, s.routingName)
	if c.VCAllocator == piggyback {
		f = append(f, errors.New("simcore: VCAllocator = piggyback gives VCs to whoever wins the crossbar; bubble flow control of routing "+s.routingName+" needs a VC allocator"))
	}
	return f.join()
}

// freeVCs gives the VCs of a range of an output port that no packet has.
func (s *Sim) freeVCs(op int32, lo, hi uint8) uint32 {
	o := &s.out[op]
	free := ^o.inUse & rangeMask(lo, hi)
	if s.cfg.VCBusyWhenFull {
		free &^= o.full
	}
	return free
}

// freeFor gives the VCs of a range of an output port that the head at an input VC may be given.
func (s *Sim) freeFor(iv, op int32, lo, hi uint8) uint32 {
	free := s.freeVCs(op, lo, hi)
	if s.escape == nil || s.out[op].down >= s.nIn { // endpoints take whatever comes
		return free
	}
	size := int32(s.cfg.largestPacket())
	for m := free; m != 0; m &= m - 1 {
		v := int32(bits.TrailingZeros32(m))
		need := size
		if v == s.escape.vc && !s.onRing(iv) {
			need *= 2
		}
		if s.depth-s.ov[op<<(s.vs&31)|v].occ < need {
			free &^= 1 << v
		}
	}
	return free
}

// onRing reports whether an input VC is one of the ring's: not of a port from an endpoint.
func (s *Sim) onRing(iv int32) bool {
	return iv&s.vmask == s.escape.vc && s.in[iv>>(s.vs&31)].up < s.nOut
}
