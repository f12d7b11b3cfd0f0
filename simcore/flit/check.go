package flit

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
		for v := range int32(s.vcs) {
			ov := int32(op)<<s.vs | v
			occ := s.ov[ov].occ
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
	waits, err := s.waitingHeads()
	if err != nil {
		return err
	}
	for ip := range s.nIn {
		p := &s.in[ip]
		for v := range int32(s.vcs) {
			st := &s.vc[ip<<s.vs|v]
			if int32(st.n) > s.depth {
				return fmt.Errorf("input %d VC %d holds %d flits of %d", ip, v, st.n, s.depth)
			}
			w := waits(ip<<s.vs | v)
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
			if got := s.owner(&s.out[st.op], st.op, int32(st.ovc)); got != ip<<s.vs|v {
				return fmt.Errorf("input %d VC %d believes to own port %d VC %d, owner is %d", ip, v, st.op, st.ovc, got)
			}
		}
		if s.lean {
			if err := s.checkReady(ip); err != nil {
				return err
			}
			continue
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

// waitingHeads gives a function that reports which input VCs have a head that will ask for a VC in the next
// cycle: a bit, or in the lean cycle a place in the list of an output, which is in a list itself.
func (s *Sim) waitingHeads() (func(iv int32) bool, error) {
	if !s.lean {
		return func(iv int32) bool {
			p := &s.in[iv>>s.vs]
			return s.waitW[p.word]>>(int32(p.bit)+iv&s.vmask)&1 != 0
		}, nil
	}
	asked := make(map[int32]bool)
	n := 0
	for _, p := range s.all() {
		for i := range p.lanes {
			n += len(p.lanes[i].asked)
			for _, op := range p.lanes[i].asked {
				asked[op] = true
			}
		}
	}
	waits := make(map[int32]bool)
	for op := range s.out {
		o := &s.out[op]
		if (o.heads >= 0) != asked[int32(op)] || o.bid >= 0 {
			return nil, fmt.Errorf("port %d: first head to ask %d, listed %t, bid %d", op, o.heads, asked[int32(op)], o.bid)
		}
		for iv := o.heads; iv >= 0; iv = s.vc[iv].next {
			waits[iv] = true
			n++
		}
		for iv := o.asleep; iv >= 0; iv = s.vc[iv].next {
			if st := &s.vc[iv]; waits[iv] || st.state != vcWaiting || st.op != int32(op) {
				return nil, fmt.Errorf("port %d: VC %d sleeps, and asks: %t, in state %d at port %d", op, iv, waits[iv], st.state, st.op)
			}
		}
	}
	if n != len(asked)+len(waits) {
		return nil, fmt.Errorf("%d outputs or heads that ask are listed twice", n-len(asked)-len(waits))
	}
	return func(iv int32) bool { return waits[iv] }, nil
}

// checkReady verifies that those VCs of an input port are ready that are active, not empty, and have
// room at the next buffer, and that the port is listed if there is one.
func (s *Sim) checkReady(ip int32) error {
	p := &s.in[ip]
	want := uint32(0)
	for v := range int32(s.vcs) {
		if st := &s.vc[ip<<s.vs|v]; st.state == vcActive && st.n > 0 && s.out[st.op].full>>st.ovc&1 == 0 {
			want |= 1 << v
		}
	}
	n := 0
	for _, part := range s.all() {
		for i := range part.lanes {
			for _, q := range part.lanes[i].ports {
				n += b2i(q == ip)
			}
		}
	}
	if p.ready != want || n != int(p.listed) || n != b2i(want != 0) {
		return fmt.Errorf("input %d: VCs %b are ready, want %b; listed %d times, and says %d", ip, p.ready, want, n, p.listed)
	}
	return nil
}

// isActive reports whether a part will visit a switch.
func (s *Sim) isActive(sw int32) bool {
	for _, p := range s.all() {
		if p.active[sw>>6]>>(sw&63)&1 != 0 {
			return true
		}
	}
	return false
}
