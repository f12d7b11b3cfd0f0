package simcore

import (
	"fmt"
	"math/bits"
)

// check verifies what must hold between two cycles: credits, buffers and masks agree with each
// other and with the flits on their way. It costs as much as the network is large; the build tag
// simcheck makes every cycle do it.
func (s *Sim) check() error {
	flying, credits := s.underWay()
	inNet := 0
	for op := range s.out {
		o := &s.out[op]
		sum := int32(0)
		for v := range int32(s.vcs) {
			ov := int32(op)<<s.vs | v
			occ := s.ov[ov].occ
			sum += occ
			there := int32(0)
			if o.down >= 0 && o.down < s.nIn {
				there = int32(s.vc[o.down<<s.vs|v].n)
			}
			inNet += int(there) + int(flying[ov])
			if occ < 0 || occ > s.depth {
				return fmt.Errorf("port %d VC %d: %d of %d slots taken", op, v, occ, s.depth)
			}
			if got := flying[ov] + there + credits[ov]; got != occ {
				return fmt.Errorf("port %d VC %d: %d slots taken, but %d flits fly, %d stand there, %d credits fly",
					op, v, occ, flying[ov], there, credits[ov])
			}
			if full := o.full>>v&1 != 0; full != s.isFull(int32(op), v) {
				return fmt.Errorf("port %d VC %d: full is %t at %d of %d", op, v, full, occ, s.depth)
			}
		}
		if n := s.shared(int32(op)); s.common != nil && (n != s.common[op] || int(n) > s.cfg.SharedFlits) {
			return fmt.Errorf("port %d: %d of %d shared slots taken, counted %d", op, n, s.cfg.SharedFlits, s.common[op])
		}
		if sum != o.used {
			return fmt.Errorf("port %d: used is %d, its VCs hold %d", op, o.used, sum)
		}
	}
	if inNet != s.inNet {
		return fmt.Errorf("%d flits are in the network, counted %d", inNet, s.inNet)
	}
	return s.checkInputs()
}

// underWay counts flits and credits under way by output VC. A flit in the crossbar or the output
// queue of the general cycle counts as flying.
func (s *Sim) underWay() (flying, credits []int32) {
	flying, credits = make([]int32, len(s.ov)), make([]int32, len(s.ov))
	for _, part := range s.all() {
		for i := range part.wheel {
			for _, e := range part.wheel[i].flits {
				iv := int32(e >> 32)
				flying[s.in[iv>>s.vs].up<<s.vs|iv&s.vmask]++
			}
			for _, c := range part.wheel[i].credits {
				credits[c]++
			}
		}
		if part.full != nil {
			part.full.underWay(func(ov int32, _ uint32) { flying[ov]++ })
		}
	}
	return flying, credits
}

// underWay visits what stands between crossbar and line in this part.
func (f *fullState) underWay(visit func(ov int32, flit uint32)) {
	for _, t := range f.crossbar {
		visit(t.ov, t.f)
	}
	for w, m := range f.fifoOn {
		for ; m != 0; m &= m - 1 {
			for i := f.fifoHead[w<<6+bits.TrailingZeros64(m)]; i >= 0; i = f.nodes[i].next {
				visit(f.nodes[i].ov, f.nodes[i].f)
			}
		}
	}
}

// checkInputs verifies masks against states.
func (s *Sim) checkInputs() error {
	for ip := range s.nIn {
		p := &s.in[ip]
		for v := range int32(s.vcs) {
			st := &s.vc[ip<<s.vs|v]
			if int32(st.n) > s.depth {
				return fmt.Errorf("input %d VC %d holds %d flits of %d", ip, v, st.n, s.depth)
			}
			w := s.waitW[p.word]>>(int32(p.bit)+v)&1 != 0
			if asleep := st.state == vcWaiting && !w; asleep && s.freeVCs(st.op, st.lo, st.hi) != 0 {
				return fmt.Errorf("input %d VC %d sleeps though a VC is free", ip, v)
			}
			if w && st.state != vcWaiting {
				return fmt.Errorf("input %d VC %d: wait is %t in state %d", ip, v, w, st.state)
			}
			if st.state == vcIdle && st.n > 0 || (st.state == vcWaiting || st.state == vcGranted) && st.n == 0 {
				return fmt.Errorf("input %d VC %d: state %d with %d flits", ip, v, st.state, st.n)
			}
			if st.state < vcGranted {
				continue
			}
			if x := &s.ov[st.op<<s.vs|int32(st.ovc)]; x.owner != ip<<s.vs|v || s.out[st.op].inUse>>st.ovc&1 == 0 {
				return fmt.Errorf("input %d VC %d believes to own port %d VC %d, owner is %d", ip, v, st.op, st.ovc, x.owner)
			}
		}
		if (s.readyNew[p.word] | s.waitNew[p.word]) != 0 {
			return fmt.Errorf("switch %d: what became ready or waits has not taken effect", p.sw)
		}
		if (s.readyW[p.word]|s.waitW[p.word]) != 0 && !s.isActive(p.sw) {
			return fmt.Errorf("switch %d has work and is not active", p.sw)
		}
	}
	return nil
}

// isActive tells that a part will visit a switch.
func (s *Sim) isActive(sw int32) bool {
	for _, p := range s.all() {
		if p.active[sw>>6]>>(sw&63)&1 != 0 {
			return true
		}
	}
	return false
}
