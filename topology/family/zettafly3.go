package family

import "toposearch/topology"

// zettafly3 has groups of a fully linked switches. Switches of equal index of all groups of two
// sub-networks meet in the global switches of that pair and index.
var zettafly3 = &topology.Family{
	Name:   "zettafly3",
	Title:  "Zettafly of diameter 3: full-mesh groups in sub-networks under global switches",
	Source: zettaflySource,
	Params: zettaflyParamDocs(topology.Param{Name: "a", Doc: "switches per group", Min: 1, Max: 512}, "a", func(a int) int { return a }),
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassNic, Doc: "endpoint to switch"},
		{Name: "local", Doc: "between switches of a group"},
		{Name: "global", Doc: "switch to global switch"},
	},
	SwitchClasses: []topology.SwitchClass{
		{Name: "local", Doc: "switch of a group, with endpoints"},
		{Name: "global", Doc: "joins the groups of two sub-networks; no endpoints"},
	},
	Check: zettaflyParallel,
	Count: func(v []int, s *topology.Size) {
		d := zettaflyParams(v)
		a, p, h, groups := int64(d.a()), int64(d.p()), int64(d.h()), int64(d.s())*int64(d.c())
		s.Endpoints = groups * a * p
		s.EndpointPorts, s.EndpointLanes = 1, 1
		s.Link[0], s.Link[1], s.Link[2] = s.Endpoints, groups*a*(a-1)/2, groups*a*h
		s.Switch[0].Count, s.Switch[1].Count = groups*a, int64(d.s())*h*a/2
		s.Switch[0].Ports = ports(int32(p), int32(a-1), int32(h))
		s.Switch[1].Ports = ports(0, 0, int32(2*d.c()))
	},
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		a, groups := v[0], v[3]*v[4]
		for g := range groups {
			meshLinks(1, g*a, a, emit)
		}
		zettaflyGlobals(v, a, groups*a, func(g, t int) topology.SwitchID { return topology.SwitchID(g*a + t) }, emit)
	},
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		d := zettaflyParams(v)
		attachEach(d.a()*d.s()*d.c(), d.p(), emit)
	},
	Natural: func([]int) topology.Rule {
		up, down := topology.Kind{Link: 2, From: 0, To: 1}, topology.Kind{Link: 2, From: 1, To: 0}
		return topology.Rule{Name: "updown", States: 4, Steps: []topology.Step{
			{From: 0, Kind: topology.Kind{Link: 1, From: 0, To: 0}, To: 1},
			{From: 0, Kind: up, To: 2}, {From: 1, Kind: up, To: 2}, {From: 2, Kind: down, To: 3},
		}}
	},
	Place: func(v []int) topology.Placement {
		d := zettaflyParams(v)
		return topology.Placement{Blocks: d.s() * d.c(), Homes: []topology.Home{topology.WithEndpoints, topology.Central}}
	},
	VCReason: "A route takes its local link first, then climbs to a global switch and descends: channels are taken " +
		"in the order local, up, down. With local links also after the global ones, one VC would be cyclic.",
	Documentation: topology.Documentation{
		Formulas: []string{
			"endpoints = s*c*a*p",
			"switches = s*c*a + s*h*a/2; of groups, and global",
			"links = s*c*(a*(a-1)/2 + a*h)",
			"radix = max(a-1+p+h, 2*c)",
		},
		Traps: "The paper was not public when this was written; the VCs of its authors are unknown. All minimal " +
			"routes together deadlock with one VC.",
	},
	SearchSpace: topology.SearchSpace{
		PerEndpoint: func(lo, hi []int, least, most int64, out *topology.PerEndpoint) {
			low, high := zettaflyParams(lo), zettaflyParams(hi)
			a, p, h, c := span{int64(low.a()), int64(high.a())}, reals(lo, hi, 1), reals(lo, hi, 2), reals(lo, hi, 4)
			zettaflyGroups(lo, hi, float64(a.hi)*p.hi, float64(a.lo)*p.lo, least, most, &c)
			groups := max(float64(low.s())*c.lo, float64(least)/(float64(a.hi)*p.hi), 1)
			out.Switch[0], out.Switch[1] = 1/p.hi, h.lo/(2*c.hi*p.hi)
			out.Known, out.Link[0], out.LinkMost[0] = true, 1, 1
			out.Link[1], out.LinkMost[1] = float64(a.lo-1)/(2*p.hi), float64(a.hi-1)/(2*p.lo)
			out.Link[2], out.LinkMost[2] = h.lo/p.hi, h.hi/p.lo
			out.Cross[0], out.Cross[1], out.Cross[2] = 2, float64(a.lo-1)/float64(a.lo), 2*(1-1/groups)
			out.Flow[1], out.Flow[2] = out.Cross[1], out.Cross[2]
			out.Fan[0] = topology.Fan{Ends: p.lo, Every: 1}
			out.Fan[1] = topology.Fan{Ends: float64(a.lo - 1), Every: p.lo, Switches: true}
			out.Fan[2] = topology.Fan{Ends: 2 * c.lo, Every: float64(a.lo) * p.lo, Step: 1, With: float64(a.hi), Apart: true, Switches: true}
			if a.lo > 1 {
				out.Load[1] = p.lo / float64(a.hi)
			}
			out.Load[2] = (1 - 1/groups) * p.lo / h.hi
		},
		Next: zettaflyNext,
		Within: func(v []int, i int, least, most int64) (lo, hi int64) {
			return zettaflyWithin(zettaflyParams(v).a(), v, i, least, most)
		},
		Derived: 4,
	},
	Routes: topology.Routes{
		Spread:   spreadZettafly3,
		Worst:    zettafly3Worst,
		Diameter: zettafly3Diameter,
		Paths: func(v []int, p *topology.Paths) bool {
			a, n, groups := int64(v[0]), int64(v[1]), int64(v[3])*int64(v[4])
			p.Add(n-1, crossing(2))
			p.Add(n*(a-1), crossing(2, 1))
			p.Add((groups-1)*n, crossing(2, 0, 2))
			p.Add((groups-1)*n*(a-1), crossing(2, 1, 2))
			return true
		},
		Orbits: func(v []int) topology.Symmetry {
			d := zettaflyParams(v)
			locals := int64(d.a() * d.s() * d.c())
			return topology.Symmetry{
				Switches:  []topology.Orbit{{Rep: 0, Count: locals}, {Rep: int32(locals), Count: int64(d.s()) * int64(d.h()) * int64(d.a()) / 2}},
				Endpoints: []topology.Orbit{{Rep: 0, Count: locals * int64(d.p())}},
				EvenLinks: true,
			}
		},
	},
	Layout: topology.Layout{
		Nets: func(v []int) (leaf, group topology.Subtree, groups, nets int, joined bool) {
			d := zettaflyParams(v)
			a := int64(d.a())
			leaf = topology.Subtree{Endpoints: int64(d.p()), Links: a - 1, Class: 1}
			group = topology.Subtree{Endpoints: a * int64(d.p()), Links: a * int64(d.h()), Class: 2}
			return leaf, group, d.c(), d.s(), true
		},
		Bundles: func(v []int, emit func(topology.Bundle)) {
			a, groups := v[0], v[3]*v[4]
			for g := range groups {
				emit(topology.Bundle{Class: 1, A: topology.SwitchID(g * a), Count: a, Times: 1, Mesh: true})
			}
			zettaflyBundles(v, a, groups*a, 0, emit)
		},
		Cables: func(v []int, c int) topology.Cables {
			d := zettaflyParams(v)
			up := topology.Cables{I: 0, J: 1}
			if d.a() == 1 { // a group is one switch, linked to all of its sub-network's global switches
				up.Ranges = d.s()
			}
			return [...]topology.Cables{{I: -1, J: -1}, {I: 0, J: 0, Scope: topology.OneBlock, Parts: 1}, up}[c]
		},
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 {
			d := zettaflyParams(v)
			p, group := int64(d.p()), int64(d.a())*int64(d.p())
			sub := group * int64(d.c())
			return largestFree([]int64{p, group, sub, sub * int64(d.s())}, d.h() >= d.p() || d.a() >= 2*d.p() || d.a() == 1, d.h() >= d.p(), d.subsFree())
		},
		Middle: zettaflyMiddle,
	},
}

// zettafly3Diameter: two switches are three links apart, one of them local, if they differ in group and number. A switch is four from a global
// one of other sub-networks and another number, which it reaches over one of these; two global switches of four
// sub-networks are five apart. All is one less where groups are one switch and no link is local.
func zettafly3Diameter(v []int) int {
	d := zettaflyParams(v)
	if d.a() == 1 {
		return min(d.s(), 4)
	}
	return min(d.s(), 4) + 1
}

// spreadZettafly3: the switch of a group is that of the destination's number.
func spreadZettafly3(v []int, out *[topology.MaxClasses]float64) bool {
	out[2] = zettaflySpread(v, 1)
	return true
}
