package family

import (
	"math"

	"toposearch/topology"
)

var zettaflySource = topology.Source{
	Authors: "D. Dong, X. Wang, F. Lei",
	Title:   "Zettafly, through the survey of interconnect topologies (J. NUDT 48(2), 2026)",
	Venue:   "ISCA, pp. 835-848",
	Year:    2025,
	Departures: "The paper was not available: construction, wiring labels, routing and VCs are reconstructed from the " +
		"survey, all of whose figures they reproduce. The number of groups c of a sub-network, and several " +
		"parallel global switches for h a multiple of s-1, are ours.",
}

// zettaflyParamDocs are those of both; groups is the default of c for a given a, and doc its formula.
func zettaflyParamDocs(a topology.Param, doc string, groups func(a int) int) []topology.Param {
	return []topology.Param{
		a,
		{Name: "p", Doc: "endpoints per switch that has any", Min: 1, Max: 512},
		{Name: "h", Doc: "global links per switch that has any; a multiple of s-1", Min: 1, Max: 512},
		{Name: "s", Doc: "sub-networks", Min: 2, Max: 513, Default: func(v []int) int { return zettaflyParams(v).h() + 1 }, DefaultDoc: "h + 1"},
		{Name: "c", Doc: "groups per sub-network", Min: 1, Max: 1024, Default: func(v []int) int { return max(1, groups(zettaflyParams(v).a())) }, DefaultDoc: doc},
	}
}

// zettaflyParams are the parameters of zettafly by name.
type zettaflyParams []int

func (v zettaflyParams) a() int { return v[0] }
func (v zettaflyParams) p() int { return v[1] }
func (v zettaflyParams) h() int { return v[2] }
func (v zettaflyParams) s() int { return v[3] }
func (v zettaflyParams) c() int { return v[4] }

// zettaflyParallel asks that the global links of a switch are shared equally by the other s-1
// sub-networks.
func zettaflyParallel(v []int, s *topology.Size) error {
	h, subs := v[2], v[3]
	if subs-1 > h {
		return s.Fail("s", subs, "s <= h+1", h+1)
	}
	if h%(subs-1) != 0 {
		lo := subs
		for h%(lo-1) != 0 {
			lo--
		}
		return s.Fail("s", subs, "h is a multiple of s-1", lo)
	}
	return nil
}

// zettaflyNext is the next s for which h is a multiple of s-1.
func zettaflyNext(v []int, i, x int) int {
	if i != 3 { // s
		return x
	}
	if d := nextDivisor(zettaflyParams(v).h(), x-1); d < beyond {
		return d + 1
	}
	return beyond
}

// zettaflyGlobals streams the links of the global switches. Every pair i < j of sub-networks has,
// for each of the n indices t of a globally connected switch and each of u parallels, one global
// switch, linked to switch t of all groups of i and of j. local gives a group's switch t.
func zettaflyGlobals(v []int, n, firstGlobal int, local func(group, t int) topology.SwitchID,
	emit func(class int, a, b topology.SwitchID)) {
	h, s, c := v[2], v[3], v[4]
	u := h / (s - 1)
	id := topology.SwitchID(firstGlobal)
	for i := range s {
		for j := i + 1; j < s; j++ {
			for t := range n {
				for range u {
					for x := range c {
						emit(2, local(i*c+x, t), id)
					}
					for x := range c {
						emit(2, local(j*c+x, t), id)
					}
					id++
				}
			}
		}
	}
}

// zettaflyMiddle is the cut between halves of the sub-networks, through the global switches of
// h links per switch and s-1 sub-networks: s*u/(2p) per endpoint as the survey prints it.
func zettaflyMiddle(v []int) float64 {
	p, h, s := float64(v[1]), float64(v[2]), float64(v[3])
	return min(1, s*h/(s-1)/(2*p))
}

// subsFree tells whether the cut between halves of the sub-networks carries what one half sends the other: each pair of these has
// h/(s-1) links for p endpoints. Of an even number of them it is so where zettaflyMiddle is 1.
func (v zettaflyParams) subsFree() bool {
	s := v.s()
	return 2*(s/2)*((s+1)/2)*(v.h()/(s-1)) >= s*v.p()
}

// zettaflyBundles are zettaflyGlobals in bulk: of each sub-network of a pair, the n switches of every
// group are linked to the pair's global switches in the same order. first is the first switch with
// global links.
func zettaflyBundles(v []int, n, firstGlobal, first int, emit func(topology.Bundle)) {
	h, s, c := v[2], v[3], v[4]
	u := h / (s - 1)
	id := firstGlobal
	b := topology.Bundle{Class: 2, Count: c * n, Cycle: n, Each: u, Times: 1}
	for i := range s - 1 {
		// The global switches of the pairs (i, i+1), (i, i+2), ... follow one another.
		b.A, b.B, b.Blocks = topology.SwitchID(first+(i+1)*c*n), topology.SwitchID(id), s-1-i
		emit(b)
		b.A, b.Blocks = topology.SwitchID(first+i*c*n), 0
		if n == 1 {
			b.Each = u * (s - 1 - i)
			emit(b)
			b.Each = u
		} else {
			for k := range s - 1 - i {
				b.B = topology.SwitchID(id + k*n*u)
				emit(b)
			}
		}
		id += (s - 1 - i) * n * u
	}
}

// largestFree is the endpoints of the largest block without blocking inside: a switch always, and each larger one (a group, a
// sub-network, the whole network) that is free and of free blocks.
func largestFree(block []int64, free ...bool) int64 {
	for i, ok := range free {
		if !ok {
			return block[i]
		}
	}
	return block[len(free)]
}

// zettaflyGroups narrows the groups of a sub-network to what the endpoints leave, if a group has at most groupMost
// and at least groupLeast of them.
func zettaflyGroups(lo, hi []int, groupMost, groupLeast float64, least, most int64, c *real64) {
	low, high := zettaflyParams(lo), zettaflyParams(hi)
	c.lo = max(c.lo, math.Ceil(float64(least)/(groupMost*float64(high.s()))*(1-1e-12)))
	c.hi = max(c.lo, min(c.hi, math.Floor(float64(most)/(groupLeast*float64(low.s()))*(1+1e-12))))
}

// zettaflyWithin narrows (a, p, h, s, c): there are a*p*s*c endpoints, and s >= 2. a is the number of
// switches of a group that have endpoints.
func zettaflyWithin(a int, v []int, i int, least, most int64) (lo, hi int64) {
	d := zettaflyParams(v)
	unit := int64(a)
	switch i {
	case 1: // p
		return 1, most / (2 * unit)
	case 3: // s
		return 2, most / (unit * int64(d.p()))
	case 4: // c
		return withinProduct(unit*int64(d.p())*int64(d.s()), least, most)
	}
	return 0, beyond
}

// zettaflySpread is that of links to global switches, of groups in which traffic comes to them by one of so many spines: into groups of the same
// sub-network by any uplink of a spine, into others by those to their sub-network.
func zettaflySpread(v []int, spines int) float64 {
	d := zettaflyParams(v)
	m, h, subs, c := float64(spines), float64(d.h()), float64(d.s()), float64(d.c())
	if subs*c <= 1 {
		return 0
	}
	return ((c-1)*(1-1/(m*h)) + (subs-1)*c*(1-(subs-1)/(m*h))) / (subs*c - 1)
}
