package family

import "toposearch/topology"

// meshtree: a k x k grid of groups, each a 2-level fat tree of k/2 leaves and k/2 spines; global
// switches join the groups of a row, and those of a column, spine by spine and port by port.
var meshtree = &topology.Family{
	Name:  "meshtree",
	Title: "Mesh-Tree (Tianhe exascale prototype): a grid of fat trees, rows and columns joined by global switches",
	Source: topology.Source{
		Authors: "D. Dong, Z. Wang, F. Lei", Title: "survey of interconnect topologies, formulas and Table 3",
		Venue: "J. NUDT 48(2)", Year: 2026,
		Departures: "the survey gives sizes, diameter and bisection; the wiring is reconstructed from them: every spine owns k/4 ports " +
			"for its row and k/4 for its column, and routes take the row first",
	},
	Params: []topology.Param{
		{Name: "k", Doc: "ports of a switch", Min: 4, Max: 256},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassNic, Doc: "endpoint to leaf"},
		{Name: "local", Doc: "leaf to spine of a group"},
		{Name: "row", Doc: "spine to the global switches of its row"},
		{Name: "column", Doc: "spine to the global switches of its column"},
	},
	SwitchClasses: meshtreeClasses,
	Check: func(v []int, s *topology.Size) error {
		k := v[0]
		if k%4 != 0 {
			return s.Fail("k", k, "4 divides k", k+4-k%4)
		}
		return nil
	},
	Count: countMeshtree,
	Wire:  wireMeshtree,
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		k := v[0]
		var at [1]topology.SwitchID
		for leaf := range k * k * (k / 2) {
			at[0] = topology.SwitchID(leaf)
			emit(k/2, at[:])
		}
	},
	Natural: func([]int) topology.Rule { return meshtreeRule },
	Place: func(v []int) topology.Placement {
		k := v[0]
		return topology.Placement{
			Blocks: k * k,
			Homes:  []topology.Home{topology.WithEndpoints, topology.InBlock, topology.Central, topology.Central},
		}
	},
	VCReason: "up, along the row, along the column, down: no class ever follows a later one, so one VC is acyclic",
	Documentation: topology.Documentation{
		Formulas: []string{
			"endpoints = k^4/4",
			"switches = 5*k^3/4",
			"links = k^4/2",
			"radix = k",
		},
		Deployments: "Tianhe exascale prototype.",
		Traps:       "A spine must own ports to its row and to its column: with one of the two, routes grow from six to eight hops.",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 0,
	},
	Routes: topology.Routes{
		Spread: spreadMeshtree,
		Paths:  meshtreePaths,
		Orbits: func(v []int) topology.Symmetry {
			var s topology.Size
			countMeshtree(v, &s)
			return classOrbits(meshtreeClasses, &s)
		},
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 { k := v[0]; return int64(k/2) * int64(k/2) },
		Middle:      func([]int) float64 { return 0.5 },
	},
}

var meshtreeClasses = []topology.SwitchClass{
	{Name: "leaf", Doc: "first level of a group: endpoints below"},
	{Name: "spine", Doc: "second level of a group"},
	{Name: "row", Doc: "global switch of a row of groups"},
	{Name: "column", Doc: "global switch of a column of groups"},
}

// Classes of meshtree; links of class c lead up to switches of class c.
const (
	meshLeaf = iota
	meshSpine
	meshRow
	meshColumn
)

// meshtreeRule counts the switches on the way: leaf 0, spine 1, row 2, spine 3, column 4,
// spine 5, leaf 6.
var meshtreeRule = topology.Rule{Name: "updown", States: 7, Steps: []topology.Step{
	{From: 0, Kind: topology.Kind{Link: meshSpine, From: meshLeaf, To: meshSpine}, To: 1},
	{From: 1, Kind: topology.Kind{Link: meshRow, From: meshSpine, To: meshRow}, To: 2},
	{From: 2, Kind: topology.Kind{Link: meshRow, From: meshRow, To: meshSpine}, To: 3},
	{From: 1, Kind: topology.Kind{Link: meshColumn, From: meshSpine, To: meshColumn}, To: 4},
	{From: 3, Kind: topology.Kind{Link: meshColumn, From: meshSpine, To: meshColumn}, To: 4},
	{From: 4, Kind: topology.Kind{Link: meshColumn, From: meshColumn, To: meshSpine}, To: 5},
	{From: 1, Kind: topology.Kind{Link: meshSpine, From: meshSpine, To: meshLeaf}, To: 6},
	{From: 3, Kind: topology.Kind{Link: meshSpine, From: meshSpine, To: meshLeaf}, To: 6},
	{From: 5, Kind: topology.Kind{Link: meshSpine, From: meshSpine, To: meshLeaf}, To: 6},
}}

func countMeshtree(v []int, s *topology.Size) {
	k := int64(v[0])
	h, q := k/2, k/4
	s.Endpoints = k * k * h * h
	s.EndpointPorts, s.EndpointLanes = 1, 1
	s.Switch[meshLeaf].Count, s.Switch[meshSpine].Count = k*k*h, k*k*h
	s.Switch[meshRow].Count, s.Switch[meshColumn].Count = k*h*q, k*h*q
	s.Switch[meshLeaf].Ports[topologyNic], s.Switch[meshLeaf].Ports[meshSpine] = int32(h), int32(h)
	spine := &s.Switch[meshSpine]
	spine.Ports[meshSpine], spine.Ports[meshRow], spine.Ports[meshColumn] = int32(h), int32(q), int32(q)
	s.Switch[meshRow].Ports[meshRow], s.Switch[meshColumn].Ports[meshColumn] = int32(k), int32(k)
	s.Link[topologyNic], s.Link[meshSpine] = s.Endpoints, s.Endpoints
	s.Link[meshRow], s.Link[meshColumn] = k*k*h*q, k*k*h*q
}

// Group (x, y) is number y*k + x; row y joins the groups of equal y.
func wireMeshtree(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
	k := v[0]
	h, q := k/2, k/4
	spines := k * k * h
	rows := 2 * spines
	columns := rows + k*h*q
	for group := range k * k {
		x, y := group%k, group/k
		for s := range h {
			spine := topology.SwitchID(spines + group*h + s)
			for leaf := range h {
				emit(meshSpine, topology.SwitchID(group*h+leaf), spine)
			}
			for j := range q {
				emit(meshRow, spine, topology.SwitchID(rows+(y*h+s)*q+j))
				emit(meshColumn, spine, topology.SwitchID(columns+(x*h+s)*q+j))
			}
		}
	}
}

// meshtreePaths: the same leaf, group, row, column, or none of these. Groups, leaves, spines and
// global ports are alike, so loads are even, row first or not, and weights are those of one source.
func meshtreePaths(v []int, p *topology.Paths) bool {
	p.Reset()
	k := int64(v[0])
	h := k / 2
	group := h * h
	var c [topology.MaxClasses]int16
	c[topologyNic] = 2
	p.Add(h-1, c)
	c[meshSpine] = 2
	p.Add(group-h, c)
	c[meshRow] = 2
	p.Add((k-1)*group, c)
	c[meshRow], c[meshColumn] = 0, 2
	p.Add((k-1)*group, c)
	c[meshRow] = 2
	p.Add((k-1)*(k-1)*group, c)
	return true
}

// spreadMeshtree: one of k/2 spines, and of its k/4 links to the row and to the column.
func spreadMeshtree(v []int, out *[topology.MaxClasses]float64) bool {
	h, q := float64(v[0]/2), float64(v[0]/4)
	out[meshSpine], out[meshRow], out[meshColumn] = 1-1/h, 1-1/(h*q), 1-1/(h*q)
	return true
}
