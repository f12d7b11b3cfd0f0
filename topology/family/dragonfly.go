package family

import "toposearch/topology"

// dragonfly is groups of a fully linked switches, every pair of groups sharing at least one
// global link. How the links between groups are placed is in globals.
var dragonfly = &topology.Family{
	Name:  "dragonfly",
	Title: "Dragonfly: full-mesh groups, one or more global links between any two",
	Source: topology.Source{
		Authors:    "J. Kim, W. J. Dally, S. Scott, D. Abts",
		Title:      "Technology-Driven, Highly-Scalable Dragonfly Topology",
		Venue:      "ISCA, pp. 77-88",
		Year:       2008,
		Departures: "With fewer than a*h+1 groups the spare global ports are spread by a rule of our own; the circulant arrangement for odd a*h links opposite groups by its last port.",
	},
	Params: []topology.Param{
		{Name: "p", Doc: "endpoints per switch", Min: 1, Max: 512},
		{Name: "a", Doc: "switches per group", Min: 1, Max: 512},
		{Name: "h", Doc: "global links per switch", Min: 1, Max: 512},
		{Name: "g", Doc: "groups, at most a*h+1", Min: 2, Max: 512*512 + 1, Default: func(v []int) int { return v[1]*v[2] + 1 }},
		{Name: "arrangement", Doc: "which global port leads to which group", Min: 0, Max: len(arrangements) - 1,
			Default: topology.Const(palmtree), Choices: arrangements},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassNic, Doc: "endpoint to switch"},
		{Name: "local", Doc: "between switches of a group"},
		{Name: "global", Doc: "between groups"},
	},
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "switch of a group, with endpoints"}},
	Check: func(v []int, s *topology.Size) error {
		if most := v[1]*v[2] + 1; v[3] > most {
			return s.Fail("g", v[3], "g <= a*h+1", most)
		}
		return nil
	},
	Count: func(v []int, s *topology.Size) {
		dragonflyCount(v, s)
		used := dragonflyGlobals(v).used()
		s.Link[2] = int64(v[3]) * int64(used) / 2
		s.Switch[0].Ports[2] = int32(min(v[2], used)) // less if the only switch has the empty port
	},
	Bounds:  dragonflyBounds,
	Derived: 3,
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		a, h, g := v[1], v[2], v[3]
		for i := range g {
			meshLinks(1, i*a, a, emit)
		}
		dragonflyGlobals(v).links(func(i, q, j, to int) {
			emit(2, topology.SwitchID(i*a+q/h), topology.SwitchID(j*a+to/h))
		})
	},
	Attach:    func(v []int, emit func(int, []topology.SwitchID)) { attachEach(v[1]*v[3], v[0], emit) },
	Paths:     dragonflyPaths,
	Distances: dragonflyDistances,
	Natural: func([]int) topology.Rule {
		local, global := topology.Kind{Link: 1}, topology.Kind{Link: 2}
		return topology.Rule{Name: "lgl", States: 4, Steps: []topology.Step{
			{From: 0, Kind: local, To: 1}, {From: 0, Kind: global, To: 2}, {From: 1, Kind: global, To: 2},
			{From: 2, Kind: local, To: 3, VC: 1},
		}}
	},
	Place: func(v []int) topology.Placement {
		return topology.Placement{Blocks: v[3], Homes: []topology.Home{topology.WithEndpoints}}
	},
	Orbits: func(v []int) topology.Symmetry {
		x := dragonflyGlobals(v)
		if !x.cyclic() {
			return topology.Symmetry{}
		}
		y := topology.Symmetry{Switches: x.groupOrbits(0, v[1])}
		for _, o := range y.Switches {
			y.Endpoints = append(y.Endpoints, topology.Orbit{Rep: o.Rep * int32(v[0]), Count: o.Count * int64(v[0])})
		}
		return y
	},
	NonBlocking: func(v []int) int64 {
		p, a := int64(v[0]), int64(v[1])
		if a >= 2*p || a == 1 {
			return a * p
		}
		return p
	},
	Middle: func(v []int) float64 {
		return min(1, dragonflyGlobals(v).middle()/(float64(v[0]*v[1]*v[3])/2))
	},
	VCReason: "A route is local, global, local at most; local links on VC 0 lead to the global ones, and those to local " +
		"links on VC 1, so that resources are taken in a fixed order. With one VC local links would close cycles.",
}

func dragonflyGlobals(v []int) globals { return globals{v[3], v[1] * v[2], v[4]} }

// dragonflyCount fills everything but the global links.
func dragonflyCount(v []int, s *topology.Size) {
	p, a, g := int64(v[0]), int64(v[1]), int64(v[3])
	s.Endpoints = p * a * g
	s.EndpointPorts, s.EndpointLanes = 1, 1
	s.Link[0], s.Link[1] = s.Endpoints, g*a*(a-1)/2
	s.Switch[0].Count = a * g
	s.Switch[0].Ports = ports(int32(p), int32(a-1), int32(v[2]))
}

// dragonflyBounds: of the a*h global ports of a group all but at most one are used; and one switch
// always has all h in use, since only the last port can be empty, unless it is the only one.
func dragonflyBounds(lo, hi []int, bl, bh *topology.Size) {
	dragonflyCount(lo, bl)
	dragonflyCount(hi, bh)
	bl.Link[2] = int64(lo[3]) * int64(lo[1]*lo[2]-1) / 2
	bh.Link[2] = int64(hi[3]) * int64(hi[1]) * int64(hi[2]) / 2
	if lo[1] == 1 {
		bl.Switch[0].Ports[2]--
	}
}

// dragonflyPaths holds for one link per pair of groups. Of the a^2 pairs of switches of two groups
// one pair has both ends on the link, 2(a-1) one end. All loads are even: each switch has h of the
// links, over each of which all traffic of one pair of groups passes.
func dragonflyPaths(v []int, p *topology.Paths) bool {
	n, a, g := int64(v[0]), int64(v[1]), int64(v[3])
	if !dragonflyGlobals(v).even() {
		return false
	}
	p.Shortest = v[1] == 1 || v[2] == 1
	p.Add(a*(n-1), crossing(2))
	p.Add(a*n*(a-1), crossing(2, 1))
	p.Add((g-1)*n, crossing(2, 0, 1))
	p.Add((g-1)*n*2*(a-1), crossing(2, 1, 1))
	p.Add((g-1)*n*(a-1)*(a-1), crossing(2, 2, 1))
	return true
}

// dragonflyDistances shortens some routes by two global links. In the palm tree, and in the
// relative arrangement, its mirror image, two global hops from switch r lead to switches r of the
// groups at distance 1 to h-1 on either side. Their direct link ends at switches 0 and a-1, so for
// the other a-2 switches that is one hop less than local, global, local.
func dragonflyDistances(v []int, p *topology.Paths) bool {
	if !dragonflyPaths(v, p) {
		return false
	}
	if p.Shortest {
		return true
	}
	p.Shortest = true
	if v[4] != palmtree && v[4] != relative {
		return false
	}
	// Weights are per group and endpoint of a switch pair, summed over the a source switches.
	n, a, h := int64(v[0]), int64(v[1]), int64(v[2])
	if nearer := 2 * (h - 1) * (a - 2) * n; nearer > 0 {
		for i := range p.Types {
			if p.Types[i].Cross == crossing(2, 2, 1) {
				p.Types[i].Weight -= nearer
			}
		}
		p.Add(nearer, crossing(2, 0, 2))
	}
	return true
}
