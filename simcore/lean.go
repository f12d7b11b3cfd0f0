package simcore

import (
	"math/bits"
	"unsafe"
)

// The cycle of the commonest configuration (Sim.lean): separable allocation, stages of one cycle,
// no look-ahead, private buffers, lines of a flit per cycle, VCs free again with the tail. It does
// what cycle.go and alloc.go do elsewhere; TestPlainAgreesWithGeneral and the slow twin hold it to
// that.
//
// It does not go from switch to switch. Each step is one loop over everything in the network that
// has to take it: credits, heads that ask for a VC, flits that arrive, ports that bid for their
// crossbar, outputs that grant. What is at hand differs from switch to switch, and loops over it
// would be of one or two rounds, whose end no processor foresees; a loop over thousands it does, and
// works on several rounds at a time, so that their cache misses overlap.

// b2i is 1 for true, without a branch.
func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// lane is what is to be done at a set of switches.
type lane struct {
	// The ports with a ready VC, the outputs with heads that ask for a VC in the next cycle, each with
	// the memory of the list before.
	ports, portsNext []int32
	asked, askedNext []int32
	again            []int32 // VCs whose heads came to the front behind a tail
	granted          []int32 // VCs whose heads have just been given an output VC
}

func (l *lane) reset() {
	l.ports, l.asked, l.again, l.granted = l.ports[:0], l.asked[:0], l.again[:0], l.granted[:0]
}

// laneBytes is the state of a lane's switches: a quarter of the second-level cache of one core
// of today's servers, for packets and the wheel want room there as well.
const laneBytes = 512 << 10

// laneCount is the number of lanes. Switches of a cycle may only be done one after the other if no
// routing looks at another switch.
func (s *Sim) laneCount() int {
	if !s.lean || !s.readsLocally() {
		return 1
	}
	if s.cfg.lanes > 0 {
		return min(s.cfg.lanes, s.switches)
	}
	bytes := int64(s.nIn)*int64(unsafe.Sizeof(inPort{})+unsafe.Sizeof(vcState{})<<s.vs) +
		int64(s.nOut)*int64(unsafe.Sizeof(outPort{})+unsafe.Sizeof(ovState{})<<s.vs)
	return int(min(max(1, bytes/laneBytes), maxLanes, int64(s.switches)))
}

// dealLanes deals out the switches to lanes in ranges of their numbers, equal in ports, and notes in
// every port in which lane what it sends arrives.
func (s *Sim) dealLanes() {
	n := int64(len(s.lanes))
	laneOf := func(sw int32) lag { return lag(int64(s.inStart[sw]) * n / int64(max(s.nIn, 1))) }
	for op := range s.out {
		o := &s.out[op]
		if o.down < 0 {
			continue
		}
		o.lag = o.lag&^0xff | lag(n)
		if o.down < s.nIn {
			o.lag = o.lag&^0xff | laneOf(s.in[o.down].sw)
		}
		s.in[o.down].crLag = s.in[o.down].crLag&^0xff | lag(n)
	}
	for sw := range int32(s.switches) {
		for op := s.outStart[sw]; op < s.outStart[sw+1]; op++ {
			if ip := s.out[op].down; ip >= 0 {
				s.in[ip].crLag = s.in[ip].crLag&^0xff | laneOf(sw)
			}
		}
	}
}

// cycleLanes is cycle lane by lane, so that the state of a lane stays in cache from its credits to
// its sends.
func (s *Sim) cycleLanes() {
	due := s.due()
	ends := &due[len(due)-1]
	s.creditsLean(nil, ends.credits) // of sources, which have no VCs that wait
	s.inject()
	s.eject(ends.flits)
	s.spare.giveBack(ends)
	for i := range s.lanes {
		l, b := &s.lanes[i], &due[i]
		s.creditsLean(l, b.credits)
		s.allocLean(l)
		s.routeAgainLean(l)
		s.arriveLean(l, b.flits)
		s.spare.giveBack(b)
		s.sendLean(l)
	}
	s.now++
}

// routeAgainLean is routeAgain.
func (s *Sim) routeAgainLean(l *lane) {
	for _, iv := range l.again {
		s.routeLean(l, iv, &s.vc[iv], s.front(iv), &s.in[iv>>(s.vs&31)])
	}
	l.again = l.again[:0]
}

// creditsLean takes the credits of this cycle.
func (s *Sim) creditsLean(l *lane, credits []int32) {
	ov, depth := s.ov, s.depth
	for _, c := range credits {
		x := &ov[c]
		n := x.occ
		x.occ = n - 1
		if n >= depth {
			s.roomLean(l, c)
		}
	}
}

// roomLean lets the packet that owns an output VC that was full bid again.
func (s *Sim) roomLean(l *lane, ov int32) {
	op, v := ov>>(s.vs&31), ov&s.vmask
	o := &s.out[op]
	o.full &^= 1 << (v & 31)
	if iv := s.owner(o, op, v); iv >= 0 {
		if st := &s.vc[iv]; st.state == vcActive && st.n > 0 {
			s.readyLean(l, iv)
		}
	}
}

// readyLean lets a VC bid for the crossbar.
func (s *Sim) readyLean(l *lane, iv int32) {
	ip := iv >> (s.vs & 31)
	p := &s.in[ip]
	p.ready |= 1 << (iv & s.vmask & 31)
	if p.listed == 0 {
		p.listed = 1
		l.ports = append(l.ports, ip)
	}
}

// allocLean is the separable input-first allocation of output VCs: each head picks a free VC of its
// range, each VC picks one of the heads that chose it. Only a completed match moves the pointers of
// both. Heads of this cycle are in the lists of the outputs in Sim.asked; those that lose are put
// there again.
func (s *Sim) allocLean(l *lane) {
	if s.alts != nil {
		s.allocAlts(l)
		return
	}
	list := l.asked
	l.asked = l.askedNext[:0]
	l.askedNext = list
	shift := s.vs & 31
	vcs := int32(1) << shift
	outs, sts, ovs := s.out, s.vc, s.ov
	for _, op := range list {
		o := &outs[op]
		iv := o.heads
		o.heads = -1
		st := &sts[iv]
		if st.next >= 0 {
			s.rivalsLean(l, op, o, iv)
			continue
		}
		free := ^o.inUse & (uint32(2<<(st.hi&31)-1) &^ uint32(1<<(st.lo&31)-1))
		if free == 0 {
			st.next = o.asleep
			o.asleep = iv
			continue
		}
		first := op << shift
		v := afterVC(free, st.vaPtr-first, vcs)
		o.inUse |= 1 << (v & 31)
		ovs[first+v].last = iv
		st.vaPtr = first + v + 1
		st.ovc, st.state = uint8(v), vcActive
		if o.full>>(v&31)&1 == 0 {
			l.granted = append(l.granted, iv)
		}
	}
}

// afterVC is the first of a set of VCs at or after a pointer, the first of all if there is none or
// the pointer is not to a VC of this port (below vcs). Whether it is is a toss: no branches.
func afterVC(free uint32, ptr, vcs int32) int32 {
	after := free >> (ptr & 31) << (ptr & 31)
	if uint32(ptr) >= uint32(vcs) {
		after = 0
	}
	if after == 0 {
		after = free
	}
	return int32(bits.TrailingZeros32(after))
}

// rivalsLean allocates VCs of an output that several heads want.
func (s *Sim) rivalsLean(l *lane, op int32, o *outPort, heads int32) {
	shift := s.vs & 31
	first := op << shift
	ovs := s.ov[first : first+1<<shift]
	var best [maxVCs]int32
	chosen := uint32(0)
	for iv := heads; iv >= 0; {
		st := &s.vc[iv]
		next := st.next
		free := ^o.inUse & rangeMask(st.lo, st.hi)
		if free == 0 {
			st.next, o.asleep = o.asleep, iv
			iv = next
			continue
		}
		v := afterVC(free, st.vaPtr-first, 1<<shift)
		lost := iv
		if chosen>>(v&31)&1 == 0 {
			chosen |= 1 << (v & 31)
			best[v], lost = iv, -1
		} else if ptr := ovs[v].last + 1; uint32(iv-ptr) < uint32(best[v]-ptr) {
			best[v], lost = iv, best[v]
		}
		if lost >= 0 {
			s.askLean(l, op, lost)
		}
		iv = next
	}
	for ; chosen != 0; chosen &= chosen - 1 {
		v := int32(bits.TrailingZeros32(chosen))
		s.grantVCLean(l, best[v], op, v)
	}
}

// askLean lets a head ask for a VC of an output in the next cycle.
func (s *Sim) askLean(l *lane, op, iv int32) {
	o := &s.out[op]
	if o.heads < 0 {
		l.asked = append(l.asked, op)
	}
	s.vc[iv].next, o.heads = o.heads, iv
}

// grantVCLean gives an output VC to the head of an input VC: from the next cycle on it bids, and
// nobody else can fill the VC till then.
func (s *Sim) grantVCLean(l *lane, iv, op, v int32) {
	st, o, ov := &s.vc[iv], &s.out[op], op<<(s.vs&31)+v
	o.inUse |= 1 << (v & 31)
	s.ov[ov].last = iv
	st.op, st.vaPtr = op, ov+1
	st.ovc, st.state = uint8(v), vcActive
	if o.full>>(v&31)&1 == 0 {
		l.granted = append(l.granted, iv)
	}
}

// allocAlts is allocLean where heads may have a second choice, whose VCs others choose, too. Such
// heads do not sleep: they ask in every cycle.
func (s *Sim) allocAlts(l *lane) {
	list := l.asked
	l.asked = l.askedNext[:0]
	l.askedNext = list
	if s.bidFor == nil {
		s.bidFor = make([]int32, len(s.ov)) // input VC + 1; 0: none
	}
	shift := s.vs & 31
	touched := s.scratch.touched[:0]
	for _, op := range list {
		iv := s.out[op].heads
		s.out[op].heads = -1
		for iv >= 0 {
			st := &s.vc[iv]
			next := st.next
			lost := iv
			if o := s.chooseVC(iv); o >= 0 {
				b := &s.bidFor[o]
				if *b == 0 {
					touched = append(touched, o)
					*b, lost = iv+1, -1
				} else if ptr := s.ov[o].last + 1; uint32(iv-ptr) < uint32(*b-1-ptr) {
					*b, lost = iv+1, *b-1
				}
			}
			if lost >= 0 {
				s.askLean(l, s.vc[lost].op, lost)
			}
			iv = next
		}
	}
	for _, o := range touched {
		s.grantVCLean(l, s.bidFor[o]-1, o>>shift, o&s.vmask)
		s.bidFor[o] = 0
	}
	s.scratch.touched = touched
}

// arriveLean takes the flits that arrive at switches in a cycle.
func (s *Sim) arriveLean(l *lane, flits []uint64) {
	shift := s.vs & 31
	vcs := s.vc
	for _, e := range flits {
		iv, f := int32(e>>32), uint32(e)
		st := &vcs[iv]
		n := int32(st.n)
		at := int32(st.head) + n
		if at >= s.depth {
			at -= s.depth
		}
		st.n = uint16(n + 1)
		if at < ringFlits {
			st.ring[at] = f
		} else {
			*s.slot(iv, st, at) = f
		}
		if st.state == vcIdle {
			s.routeLean(l, iv, st, f, &s.in[iv>>shift])
		} else if n == 0 && s.out[st.op].full>>(st.ovc&31)&1 == 0 {
			s.readyLean(l, iv) // it is active: in all other states its head is here
		}
	}
}

// routeLean computes the route of a head that is at the front; it asks for a VC in the next cycle.
func (s *Sim) routeLean(l *lane, iv int32, st *vcState, f uint32, in *inPort) {
	p := &s.pages[f>>2>>pageBits].packet[f>>2&pageMask]
	p.VC = uint8(iv & s.vmask)
	h := s.routePort(in.sw, p, &s.view)
	p.Hops++
	if int(h.Hi) >= s.vcs || h.Lo > h.Hi {
		s.badVCs(h.Lo, h.Hi)
	}
	op := in.out0 + h.Port
	st.op, st.lo, st.hi, st.state = op, h.Lo, h.Hi, vcWaiting
	if h.HasAlt || s.alts != nil {
		a := route{op: -1}
		if h.HasAlt {
			a = route{in.out0 + h.AltPort, h.AltLo, h.AltHi}
		}
		s.setAlt(iv, a)
	}
	o := &s.out[op]
	if o.heads < 0 {
		l.asked = append(l.asked, op)
	}
	st.next, o.heads = o.heads, iv
}

// sendLean is the separable input-first allocation of the crossbars: each input port picks one of
// its ready VCs, each output one of the ports that want it; then what was granted is sent.
func (s *Sim) sendLean(l *lane) {
	shift := s.vs & 31
	ports := l.ports
	l.ports = l.portsNext[:0]
	l.portsNext = ports
	bids := s.scratch.touched[:0]
	ins, sts, outs := s.in, s.vc, s.out
	for _, ip := range ports {
		p := &ins[ip]
		m := p.ready
		iv := ip<<shift + int32(bits.TrailingZeros32(m))
		if m&(m-1) != 0 {
			iv = s.pickLean(ip<<shift, p, m)
		}
		op := sts[iv].op
		o := &outs[op]
		rival := o.bid
		if rival < 0 {
			o.bid = iv
			bids = append(bids, op)
			continue
		}
		lost := ip
		if ptr := o.saPtr; uint32(ip-ptr) < uint32(rival>>shift-ptr) {
			o.bid, lost = iv, rival>>shift
		}
		l.ports = append(l.ports, lost)
	}
	s.scratch.touched = bids
	if len(bids) > 0 {
		s.stat.flitHops += int64(len(bids))
		s.moved = s.now
		s.grantLean(l, bids)
	}
	for _, iv := range l.granted {
		s.readyLean(l, iv)
	}
	l.granted = l.granted[:0]
}

// pickLean picks the VC, of those of m, by which an input port bids: for the first output after
// the one granted last, of those for that output the first after the VC granted last. iv0 is the
// port's VC 0.
func (s *Sim) pickLean(iv0 int32, p *inPort, m uint32) int32 {
	best, iv := ^uint64(0), int32(0)
	for ; m != 0; m &= m - 1 {
		v := int32(bits.TrailingZeros32(m))
		k := uint64(uint32(s.vc[iv0+v].op-p.saPtr))<<5 | uint64((v-int32(p.off))&31)
		if k < best {
			best, iv = k, iv0+v
		}
	}
	return iv
}

// grantLean sends, for each output of a list, the front flit of the input VC that has won it, and
// returns the credit of the slot that it leaves.
func (s *Sim) grantLean(l *lane, bids []int32) {
	shift, vmask := s.vs&31, s.vmask
	now, depth := s.now, s.depth
	ins, sts, outs, ovs := s.in, s.vc, s.out, s.ov
	for _, op := range bids {
		o := &outs[op]
		iv := o.bid
		o.bid = -1
		ip, vin := iv>>shift, iv&vmask
		st, p := &sts[iv], &ins[ip]
		vout := int32(st.ovc)
		p.saPtr, o.saPtr, p.off = op+1, ip+1, uint8(vin+1)
		f := s.popLean(iv, st, depth)
		n := st.n
		if s.sent != nil {
			s.sent[op]++
		}
		if s.farOut == nil {
			s.fileFlit(&s.wheel[s.place(now, o.lag)], o.down<<shift|vout, f)
			s.fileCredit(&s.wheel[s.place(now, p.crLag)], p.up<<shift|vin)
		} else {
			s.flitAnywhere(op, o, vout, f)
			s.giveCredit(ip, vin)
		}
		x := &ovs[op<<shift|vout]
		x.occ++
		full := b2i(x.occ >= depth)
		o.full |= uint32(full) << (vout & 31)
		leaves := b2i(n == 0) | full
		if f&tailBit != 0 {
			leaves = 1
			o.inUse &^= 1 << (vout & 31)
			if o.asleep >= 0 {
				s.wakeLean(l, op, o)
			}
			if st.state = vcIdle; n > 0 {
				st.state = vcRouting
				l.again = append(l.again, iv)
			}
		}
		m := p.ready &^ (uint32(leaves) << (vin & 31))
		p.ready = m
		if m != 0 {
			l.ports = append(l.ports, ip)
		} else {
			p.listed = 0
		}
	}
}

// popLean is pop.
func (s *Sim) popLean(iv int32, st *vcState, depth int32) uint32 {
	at := int32(st.head)
	n, head := st.n-1, at+1
	if head >= depth {
		head = 0
	}
	if n == 0 {
		head = 0
	}
	st.n, st.head = n, uint16(head)
	if at < ringFlits {
		return st.ring[at]
	}
	return *s.slot(iv, st, at)
}

// flitAnywhere puts a flit on a line that may lead to another part.
func (s *Sim) flitAnywhere(op int32, o *outPort, v int32, f uint32) {
	iv := o.down<<(s.vs&31) | v
	if to := s.farOut[op]; to != 0 {
		s.flitFar(to-1, s.now, o.lag, iv, f)
		return
	}
	s.fileFlit(&s.wheel[s.place(s.now, o.lag)], iv, f)
}

// wakeLean lets the heads that sleep at an output ask again, in the next cycle.
func (s *Sim) wakeLean(l *lane, op int32, o *outPort) {
	first, last := o.asleep, o.asleep
	if o.heads < 0 {
		l.asked = append(l.asked, op)
	} else {
		for s.vc[last].next >= 0 {
			last = s.vc[last].next
		}
		s.vc[last].next = o.heads
	}
	o.heads, o.asleep = first, -1
}
