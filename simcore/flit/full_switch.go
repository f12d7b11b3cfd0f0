package flit

import (
	"math"
	"math/bits"
)

// holders collects the VCs that hold the switch and move without arbitration; one whose next
// buffer is full lets go at the end of the step and bids again in the next.
func (f *fullState) holders(s *Sim, sw int32) {
	f.grants, f.dropped = f.grants[:0], f.dropped[:0]
	if s.cfg.HoldSwitch {
		in0, is := s.inStart[sw], int32(s.cfg.InputSpeedup)
		for x := f.xIn[sw]; x < f.xIn[sw+1]; x++ {
			if f.hold[x] < 0 {
				continue
			}
			xi := x - f.xIn[sw]
			iv := (in0+xi/is)<<s.vs | int32(f.hold[x])
			g := grant{iv, xi, f.xOutOf(s, sw, xi/is, s.vc[iv].op)}
			if f.hasRoom(s, &s.vc[iv]) {
				f.grants = append(f.grants, g)
			} else {
				f.dropped = append(f.dropped, g)
			}
		}
	}
	f.held = len(f.grants)
}

// allocSwitch matches the bids and sends the flits that won. Every decision is made on the state
// before the flits of this step leave.
func (f *fullState) allocSwitch(s *Sim, sw int32) {
	f.swAlloc[sw].match(f.reqs, f.m, &f.rng)
	if f.specAlloc != nil {
		f.specAlloc[sw].match(f.specReqs, f.spec, &f.rng)
	}
	for k := range f.reqs {
		if r := &f.reqs[k]; f.m.inTo[r.in] == int32(k) {
			f.grants = append(f.grants, grant{r.vc, r.in, r.out})
		}
	}
	for k := range f.specReqs {
		if r := &f.specReqs[k]; f.spec.inTo[r.in] == int32(k) && f.specPasses(s, r) {
			f.grants = append(f.grants, grant{r.vc, r.in, r.out})
		}
	}
	for k := range f.reqs {
		f.reqAt[f.slot(sw, &f.reqs[k])] = -1
	}
	f.m.clear(f.reqs)
	f.spec.clear(f.specReqs)
	for i, g := range f.grants {
		f.perform(s, sw, g, i < f.held)
	}
	for _, g := range f.dropped {
		f.release(f.xIn[sw]+g.xi, f.xOut[sw]+g.xo)
		if st := &s.vc[g.iv]; s.out[st.op].full>>st.ovc&1 == 0 {
			s.setReady(g.iv)
		}
	}
}

// specPasses reports whether a grant of the speculative allocator survives the other one: its input
// is not matched there, and its output not matched or, with SpecMaskByReqs, not even asked for.
func (f *fullState) specPasses(s *Sim, r *request) bool {
	if f.m.inTo[r.in] >= 0 {
		return false
	}
	if !s.cfg.SpecMaskByReqs {
		return f.m.outTo[r.out] < 0
	}
	for k := range f.reqs {
		if f.reqs[k].out == r.out {
			return false
		}
	}
	return true
}

// xOutOf is the crossbar output by which an input port reaches an output port.
func (f *fullState) xOutOf(s *Sim, sw, i, op int32) int32 {
	os := int32(s.cfg.OutputSpeedup)
	return (op-s.outStart[sw])*os + i%os
}

// hasRoom reports whether an active VC may send: a credit, and a place in the output queue.
func (f *fullState) hasRoom(s *Sim, st *vcState) bool {
	if s.out[st.op].full>>st.ovc&1 != 0 {
		return false
	}
	return s.cfg.OutputBuffer < 0 || f.fifoLen[st.op] < int32(s.cfg.OutputBuffer)
}

func (f *fullState) slot(sw int32, r *request) int32 {
	return r.in*(f.xOut[sw+1]-f.xOut[sw]) + r.out
}

// collect gathers the bids for the crossbar.
func (f *fullState) collect(s *Sim, sw int32) {
	f.reqs, f.specReqs = f.reqs[:0], f.specReqs[:0]
	d := &s.dims[sw]
	for k := d.word; k < d.word+d.words; k++ {
		ready, wait := s.readyW[k], uint64(0)
		if s.cfg.Speculative {
			wait = s.waitW[k]
		}
		first := d.in0<<s.vs + (k-d.word)<<6
		// Port by port; of each the ready VCs first.
		for ready|wait != 0 {
			at := bits.TrailingZeros64(ready|wait) &^ int(s.vmask)
			port := s.portMask << at
			for r := ready & port; r != 0; r &= r - 1 {
				iv := first + int32(bits.TrailingZeros64(r))
				if st := &s.vc[iv]; f.hasRoom(s, st) {
					f.bid(s, sw, iv, st.op, f.priority(s, iv), false)
				}
			}
			for r := wait & port; r != 0; r &= r - 1 {
				f.speculate(s, sw, first+int32(bits.TrailingZeros64(r)))
			}
			ready &^= port
			wait &^= port
		}
	}
}

// speculate bids for the outputs of a head that asks for a VC in this step.
func (f *fullState) speculate(s *Sim, sw, iv int32) {
	st := &s.vc[iv]
	pri := f.priority(s, iv)
	if f.eligible(s, st.op, st.lo, st.hi) {
		f.bid(s, sw, iv, st.op, pri, true)
	}
	if s.alts != nil && s.alts[iv].op >= 0 {
		if a := &s.alts[iv]; f.eligible(s, a.op, a.lo, a.hi) {
			f.bid(s, sw, iv, a.op, pri, true)
		}
	}
}

// eligible reports whether a speculative bid has a chance: a VC of the range is free, and not full.
func (f *fullState) eligible(s *Sim, op int32, lo, hi uint8) bool {
	if !s.cfg.SpecCheckElig {
		return true
	}
	free := ^s.out[op].inUse & rangeMask(lo, hi)
	if s.cfg.SpecCheckCred {
		free &^= s.out[op].full
	}
	return free != 0
}

// specPenalty puts speculative bids below all others in a shared allocator.
const specPenalty = math.MinInt32 * 4

// bid adds a request. Of several VCs at one crossbar input for one output, the one of higher
// priority stays, of equals the first at or after the input's offset.
func (f *fullState) bid(s *Sim, sw, iv, op int32, pri int64, spec bool) {
	in0, is := s.inStart[sw], int32(s.cfg.InputSpeedup)
	i, v := iv>>s.vs-in0, iv&s.vmask
	r := request{in: i*is + v%is, vc: iv}
	r.out = f.xOutOf(s, sw, i, op)
	if f.hold[f.xIn[sw]+r.in] >= 0 || f.holdOut[f.xOut[sw]+r.out] {
		return
	}
	if spec && f.specAlloc == nil {
		pri += specPenalty
	}
	r.inPri, r.outPri = pri, pri
	list := &f.reqs
	if spec && f.specAlloc != nil {
		list = &f.specReqs
		for k := range *list {
			if q := &(*list)[k]; q.in == r.in && q.out == r.out {
				f.prefer(s, sw, q, r)
				return
			}
		}
		*list = append(*list, r)
		return
	}
	at := f.slot(sw, &r)
	if k := f.reqAt[at]; k >= 0 {
		f.prefer(s, sw, &f.reqs[k], r)
		return
	}
	f.reqAt[at] = int32(len(*list))
	*list = append(*list, r)
}

func (f *fullState) prefer(s *Sim, sw int32, old *request, r request) {
	off, n := int32(f.offset[f.xIn[sw]+r.in]), int32(s.vcs)
	turn := func(iv int32) int32 { return (iv&s.vmask - off + n) % n }
	if r.inPri > old.inPri || r.inPri == old.inPri && turn(r.vc) < turn(old.vc) {
		*old = r
	}
}

// perform sends the front flit of a VC that won the switch. A speculative winner needs a VC,
// granted in this step at this output, with room.
func (f *fullState) perform(s *Sim, sw int32, g grant, held bool) {
	st := &s.vc[g.iv]
	ip, v := g.iv>>s.vs, g.iv&s.vmask
	xi, xo := f.xIn[sw]+g.xi, f.xOut[sw]+g.xo
	if !held { // also if its speculation fails
		f.offset[xi] = uint8((int(v) + s.cfg.InputSpeedup) % s.vcs)
	}
	if st.state != vcActive {
		if f.turn != nil && !f.takeVC(s, sw, g) {
			return
		}
		if st.state != vcGranted || f.xOutOf(s, sw, g.iv>>s.vs-s.inStart[sw], st.op) != g.xo || s.out[st.op].full>>st.ovc&1 != 0 {
			return
		}
		st.state = vcActive
	}
	if s.common != nil && s.out[st.op].full>>st.ovc&1 != 0 {
		return // another winner of this step, to the same port, has taken the last shared slot
	}
	op, ovc := st.op, st.ovc
	o := &s.out[op]
	flit := s.pop(g.iv, st)
	s.takeSlot(o, op, ovc, flit)
	f.crossbar = append(f.crossbar, transit{op<<s.vs | int32(ovc), flit, -1})
	f.giveCredit(s, ip, v)
	s.stat.flitHops++
	s.moved = s.now
	f.release(xi, xo)
	if f.left != nil {
		if f.left[g.iv]++; flit&tailBit != 0 {
			f.left[g.iv] = 0
		}
	}
	switch {
	case flit&tailBit != 0:
		s.clearReady(g.iv)
		s.nextPacket(g.iv, st)
	case st.n == 0:
		s.clearReady(g.iv)
	case s.cfg.HoldSwitch:
		s.clearReady(g.iv)
		f.hold[xi], f.holdOut[xo] = int16(v), true
	case o.full>>ovc&1 != 0:
		s.clearReady(g.iv)
	default:
		s.setReady(g.iv)
	}
}

// takeVC gives a head that won the switch by speculation a VC of that output that is free and not
// full: of its first choice if that has one, else of its second.
func (f *fullState) takeVC(s *Sim, sw int32, g grant) bool {
	st := &s.vc[g.iv]
	if st.state != vcWaiting {
		return false
	}
	i := g.iv>>s.vs - s.inStart[sw]
	if f.xOutOf(s, sw, i, st.op) == g.xo && f.takeFrom(s, g.iv, st.op, st.lo, st.hi) {
		return true
	}
	if s.alts == nil || s.alts[g.iv].op < 0 {
		return false
	}
	a := &s.alts[g.iv]
	return f.xOutOf(s, sw, i, a.op) == g.xo && f.takeFrom(s, g.iv, a.op, a.lo, a.hi)
}

// takeFrom takes a VC of a range: the next in turn, or with VCPrioritizeEmpty the one with the fewest
// flits ahead.
func (f *fullState) takeFrom(s *Sim, iv, op int32, lo, hi uint8) bool {
	best := int32(-1)
	for free := s.freeVCs(op, lo, hi) &^ s.out[op].full; free != 0; free &= free - 1 {
		v := int32(bits.TrailingZeros32(free))
		if best < 0 || f.before(s, op, v, best) {
			best = v
		}
	}
	if best < 0 {
		return false
	}
	f.turn[op] = uint8((best + 1) % int32(s.vcs))
	f.own(s, iv, op, best)
	return true
}

// before reports whether VC a of an output is preferred to b.
func (f *fullState) before(s *Sim, op, a, b int32) bool {
	if s.cfg.VCPrioritizeEmpty {
		if x, y := s.ov[op<<s.vs|a].occ, s.ov[op<<s.vs|b].occ; x != y {
			return x < y
		}
	}
	n, t := int32(s.vcs), int32(f.turn[op])
	return (a-t+n)%n < (b-t+n)%n
}

func (f *fullState) release(xi, xo int32) { f.hold[xi], f.holdOut[xo] = -1, false }
