package flit

import (
	"toposearch/simcore"
	"toposearch/topology"
)

// ringFlits is the number of flits that stand beside the state of a VC: with them it is one cache
// line.
const ringFlits = 11

// vcState is an input VC. Its flits stand in a ring of Sim.depth slots: the first in the state
// itself, the others, which only a deep queue uses, in Sim.buf.
type vcState struct {
	head, n uint16
	state   uint8
	ovc     uint8 // output VC of the packet at the front
	lo, hi  uint8 // VCs allowed to it
	op      int32 // its output port
	vaPtr   int32 // VC allocation: after the output VC last granted to this input
	next    int32 // of a list of heads at an output, -1: none
	ring    [ringFlits]uint32
}

// slot is a place in the ring of an input VC.
func (s *Sim) slot(iv int32, st *vcState, at int32) *uint32 {
	if at < ringFlits {
		return &st.ring[at]
	}
	return &s.buf[int(iv)*int(s.deep)+int(at-ringFlits)]
}

// front is the first flit of an input VC.
func (s *Sim) front(iv int32) uint32 {
	st := &s.vc[iv]
	return *s.slot(iv, st, int32(st.head))
}

// ovState is an output VC. VC allocation begins after the input VC last granted.
type ovState struct {
	occ  int32 // flits sent whose credits have not come back
	last int32 // the input VC last granted, which holds it while owner says so; -1: none yet
}

// owner is the input VC whose packet holds an output VC, -1 if none does.
func (s *Sim) owner(o *outPort, op, v int32) int32 {
	if o.inUse>>(v&31)&1 == 0 || s.tailSent != nil && s.tailSent[op]>>(v&31)&1 != 0 {
		return -1
	}
	return s.ov[op<<(s.vs&31)|v].last
}

// used is the congestion of an output port: flits and credits in flight and flits in the next buffer.
func (s *Sim) used(op int32) int {
	n := 0
	for _, x := range s.ov[op<<(s.vs&31) : (op+1)<<(s.vs&31)] {
		n += int(x.occ)
	}
	return n
}

// srcPort is a port of an endpoint: the packet that it sends, and a short queue behind it.
type srcPort struct {
	cur, head, tail int32 // packets, -1: none
	queued          int32
	sent            uint16
	vc, last        int16 // VC of cur, -1: none yet; VC used before
	lo, hi          uint8
	port            uint8
}

// source is an endpoint's side of packet creation.
type source struct {
	next                 int64        // trial at which the next packet is created
	arrive, dest, packet simcore.Rand // streams: creation times and sizes, destinations, packets' own
	seq                  uint32
	pend                 int32 // created, but its port's queue has no room; -1: none
	on                   bool  // on/off sources
}

// queues is a Sim as routings see it (Congestion, PortCongestion).
type queues Sim

// Used is the congestion of an output port by the channel on it.
func (q *queues) Used(c topology.ChannelID) int { s := (*Sim)(q); return s.used(s.chanOut[c]) }

// UsedVC is the same of one VC.
func (q *queues) UsedVC(c topology.ChannelID, vc uint8) int {
	return int(q.ov[q.chanOut[c]<<q.vs|int32(vc)].occ)
}

// UsedEntry is the congestion of a port of an endpoint.
func (q *queues) UsedEntry(e topology.EndpointID, port int) int {
	return (*Sim)(q).usedEntry(int32(e), port)
}

// UsedPort is the congestion of an output port of a switch.
func (q *queues) UsedPort(sw, port int32) int { return (*Sim)(q).used(q.outStart[sw] + port) }

// Now is the current cycle.
func (q *queues) Now() simcore.Cycle { return q.now }
