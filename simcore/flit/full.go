package flit

import (
	"math"
	"math/bits"

	"toposearch/simcore"
)

func newFullState(s *Sim) *fullState {
	c := &s.cfg
	f := &fullState{pri: priorities[c.Priority]}
	va, _ := parseAllocator(c.VCAllocator)
	if c.VCAllocator == piggyback {
		f.turn = make([]uint8, s.nOut)
	}
	sa, _ := parseAllocator(c.SwAllocator)
	largest := 0
	f.xIn, f.xOut = make([]int32, s.switches+1), make([]int32, s.switches+1)
	for sw := range s.switches {
		in, out := s.inStart[sw+1]-s.inStart[sw], s.outStart[sw+1]-s.outStart[sw]
		v, is, os := int32(c.VCs), int32(c.InputSpeedup), int32(c.OutputSpeedup)
		if f.turn == nil {
			f.vcAlloc = append(f.vcAlloc, newMatcher(va, in*v, out*v))
		}
		f.swAlloc = append(f.swAlloc, newMatcher(sa, in*is, out*os))
		if c.Speculative && c.SpecSwAllocator != "prio" {
			sp, _ := parseAllocator(c.SpecSwAllocator)
			f.specAlloc = append(f.specAlloc, newMatcher(sp, in*is, out*os))
		}
		f.xIn[sw+1], f.xOut[sw+1] = f.xIn[sw]+in*is, f.xOut[sw]+out*os
		largest = max(largest, int(in*max(v, is)), int(out*max(v, os)))
	}
	f.m, f.spec = newMatching(largest), newMatching(largest)
	f.reqAt = make([]int32, s.maxPorts*c.InputSpeedup*s.maxPorts*c.OutputSpeedup)
	f.offset, f.hold = make([]uint8, f.xIn[s.switches]), make([]int16, f.xIn[s.switches])
	f.holdOut = make([]bool, f.xOut[s.switches])
	f.fifoHead, f.fifoTail, f.fifoLen = make([]int32, s.nOut), make([]int32, s.nOut), make([]int32, s.nOut)
	f.fifoOn = make([]uint64, (s.nOut+63)/64)
	f.creditAt, f.creditStep = make([]int64, s.nIn), make([]int64, s.nIn)
	switch f.pri {
	case priLocalAge:
		f.arrivedAt = make([]simcore.Cycle, len(s.vc)*int(s.depth))
	case priHopCount:
		f.hopsAt = make([]uint16, len(s.vc))
	case priNetworkAge:
		f.left = make([]uint16, len(s.vc))
		s.flitTimes = true
	}
	if c.BatchStages {
		f.batch = newBatchStages(s)
	}
	return f
}

// part is the state of another part p: shared by switch and port, its own where it is a list.
func (f *fullState) part(p *Sim) *fullState {
	q := new(fullState)
	*q = *f
	n := len(f.m.inTo)
	q.m, q.spec = newMatching(n), newMatching(n)
	q.vcReqs, q.reqs, q.specReqs, q.reqAt = nil, nil, nil, make([]int32, len(f.reqAt))
	q.crossbar, q.grants, q.dropped, q.nodes = nil, nil, nil, nil
	q.batch = f.batch.part()
	q.fifoOn = make([]uint64, (p.nOut+63)/64)
	return q
}

// ordered reports whether an allocator draws random numbers, for one switch after the other.
func (f *fullState) ordered() bool {
	for _, bank := range [][]matcher{f.vcAlloc, f.swAlloc, f.specAlloc} {
		if len(bank) > 0 && bank[0].spec.kind == allocPIM {
			return true
		}
	}
	return false
}

func (f *fullState) reset(s *Sim, seed uint64) {
	for sw := range s.switches {
		if f.turn == nil {
			f.vcAlloc[sw].reset()
		}
		f.swAlloc[sw].reset()
		if f.specAlloc != nil {
			f.specAlloc[sw].reset()
		}
		for x := f.xIn[sw]; x < f.xIn[sw+1]; x++ {
			f.offset[x] = uint8(int(x-f.xIn[sw]) % s.cfg.InputSpeedup)
		}
	}
	for i := range f.reqAt {
		f.reqAt[i] = -1
	}
	clear(f.turn)
	f.empty(s)
	for i := range f.creditAt {
		f.creditAt[i], f.creditStep[i] = -1, -1
	}
	f.batch.reset()
	f.rng = simcore.NewRand(seed, 4)
	f.steps, f.step = 0, 0
}

// empty takes all out that stands between buffers and lines.
func (f *fullState) empty(s *Sim) {
	for x := range f.hold {
		f.hold[x] = -1
	}
	clear(f.holdOut)
	f.crossbar, f.nodes, f.freeNode = f.crossbar[:0], f.nodes[:0], -1
	for i := range f.fifoHead {
		f.fifoHead[i], f.fifoTail[i], f.fifoLen[i] = -1, -1, 0
	}
	clear(f.fifoOn)
	clear(f.left)
}

func (f *fullState) push(s *Sim, ov int32, flit uint32) {
	i := f.freeNode
	if i >= 0 {
		f.freeNode = f.nodes[i].next
	} else {
		i = int32(len(f.nodes))
		f.nodes = append(f.nodes, node{})
	}
	f.nodes[i] = node{ov, flit, -1}
	op := ov >> s.vs
	if f.fifoHead[op] < 0 {
		f.fifoHead[op] = i
		f.fifoOn[op>>6] |= 1 << (op & 63)
	} else {
		f.nodes[f.fifoTail[op]].next = i
	}
	f.fifoTail[op] = i
	f.fifoLen[op]++
}

// priority of the front flit of an input VC.
func (f *fullState) priority(s *Sim, iv int32) int64 {
	st := &s.vc[iv]
	slot := iv*s.depth + int32(st.head)
	p := s.packet(int32(s.front(iv) >> 2))
	switch f.pri {
	case priAge:
		return math.MaxInt32 - int64(p.created)
	case priNetworkAge: // each flit by its own injection
		return math.MaxInt32 - int64(s.injectedAt(int32(s.front(iv)>>2), p, f.left[iv]))
	case priLocalAge:
		return math.MaxInt32 - int64(f.arrivedAt[slot])
	case priQueueLength:
		return int64(st.n)
	case priHopCount: // the head of a packet may be further on than the flit at the front
		if st.state == vcWaiting {
			f.hopsAt[iv] = p.Hops
		}
		return int64(f.hopsAt[iv])
	case priSequence:
		return math.MaxInt32 - int64(p.order())
	}
	return 0
}

// allocVCs collects the requests of waiting heads and lets the allocator match them.
func (f *fullState) allocVCs(s *Sim, sw int32) {
	in0 := s.inStart[sw]
	ports := s.inStart[sw+1] - in0
	f.vcReqs = f.vcReqs[:0]
	d := &s.dims[sw]
	for k, m := range s.waitW[d.word : d.word+d.words] {
		for ; m != 0; m &= m - 1 {
			local := int32(k<<6 + bits.TrailingZeros64(m))
			f.wantVCs(s, sw, in0<<s.vs+local, local>>s.vs, ports)
		}
	}
	if len(f.vcReqs) == 0 {
		return
	}
	f.vcAlloc[sw].match(f.vcReqs, f.m, &f.rng)
	for k := range f.vcReqs {
		r := &f.vcReqs[k]
		if f.m.inTo[r.in] == int32(k) {
			f.grantVC(s, sw, r)
		}
	}
	f.m.clear(f.vcReqs)
}

// wantVCs adds the requests of a waiting head: every free VC of its range, and of its second
// choice at lower priority.
func (f *fullState) wantVCs(s *Sim, sw, iv, i, ports int32) {
	st := &s.vc[iv]
	v := iv & s.vmask
	in := i*int32(s.vcs) + v
	if s.cfg.VCShuffleRequests {
		in = v*ports + i
	}
	pri := f.priority(s, iv)
	add := func(op int32, lo, hi uint8, elem int64) {
		for free := s.freeFor(iv, op, lo, hi); free != 0; free &= free - 1 {
			o := int32(bits.TrailingZeros32(free))
			inPri := elem
			if s.cfg.VCPrioritizeEmpty && s.ov[op<<s.vs|o].occ > 0 {
				inPri += math.MinInt32
			}
			f.vcReqs = append(f.vcReqs, request{in: in, out: (op-s.outStart[sw])*int32(s.vcs) + o, inPri: inPri, outPri: pri, vc: iv})
		}
	}
	if s.alts != nil && s.alts[iv].op >= 0 {
		a := &s.alts[iv]
		add(a.op, a.lo, a.hi, 0)
		add(st.op, st.lo, st.hi, 1)
		return
	}
	add(st.op, st.lo, st.hi, 0)
}

func (f *fullState) grantVC(s *Sim, sw int32, r *request) {
	f.own(s, r.vc, s.outStart[sw]+r.out/int32(s.vcs), r.out%int32(s.vcs))
	s.later(s.readyAt, r.vc)
}

// own gives an input VC the VC ovc of an output port.
func (f *fullState) own(s *Sim, iv, op, ovc int32) {
	st := &s.vc[iv]
	st.op, st.ovc, st.state = op, uint8(ovc), vcGranted
	s.out[op].inUse |= 1 << ovc
	s.ov[op<<s.vs|ovc].last = iv
	s.clearWait(iv)
}

// giveCredit sends the credit of a slot: one message leaves an input per cycle, with all slots
// freed in one step.
func (f *fullState) giveCredit(s *Sim, ip, v int32) {
	if f.creditStep[ip] != f.step {
		f.creditStep[ip] = f.step
		f.creditAt[ip] = max(int64(s.now), f.creditAt[ip]+1)
	}
	s.creditLater(ip, v, simcore.Cycle(f.creditAt[ip]))
}
