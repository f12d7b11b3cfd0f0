package family

// What random tuples hold: shares in percent, chosen so that most have two or three layers that are linked to their neighbours, and
// every hyperparameter is open in some.
const (
	drawSecond  = 85 // of the tuples have a second layer of switches,
	drawThird   = 40 // of those a third
	drawNicNext = 35 // have links from accelerators to a layer of switches behind the first
	drawNear    = 85 // have links between layers of switches next to each other
	drawFar     = 20 // or not
	drawWithin  = 20 // have links within a layer
	drawRate    = 15 // have another bandwidth factor than 1 for some links
	drawFew     = 70 // have one link from an accelerator to a layer
)

// layeredSample draws a tuple of a box.
func layeredSample(intn func(int) int, lo, hi, v []int, relay bool) {
	l := layeredNet{relay: relay}
	l.n[0] = lo[0] + intn(hi[0]-lo[0]+1)
	if x := lo[0] + intn(hi[0]-lo[0]+1); len(divisors(x)) > len(divisors(l.n[0])) {
		l.n[0] = x
	}
	d := drawer{intn, &l}
	layers := 1
	if d.percent(drawSecond) {
		if layers++; d.percent(drawThird) {
			layers++
		}
	}
	for i := 1; i <= layers; i++ {
		l.n[i] = d.nodes()
	}
	for i := range l.pair {
		l.pair[i] = noPair
		of := layeredPairOf[i]
		share := drawFar
		switch {
		case i == 0:
			share = 100
		case of[0] == 0:
			share = drawNicNext
		case of[1] == of[0]+1:
			share = drawNear
		}
		if of[1] <= layers && d.percent(share) {
			d.pair(i)
		}
	}
	for i := range l.in {
		l.in[i] = noInner
		if l.n[i] > 1 && (i > 0 || relay) && d.percent(drawWithin) {
			d.inner(i)
		}
	}
	l.encode(v)
	layeredRepair(lo, hi, v, relay)
}

// layeredVary changes a tuple a little.
func layeredVary(intn func(int) int, lo, hi, v []int, relay bool) {
	var l layeredNet
	l.decode(v, relay)
	d := drawer{intn, &l}
	for range 1 + intn(2) {
		switch k := intn(10); {
		case k < 2:
			d.resize(1 + intn(layeredLayers-1))
		case k < 7:
			if i := intn(layeredPairs); l.pair[i].on() && intn(3) > 0 {
				d.shift(&l.pair[i], layeredPairOf[i])
			} else {
				d.toggle(i)
			}
		case k < 8:
			d.rate(intn(layeredPairs + layeredLayers))
		default:
			if i := intn(layeredLayers); l.n[i] > 1 && (i > 0 || relay) {
				if l.in[i].on() && intn(2) == 0 {
					l.in[i] = noInner
				} else {
					d.inner(i)
				}
			}
		}
	}
	l.encode(v)
	layeredRepair(lo, hi, v, relay)
}

// drawer changes a tuple at random.
type drawer struct {
	intn func(int) int
	l    *layeredNet
}

func (d drawer) percent(share int) bool { return d.intn(100) < share }

// of is one of several numbers.
func (d drawer) of(x []int) int { return x[d.intn(len(x))] }

// divisors of n >= 1, ascending.
func divisors(n int) (out []int) {
	for i := 1; i <= n; i++ {
		if n%i == 0 {
			out = append(out, i)
		}
	}
	return out
}

// nodes is how many switches a layer has: a divisor of the accelerators, small ones more often, or now and then a small multiple of
// one.
func (d drawer) nodes() int {
	all := divisors(d.l.n[0])
	x := min(d.of(all), d.of(all))
	if d.intn(4) == 0 {
		x *= 1 + d.intn(3)
	}
	return min(max(x, 1), d.l.n[0])
}

// resize redraws a layer, or makes it a simple multiple.
func (d drawer) resize(i int) {
	switch x := &d.l.n[i]; d.intn(4) {
	case 0:
		*x = d.nodes()
	case 1:
		*x *= 2
	case 2:
		*x = (*x + 1) / 2
	default:
		if *x > 0 && d.intn(2) == 0 {
			*x = 0
		} else {
			*x = d.l.n[1+d.intn(layeredLayers-1)] // as many as another
		}
	}
}

// toggle takes the links of a pair away, or draws new ones.
func (d drawer) toggle(i int) {
	of := layeredPairOf[i]
	if d.l.pair[i].on() && d.intn(2) == 0 {
		d.l.pair[i] = noPair
		return
	}
	if d.l.n[of[1]] == 0 {
		d.l.n[of[1]] = d.nodes()
	}
	if d.l.n[of[0]] > 0 {
		d.pair(i)
	}
}

// pair draws the links between two layers.
func (d drawer) pair(i int) {
	of := layeredPairOf[i]
	p := &d.l.pair[i]
	lower, upper := d.l.n[of[0]], d.l.n[of[1]]
	p.hi = d.of(divisors(lower))
	p.hj = layeredDivisorUpTo(upper, p.hi)
	if d.intn(2) == 0 {
		p.hj = layeredDivisorUpTo(upper, d.of(divisors(p.hi)))
	}
	part := upper / p.hj
	switch {
	case of[0] == 0 && d.percent(drawFew):
		p.e = 1
	case of[0] > 0 && d.intn(2) == 0:
		p.e = part
	default:
		p.e = d.of(divisors(part))
	}
	if of[0] == 0 { // few ports: where more would be needed to reach all, larger blocks
		for p.e*(lower/p.hi) < part && p.hi > 1 && p.hi > p.hj {
			p.hi = layeredDivisorUpTo(lower, p.hi-1)
		}
		p.hj = layeredDivisorUpTo(upper, min(p.hj, p.hi))
	}
	if d.percent(drawRate) {
		p.rate = 1 + d.intn(layeredRates)
	}
}

// shift moves one hyperparameter of a pair.
func (d drawer) shift(p *layeredPair, of [2]int) {
	lower, upper := d.l.n[of[0]], d.l.n[of[1]]
	switch d.intn(5) {
	case 0:
		p.hi = d.of(divisors(max(lower, 1)))
	case 1:
		p.hj = d.of(divisors(max(upper, 1)))
	case 2:
		p.e *= 2
	case 3:
		p.e = (p.e + 1) / 2
	default:
		p.hi, p.e = d.of(divisors(max(lower, 1))), 1
		p.hj = p.hi
	}
	p.hj = min(p.hj, p.hi)
}

// rate redraws a bandwidth factor.
func (d drawer) rate(i int) {
	x := 1 + d.intn(layeredRates)
	if i >= layeredPairs {
		d.l.in[i-layeredPairs].rate = x
		return
	}
	if d.l.pair[i].rate = x; i < layeredLayers-1 {
		for k := range layeredLayers - 1 {
			d.l.pair[k].rate = x
		}
	}
}

// inner draws the links within a layer: a mesh or a ring in each dimension, the global links of a dragonfly between groups, or any
// coefficients.
func (d drawer) inner(i int) {
	n := d.l.n[i]
	r := layeredInner{d: 1 + d.intn(layeredDims), rate: max(d.l.in[i].rate, 1)}
	if r.d == 2 {
		r.s = d.of(divisors(n))
	}
	size := r.sizes(n)
	for k := range r.d {
		for t := range r.d {
			r.a[k][t+1][t] = 1
		}
		switch d.intn(4) {
		case 0:
			r.p[k], r.a[k][0][k] = size[k]-1, 1
		case 1:
			r.p[k], r.c[k][k] = 1, 1
		case 2:
			if k == 1 { // palm tree: attempt m of switch x of group y leads to group y+h*x+m
				h := (size[1] - 1 + size[0] - 1) / size[0]
				r.p[1], r.c[1][0] = h, size[0]-1
				r.a[1] = [layeredDims + 1][layeredDims]int{{0, 1}, {-1, h}, {0, 1}}
				continue
			}
			fallthrough
		default:
			r.p[k] = 1 + d.intn(max(size[k]-1, 1))
			for t := range r.d {
				for x := range r.d + 1 {
					r.a[k][x][t] = d.intn(2*size[k]+1) - size[k]
				}
				r.c[k][t] = d.intn(2*size[k]+1) - size[k]
			}
		}
	}
	d.l.in[i] = r
}
