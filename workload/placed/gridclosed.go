package placed

import "toposearch/workload"

// closed counts one group: all others that send over the same links hang on the same switches, or in rings between them.
func (g *Grid) closed(of workload.Group, p pattern) (busiest float64, ok bool) {
	one, times, ok := g.one(of)
	if !ok {
		return 0, false
	}
	if p.All {
		return times * one.all(of.Size), true
	}
	l := one.loadsOf(of.Size)
	for i := range of.Size {
		l.add(i, (i+p.Shift)%of.Size, 1)
	}
	return times * one.under(l.levels()), true
}

// one is the first group of endpoints as all endpoints of a grid, and how many groups send alike from the same switches; false if groups
// do not begin and end where coordinates do, so that they do not lie alike.
func (g *Grid) one(of workload.Group) (one *Grid, times float64, ok bool) {
	stride, size := of.Stride, of.Size
	one = &Grid{Carry: g.Carry, Dims: make([]int, len(g.Dims)), Open: g.Open, Stars: g.Stars}
	// part is what the group has of a coordinate of so many values, and its distance there.
	part := func(values int) (have, apart int) {
		if stride >= values {
			ok = ok && stride%values == 0
			stride /= values
			return 1, values
		}
		apart = stride
		ok = ok && values%apart == 0
		stride = 1
		have = min(size, values/apart)
		ok = ok && size%have == 0 && values/apart%have == 0
		size /= have
		return have, apart
	}
	ok = true
	have, apart := part(g.PerSwitch)
	one.PerSwitch, times = have, float64(apart)
	far := make([]int, len(g.Dims)) // from one of the group to the next along a dimension, whose switches are so regularly apart since digits are taken in their order
	for d := range far {
		one.Dims[d], far[d] = 1, 1
	}
	for _, x := range g.digits() {
		have, apart = part(x.Values)
		if one.Dims[x.Dim] == 1 { // else the lower digit has all that are left
			far[x.Dim] *= apart
		}
		one.Dims[x.Dim] *= have
		if g.Digits != nil {
			one.Digits = append(one.Digits, Digit{x.Dim, have})
		}
	}
	for d, have := range one.Dims {
		if ring, _ := g.ring(d); ring > 0 && have > 1 {
			if one.Rings == nil {
				one.Rings, one.Apart = make([]int, len(g.Dims)), make([]int, len(g.Dims))
			}
			one.Rings[d], one.Apart[d] = ring, far[d]
		}
	}
	return one, times, ok && size == 1
}

// all is what the busiest links take if all of n endpoints send to all others.
func (g *Grid) all(n int) (most float64) {
	for d, switches := range g.Dims {
		if switches > 1 {
			most = max(most, g.along(d, n))
		}
	}
	return most
}

// along is it of the links of one dimension: on each line as many send between any two of its switches.
func (g *Grid) along(d, n int) float64 {
	switches := g.Dims[d]
	return g.pairs(d) / g.Carry[d] * float64(g.PerSwitch) * float64(n/switches)
}

// pairs is what the busiest link of a line carries if each of its switches sends 1 to every other: one message where all are joined, those to all others at
// the port of a star; from one half of an open line to the other; on a ring as many as there are hops to those ahead, of the ones opposite half; and what is counted where lines are parts of rings. Those that
// stand between are on the same links.
func (g *Grid) pairs(d int) float64 {
	switches := g.Dims[d]
	ring, apart := g.ring(d)
	switch {
	case ring == 0 && g.star(d):
		return float64(switches - 1)
	case ring == 0:
		return min(1, float64(switches-1))
	}
	switch half := switches / 2; {
	case g.open(d):
		return float64(apart * half * (switches - half))
	case switches*apart == ring:
		if switches%2 == 0 { // those opposite take both ways
			return float64(apart*half*half) / 2
		}
		return float64(apart*half*(half+1)) / 2
	}
	line := &Grid{Dims: []int{switches}, PerSwitch: 1, Carry: []float64{1}, Rings: []int{ring}, Apart: []int{apart}}
	l := line.loads()
	for x := range switches {
		for y := range switches {
			l.add(x, y, 1)
		}
	}
	return l.levels()[0]
}
