package family

import "toposearch/topology"

// axis is what routes do along one dimension that is independent of the others: the sum of weights
// over the pairs of coordinates, and of weights times links, of one class or two.
type axis struct {
	pairs       int64
	inner, wrap int64
	most        int // links of the longest way
}

// lineAxis sums up legs: in a line of k, d links are crossed by k-d pairs of coordinates in either
// direction; in a ring, by k, of which d pass the end of the line.
func lineAxis(k int, wrap bool) axis {
	n := int64(k)
	if !wrap || k <= 2 { // 4*sum of d(k-d)
		return axis{pairs: 2 * n * n, inner: 4 * (n * (n*n - 1) / 6), most: k - 1}
	}
	// By distance d, from k starts and both ways: d links, d of the k starts passing the end once.
	m := (n - 1) / 2
	a := axis{pairs: 2 * n * n, inner: 4 * (n - 1) * (m * (m + 1) / 2), wrap: 4 * (m * (m + 1) / 2), most: k / 2}
	if k%2 == 0 { // the opposite switch: half of the packets either way
		a.inner += (n - 1) * n
		a.wrap += n
	}
	return a
}

// briefAxes sums up the product of the axes: each pair of coordinates of a dimension meets every pair
// of the others. Of all, weighted by times, self is taken away: the pairs of an endpoint with itself.
// class tells which link class the inner and the wrap-around links of a dimension have.
func briefAxes(axes []axis, times, self int64, nic bool, class func(i int) (inner, wrap int), p *topology.Paths) {
	s := &p.Sums
	*s = topology.Sums{}
	all := times
	for i := range axes {
		all *= axes[i].pairs
	}
	s.Pairs = all - self
	for i := range axes {
		a := &axes[i]
		others := all / a.pairs
		inner, wrap := class(i)
		s.Cross[inner] += others * a.inner
		if a.wrap > 0 {
			s.Cross[wrap] += others * a.wrap
		}
		s.Hops += others * (a.inner + a.wrap)
		s.MaxHops += a.most
	}
	s.Links, s.MaxLinks = s.Hops, s.MaxHops
	if nic {
		s.Cross[0] = 2 * s.Pairs
		s.Links += 2 * s.Pairs
		s.MaxLinks += 2
	}
}

// briefLines is what linePaths lists, for tori of any size.
func briefLines(v []int, wrap bool, p *topology.Paths) bool {
	x := gridOf(v, torusDims)
	t := int64(v[torusDims])
	if x.switches()*t > 1<<22 {
		return false // as linePaths
	}
	var axes [torusDims]axis
	dims := 0
	for i, k := range v[:torusDims] {
		axes[i] = lineAxis(k, wrap)
		if k == 1 {
			continue
		}
		dims = i + 1
		if !wrap || k <= 2 {
			p.Peak[i+1] = float64(k*k/4) / (float64(k*(k+1)) / 6)
		}
	}
	units := int64(1) << torusDims
	for range torusDims - dims {
		t *= 2 // the pair of a dimension of one switch
	}
	briefAxes(axes[:dims], t, x.switches()*units, true, func(i int) (int, int) { return i + 1, torusDims + 1 + i }, p)
	return true
}
