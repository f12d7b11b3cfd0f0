package cutthrough

import (
	"fmt"

	"toposearch/simcore"
	"toposearch/topology"
)

// handle works through one event of the switch at work.
func (w *worker) handle(e *event) {
	s := w.s
	w.now = int64(e.key >> timeBits)
	port, sw := int32(e.key&(1<<portBits-1)), w.sw
	switch e.key >> portBits & (1<<kindBits - 1) {
	case kindArrive:
		w.arrive(s.inStart[sw]+port, int32(e.what))
	case kindCredit:
		o := s.outStart[sw] + port
		s.lanes[o*int32(s.vcs)+int32(e.what>>16)].credit += int32(e.what & maxBytes)
		if s.overdue != nil {
			s.overdue[o].late -= int32(e.what & maxBytes)
		}
		if s.out[o].waiting>>(e.what>>16)&1 != 0 {
			w.serve(o)
		}
	case kindControl:
		o := s.outStart[sw] + port
		setBit(&s.out[o].paused, e.what>>1, e.what&1)
		if s.out[o].waiting != 0 {
			w.serve(o)
		}
	case kindWake:
		o := s.outStart[sw] + port
		if s.out[o].wake == w.now {
			s.out[o].wake = 0
			w.serve(o)
		}
	default:
		w.handleNIC(e, s.in[s.inStart[sw]+port].up)
	}
}

// arrive takes a packet that has passed the pipeline: it is routed, stored, and sent if nothing
// is in its way.
func (w *worker) arrive(in, i int32) {
	s := w.s
	p := s.at(i)
	sw := w.sw
	p.in = uint16(in - s.inStart[sw])
	w.store(sw, in, p)
	o, vc := w.route(sw, p)
	if o == deadEnd || o >= 0 && s.out[o].fault&faultDown != 0 {
		w.loseStored(in, i, p, o)
		return
	}
	if o < 0 { // at home in a relay: it was there when it left the cable
		tail := p.tail
		if s.in[in].upSw >= 0 {
			tail -= s.pass[1]
		}
		w.release(sw, in, p, max(w.now, p.tail))
		if p.vc&flagRec != 0 {
			w.stat.way -= p.tail - tail
			w.stat.rest += p.tail - w.now
		}
		w.deliver(i, p, tail, s.epTie[s.epStart[p.dst]])
		return
	}
	out := &s.out[o]
	b := s.bytes[p.size]
	if out.queued += b; out.queued > s.mark[out.class] {
		p.vc |= flagMarked
	}
	w.account(out)
	out.packets++
	switch {
	case out.free > w.now:
		w.enqueue(o, vc, i, p)
		w.arm(o, out.free)
	case out.waiting == 0 && out.paused>>vc&1 == 0 && s.lanes[o*int32(s.vcs)+vc].credit >= b && w.inputFree(p) <= w.now:
		w.send(o, vc, i, p) // nothing is in its way, as most of the time
	default:
		w.enqueue(o, vc, i, p)
		w.serve(o)
	}
}

// route asks the routing for the next port and VC; port -1 delivers in the endpoint's own switch.
func (w *worker) route(sw int32, p *packet) (int32, int32) {
	s := w.s
	q := &w.query
	*q = simcore.Packet{Src: topology.EndpointID(p.src), Dst: topology.EndpointID(p.dst), Hops: uint16(p.hops), VC: p.vc & vcMask,
		Port: p.port, State: p.state, Phase: p.phase & (1<<lanesBit - 1), Lanes: p.phase >> lanesBit, Mid: p.mid, Aux: p.aux, Rand: p.rand}
	h := s.routing.Route(topology.SwitchID(sw), q, &w.view)
	p.state, p.phase, p.mid, p.aux, p.rand = q.State, phaseOf(q), q.Mid, q.Aux, q.Rand
	p.hops++
	w.stat.hops++
	if h.Channel < 0 {
		if h.Channel == simcore.NoRoute {
			return deadEnd, 0
		}
		return w.ejectPort(sw, p.dst), 0
	}
	if s.nicLinks != 0 && s.nicLinks>>s.net.LinkClass(h.Channel)&1 != 0 {
		p.vc |= flagNic
	}
	o, vc, ok := w.lane(sw, h.Channel, h.Lo, h.Hi, p.size)
	if h.HasAlt && !ok {
		if o2, vc2, ok2 := w.lane(sw, h.Alt, h.AltLo, h.AltHi, p.size); ok2 {
			return o2, vc2
		}
	}
	return o, vc
}

// lane chooses the VC of a range that is not paused and whose far buffer has most room (with PFC:
// that has sent least), the lowest of equals; ok reports whether a packet of a size could be sent now.
func (w *worker) lane(sw int32, c topology.ChannelID, lo, hi, size uint8) (o, vc int32, ok bool) {
	s := w.s
	first, end := s.net.Out(topology.SwitchID(sw))
	if c < first || c >= end || int(hi) >= s.vcs || lo > hi {
		panic(fmt.Sprintf("cutthrough: routing %s sends a packet from switch %d over channel %d on VCs %d to %d; the channels that leave it are %d to %d, its VCs 0 to %d",
			s.routing.Name(), sw, c, lo, hi, first, end-1, s.vcs-1))
	}
	o = s.outStart[sw] + int32(c-first)
	out := &s.out[o]
	lanes := s.lanes[o*int32(s.vcs) : (o+1)*int32(s.vcs)]
	vc = int32(lo)
	for v := int32(lo) + 1; v <= int32(hi); v++ {
		if a, b := out.paused>>v&1, out.paused>>vc&1; a < b || a == b && lanes[v].credit > lanes[vc].credit {
			vc = v
		}
	}
	return o, vc, out.free <= w.now && out.queued == 0 && out.paused>>vc&1 == 0 && lanes[vc].credit >= s.bytes[size]
}

// enqueue puts a packet behind those of its input that wait for the same output and VC (all of
// them, if switches queue at outputs).
func (w *worker) enqueue(o, vc, i int32, p *packet) {
	s := w.s
	q := &s.lanes[o*int32(s.vcs)+vc]
	p.next, p.sibling, p.back = -1, -1, i
	if q.first < 0 {
		q.first, q.last = i, i
		s.out[o].waiting |= 1 << vc
		return
	}
	for h := q.first; h >= 0; {
		x := s.at(h)
		if !s.voq || x.in == p.in {
			s.at(x.back).next = i
			x.back = i
			return
		}
		h = x.sibling
	}
	s.at(q.last).sibling = i
	q.last = i
}

// serve lets an output that has packets waiting send the next one, if it is idle: the VCs in
// turn, and in each the inputs in turn. What finds no room or is paused waits for the credit or
// the resume; what finds its input busy, until that is free.
func (w *worker) serve(o int32) {
	s := w.s
	out := &s.out[o]
	if out.free > w.now {
		w.arm(o, out.free)
		return
	}
	w.account(out)
	again := int64(never)
	can := out.waiting &^ out.paused
	for k := range int32(s.vcs) {
		vc := int32(out.last) + 1 + k
		if vc >= int32(s.vcs) {
			vc -= int32(s.vcs)
		}
		if can>>vc&1 == 0 {
			continue
		}
		q := &s.lanes[o*int32(s.vcs)+vc]
		before := int32(-1)
		for h := q.first; h >= 0; {
			p := s.at(h)
			if q.credit < s.bytes[p.size] {
				break // whose turn it is waits for room: smaller ones behind it must not starve it
			}
			f := w.inputFree(p)
			if f <= w.now {
				w.dequeue(o, vc, q, before, h, p)
				w.send(o, vc, h, p)
				return
			}
			again = min(again, f)
			before, h = h, p.sibling
		}
	}
	out.why = whyRoom
	if again < never {
		out.why = whyInput
		w.arm(o, again)
	}
}

// inputFree is when the crossbar can read another packet from the packet's input.
func (w *worker) inputFree(p *packet) int64 {
	if !w.s.voq {
		return 0
	}
	return w.s.busy[w.s.inStart[w.sw]+int32(p.in)]
}

// hold marks the packet's input as being read. An endpoint's own switch reads its memory, which
// holds nothing up.
func (w *worker) hold(p *packet) {
	s := w.s
	in := s.inStart[w.sw] + int32(p.in)
	if x := &s.in[in]; x.upSw >= 0 || !s.internal {
		s.busy[in] = w.now + s.read[x.class][p.size]
	}
}

// dequeue takes the first packet of a queue out; what was behind it goes to the end of the turn.
func (w *worker) dequeue(o, vc int32, q *lane, before, h int32, p *packet) {
	s := w.s
	if before < 0 {
		q.first = p.sibling
	} else {
		s.at(before).sibling = p.sibling
	}
	if q.last == h {
		q.last = before
	}
	if y := p.next; y >= 0 {
		x := s.at(y)
		x.back, x.sibling = p.back, -1
		if p.back == h {
			x.back = y
		}
		if q.first < 0 {
			q.first = y
		} else {
			s.at(q.last).sibling = y
		}
		q.last = y
	}
	if q.first < 0 {
		q.last = -1
		s.out[o].waiting &^= 1 << vc
	}
}

// arm has an output look again at a time, unless it will sooner.
func (w *worker) arm(o int32, at int64) {
	out := &w.s.out[o]
	if out.wake != 0 && out.wake <= at {
		return
	}
	out.wake = at
	w.push(at, kindWake, o-w.s.outStart[w.sw], w.sw, 0)
}

// send starts a packet on an output, now.
func (w *worker) send(o, vc, i int32, p *packet) {
	s := w.s
	out := &s.out[o]
	b := s.bytes[p.size]
	ser := s.ser[out.class][p.size]
	out.free = w.now + ser
	out.last = uint8(vc)
	out.queued -= b
	out.packets--
	out.why = whySending
	if w.now < s.recTo && out.free > s.recFrom {
		out.carried += min(out.free, s.recTo) - max(w.now, s.recFrom)
	}
	tail := max(out.free, p.tail)
	if s.voq {
		w.hold(p)
	}
	w.release(w.sw, s.inStart[w.sw]+int32(p.in), p, tail)
	if out.waiting != 0 {
		w.arm(o, out.free)
	}
	w.stat.moved = w.now
	cable := s.cable[out.class]
	if out.fault != 0 && w.cutOnWay(o, i, p, tail+cable) {
		return
	}
	if out.downSw < 0 {
		if p.vc&flagRec != 0 {
			w.stat.way += cable
			w.stat.rest += tail - w.now
		}
		w.deliver(i, p, tail+cable, out.down)
		return
	}
	if q := &s.lanes[o*int32(s.vcs)+vc]; q.credit-b >= s.refill {
		q.credit -= b
	} else {
		s.refillLanes(o, vc, b)
	}
	p.vc = p.vc&^vcMask | uint8(vc)
	pass := s.passOf(out)
	if s.overdue != nil {
		s.overdue[o].note(w.now, tail+2*cable+pass+s.control, b)
	}
	if p.vc&flagRec != 0 {
		w.stat.way += cable + pass
	}
	if s.loop != nil && s.internal {
		w.foresee(out.downSw, i, p, tail+cable)
	}
	p.tail = tail + cable + pass
	w.push(w.now+cable+pass, kindArrive, out.down-s.inStart[out.downSw], out.downSw, uint32(i))
}

// deliver hands a packet to its endpoint; its last byte arrives at tail.
func (w *worker) deliver(i int32, p *packet, tail int64, tie int32) {
	s := w.s
	if s.loop != nil {
		if s.internal { // unless it was foreseen
			w.notify(i, p, max(tail, s.now+1<<s.shift))
		} else {
			w.notify(i, p, tail)
		}
	}
	if s.nic[tie].endpoint != p.dst {
		panic(fmt.Sprintf("cutthrough: routing %s delivers a packet for endpoint %d to endpoint %d", s.routing.Name(), p.dst, s.nic[tie].endpoint))
	}
	w.stat.moved = w.now
	w.inNet--
	w.stat.arrived(s, p, tail, tie)
	w.drop(i)
}
