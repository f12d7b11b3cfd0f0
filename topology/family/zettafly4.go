package family

import "toposearch/topology"

// zettafly4 has groups of a/2 leaves and a/2 spines; the spines bear the global links.
var zettafly4 = &topology.Family{
	Name:   "zettafly4",
	Title:  "Zettafly of diameter 4: leaf-spine groups in sub-networks under global switches",
	Source: zettaflySource,
	Params: zettaflyParamDocs(topology.Param{Name: "a", Doc: "switches per group, half leaves and half spines; even", Min: 2, Max: 1024},
		"max(1, floor(a/2))", func(a int) int { return a / 2 }),
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassNic, Doc: "endpoint to leaf"},
		{Name: "local", Doc: "leaf to spine of a group"},
		{Name: "global", Doc: "spine to global switch"},
	},
	SwitchClasses: []topology.SwitchClass{
		{Name: "leaf", Doc: "switch with endpoints"},
		{Name: "spine", Doc: "joins the leaves of a group, and the group to the global switches"},
		{Name: "global", Doc: "joins the groups of two sub-networks; no endpoints"},
	},
	Check: func(v []int, s *topology.Size) error {
		d := zettaflyParams(v)
		if d.a()%2 != 0 {
			return s.Fail("a", d.a(), "a is even", d.a()+1)
		}
		return zettaflyParallel(v, s)
	},
	Count: func(v []int, s *topology.Size) {
		d := zettaflyParams(v)
		a, p, h, groups := int64(d.a()/2), int64(d.p()), int64(d.h()), int64(d.s())*int64(d.c())
		s.Endpoints = groups * a * p
		s.EndpointPorts, s.EndpointLanes = 1, 1
		s.Link[0], s.Link[1], s.Link[2] = s.Endpoints, groups*a*a, groups*a*h
		s.Switch[0].Count, s.Switch[1].Count, s.Switch[2].Count = groups*a, groups*a, int64(d.s())*h*a/2
		s.Switch[0].Ports = ports(int32(p), int32(a))
		s.Switch[1].Ports = ports(0, int32(a), int32(h))
		s.Switch[2].Ports = ports(0, 0, int32(2*d.c()))
	},
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		a, groups := v[0]/2, v[3]*v[4]
		spine := func(g, t int) topology.SwitchID { return topology.SwitchID(groups*a + g*a + t) }
		for g := range groups {
			for i := range a {
				for t := range a {
					emit(1, topology.SwitchID(g*a+i), spine(g, t))
				}
			}
		}
		zettaflyGlobals(v, a, 2*groups*a, spine, emit)
	},
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		d := zettaflyParams(v)
		attachEach(d.a()/2*d.s()*d.c(), d.p(), emit)
	},
	Natural: func([]int) topology.Rule { return upDown3() },
	Place: func(v []int) topology.Placement {
		d := zettaflyParams(v)
		return topology.Placement{Blocks: d.s() * d.c(), Homes: []topology.Home{
			topology.WithEndpoints, topology.InBlock, topology.Central}}
	},
	VCReason: "Routes go up to a spine or a global switch, then down: channels are taken in a fixed order.",
	Documentation: topology.Documentation{
		Formulas: []string{
			"endpoints = s*c*(a/2)*p",
			"switches = s*c*a + s*h*a/4; of groups, and global",
			"links = s*c*((a/2)^2 + (a/2)*h)",
			"radix = max(p + a/2, a/2 + h, 2*c)",
		},
		Traps: "The paper was not public when this was written; the VCs of its authors are unknown.",
	},
	SearchSpace: topology.SearchSpace{
		PerEndpoint: func(lo, hi []int, least, most int64, out *topology.PerEndpoint) {
			low, high := zettaflyParams(lo), zettaflyParams(hi)
			a, p, h, c := real64{float64((low.a() + 1) / 2), float64(max(high.a()/2, 1))}, reals(lo, hi, 1), reals(lo, hi, 2), reals(lo, hi, 4)
			zettaflyGroups(lo, hi, a.hi*p.hi, a.lo*p.lo, least, most, &c)
			groups := max(float64(low.s())*c.lo, float64(least)/(a.hi*p.hi), 1)
			out.Switch[0], out.Switch[1], out.Switch[2] = 1/p.hi, 1/p.hi, h.lo/(2*c.hi*p.hi)
			out.Known, out.Link[0], out.LinkMost[0] = true, 1, 1
			out.Link[1], out.LinkMost[1] = a.lo/p.hi, a.hi/p.lo
			out.Link[2], out.LinkMost[2] = h.lo/p.hi, h.hi/p.lo
			other := max(0, 1-p.hi/float64(least)) // of the endpoints, on another leaf
			out.Cross[0], out.Cross[1], out.Cross[2] = 2, 2*other, 2*(1-1/groups)
			out.Flow[1], out.Flow[2] = out.Cross[1], out.Cross[2]
			out.Fan[0] = topology.Fan{Ends: p.lo, Every: 1}
			out.Fan[1] = topology.Fan{Ends: a.lo, Every: p.lo, Switches: true}
			out.Fan[2] = topology.Fan{Ends: 2 * c.lo, Every: a.lo * p.lo, Step: 1, Apart: true}
			out.Load[1], out.Load[2] = other*p.lo/a.hi, (1-1/groups)*p.lo/h.hi
		},
		Next: func(v []int, i, x int) int {
			if i == 0 {
				return x + x%2
			}
			return zettaflyNext(v, i, x)
		},
		Within: func(v []int, i int, least, most int64) (lo, hi int64) {
			return zettaflyWithin(max(zettaflyParams(v).a()/2, 1), v, i, least, most)
		},
		Derived: 4,
	},
	Routes: topology.Routes{
		Spread:   spreadZettafly4,
		Worst:    zettafly4Worst,
		Diameter: zettafly4Diameter,
		Paths: func(v []int, p *topology.Paths) bool {
			a, n, groups := int64(v[0]/2), int64(v[1]), int64(v[3])*int64(v[4])
			p.Add(n-1, crossing(2))
			p.Add(n*(a-1), crossing(2, 2))
			p.Add((groups-1)*n*a, crossing(2, 2, 2))
			return true
		},
		Orbits: func(v []int) topology.Symmetry {
			d := zettaflyParams(v)
			leaves := int64(d.a() / 2 * d.s() * d.c())
			return topology.Symmetry{
				Switches: []topology.Orbit{{Rep: 0, Count: leaves}, {Rep: int32(leaves), Count: leaves},
					{Rep: int32(2 * leaves), Count: int64(d.s()) * int64(d.h()) * int64(d.a()/2) / 2}},
				Endpoints: []topology.Orbit{{Rep: 0, Count: leaves * int64(d.p())}},
				EvenLinks: true,
			}
		},
	},
	Layout: topology.Layout{
		Nets: func(v []int) (leaf, group topology.Subtree, groups, nets int, joined bool) {
			d := zettaflyParams(v)
			a := int64(d.a() / 2)
			leaf = topology.Subtree{Endpoints: int64(d.p()), Links: a, Class: 1}
			group = topology.Subtree{Endpoints: a * int64(d.p()), Links: a * int64(d.h()), Class: 2}
			return leaf, group, d.c(), d.s(), false
		},
		Bundles: func(v []int, emit func(topology.Bundle)) {
			a, groups := v[0]/2, v[3]*v[4]
			for g := range groups {
				emit(topology.Bundle{Class: 1, A: topology.SwitchID(g * a), B: topology.SwitchID(groups*a + g*a), Count: a, Cycle: 1, Each: a, Times: 1})
			}
			zettaflyBundles(v, a, 2*groups*a, groups*a, emit)
		},
		Cables: func(v []int, c int) topology.Cables {
			return [...]topology.Cables{{I: -1, J: -1}, {I: 0, J: 1, Scope: topology.OneBlock, Parts: 1}, {I: 1, J: 2}}[c]
		},
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 {
			d := zettaflyParams(v)
			p, group := int64(d.p()), int64(d.a()/2)*int64(d.p())
			sub := group * int64(d.c())
			return largestFree([]int64{p, group, sub, sub * int64(d.s())}, d.a()/2 >= d.p(), d.h() >= d.p(), d.subsFree())
		},
		Middle: func(v []int) float64 {
			d := zettaflyParams(v)
			return min(zettaflyMiddle(v), float64(d.a()/2)/float64(d.p()))
		},
	},
}

// zettafly4Diameter: two leaves are four links apart over a global switch, as are two spines that differ in group and number over a leaf. A
// spine is one more from a global switch of other sub-networks and another number: over a leaf to a spine of that number, up, and
// down in one of these sub-networks. Two global switches of four sub-networks are one more still.
func zettafly4Diameter(v []int) int {
	d := zettaflyParams(v)
	if d.a() == 2 { // one number: no leaf in between
		return 4
	}
	return min(d.s(), 4) + 2
}

// spreadZettafly4: any spine.
func spreadZettafly4(v []int, out *[topology.MaxClasses]float64) bool {
	m := v[0] / 2
	out[1], out[2] = 1-1/float64(m), zettaflySpread(v, m)
	return true
}
