package family

import "toposearch/topology"

// hammingmesh: x by y boards of a by b accelerators that forward. On a board they form a mesh;
// the accelerators at its west and east edges are joined, row by row, to the row network that
// all boards of a board row share, those at the south and north edges to column networks. A
// network is one switch if its ports suffice, else a 2-level fat tree.
var hammingmesh = &topology.Family{
	Name:  "hammingmesh",
	Title: "HammingMesh: boards with a 2-D mesh of accelerators, board rows and columns joined by switches",
	Source: topology.Source{
		Authors: "T. Hoefler, T. Bonato, D. De Sensi, S. Di Girolamo, S. Li, et al.",
		Title:   "HammingMesh: A Network Topology for Large-Scale Deep Learning", Venue: "SC", Year: 2022,
		Departures: "one plane of four ports (the paper's machine has four planes); the VC numbers are ours: x before y, and a second VC " +
			"on a board after its row or column network; small networks share the switches that are bought, as in the paper's table of costs",
	},
	Params: []topology.Param{
		{Name: "a", Doc: "accelerators of a board in x", Min: 1, Max: 16},
		{Name: "b", Doc: "accelerators of a board in y", Min: 1, Max: 16},
		{Name: "x", Doc: "boards of a board row", Min: 1, Max: 1024},
		{Name: "y", Doc: "boards of a board column", Min: 1, Max: 1024},
		{Name: "k", Doc: "ports of a switch", Min: 2, Max: 1024},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassInternal, Doc: "accelerator to its forwarding part"},
		{Name: topology.ClassNic, Doc: "board edge to row or column network"},
		{Name: "boardx", Doc: "trace between neighbours of a board in x"},
		{Name: "boardy", Doc: "trace between neighbours of a board in y"},
		{Name: "rowup", Doc: "leaf to spine of a row network"},
		{Name: "columnup", Doc: "leaf to spine of a column network"},
	},
	SwitchClasses: []topology.SwitchClass{
		{Name: "row", Doc: "switch, or leaf, of a row network", SharesBox: true},
		{Name: "rowspine", Doc: "spine of a row network", SharesBox: true},
		{Name: "column", Doc: "switch, or leaf, of a column network", SharesBox: true},
		{Name: "columnspine", Doc: "spine of a column network", SharesBox: true},
		{Name: "npu", Doc: "forwarding part of an accelerator", Embedded: true, OnChip: true},
	},
	Check: func(v []int, s *topology.Size) error {
		d := hammingmeshParams(v)
		if err := checkLine("x", d.x(), d.k(), s); err != nil {
			return err
		}
		return checkLine("y", d.y(), d.k(), s)
	},
	Count: countHamming,
	Wire:  wireHamming,
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		d := hammingmeshParams(v)
		attachTerminals(hammingFirst(v)[hammingNPU], int64(d.a()*d.b())*int64(d.x()*d.y()), emit)
	},
	Natural: func(v []int) topology.Rule {
		d := hammingmeshParams(v)
		if max(d.a(), d.b()) <= 2 { // every accelerator is at both edges: what leaves crosses no board
			return hammingEdgeRule
		}
		return hammingRule
	},
	Place: func(v []int) topology.Placement {
		return topology.Placement{
			Blocks: hammingmeshParams(v).y(),
			Homes:  []topology.Home{topology.InBlock, topology.InBlock, topology.Central, topology.Central, topology.Inside},
			Boards: []int{hammingBoardX, hammingBoardY},
		}
	},
	VCReason: "x before y; on a board packets that leave for a network use VC 0, those that came from one VC 1, and others either " +
		"(boards of up to 2x2 need none for that: every accelerator has a port on both its networks), " +
		"and inside a network they go up, then down",
	Documentation: topology.Documentation{
		Formulas: []string{
			"endpoints = a*b*x*y",
			"endpoint_ports = 4",
			"switches = y*b + x*a where max(2*x, 2*y)<=k; larger lines are 2-level trees",
			"links = x*y*((a-1)*b + a*(b-1)) where max(2*x, 2*y)<=k; traces on boards",
			"radix = max(2*x, 2*y) where max(2*x, 2*y)<=k",
		},
		Traps: "A step in cost: at one port more than a switch has, every line becomes a tree, three times as dear. " +
			"The paper's machine has four such planes.",
	},
	SearchSpace: topology.SearchSpace{
		Bounds:  boundHamming,
		Derived: 3,
		// Where one switch is enough, more ports change nothing.
		Canonical: func(v []int) {
			x, y, k := v[2], v[3], &v[4]
			if most := 2 * max(x, y); most < *k {
				*k = most
			}
		},
	},
	Routes: topology.Routes{
		Paths:    hammingPaths,
		Brief:    briefHamming,
		Diameter: hammingDiameter,
		Messages: hammingMessages,
		Orbits:   orbitsHamming,
	},
	Layout: topology.Layout{
		Media: []topology.LinkMedium{{Classes: []int{hammingBoardX, hammingBoardY}, Medium: "pcb"}},
	},
	Figures: topology.Figures{
		NonBlocking: func([]int) int64 { return 1 },
		// Half the links of the row networks, against four ports of half the accelerators: 1/(2a).
		Middle: func(v []int) float64 { d := hammingmeshParams(v); return 1 / (2 * float64(max(d.a(), d.b()))) },
	},
}

// hammingRule: per dimension, on the board before its network, up in it, down in it, on the board after.
var hammingRule = topology.Rule{Name: "dor", States: 10, Steps: append(
	hammingLeg(0, hammingBoardX, hammingRowUp, hammingRow, hammingRowSpine),
	append(hammingLeg(5, hammingBoardY, hammingColumnUp, hammingColumn, hammingColumnSpine),
		// From either board state of x into y.
		topology.Step{From: 0, Kind: topology.Kind{Link: hammingBoardY, From: hammingNPU, To: hammingNPU}, To: 5},
		topology.Step{From: 0, Kind: topology.Kind{Link: hammingBoardY, From: hammingNPU, To: hammingNPU}, To: 9, VC: 1},
		topology.Step{From: 4, Kind: topology.Kind{Link: hammingBoardY, From: hammingNPU, To: hammingNPU}, To: 5},
		topology.Step{From: 4, Kind: topology.Kind{Link: hammingBoardY, From: hammingNPU, To: hammingNPU}, To: 9, VC: 1},
		topology.Step{From: 0, Kind: topology.Kind{Link: hammingNic, From: hammingNPU, To: hammingColumn}, To: 6},
		topology.Step{From: 4, Kind: topology.Kind{Link: hammingNic, From: hammingNPU, To: hammingColumn}, To: 6})...)}

// hammingEdgeRule is the same on one VC.
var hammingEdgeRule = oneVC(hammingRule)

// oneVC is a rule whose steps all use VC 0.
func oneVC(r topology.Rule) topology.Rule {
	r.Steps = append([]topology.Step(nil), r.Steps...)
	for i := range r.Steps {
		r.Steps[i].VC = 0
	}
	return r
}

// hammingLeg is the steps of one dimension, states s (before) to s+4 (after the network). A packet that does not
// leave its board in the dimension may be in either: state s+4 is the rest of s (package routing).
func hammingLeg(s, board, up, leaf, spine uint8) []topology.Step {
	return []topology.Step{
		{From: s, Kind: topology.Kind{Link: board, From: hammingNPU, To: hammingNPU}, To: s},
		{From: s, Kind: topology.Kind{Link: board, From: hammingNPU, To: hammingNPU}, To: s + 4, VC: 1},
		{From: s, Kind: topology.Kind{Link: hammingNic, From: hammingNPU, To: leaf}, To: s + 1},
		{From: s + 1, Kind: topology.Kind{Link: up, From: leaf, To: spine}, To: s + 2},
		{From: s + 2, Kind: topology.Kind{Link: up, From: spine, To: leaf}, To: s + 3},
		{From: s + 1, Kind: topology.Kind{Link: hammingNic, From: leaf, To: hammingNPU}, To: s + 4, VC: 1},
		{From: s + 3, Kind: topology.Kind{Link: hammingNic, From: leaf, To: hammingNPU}, To: s + 4, VC: 1},
		{From: s + 4, Kind: topology.Kind{Link: board, From: hammingNPU, To: hammingNPU}, To: s + 4, VC: 1},
	}
}
