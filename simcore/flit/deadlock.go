package flit

import "toposearch/simcore"

// findDeadlock follows the packets that wait: each blocked input VC waits for a VC of the next
// buffer, whose front packet waits in its turn. A walk that meets itself is the cycle.
func (s *Sim) findDeadlock() *simcore.Deadlock {
	d := &simcore.Deadlock{Since: int64(s.moved), InFlits: s.inNet}
	seen := make([]int32, len(s.vc)) // 0, or the walk in which it was met
	for start := range int32(len(s.vc)) {
		if s.vc[start].n == 0 || seen[start] != 0 {
			continue
		}
		iv := start
		for iv >= 0 && seen[iv] == 0 {
			seen[iv] = start + 1
			iv, _ = s.waitsFor(iv)
		}
		if iv < 0 || seen[iv] != start+1 {
			continue
		}
		for at := iv; ; {
			next, w := s.waitsFor(at)
			d.Cycle = append(d.Cycle, w)
			if at = next; at == iv {
				return d
			}
		}
	}
	return d
}

// waitsFor gives the input VC at the far end of the output VC that a blocked VC waits for; -1 if
// that is a sink, empty, or not known.
func (s *Sim) waitsFor(iv int32) (int32, simcore.Wait) {
	st := &s.vc[iv]
	if st.n == 0 || st.state == vcIdle || st.state == vcRouting {
		return -1, simcore.Wait{}
	}
	ip := iv >> s.vs
	sw := s.in[ip].sw
	p := s.packet(int32(s.front(iv) >> 2))
	w := simcore.Wait{Switch: sw, InPort: ip - s.inStart[sw], VC: iv & (1<<s.vs - 1),
		OutPort: st.op - s.outStart[sw], OutVC: int32(st.ovc), Source: p.Src, Dest: p.Dst}
	if st.state == vcWaiting {
		w.OutVC = int32(st.lo)
	}
	o := &s.out[st.op]
	if o.down < 0 || o.down >= s.nIn {
		return -1, w
	}
	if next := o.down<<s.vs | w.OutVC; s.vc[next].n > 0 {
		return next, w
	}
	// The VC is held, but what was sent on it has moved on: its owner still stands here.
	return s.owner(o, st.op, w.OutVC), w
}
