package family

// layeredRepair makes the nearest tuple of a box that keeps the rules: block counts become divisors, links are as many as there is
// room for and reach every node; where accelerators do not reach one another, layers are linked completely or meshed, one by one
// until they do.
func layeredRepair(lo, hi, v []int, relay bool) {
	within := func() bool {
		ok := true
		for i := range v {
			x := min(max(v[i], lo[i]), hi[i])
			ok = ok && x == v[i]
			v[i] = x
		}
		return ok
	}
	within()
	var l layeredNet
	l.decode(v, relay)
	l.repair()
	l.encode(v)
	if !within() || l.joined(v) {
		return // what a study fixes does not fit together: the rules say so
	}
	for _, link := range l.links() {
		m := l
		link(&m)
		m.repair()
		w := append([]int(nil), v...)
		m.encode(w)
		copy(v, w)
		if !within() {
			l.encode(v)
			continue
		}
		if l = m; l.joined(v) {
			return
		}
	}
}

// joined tells whether all accelerators reach one another and every switch.
func (l *layeredNet) joined(v []int) bool {
	f := layeredKnown(v, l)
	return f.idle == 0 && f.vcs > 0
}

// links are ways to join what is not.
func (l *layeredNet) links() (out []func(*layeredNet)) {
	for _, i := range []int{3, 5, 4} {
		if of := layeredPairOf[i]; l.n[of[0]] > 0 && l.n[of[1]] > 0 {
			out = append(out, func(m *layeredNet) {
				m.pair[i] = layeredPair{1, 1, m.n[of[1]], max(m.pair[i].rate, 1)}
			})
		}
	}
	for i := 1; i < layeredLayers; i++ {
		if l.n[i] > 1 {
			out = append(out, func(m *layeredNet) {
				m.in[i] = layeredInner{d: 1, p: [layeredDims]int{m.n[i] - 1}, rate: m.in[i].rate}
				m.in[i].a[0][0][0], m.in[i].a[0][1][0] = 1, 1
			})
		}
	}
	return out
}

// repair keeps the rules of the hyperparameters.
func (l *layeredNet) repair() {
	for i := 1; i < layeredLayers; i++ {
		l.n[i] = min(l.n[i], l.n[0])
	}
	if l.n[1]+l.n[2]+l.n[3] == 0 && !(l.relay && l.in[0].on()) {
		l.n[1] = 1
	}
	served := l.relay && l.in[0].on()
	for i := range layeredLayers - 1 {
		served = served || l.pair[i].on() && l.n[i+1] > 0
	}
	for i := 1; i < layeredLayers && !served; i++ {
		if l.n[i] > 0 {
			h := nearestDivisor(int(gcd(int64(l.n[0]), int64(l.n[i]))), l.n[i])
			l.pair[i-1], served = layeredPair{h, h, 1, l.pair[i-1].rate}, true
		}
	}
	rate := 0
	for i := range l.pair {
		p, of := &l.pair[i], layeredPairOf[i]
		lower, upper := l.n[of[0]], l.n[of[1]]
		if !p.on() || lower == 0 || upper == 0 {
			*p = noPair
			continue
		}
		p.hi = nearestDivisor(lower, p.hi)
		p.hj = layeredDivisorUpTo(upper, min(nearestDivisor(upper, p.hj), p.hi))
		block, part := lower/p.hi, upper/p.hj
		p.e = min(max(p.e, (part+block-1)/block), part)
		if i < layeredLayers-1 {
			if rate == 0 {
				rate = p.rate
			}
			p.rate = rate
		}
	}
	linked := [layeredLayers]bool{true}
	for i, of := range layeredPairOf {
		if l.pair[i].on() {
			linked[of[0]], linked[of[1]] = true, true
		}
	}
	for i := range l.in {
		if !linked[i] {
			l.n[i] = 0
		}
		l.in[i].repair(l.n[i])
	}
}

func (r *layeredInner) repair(n int) {
	if n < 2 || !r.on() {
		*r = noInner
		return
	}
	if r.d == 2 {
		r.s = nearestDivisor(n, max(r.s, 1))
	}
	size := r.sizes(n)
	for k := range r.d {
		r.p[k] = min(r.p[k], size[k]-1)
		clamp := func(x *int) { *x = min(max(*x, -size[k]), size[k]) }
		for t := range layeredDims {
			for i := range r.a[k] {
				clamp(&r.a[k][i][t])
			}
			clamp(&r.c[k][t])
		}
	}
	if r.clean(n); !r.on() {
		*r = noInner
	}
}
