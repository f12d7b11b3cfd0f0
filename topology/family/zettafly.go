package family

import "toposearch/topology"

var zettaflySource = topology.Source{
	Authors: "D. Dong, X. Wang, F. Lei",
	Title:   "Zettafly, through the survey of interconnect topologies (J. NUDT 48(2), 2026)",
	Venue:   "ISCA, pp. 835-848",
	Year:    2025,
	Departures: "The paper was not available: construction, wiring labels, routing and VCs are reconstructed from the " +
		"survey, all of whose figures they reproduce. The number of groups c of a sub-network, and several " +
		"parallel global switches for h a multiple of s-1, are ours.",
}

// zettaflyParams are shared by both; groups is the default of c for a given a.
func zettaflyParams(a topology.Param, groups func(a int) int) []topology.Param {
	return []topology.Param{
		a,
		{Name: "p", Doc: "endpoints per switch that has any", Min: 1, Max: 512},
		{Name: "h", Doc: "global links per switch that has any; a multiple of s-1", Min: 1, Max: 512},
		{Name: "s", Doc: "sub-networks", Min: 2, Max: 513, Default: func(v []int) int { return v[2] + 1 }},
		{Name: "c", Doc: "groups per sub-network", Min: 1, Max: 1024, Default: func(v []int) int { return max(1, groups(v[0])) }},
	}
}

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

// zettafly3 has groups of a fully linked switches. Switches of equal index of all groups of two
// sub-networks meet in the global switches of that pair and index.
var zettafly3 = &topology.Family{
	Name:   "zettafly3",
	Title:  "Zettafly of diameter 3: full-mesh groups in sub-networks under global switches",
	Source: zettaflySource,
	Params: zettaflyParams(topology.Param{Name: "a", Doc: "switches per group", Min: 1, Max: 512}, func(a int) int { return a }),
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
		a, p, h, groups := int64(v[0]), int64(v[1]), int64(v[2]), int64(v[3])*int64(v[4])
		s.Endpoints = groups * a * p
		s.EndpointPorts, s.EndpointLanes = 1, 1
		s.Link[0], s.Link[1], s.Link[2] = s.Endpoints, groups*a*(a-1)/2, groups*a*h
		s.Switch[0].Count, s.Switch[1].Count = groups*a, int64(v[3])*h*a/2
		s.Switch[0].Ports = ports(int32(p), int32(a-1), int32(h))
		s.Switch[1].Ports = ports(0, 0, int32(2*v[4]))
	},
	Derived: 4,
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		a, groups := v[0], v[3]*v[4]
		for g := range groups {
			meshLinks(1, g*a, a, emit)
		}
		zettaflyGlobals(v, a, groups*a, func(g, t int) topology.SwitchID { return topology.SwitchID(g*a + t) }, emit)
	},
	Attach: func(v []int, emit func(int, []topology.SwitchID)) { attachEach(v[0]*v[3]*v[4], v[1], emit) },
	Paths: func(v []int, p *topology.Paths) bool {
		a, n, groups := int64(v[0]), int64(v[1]), int64(v[3])*int64(v[4])
		p.Add(n-1, crossing(2))
		p.Add(n*(a-1), crossing(2, 1))
		p.Add((groups-1)*n, crossing(2, 0, 2))
		p.Add((groups-1)*n*(a-1), crossing(2, 1, 2))
		return true
	},
	Natural: func([]int) topology.Rule {
		up, down := topology.Kind{Link: 2, From: 0, To: 1}, topology.Kind{Link: 2, From: 1, To: 0}
		return topology.Rule{Name: "updown", States: 4, Steps: []topology.Step{
			{From: 0, Kind: topology.Kind{Link: 1, From: 0, To: 0}, To: 1},
			{From: 0, Kind: up, To: 2}, {From: 1, Kind: up, To: 2}, {From: 2, Kind: down, To: 3},
		}}
	},
	Place: func(v []int) topology.Placement {
		return topology.Placement{Blocks: v[3] * v[4], Homes: []topology.Home{topology.WithEndpoints, topology.Central}}
	},
	Orbits: func(v []int) topology.Symmetry {
		locals := int64(v[0] * v[3] * v[4])
		return topology.Symmetry{
			Switches:  []topology.Orbit{{Rep: 0, Count: locals}, {Rep: int32(locals), Count: int64(v[3]) * int64(v[2]) * int64(v[0]) / 2}},
			Endpoints: []topology.Orbit{{Rep: 0, Count: locals * int64(v[1])}},
			EvenLinks: true,
		}
	},
	NonBlocking: func(v []int) int64 {
		a, p, h, c := int64(v[0]), int64(v[1]), int64(v[2]), int64(v[4])
		return largestFree([3]int64{p, a * p, a * p * c}, a >= 2*p || a == 1, h >= p)
	},
	Middle: zettaflyMiddle,
	VCReason: "A route takes its local link first, then climbs to a global switch and descends: channels are taken " +
		"in the order local, up, down. With local links also after the global ones, one VC would be cyclic.",
}

// meshLinks joins all pairs of the n switches from first on.
func meshLinks(class, first, n int, emit func(int, topology.SwitchID, topology.SwitchID)) {
	for i := range n {
		for j := i + 1; j < n; j++ {
			emit(class, topology.SwitchID(first+i), topology.SwitchID(first+j))
		}
	}
}

// attachEach puts p endpoints on each of the first n switches.
func attachEach(n, p int, emit func(int, []topology.SwitchID)) {
	at := make([]topology.SwitchID, 1)
	for s := range n {
		at[0] = topology.SwitchID(s)
		emit(p, at)
	}
}

// largestFree is the endpoints of the largest block without blocking inside: a switch always, a
// group, a sub-network if they are free.
func largestFree(block [3]int64, group, sub bool) int64 {
	switch {
	case sub:
		return block[2]
	case group:
		return block[1]
	}
	return block[0]
}

// zettafly4 has groups of a/2 leaves and a/2 spines; the spines bear the global links.
var zettafly4 = &topology.Family{
	Name:   "zettafly4",
	Title:  "Zettafly of diameter 4: leaf-spine groups in sub-networks under global switches",
	Source: zettaflySource,
	Params: zettaflyParams(topology.Param{Name: "a", Doc: "switches per group, half leaves and half spines; even", Min: 2, Max: 1024},
		func(a int) int { return a / 2 }),
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
		if v[0]%2 != 0 {
			return s.Fail("a", v[0], "a is even", v[0]+1)
		}
		return zettaflyParallel(v, s)
	},
	Count: func(v []int, s *topology.Size) {
		a, p, h, groups := int64(v[0]/2), int64(v[1]), int64(v[2]), int64(v[3])*int64(v[4])
		s.Endpoints = groups * a * p
		s.EndpointPorts, s.EndpointLanes = 1, 1
		s.Link[0], s.Link[1], s.Link[2] = s.Endpoints, groups*a*a, groups*a*h
		s.Switch[0].Count, s.Switch[1].Count, s.Switch[2].Count = groups*a, groups*a, int64(v[3])*h*a/2
		s.Switch[0].Ports = ports(int32(p), int32(a))
		s.Switch[1].Ports = ports(0, int32(a), int32(h))
		s.Switch[2].Ports = ports(0, 0, int32(2*v[4]))
	},
	Derived: 4,
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
	Attach: func(v []int, emit func(int, []topology.SwitchID)) { attachEach(v[0]/2*v[3]*v[4], v[1], emit) },
	Paths: func(v []int, p *topology.Paths) bool {
		a, n, groups := int64(v[0]/2), int64(v[1]), int64(v[3])*int64(v[4])
		p.Add(n-1, crossing(2))
		p.Add(n*(a-1), crossing(2, 2))
		p.Add((groups-1)*n*a, crossing(2, 2, 2))
		return true
	},
	Natural: func([]int) topology.Rule { return upDown3() },
	Place: func(v []int) topology.Placement {
		return topology.Placement{Blocks: v[3] * v[4], Homes: []topology.Home{
			topology.WithEndpoints, topology.InBlock, topology.Central}}
	},
	Orbits: func(v []int) topology.Symmetry {
		leaves := int64(v[0] / 2 * v[3] * v[4])
		return topology.Symmetry{
			Switches: []topology.Orbit{{Rep: 0, Count: leaves}, {Rep: int32(leaves), Count: leaves},
				{Rep: int32(2 * leaves), Count: int64(v[3]) * int64(v[2]) * int64(v[0]/2) / 2}},
			Endpoints: []topology.Orbit{{Rep: 0, Count: leaves * int64(v[1])}},
			EvenLinks: true,
		}
	},
	NonBlocking: func(v []int) int64 {
		a, p, h, c := int64(v[0]/2), int64(v[1]), int64(v[2]), int64(v[4])
		return largestFree([3]int64{p, a * p, a * p * c}, a >= p, a >= p && h >= p)
	},
	Middle:   func(v []int) float64 { return min(zettaflyMiddle(v), float64(v[0]/2)/float64(v[1])) },
	VCReason: "Routes go up to a spine or a global switch, then down: channels are taken in a fixed order.",
}

// upDown3 is up and down over the levels 0, 1, 2 joined by link classes 1 and 2.
func upDown3() topology.Rule {
	up1, up2 := topology.Kind{Link: 1, From: 0, To: 1}, topology.Kind{Link: 2, From: 1, To: 2}
	down2, down1 := topology.Kind{Link: 2, From: 2, To: 1}, topology.Kind{Link: 1, From: 1, To: 0}
	return topology.Rule{Name: "updown", States: 2, Steps: []topology.Step{
		{From: 0, Kind: up1, To: 0}, {From: 0, Kind: up2, To: 0},
		{From: 0, Kind: down2, To: 1}, {From: 0, Kind: down1, To: 1},
		{From: 1, Kind: down2, To: 1}, {From: 1, Kind: down1, To: 1},
	}}
}
