package flit

import (
	"math/bits"

	"toposearch/simcore"
)

// cycle runs the internal steps that are due, then sends one flit per output.
func (f *fullState) cycle(s *Sim) {
	f.steps += s.cfg.InternalSpeedup
	for first := true; f.steps >= 1; first = false {
		f.steps--
		f.step++
		if !first {
			s.routeAgain()
		}
		f.batch.route(s)
		s.forgetAllAsked()
		begun := len(f.crossbar)
		for w, m := range s.active {
			for ; m != 0; m &= m - 1 {
				sw := int32(w<<6 + bits.TrailingZeros64(m))
				f.holders(s, sw)
				f.collect(s, sw)
				s.noteAllAsked(&s.dims[sw])
				if f.turn == nil {
					f.allocVCs(s, sw)
					s.routeLosers(&s.dims[sw])
				}
				f.allocSwitch(s, sw)
				f.keepIfBusy(s, sw)
			}
		}
		f.traverse(s, begun)
		s.endOfStep()
	}
	f.sendOutputs(s)
}

// arrived notes when a flit came, for priorities by local age.
func (f *fullState) arrived(s *Sim, iv int32, _ uint32) {
	if f.arrivedAt == nil {
		return
	}
	st := &s.vc[iv]
	at := int32(st.head) + int32(st.n) - 1
	if at >= s.depth {
		at -= s.depth
	}
	f.arrivedAt[iv*s.depth+at] = s.now
}

func (f *fullState) keepIfBusy(s *Sim, sw int32) {
	for x := f.xIn[sw]; x < f.xIn[sw+1]; x++ {
		if f.hold[x] >= 0 {
			return
		}
	}
	s.dropIfIdle(int(sw))
}

// traverse moves flits through the crossbar: those granted in earlier steps, begun of them.
func (f *fullState) traverse(s *Sim, begun int) {
	st := simcore.Cycle(s.cfg.StPrepare + s.cfg.StFinal + s.cfg.SwAllocDelay - 1)
	keep := f.crossbar[:0]
	for i, t := range f.crossbar {
		if i < begun && t.due < 0 {
			t.due = f.batch.cross(t.ov>>s.vs, s.now+st-1, f.step)
		}
		if t.due >= 0 && t.due <= s.now {
			f.push(s, t.ov, t.f)
		} else {
			keep = append(keep, t)
		}
	}
	f.crossbar = keep
	f.batch.crossed(s.now)
}

// sendOutputs puts the front of every output queue on its line.
func (f *fullState) sendOutputs(s *Sim) {
	for w, m := range f.fifoOn {
		for ; m != 0; m &= m - 1 {
			op := int32(w<<6 + bits.TrailingZeros64(m))
			if s.slow != nil && !s.canSend(op) {
				continue
			}
			i := f.fifoHead[op]
			n := &f.nodes[i]
			s.launch(&s.out[op], op, uint8(n.ov&s.vmask), n.f)
			f.fifoHead[op] = n.next
			f.fifoLen[op]--
			if n.next < 0 {
				f.fifoTail[op] = -1
				f.fifoOn[w] &^= 1 << (op & 63)
			}
			n.next, f.freeNode = f.freeNode, i
		}
	}
}
