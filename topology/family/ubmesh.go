package family

import "toposearch/topology"

// ubmesh: racks of y boards of x NPUs that forward; z by w racks a pod, full meshes along both;
// pods joined by one level of high-radix switches (HRS). What a rack is inside is told by ubRack.
// The switches of a rack that stand at the same place in it are linked across racks, in equal parts
// of lz and lw lanes; what is left of their lanes leads to HRSs of 512 lanes if there are several
// pods. A lane is a UB lane.
var ubmesh = &topology.Family{
	Name:  "ubmesh",
	Title: "UB-Mesh: 2-D full mesh of NPUs in a rack, 2-D full mesh of racks in a pod, pods over high-radix switches",
	Source: topology.Source{
		Authors: "H. Liao, B. Liu, X. Chen, Z. Guo, C. Cheng, et al.",
		Title:   "UB-Mesh: a Hierarchically Localized nD-FullMesh Datacenter Network Architecture",
		Venue:   "arXiv:2503.20377", Year: 2025,
		Departures: "lane budget derived from the published totals (16 lanes of an NPU leave the rack, 768 of 1024 lanes of a rack lead to " +
			"other racks, 256 to HRSs; 48, 36 or 72 LRS, or 8 HRS, a rack); how the switches of a rack are wired is ours, chosen so that " +
			"lanes and counts come out; CPUs with the 16 LRSs of a 1dfmb rack that serve them carry nothing and are left out; the 65th, spare NPU is there on request, " +
			"on all switches of its rack that lead outwards (the paper draws one), for half of their lanes to hubs; " +
			"routes go X, Y, up, z, w or HRS, down",
	},
	Params: []topology.Param{
		{Name: "x", Doc: "NPUs of a board", Min: 1, Max: 32, Default: topology.Const(8)},
		{Name: "y", Doc: "boards of a rack", Min: 1, Max: 32, Default: topology.Const(8)},
		{Name: "z", Doc: "racks of a pod in the first dimension", Min: 1, Max: 32},
		{Name: "w", Doc: "racks of a pod in the second dimension", Min: 1, Max: 32},
		{Name: "pods", Doc: "pods joined by high-radix switches", Min: 1, Max: 512, Default: topology.Const(1)},
		{Name: "lx", Doc: "lanes between two NPUs of a board", Min: 1, Max: 72, Default: topology.Const(4)},
		{Name: "ly", Doc: "lanes between two NPUs of a column", Min: 1, Max: 72, Default: topology.Const(4)},
		{Name: "lz", Doc: "lanes between two racks in the first dimension", Min: 1, Max: 1024, Default: topology.Const(rackLanes)},
		{Name: "lw", Doc: "lanes between two racks in the second dimension", Min: 1, Max: 1024, Default: topology.Const(rackLanes)},
		{Name: "rack", Doc: "what joins the NPUs of a rack: full mesh in both dimensions, in one with columns over LRSs or all over HRSs, or LRSs alone",
			Min: 0, Max: 3, Choices: []string{"2dfm", "1dfma", "1dfmb", "clos"}, Default: topology.Const(0)},
		{Name: "spare", Doc: "spare NPUs of a rack, which stand in for one that has failed: the 64+1 of the paper", Min: 0, Max: 1, Default: topology.Const(0), Draw: true},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassInternal, Doc: "NPU to its forwarding part"},
		{Name: topology.ClassNic, Doc: "NPU to a switch of its rack"},
		{Name: "x", Doc: "between NPUs of a board"},
		{Name: "y", Doc: "between NPUs of a column of a rack"},
		{Name: "hub", Doc: "LRS to hub inside a rack"},
		{Name: "z", Doc: "between racks, first dimension"},
		{Name: "w", Doc: "between racks, second dimension"},
		{Name: "hrs", Doc: "LRS to high-radix switch"},
		{Name: "spare", Doc: "LRS to the spare NPU of its rack"},
	},
	SwitchClasses: ubClasses,
	Check:         checkUB,
	Count:         countUB,
	Wire:          wireUB,
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		var s topology.Size
		countUB(v, &s)
		attachTerminals(s.Switch[ubLRS].Count+s.Switch[ubHub].Count+s.Switch[ubHRS].Count, s.Endpoints, emit)
	},
	Natural: func(v []int) topology.Rule {
		if ubmeshParams(v).spare() > 0 {
			return ubSpareRule
		}
		return ubRule
	},
	Place: func(v []int) topology.Placement {
		d := ubmeshParams(v)
		return topology.Placement{
			Blocks: d.z() * d.w() * d.pods(),
			Homes:  []topology.Home{topology.WithEndpoints, topology.WithEndpoints, topology.Central, topology.Inside, topology.WithEndpoints},
			Boards: []int{ubX},
		}
	},
	VCReason: "X, Y, up, along z, along w or over an HRS, down: no class ever follows a later one, so one VC is acyclic",
	Documentation: topology.Documentation{
		Formulas: []string{
			"racks = z*w*pods",
			"endpoints = racks*x*y",
			"lrs = if(rack=2dfm, 4*y, if(rack=1dfma, 4*x, if(rack=1dfmb, 8, 72))); of a rack, leading outwards",
			"hubs = if(rack=2dfm, 16, if(rack=1dfma, 4, 0)); of a rack",
			"switches = racks*(lrs+hubs) where pods=1; several pods add high-radix switches by the lanes that are left",
			"mesh = if(rack=clos, 0, (x-1)/2) + if(rack=2dfm, (y-1)/2, 0); links of an NPU to others, by half",
			"endpoint_ports = 2*mesh + if(rack=clos, 72, if(rack=1dfmb, 8, 4))",
			"inner = lrs*if(rack=2dfm, 4, if(rack=1dfma, 1, 0)); LRS to hub, of a rack",
			"links = endpoints*mesh + racks*(inner + lrs*(z-1)/2 + lrs*(w-1)/2 + lrs*spare) where pods=1",
			"radix = max(if(rack=2dfm, x, if(rack=1dfma, y, x*y)) + inner/lrs + z-1 + w-1 + spare, hubs/4*if(hubs=0, 0, if(rack=2dfm, y/4, x))) where pods=1",
		},
		Deployments: "Huawei's UB-Mesh SuperPod design (8,192 NPUs).",
		Traps: "Links have different numbers of lanes: a radix in links says little, see physical_ports. The paper's " +
			"two VCs for all paths are not described in it.",
	},
	SearchSpace: topology.SearchSpace{
		Bounds:  boundUB,
		Derived: 4,
		Canonical: func(v []int) {
			z, w, lx, ly, lz, lw, rack := v[2], v[3], &v[5], &v[6], &v[7], &v[8], v[9]
			// Lanes to racks that are not there do not matter.
			if z == 1 {
				*lz = rackLanes
			}
			if w == 1 {
				*lw = rackLanes
			}
			// Nor those of a mesh that a rack does not have.
			if rack == ubClos {
				*lx = 4
			}
			if rack != ub2D {
				*ly = 4
			}
		},
		Idle: func(v []int, i int) (x int, idle bool) {
			const lz, lw = 7, 8
			return rackLanes, i == lz && ubmeshParams(v).z() == 1 || i == lw && ubmeshParams(v).w() == 1
		},
	},
	Routes: topology.Routes{
		Worst:  ubWorst,
		Spread: spreadUB,
		Paths:  ubPaths,
		Racks:  ubRacks,
		Orbits: func(v []int) topology.Symmetry {
			var s topology.Size
			countUB(v, &s)
			y := classOrbits(ubClasses, &s)
			q, _ := ubUplinks(v)
			// Boards or columns that share their HRSs are nearer to one another than to the others.
			r := ubRackOf(v)
			y.EvenLinks = ubmeshParams(v).pods() == 1 || q == 1 || q == r.perPlane
			return y
		},
	},
	Layout: topology.Layout{
		Media:    []topology.LinkMedium{{Classes: []int{ubX}, Medium: "pcb"}},
		OwnRacks: true,
	},
	Figures: topology.Figures{
		NonBlocking: func([]int) int64 { return 1 },
	},
}

// spreadUB: of racks of one pod any of the switches that an NPU is linked to, each of which has its own links to other racks.
func spreadUB(v []int, out *[topology.MaxClasses]float64) bool {
	d := ubmeshParams(v)
	if d.pods() > 1 || d.z()*d.w() == 1 {
		return false
	}
	r := ubRackOf(v)
	x := 1 - 1/float64(r.ports)
	out[ubNic], out[ubZ], out[ubW] = x, x, x
	return true
}
