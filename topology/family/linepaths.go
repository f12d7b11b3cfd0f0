package family

import "toposearch/topology"

// leg is what routes do in one dimension of a torus or mesh: how many inner and wrap-around links
// they cross, and the weight of the pairs of coordinates that do so.
type leg struct {
	inner, wrap int16
	weight      int64
}

// legs lists the legs of a dimension of k switches, in units of half an ordered pair of
// coordinates: packets to the opposite switch of an even ring go half in each direction.
func legs(k int, wrap bool, out []leg) []leg {
	out = append(out, leg{weight: 2 * int64(k)})
	if !wrap || k <= 2 {
		for d := 1; d < k; d++ {
			out = append(out, leg{int16(d), 0, 4 * int64(k-d)})
		}
		return out
	}
	for d := 1; 2*d <= k; d++ {
		w := int64(4) // both directions, two halves each
		if 2*d == k {
			w = 2
		}
		// From d of the k places the route passes the end of the line.
		out = append(out, leg{int16(d), 0, w * int64(k-d)}, leg{int16(d - 1), 1, w * int64(d)})
	}
	return out
}

// linePaths multiplies the dimensions out: coordinates are independent. Loads of a ring are even
// by its symmetry. In a line of k the middle is crossed by floor(k^2/4) pairs of coordinates, the
// mean link by k(k+1)/6; the other coordinates of a link do not matter, for a packet has already
// the lower ones of its destination, and still the higher ones of its source.
func linePaths(v []int, wrap bool, p *topology.Paths) bool {
	var dims [torusDims][]leg
	var buf [64]leg
	free := buf[:0]
	types := 1
	for i, k := range v[:torusDims] {
		first := len(free)
		free = legs(k, wrap, free)
		dims[i] = free[first:]
		if types *= len(dims[i]); types > pathTypesMax {
			return false
		}
		if (!wrap || k <= 2) && k > 1 {
			p.Peak[i+1] = float64(k*k/4) / (float64(k*(k+1)) / 6)
		}
	}
	x := gridOf(v, torusDims)
	t := int64(v[torusDims])
	if x.switches()*t > 1<<22 {
		return false // sums of weights times hops would pass 63 bits
	}
	units := int64(1) << torusDims // of a pair of switches
	addLegs(dims[:], 0, crossing(2), t, wrap, p)
	// A switch's pairs with itself: t^2 less t endpoints. Weights are per source endpoint.
	p.Types[0].Weight -= x.switches() * units
	if p.Types[0].Weight == 0 {
		p.Types = append(p.Types[:0], p.Types[1:]...)
	}
	return true
}

// addLegs adds the types of dimensions i and up; the first of all has no crossings.
func addLegs(dims [][]leg, i int, c [topology.MaxClasses]int16, weight int64, wrap bool, p *topology.Paths) {
	if i == len(dims) {
		p.Add(weight, c)
		return
	}
	for _, l := range dims[i] {
		c[i+1] = l.inner
		if wrap {
			c[torusDims+1+i] = l.wrap
		}
		addLegs(dims, i+1, c, weight*l.weight, wrap, p)
	}
}

// orbitsMax bounds the orbits that are listed.
const orbitsMax = 4096

// mirrorOrbits uses that every dimension can be reversed: coordinates count up to the middle. A
// torus could also be turned, but that moves wrap-around links, which are a class of their own.
func mirrorOrbits(v []int) topology.Symmetry {
	n := 1
	for _, k := range v[:torusDims] {
		if n *= (k + 1) / 2; n > orbitsMax {
			return topology.Symmetry{}
		}
	}
	var y topology.Symmetry
	t := int64(v[torusDims])
	var at [torusDims]int
	for {
		rep, step, count := 0, 1, int64(1)
		for i, k := range v[:torusDims] {
			rep += at[i] * step
			step *= k
			count *= mirrored(at[i], k)
		}
		y.Switches = append(y.Switches, topology.Orbit{Rep: int32(rep), Count: count})
		y.Endpoints = append(y.Endpoints, topology.Orbit{Rep: int32(int64(rep) * t), Count: count * t})
		i := 0
		for ; i < torusDims; i++ {
			if at[i]++; 2*at[i] < v[i] {
				break
			}
			at[i] = 0
		}
		if i == torusDims {
			return y
		}
	}
}

// torusDims is the most dimensions of a torus or mesh.
const torusDims = 6

// pathTypesMax bounds the types of routes that a closed form lists; beyond, the evaluator is
// faster on the network itself.
const pathTypesMax = 20_000
