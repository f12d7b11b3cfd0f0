package flit

import (
	"fmt"
	"math/bits"
)

// Step simulates n cycles.
func (s *Sim) Step(n int) {
	if s.parts != nil {
		s.stepParts(n)
		s.verify()
		return
	}
	for range n {
		s.cycle()
		s.verify()
	}
}

func (s *Sim) verify() {
	if checking {
		if err := s.check(); err != nil {
			panic(fmt.Sprintf("simcore: cycle %d: %v", s.now, err))
		}
	}
}

// cycle: what arrives now; injection; all switches; what starts in the next cycle. Switches only
// meet through arrivals of later cycles, so their order does not matter.
func (s *Sim) cycle() {
	if len(s.lanes) > 1 {
		s.cycleLanes()
		return
	}
	s.enter(s.takeCredits())
	s.work()
	s.routeAhead()
	s.now++
}

// takeCredits applies the credits of this cycle. They alone change what routings see of switches
// before the switches work.
func (s *Sim) takeCredits() []bucket {
	due := s.due()
	switch {
	case s.lean:
		for i := range due {
			s.creditsLean(&s.lanes[0], due[i].credits)
		}
		s.allocLean(&s.lanes[0])
	case s.cfg.RouteAtInjection:
		s.creditAll(due[1].credits)
		s.inject()
		s.creditAll(due[0].credits)
	default:
		s.creditAll(due[0].credits)
		s.creditAll(due[1].credits)
	}
	return due
}

func (s *Sim) creditAll(credits []int32) {
	for _, c := range credits {
		s.credit(c)
	}
}

// enter injects, takes the flits that arrive, and routes the heads that have come to the front.
func (s *Sim) enter(due []bucket) {
	if !s.cfg.RouteAtInjection {
		s.inject()
	}
	if s.lean {
		s.routeAgainLean(&s.lanes[0])
		s.arriveLean(&s.lanes[0], due[0].flits)
	} else {
		s.routeAgain()
		for _, e := range due[0].flits {
			s.arrive(int32(e>>32), uint32(e))
		}
	}
	s.eject(due[1].flits)
	for i := range due {
		s.spare.giveBack(&due[i])
	}
}

// work lets every switch with work allocate and send.
func (s *Sim) work() {
	switch {
	case s.lean:
		s.sendLean(&s.lanes[0])
	case s.full != nil:
		s.full.cycle(s)
	default:
		s.switchesPlain()
		s.endOfStep()
	}
}

func (s *Sim) switchesPlain() {
	for w, m := range s.active {
		for ; m != 0; m &= m - 1 {
			sw := w<<6 + bits.TrailingZeros64(m)
			d := &s.dims[sw]
			s.allocVCs(d)
			s.allocSwitch(d)
			if s.quick {
				s.settle(d)
			}
			s.dropIfIdle(sw)
		}
	}
}

// settle lets what was decided in this cycle take effect in the next.
func (s *Sim) settle(d *dims) {
	for k := d.word; k < d.word+d.words; k++ {
		s.readyW[k] |= s.readyNew[k]
		s.waitW[k] |= s.waitNew[k]
		s.readyNew[k], s.waitNew[k] = 0, 0
	}
}

func (s *Sim) dropIfIdle(sw int) {
	var any uint64
	d := &s.dims[sw]
	for k := d.word; k < d.word+d.words; k++ {
		any |= s.readyW[k] | s.waitW[k]
	}
	if any == 0 {
		s.active[sw>>6] &^= 1 << (sw & 63)
	}
}

// credit takes a credit for an output VC.
func (s *Sim) credit(ov int32) {
	op, v := ov>>(s.vs&31), ov&s.vmask
	o, x := &s.out[op], &s.ov[ov]
	x.occ--
	if s.common != nil {
		s.giveShared(o, op, x)
	}
	bit := uint32(1) << (v & 31)
	if o.full&bit != 0 {
		s.hasRoomAgain(o, op, v)
	}
	if s.tailSent != nil && s.tailSent[op]&bit != 0 && x.occ == 0 {
		s.tailSent[op] &^= bit
		o.inUse &^= bit
		s.wake(o)
	}
}

// hasRoomAgain lets the packet that owns an output VC bid again.
func (s *Sim) hasRoomAgain(o *outPort, op, v int32) {
	o.full &^= 1 << (v & 31)
	if iv := s.owner(o, op, v); iv >= 0 {
		if st := &s.vc[iv]; st.state == vcActive && st.n > 0 {
			s.setReady(iv)
		}
	}
}

// arrive takes a flit from a line to a switch.
func (s *Sim) arrive(iv int32, f uint32) {
	st := &s.vc[iv]
	at := int32(st.head) + int32(st.n)
	if at >= s.depth {
		at -= s.depth
	}
	*s.slot(iv, st, at) = f
	st.n++
	if s.full != nil {
		s.full.arrived(s, iv, f)
	}
	switch {
	case st.state == vcIdle:
		s.headIn(iv, f, true)
	case st.state == vcActive && st.n == 1:
		if s.out[st.op].full>>(st.ovc&31)&1 == 0 {
			s.setReady(iv)
		}
	}
}

// headIn starts a packet whose head is at the front of an idle VC. With look-ahead its route is
// known, and it waits for a VC from this cycle on if it has just arrived, from the next on if it
// stood behind a tail.
func (s *Sim) headIn(iv int32, f uint32, arrived bool) {
	st := &s.vc[iv]
	if s.cfg.RoutingDelay == 0 {
		s.setRoute(iv, st, s.routedAt(int32(f>>2)))
		if arrived {
			s.setWait(iv)
		} else {
			s.waitNext(iv)
		}
		return
	}
	if !arrived { // routed in the next cycle
		st.state = vcRouting
		s.routeNext = append(s.routeNext, iv)
		return
	}
	s.routeHead(iv, st, f)
}

// routeHead computes the route of a head in the cycle in which it is at the front; it waits for a
// VC RoutingDelay cycles later.
func (s *Sim) routeHead(iv int32, st *vcState, f uint32) {
	if s.full != nil && s.full.batch != nil {
		st.state = vcRouting
		s.full.batch.join(iv, s.in[iv>>(s.vs&31)].sw)
		return
	}
	s.computeRoute(iv, st, f)
	s.waitNext(iv)
}

// computeRoute asks the routing where the head of an input VC goes.
func (s *Sim) computeRoute(iv int32, st *vcState, f uint32) {
	p := s.packet(int32(f >> 2))
	p.VC = uint8(iv & s.vmask)
	sw := s.in[iv>>(s.vs&31)].sw
	h := s.routePort(sw, &p.Packet, &s.view)
	p.Hops++
	if int(h.Hi) >= s.vcs || h.Lo > h.Hi {
		s.badVCs(h.Lo, h.Hi)
	}
	first := s.outStart[sw]
	st.op, st.lo, st.hi = first+h.Port, h.Lo, h.Hi
	if h.HasAlt || s.alts != nil {
		a := route{op: -1}
		if h.HasAlt {
			a = route{first + h.AltPort, h.AltLo, h.AltHi}
		}
		s.setAlt(iv, a)
	}
}

func (s *Sim) routeAt(sw int32, p *packet, c *choice) {
	h := s.routePort(sw, &p.Packet, &s.view)
	p.Hops++
	if int(h.Hi) >= s.vcs || h.Lo > h.Hi {
		s.badVCs(h.Lo, h.Hi)
	}
	*c = newChoice(s.outStart[sw], h)
}

func newChoice(first int32, h PortHop) choice {
	c := choice{route{first + h.Port, h.Lo, h.Hi}, route{op: -1}}
	if h.HasAlt {
		c.alt = route{first + h.AltPort, h.AltLo, h.AltHi}
	}
	return c
}

func (s *Sim) badVCs(lo, hi uint8) {
	panic(fmt.Sprintf("simcore: routing %s allows VCs %d to %d of %d", s.routingName, lo, hi, s.vcs))
}

func (s *Sim) setRoute(iv int32, st *vcState, c *choice) {
	st.op, st.lo, st.hi = c.op, c.lo, c.hi
	if c.alt.op >= 0 || s.alts != nil {
		s.setAlt(iv, c.alt)
	}
}

// setAlt notes the second choice of a head, or that it has none.
func (s *Sim) setAlt(iv int32, a route) {
	if s.alts == nil {
		s.alts = make([]route, len(s.vc))
		for i := range s.alts {
			s.alts[i].op = -1
		}
	}
	s.alts[iv] = a
}

// routeAgain routes the heads that came to the front of their VC in the last cycle.
func (s *Sim) routeAgain() {
	for _, iv := range s.routeNext {
		st := &s.vc[iv]
		s.routeHead(iv, st, s.front(iv))
	}
	s.routeNext = s.routeNext[:0]
}

// endOfStep starts what was decided in this step and takes effect in the next.
func (s *Sim) endOfStep() {
	l := s.takeOut(s.waitAt)
	for _, iv := range *l {
		s.setWait(iv)
	}
	*l = (*l)[:0]
	l = s.takeOut(s.readyAt)
	for _, iv := range *l {
		s.activate(iv)
	}
	*l = (*l)[:0]
}

// activate lets a VC bid for the switch. It has room at the next buffer or is woken by a credit.
func (s *Sim) activate(iv int32) {
	st := &s.vc[iv]
	if st.state != vcGranted {
		return // its speculative bid was successful
	}
	st.state = vcActive
	if s.out[st.op].full>>(st.ovc&31)&1 == 0 {
		s.setReady(iv)
	}
}

// routeAhead computes the routes of the packets that left in this cycle at the switches that
// they are sent to.
func (s *Sim) routeAhead() {
	for i, p := range s.ahead {
		s.routeAt(s.aheadAt[i], s.packet(p), s.routedAt(p))
	}
	s.ahead, s.aheadAt = s.ahead[:0], s.aheadAt[:0]
}

// canSend tells whether a line of less than a flit per cycle is free in this cycle.
func (s *Sim) canSend(op int32) bool {
	l := &s.slow[op]
	return l.num == 0 || l.free < int64(s.now+1)*l.num
}

// send takes a slot of the next buffer and puts a flit on the line of an output port: it arrives
// some cycles later.
func (s *Sim) send(o *outPort, op int32, v uint8, f uint32) {
	s.takeSlot(o, op, v, f)
	s.launch(o, op, v, f)
}

// takeSlot accounts for a flit that has been granted the switch.
func (s *Sim) takeSlot(o *outPort, op int32, v uint8, f uint32) {
	x := &s.ov[op<<(s.vs&31)|int32(v)]
	x.occ++
	if s.common != nil {
		s.takeShared(o, op, v, x)
	} else if x.occ >= s.depth {
		o.full |= 1 << (v & 31)
	}
	if f&tailBit != 0 {
		if s.tailSent != nil {
			s.tailSent[op] |= 1 << (v & 31)
		} else {
			o.inUse &^= 1 << (v & 31)
			if o.asleep >= 0 {
				s.wake(o)
			}
		}
	}
	if f&headBit != 0 && s.cfg.RoutingDelay == 0 && o.down < s.nIn {
		p := s.packet(int32(f >> 2))
		p.VC = v
		if s.cfg.RouteAtInjection && op >= s.nOut {
			s.routeAt(s.in[o.down].sw, p, s.routedAt(int32(f>>2)))
			return
		}
		s.ahead = append(s.ahead, int32(f>>2))
		s.aheadAt = append(s.aheadAt, s.in[o.down].sw)
	}
}

// later files an input VC into a ring of lists: it is taken out at the end of the cycle that lies
// as many cycles ahead as the ring is long, less one.
func (s *Sim) later(ring [][]int32, iv int32) {
	k := 0
	if n := len(ring); n > 1 {
		k = int((int64(s.now) + int64(n) - 1) % int64(n))
	}
	ring[k] = append(ring[k], iv)
}

func (s *Sim) takeOut(ring [][]int32) *[]int32 {
	if n := len(ring); n > 1 {
		return &ring[int64(s.now)%int64(n)]
	}
	return &ring[0]
}
