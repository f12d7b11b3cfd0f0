package family

// layeredCanonical gives tuples of one network one form, as far as it is told from them without looking at the network: parameters
// of links that are not there stand at their defaults, coefficients are the smallest of their residues, bandwidth factors have no
// common divisor, and layers without links between them, which can be numbered either way, are in descending order.
func layeredCanonical(v []int, relay bool) {
	var l layeredNet
	l.decode(v, relay)
	l.clean()
	l.sort()
	l.encode(v)
}

func (l *layeredNet) clean() {
	common := int64(0)
	for i := range l.pair {
		p, of := &l.pair[i], layeredPairOf[i]
		if !p.on() || l.n[of[0]] == 0 || l.n[of[1]] == 0 {
			*p = noPair
			continue
		}
		p.clean(l.n[of[0]], l.n[of[1]])
		common = gcd(common, int64(l.pair[i].rate))
	}
	for i := range l.in {
		r := &l.in[i]
		if !r.on() || l.n[i] == 0 {
			*r = noInner
			continue
		}
		if r.clean(l.n[i]); !r.on() {
			*r = noInner
			continue
		}
		common = gcd(common, int64(r.rate))
	}
	for i := range l.pair {
		if l.pair[i].on() {
			l.pair[i].rate /= int(common)
		}
	}
	for i := range l.in {
		if l.in[i].on() {
			l.in[i].rate /= int(common)
		}
	}
}

// clean gives the same links with the fewest blocks where that is seen at once: blocks of one node on either side deal out what one
// block does, and blocks that all come round to the first node of their one partner are one.
func (p *layeredPair) clean(lower, upper int) {
	if lower%p.hi != 0 || upper%p.hj != 0 {
		return // no network, and which is nearest is not for here
	}
	if p.hi == lower && p.hj == upper {
		p.hi, p.hj = 1, 1
	}
	if p.hj == 1 && lower/p.hi*p.e%upper == 0 {
		p.hi = 1
	}
}

func (r *layeredInner) clean(n int) {
	if size := r.sizes(n); r.d == 2 && n%size[0] == 0 && (size[0] == 1 || size[1] == 1) { // one dimension
		if size[0] == 1 {
			r.p[0], r.c[0][0] = r.p[1], r.c[1][1]
			r.a[0][0][0], r.a[0][1][0] = r.a[1][0][1], r.a[1][2][1]
		}
		r.d = 1
	}
	if r.d < 2 {
		r.s, r.p[1] = 0, 0
	}
	size := r.sizes(n)
	for k := range layeredDims {
		if r.p[k] == 0 {
			r.a[k], r.c[k] = [layeredDims + 1][layeredDims]int{}, [layeredDims]int{}
		}
		for t := range layeredDims {
			for i := range r.a[k] {
				r.a[k][i][t] = layeredResidue(r.a[k][i][t], size[t])
				if i > 0 && size[i-1] == 1 { // the coordinate is always 0
					r.a[k][i][t] = 0
				}
			}
			r.c[k][t] = layeredResidue(r.c[k][t], size[t])
		}
	}
}

// layeredResidue is the number nearest to 0 that is x modulo n, the positive of two: no farther from 0 than x.
func layeredResidue(x, n int) int {
	x %= n
	if x > n/2 {
		x -= n
	}
	if x < 0 && 2*x <= -n {
		x += n
	}
	return x
}

// sort exchanges neighbouring layers of switches without links between them until no such order is larger.
func (l *layeredNet) sort() {
	var orders [layeredOrders]layeredNet // boxes of a search ask this a million times: no allocation
	orders[0] = *l
	n, best := 1, 0
	for k := 0; k < n; k++ {
		for x := 1; x < layeredLayers-1; x++ {
			if n == layeredOrders {
				break
			}
			o := &orders[n]
			if *o = orders[k]; !o.exchange(x) {
				continue
			}
			known := false
			for i := range n {
				known = known || orders[i] == *o
			}
			if known {
				continue
			}
			if o.above(&orders[best]) {
				best = n
			}
			n++
		}
	}
	*l = orders[best]
}

// layeredOrders is how many orders the layers of switches have.
const layeredOrders = 6

// layeredPairAtLayers is the index of the pair of layers x < y.
func layeredPairAtLayers(x, y int) int {
	for i, p := range layeredPairOf {
		if p == [2]int{x, y} {
			return i
		}
	}
	return -1
}

// exchange renumbers layers x and x+1; false if they are linked.
func (l *layeredNet) exchange(x int) bool {
	if l.pair[layeredPairAtLayers(x, x+1)].on() {
		return false
	}
	swap := func(i, j int) { l.pair[i], l.pair[j] = l.pair[j], l.pair[i] }
	for y := range layeredLayers {
		switch {
		case y < x:
			swap(layeredPairAtLayers(y, x), layeredPairAtLayers(y, x+1))
		case y > x+1:
			swap(layeredPairAtLayers(x, y), layeredPairAtLayers(x+1, y))
		}
	}
	l.n[x], l.n[x+1] = l.n[x+1], l.n[x]
	l.in[x], l.in[x+1] = l.in[x+1], l.in[x]
	return true
}

// above compares tuples as lists of numbers.
func (l *layeredNet) above(o *layeredNet) bool {
	var a, b [layeredInnerAt + layeredLayers*layeredInnerLen]int
	l.encode(a[:])
	o.encode(b[:])
	for i := range a {
		if a[i] != b[i] {
			return a[i] > b[i]
		}
	}
	return false
}

// layeredHull widens a box to what renumbering layers and leaving out links that are not there can make of its tuples.
func layeredHull(lo, hi []int, relay bool) {
	like := func(at ...int) {
		a, b := lo[at[0]], hi[at[0]]
		for _, i := range at {
			a, b = min(a, lo[i]), max(b, hi[i])
		}
		for _, i := range at {
			lo[i], hi[i] = a, b
		}
	}
	like(1, 2, 3)
	for first := layeredPairAt; first < layeredInnerAt; first += 3 * layeredPairLen {
		for k := range layeredPairLen {
			like(first+k, first+layeredPairLen+k, first+2*layeredPairLen+k)
		}
		blocks := min(lo[first], lo[first+1], 1) // as few as give the same links; none where there may be no links
		for i := first; i < first+3*layeredPairLen; i += layeredPairLen {
			copy(lo[i:], []int{blocks, blocks, 1, 1}) // E is 1 where there are no links, and B is divided
		}
	}
	for i := layeredInnerAt; i < layeredInnerAt+layeredInnerLen; i++ {
		like(i, i+layeredInnerLen, i+2*layeredInnerLen)
	}
	for k := range layeredInners(relay) {
		x := layeredInnerAt + k*layeredInnerLen
		for i := x; i < x+layeredInnerLen-1; i++ {
			far := 0
			if i >= x+2+layeredDims { // coefficients and offsets become residues
				far = -max(hi[i], -lo[i])
				hi[i] = max(hi[i], -far)
			}
			lo[i] = min(lo[i], far)
		}
		lo[x+layeredInnerLen-1] = 1
	}
}
