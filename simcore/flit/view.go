package flit

import (
	"math/bits"

	"toposearch/simcore"
	"toposearch/topology"
)

// queues is a Sim as routings see it (Congestion, PortCongestion).
type queues Sim

// Used is the congestion of an output port by the channel on it.
func (q *queues) Used(c topology.ChannelID) int { s := (*Sim)(q); return s.used(s.chanOut[c]) }

// UsedVC is the same of one VC.
func (q *queues) UsedVC(c topology.ChannelID, vc uint8) int {
	if s := (*Sim)(q); s.failing != nil && s.failing.dead[s.out[s.chanOut[c]].down] {
		return int(s.depth)
	}
	return int(q.ov[q.chanOut[c]<<q.vs|int32(vc)].occ)
}

// Waiting is the flits of the packets whose heads wait for a VC of a channel. Heads that were routed in this step
// do not count, so that it does not matter in which order heads are routed.
func (q *queues) Waiting(c topology.ChannelID) int {
	s := (*Sim)(q)
	op := s.chanOut[c]
	if s.asked != nil {
		return int(s.asked[op])
	}
	n := s.listed(s.out[op].asleep)
	if s.lean {
		return n + s.listed(s.out[op].heads)
	}
	d := &s.dims[s.net.From(c)]
	for w, m := range s.waitW[d.word : d.word+d.words] {
		for ; m != 0; m &= m - 1 {
			iv := d.in0<<s.vs + int32(w<<6+bits.TrailingZeros64(m))
			if s.vc[iv].op == op {
				n += int(s.packet(int32(s.front(iv) >> 2)).size)
			}
		}
	}
	return n
}

// listed is the flits of the packets of a list of heads at an output.
func (s *Sim) listed(iv int32) (n int) {
	for ; iv >= 0; iv = s.vc[iv].next {
		n += int(s.packet(int32(s.front(iv) >> 2)).size)
	}
	return n
}

// Line is what the queues of a channel are measured by.
func (q *queues) Line(c topology.ChannelID) simcore.Line {
	op := q.chanOut[c]
	hop := int64(q.out[op].lag.delay()) + int64(q.stay+q.cfg.SwAllocDelay) // of the line, and of all steps of a switch
	if q.slow != nil && q.slow[op].num > 0 {
		hop = hop * q.slow[op].num / q.slow[op].den
	}
	return simcore.Line{Trip: (*Sim)(q).trip(op), Buffer: int(q.depth), Packet: q.cfg.largestPacket(), Hop: int(hop)}
}

// UsedEntry is the congestion of a port of an endpoint.
func (q *queues) UsedEntry(e topology.EndpointID, port int) int {
	return (*Sim)(q).usedEntry(int32(e), port)
}

// UsedPort is the congestion of an output port of a switch.
func (q *queues) UsedPort(sw, port int32) int { return (*Sim)(q).used(q.outStart[sw] + port) }

// Now is the current cycle.
func (q *queues) Now() simcore.Cycle { return q.now }

// Lag is the time from the departure of a flit on a channel to its arrival.
func (q *queues) Lag(c topology.ChannelID) simcore.Cycle { return q.out[q.chanOut[c]].lag.delay() }

// EntryLag is the same of the lines of an endpoint.
func (q *queues) EntryLag(e topology.EndpointID) simcore.Cycle {
	return q.out[q.nOut+q.srcStart[e]].lag.delay()
}

// Sent is the number of flits sent on a channel within the last credit round trip.
func (q *queues) Sent(c topology.ChannelID) int {
	return q.log.within(q.chanOut[c], q.now, simcore.Cycle(q.Line(c).Trip))
}

// Tell sends a note.
func (q *queues) Tell(n simcore.Note, after simcore.Cycle) { (*Sim)(q).tell(n, after) }

func (s *Sim) usedEntry(e int32, port int) int {
	n := 0
	for k := s.srcStart[e]; k < s.srcStart[e+1]; k++ {
		if int(s.src[k].port) == port {
			n += s.used(s.nOut+k) + int(s.waiting(k))*s.cfg.PacketFlits
		}
	}
	return n
}

// waiting is the number of packets at a source port.
func (s *Sim) waiting(k int32) int32 {
	n := s.src[k].queued
	if s.src[k].cur >= 0 {
		n++
	}
	return n
}
