package family

import "toposearch/topology"

var zcubeSource = topology.Source{
	Authors: "Z. Yan, D. Li, L. Chen, D. Xiong, K. Gao, Y. Zhang, et al.",
	Title:   "From ATOP to ZCube: Automated Topology Optimization Pipeline and a Highly Cost-Effective Network Topology for Large Model Training",
	Venue:   "ACM SIGCOMM, doi 10.1145/3718958.3750503",
	Year:    2025,
}

// zcube is ZCube(n,k): n copies of ZCube(n,k-1), to each of whose endpoints a further port is
// added, and n^(k-1) switches of the new top level. Endpoint d_{k-1}..d_0 (base n) has its
// level-l port on the level-l switch named by all its digits but d_l: first the digits above
// l, which say in which copy the switch is, then the digits below l, its index there. A
// level-(l-1) switch of index i is linked to the level-l switches i*n .. i*n+n-1 of its copy.
var zcube = &topology.Family{
	Name:   "zcube",
	Title:  "ZCube(n,k): k levels of switches, one endpoint port on each",
	Source: zcubeSource,
	Params: []topology.Param{
		{Name: "n", Doc: "endpoints per switch: half the ports of an edge switch", Min: 2, Max: 1024},
		{Name: "k", Doc: "levels of switches, and ports of an endpoint", Min: 1, Max: zcubeLevels},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassNic, Doc: "endpoint to its switch of each level"},
		{Name: "level1", Doc: "level 0 to level 1"},
		{Name: "level2", Doc: "level 1 to level 2"},
		{Name: "level3", Doc: "level 2 to level 3"},
		{Name: "level4", Doc: "level 3 to level 4"},
	},
	SwitchClasses: []topology.SwitchClass{
		{Name: "level0", Doc: "edge switch of n consecutive endpoints"},
		{Name: "level1", Doc: "switch of level 1"},
		{Name: "level2", Doc: "switch of level 2"},
		{Name: "level3", Doc: "switch of level 3"},
		{Name: "level4", Doc: "switch of level 4"},
	},
	Count:   zcubeCount,
	Wire:    zcubeWire,
	Attach:  zcubeAttach,
	Natural: zcubeRule,
	Place:   zcubePlace,
	VCReason: "Routes climb or descend the levels and never turn, so channels are taken in the order of their " +
		"levels, and one VC suffices; all shortest routes together would be cyclic from three levels on.",
	Documentation: topology.Documentation{
		Formulas: []string{
			"endpoints = n^k",
			"endpoint_ports = k",
			"switches = k*n^(k-1)",
			"links = (k-1)*n^k",
			"radix = if(k=1, n, if(k=2, 2*n, 3*n)); at the rate of an endpoint port",
		},
		Deployments: "Z.ai runs a rectangular form (zcube_rect); ATOP's authors a testbed of ZCube(4,2).",
		Traps: "n is half the ports of an edge switch after splitting; the survey's k is counted before splitting and " +
			"its n is the ports of an endpoint. All shortest routes together deadlock with one VC from three " +
			"levels on; the natural ones do not.",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 0,
	},
	Routes: topology.Routes{
		Spread:    spreadZCube,
		Paths:     zcubePaths,
		Cube:      func(v []int) (row, side, levels int) { return v[0], v[0], v[1] },
		Distances: func(v []int, p *topology.Paths) bool { return zcubeParams(v).k() <= 3 && zcubePaths(v, p) },
		Orbits:    zcubeOrbits,
		Worst:     zcubeWorst,
	},
	Figures: topology.Figures{
		NonBlocking: zcubeNonBlocking,
		Middle:      func(v []int) float64 { return min(1, 2/float64(zcubeParams(v).k())) },
	},
}

func zcubeCount(v []int, s *topology.Size) {
	n, k := v[0], v[1]
	s.Endpoints = ipow(n, k)
	s.EndpointPorts, s.EndpointLanes = int32(k), int32(k)
	s.Link[0] = int64(k) * s.Endpoints
	for l := range k {
		c := &s.Switch[l]
		c.Count = ipow(n, k-1)
		c.Ports[0] = int32(n)
		if l > 0 {
			c.Ports[l] = int32(n)
			s.Link[l] = s.Endpoints
		}
		if l < k-1 {
			c.Ports[l+1] = int32(n)
		}
	}
}

// zcubeWire links switch (high digits, d_l, idx) of level l-1 to (high digits, idx*n+x).
func zcubeWire(v []int, emit func(class int, a, b topology.SwitchID)) {
	n, k := v[0], v[1]
	perLevel := int(ipow(n, k-1))
	for l := 1; l < k; l++ {
		low := int(ipow(n, l-1)) // indices of a level-(l-1) switch in its copy
		for s := range perLevel {
			high, idx := s/low/n, s%low
			for x := range n {
				emit(l, topology.SwitchID((l-1)*perLevel+s), topology.SwitchID(l*perLevel+high*low*n+idx*n+x))
			}
		}
	}
}

func zcubeAttach(v []int, emit func(count int, ports []topology.SwitchID)) {
	n, k := v[0], v[1]
	perLevel := int(ipow(n, k-1))
	if k == 1 {
		emit(n, []topology.SwitchID{0})
		return
	}
	ports := make([]topology.SwitchID, k)
	for e := range perLevel * n {
		low := 1
		for l := range ports {
			ports[l] = topology.SwitchID(l*perLevel + e/low/n*low + e%low)
			low *= n
		}
		emit(1, ports)
	}
}

// zcubeRule climbs (state 1) or descends (state 2) the levels; a packet chooses at its start.
func zcubeRule(v []int) topology.Rule {
	d := zcubeParams(v)
	r := topology.Rule{Name: "zcube", States: 3}
	for l := uint8(1); int(l) < d.k(); l++ {
		up, down := topology.Kind{Link: l, From: l - 1, To: l}, topology.Kind{Link: l, From: l, To: l - 1}
		r.Steps = append(r.Steps,
			topology.Step{From: 0, Kind: up, To: 1}, topology.Step{From: 1, Kind: up, To: 1},
			topology.Step{From: 0, Kind: down, To: 2}, topology.Step{From: 2, Kind: down, To: 2})
	}
	return r
}

// zcubePlace makes a block of each copy of ZCube(n,k-1); the top level serves all of them.
func zcubePlace(v []int) topology.Placement {
	n, k := v[0], v[1]
	p := topology.Placement{Blocks: n, Homes: make([]topology.Home, zcubeLevels)}
	for l := range p.Homes {
		switch {
		case l == 0:
			p.Homes[l] = topology.WithEndpoints
		case l >= k-1:
			p.Homes[l] = topology.Central
		default:
			p.Homes[l] = topology.InBlock
		}
	}
	if k == 1 {
		p.Blocks = 1
	}
	return p
}

// zcubeOrbits uses what the wiring leaves free: a permutation of the values of the topmost
// digit, and one permutation for all digits below, because the links shift them. Things whose
// lower digits are equal in the same places are therefore equivalent.
func zcubeOrbits(v []int) topology.Symmetry {
	n, k := v[0], v[1]
	y := topology.Symmetry{EvenLinks: k <= 2}
	perLevel := ipow(n, k-1)
	// A thing has a top digit (free) and some lower digits; the top level has only lower ones.
	add := func(to *[]topology.Orbit, first int64, lower int, free bool) {
		eachPattern(lower, func(code []int, blocks int) {
			count := falling(n, blocks)
			if count == 0 {
				return
			}
			rep := int64(0)
			for _, d := range code {
				rep = rep*int64(n) + int64(d)
			}
			if free {
				count *= int64(n)
			}
			*to = append(*to, topology.Orbit{Rep: int32(first + rep), Count: count})
		})
	}
	for l := range k - 1 {
		add(&y.Switches, int64(l)*perLevel, k-2, true)
	}
	add(&y.Switches, int64(k-1)*perLevel, k-1, false)
	add(&y.Endpoints, 0, k-1, true)
	return y
}

// zcubeNonBlocking: two levels give every endpoint its two ports' worth across the middle; with
// more levels the cut carries 2/k of them, and only the endpoints of one switch are free of it.
func zcubeNonBlocking(v []int) int64 {
	d := zcubeParams(v)
	if d.k() <= 2 {
		return ipow(d.n(), d.k())
	}
	return int64(d.n())
}

// spreadZCube: with two levels who shares no switch goes by either.
func spreadZCube(v []int, out *[topology.MaxClasses]float64) bool {
	d := zcubeParams(v)
	if n := float64(d.n()); d.k() == 2 { // of n^2-1 others 2(n-1) share one
		out[topologyNic], out[1] = (n-1)/(2*(n+1)), 0.5
	}
	return d.k() <= 2
}
