package cutthrough

import (
	"fmt"
	"math"
	"slices"

	"toposearch/simcore"
	"toposearch/topology"
)

// Used is the congestion of a channel in cells: what waits for it in its switch, what is left of the packet being sent, and
// with credits what waits in the buffer behind it. Pauses tell nothing of that, and what is under way to other switches
// is for a routing to count that reads their queues.
func (w *worker) Used(c topology.ChannelID) int {
	o := w.portOf(c)
	return w.cells(&w.s.out[o]) + int(w.behind(o))/w.s.cfg.CellBytes
}

// portOf is the output port of a channel.
func (w *worker) portOf(c topology.ChannelID) int32 {
	s := w.s
	// A routing asks about the switch at work, so the port is near; if not, search.
	sw := topology.SwitchID(max(w.sw, 0))
	first, end := s.net.Out(sw)
	if c < first || c >= end {
		sw = s.net.From(c)
		first, _ = s.net.Out(sw)
	}
	return s.outStart[sw] + int32(c-first)
}

func (w *worker) cells(o *outPort) int {
	s := w.s
	if o.fault&faultDown != 0 { // a switch knows its own ports
		return int(s.cfg.BufferBytes) / s.cfg.CellBytes
	}
	waiting := int64(o.queued)
	if left := o.free - w.now; left > 0 {
		waiting += left * int64(s.bytes[0]) / s.ser[o.class][0]
	}
	return int(waiting / int64(s.cfg.CellBytes))
}

// UsedVC is Used: queues are not counted by VC.
func (w *worker) UsedVC(c topology.ChannelID, _ uint8) int { return w.Used(c) }

// ownQueues is the congestion of channels as a worker knows it without what waits behind them.
type ownQueues struct{ *worker }

// Own gives it.
func (w *worker) Own() simcore.Congestion { return ownQueues{w} }

// Used is what waits for a channel in its switch.
func (w ownQueues) Used(c topology.ChannelID) int { return w.cells(&w.s.out[w.portOf(c)]) }

// UsedVC is Used.
func (w ownQueues) UsedVC(c topology.ChannelID, _ uint8) int { return w.Used(c) }

// Waiting is 0: Used counts what waits in the switch.
func (w *worker) Waiting(topology.ChannelID) int { return 0 }

// Line is in cells. A channel that flows has no more than the packet being sent, since Used counts neither what is on the
// cable nor what passes the next switch; what waits is in the buffer of the switch, and in the one behind.
func (w *worker) Line(channel topology.ChannelID) simcore.Line {
	s := w.s
	c := &s.cfg
	packet := c.MTUBytes
	if len(c.Sizes) > 0 {
		packet = slices.Max(c.Sizes)
	}
	packet = (packet + c.CellBytes - 1) / c.CellBytes
	o := &s.out[w.portOf(channel)]
	hop := (s.cable[o.class] + s.passOf(o)) * int64(s.bytes[0]) / s.ser[o.class][0]
	return simcore.Line{Trip: packet, Buffer: int(c.BufferBytes) / c.CellBytes, Packet: packet, Hop: int(hop / int64(c.CellBytes))}
}

// UsedEntry is the congestion of an endpoint's port in cells.
func (w *worker) UsedEntry(e topology.EndpointID, port int) int {
	s := w.s
	x := &s.nic[s.epTie[s.epStart[e]+int32(port)]]
	if x.fault&faultDown != 0 {
		return int(s.cfg.BufferBytes) / s.cfg.CellBytes
	}
	waiting := int64(x.bytes)
	if left := x.free - w.now; left > 0 {
		waiting += left * int64(s.bytes[0]) / s.ser[0][0]
	}
	return int(waiting / int64(s.cfg.CellBytes))
}

// Now is the time in ns.
func (w *worker) Now() simcore.Cycle { return simcore.Cycle(w.now / 1000) }

// ejectPort is the port of sw to an endpoint; of several, the one with the least to do, the first
// of equals. -1: the endpoint relays, and the switch is its own.
func (w *worker) ejectPort(sw, dst int32) int32 {
	s := w.s
	best, least := int32(-1), math.MaxInt
	for k := s.epStart[dst]; k < s.epStart[dst+1]; k++ {
		t := s.epTie[k]
		if s.nic[t].sw != sw {
			continue
		}
		if s.internal {
			return -1
		}
		o := s.eject(t)
		if u := w.cells(&s.out[o]); u < least {
			best, least = o, u
		}
	}
	if best < 0 {
		panic(fmt.Sprintf("cutthrough: routing %s ejects a packet for endpoint %d at switch %d, where it has no port", s.routing.Name(), dst, sw))
	}
	return best
}

// behind is the bytes that wait in the buffer behind an output port.
func (w *worker) behind(o int32) int32 {
	if w.s.overdue == nil {
		return 0
	}
	q := &w.s.overdue[o]
	q.settle(w.now)
	return max(0, q.late)
}
