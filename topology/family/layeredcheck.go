package family

import (
	"toposearch/topology"
)

// layeredCheck tells whether a tuple keeps the rules of the hyperparameters, and whether all accelerators reach one another.
func layeredCheck(v []int, relay bool, s *topology.Size) error {
	var l layeredNet
	l.decode(v, relay)
	nodes := l.n[1] + l.n[2] + l.n[3]
	if relay {
		nodes += l.n[0]
	}
	for i := 1; i < layeredLayers; i++ {
		if l.n[i] > l.n[0] {
			return layeredFail(s, i, l.n[i], "a layer has at most as many switches as there are accelerators", l.n[0])
		}
	}
	if nodes > layeredNodes {
		i := 1
		for k := range l.n {
			if (k > 0 || relay) && l.n[k] > l.n[i] {
				i = k
			}
		}
		return layeredFail(s, i, l.n[i], "at most 4096 nodes forward", max(l.n[i]-(nodes-layeredNodes), 0))
	}
	for i := range l.pair {
		if err := l.checkPair(i, s); err != nil {
			return err
		}
	}
	for k := range layeredInners(relay) {
		if err := l.checkInner(k, s); err != nil {
			return err
		}
	}
	return l.checkReach(v, s)
}

// layeredFail names a parameter by its index.
func layeredFail(s *topology.Size, i, got int, rule string, bound int) error {
	return s.Fail(s.Family.Params[i].Name, got, rule, bound)
}

func (l *layeredNet) checkPair(i int, s *topology.Size) error {
	p, at := &l.pair[i], layeredPairAt+i*layeredPairLen
	lower, upper := l.n[layeredPairOf[i][0]], l.n[layeredPairOf[i][1]]
	switch {
	case !p.on():
		return nil
	case lower == 0 || upper == 0:
		return layeredFail(s, at, p.hi, "layers without nodes have no blocks", 0)
	case lower%p.hi != 0:
		return layeredFail(s, at, p.hi, "blocks divide their layer", nearestDivisor(lower, p.hi))
	case upper%p.hj != 0:
		return layeredFail(s, at+1, p.hj, "blocks divide their layer", nearestDivisor(upper, p.hj))
	case p.hj > p.hi:
		return layeredFail(s, at+1, p.hj, "the upper layer has no more blocks than the lower", layeredDivisorUpTo(upper, p.hi))
	case p.e > upper/p.hj:
		return layeredFail(s, at+2, p.e, "a node has at most one link to each node of its partner block", upper/p.hj)
	}
	if i >= layeredLayers-1 {
		return nil
	}
	for k := range i {
		if q := &l.pair[k]; q.on() && q.rate != p.rate {
			return layeredFail(s, at+3, p.rate, "the links of accelerators have one bandwidth factor", q.rate)
		}
	}
	return nil
}

// layeredDivisorUpTo is the largest divisor of n that is at most x, which is at least 1.
func layeredDivisorUpTo(n, x int) int {
	for x = min(x, n); n%x != 0; x-- {
	}
	return x
}

func (l *layeredNet) checkInner(k int, s *topology.Size) error {
	layer := layeredInnerOf[k]
	r, at, n := &l.in[layer], layeredInnerAt+k*layeredInnerLen, l.n[layer]
	if r.d == 0 {
		return nil
	}
	if n == 0 {
		return layeredFail(s, at, r.d, "layers without nodes have no dimensions", 0)
	}
	if r.d == 2 && (r.s < 1 || n%r.s != 0) {
		return layeredFail(s, at+1, r.s, "the size of a dimension divides its layer", nearestDivisor(n, max(r.s, 1)))
	}
	size := r.sizes(n)
	const attempts, coefficients = 2, 2 + layeredDims
	for d := range r.d {
		if r.p[d] >= size[d] {
			return layeredFail(s, at+attempts+d, r.p[d], "a node has fewer attempts in a dimension than that has nodes", size[d]-1)
		}
	}
	i := at + coefficients
	for d := range layeredDims {
		for c := range (layeredDims + 1) * layeredDims {
			x := r.a[d][c/layeredDims][c%layeredDims]
			if b := min(max(x, -size[d]), size[d]); d < r.d && x != b {
				return layeredFail(s, i, x, "coefficients and offsets are at most the size of their dimension", b)
			}
			i++
		}
	}
	for d := range layeredDims {
		for _, x := range r.c[d] {
			if b := min(max(x, -size[d]), size[d]); d < r.d && x != b {
				return layeredFail(s, i, x, "coefficients and offsets are at most the size of their dimension", b)
			}
			i++
		}
	}
	return nil
}

// checkReach asks what needs the network: who reaches whom.
func (l *layeredNet) checkReach(v []int, s *topology.Size) error {
	ports := false
	for i := range layeredLayers - 1 {
		ports = ports || l.pair[i].on()
	}
	if !ports && !(l.relay && l.in[0].on()) {
		return layeredFail(s, layeredPairAt, 0, "accelerators have ports", 1)
	}
	f := layeredKnown(v, l)
	switch {
	case f.idle > 0:
		return layeredFail(s, f.idle, l.n[f.idle], "every switch is linked, over others, to an accelerator", 0)
	case f.vcs == 0:
		// No number of switches mends it while blocks stay apart.
		return layeredFail(s, 1, l.n[1], "all accelerators reach one another, with at most 21 turns from climbing to descending", l.n[1])
	}
	return nil
}
