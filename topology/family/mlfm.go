package family

import "toposearch/topology"

// mlfm is the multi-layer full mesh: h layers of h+1 local switches; for every two positions of
// the h+1, one global switch is linked to the local switches of both positions in all layers.
// It is Zettafly-3 with groups of one switch.
var mlfm = &topology.Family{
	Name:  "mlfm",
	Title: "multi-layer full mesh of diameter 2",
	Source: topology.Source{
		Authors: "G. Kathareios, C. Minkenberg, B. Prisacari, G. Rodriguez, T. Hoefler",
		Title:   "Cost-Effective Diameter-Two Topologies: Analysis and Evaluation", Venue: "SC, pp. 1-11", Year: 2015,
	},
	Params: []topology.Param{{Name: "h", Doc: "layers, endpoints per local switch, and links of it", Min: 1, Max: 512}},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassNic, Doc: "endpoint to local switch"},
		{Name: "global", Doc: "local to global switch"},
	},
	SwitchClasses: []topology.SwitchClass{
		{Name: "local", Doc: "switch with endpoints"},
		{Name: "global", Doc: "joins two positions of all layers; no endpoints"},
	},
	Count: func(v []int, s *topology.Size) {
		h := int64(v[0])
		s.Endpoints = h * h * (h + 1)
		s.EndpointPorts, s.EndpointLanes = 1, 1
		s.Link[0], s.Link[1] = s.Endpoints, s.Endpoints
		s.Switch[0].Count, s.Switch[1].Count = h*(h+1), h*(h+1)/2
		s.Switch[0].Ports = ports(int32(h), int32(h))
		s.Switch[1].Ports = ports(0, int32(2*h))
	},
	// Local switch of position i and layer x is i*h + x: a block is a position.
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		h := v[0]
		id := topology.SwitchID(h * (h + 1))
		for i := range h + 1 {
			for j := i + 1; j <= h; j++ {
				for x := range h {
					emit(1, topology.SwitchID(i*h+x), id)
				}
				for x := range h {
					emit(1, topology.SwitchID(j*h+x), id)
				}
				id++
			}
		}
	},
	Attach:  func(v []int, emit func(int, []topology.SwitchID)) { h := v[0]; attachEach(h*(h+1), h, emit) },
	Natural: func([]int) topology.Rule { return upDown2() },
	Place: func(v []int) topology.Placement {
		h := v[0]
		return topology.Placement{Blocks: h + 1, Homes: []topology.Home{topology.WithEndpoints, topology.Central}}
	},
	VCReason: "Routes go up to one global switch and down.",
	Documentation: topology.Documentation{
		Formulas: []string{
			"endpoints = h^3 + h^2",
			"switches = 3*h*(h+1)/2",
			"links = h^2*(h+1)",
			"radix = 2*h",
		},
		Deployments: "None known; proposed by Fujitsu.",
		Traps:       "Switches at different positions have exactly one minimal route.",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 0,
	},
	Routes: topology.Routes{
		Spread: spreadMLFM,
		Paths: func(v []int, p *topology.Paths) bool {
			h := int64(v[0])
			p.Add(h-1, crossing(2))
			p.Add(h*(h*(h+1)-1), crossing(2, 2))
			return true
		},
		Orbits: func(v []int) topology.Symmetry {
			h := int64(v[0])
			return topology.Symmetry{
				Switches:  []topology.Orbit{{Rep: 0, Count: h * (h + 1)}, {Rep: int32(h * (h + 1)), Count: h * (h + 1) / 2}},
				Endpoints: []topology.Orbit{{Rep: 0, Count: h * h * (h + 1)}},
				EvenLinks: true,
			}
		},
		Worst: func(v []int, w *topology.WorstLoads) bool { return worstOfLeaf(v[0], w) },
	},
	Figures: topology.Figures{
		// The layers of a position meet in all its h global switches.
		NonBlocking: func(v []int) int64 { h := v[0]; return int64(h) * int64(h) },
		Middle:      func(v []int) float64 { h := v[0]; return min(1, float64(h+1)/float64(2*h)) },
	},
}

// upDown2 is up and down between the levels 0 and 1, joined by link class 1.
func upDown2() topology.Rule {
	return topology.Rule{Name: "updown", States: 3, Steps: []topology.Step{
		{From: 0, Kind: topology.Kind{Link: 1, From: 0, To: 1}, To: 1},
		{From: 1, Kind: topology.Kind{Link: 1, From: 1, To: 0}, To: 2},
	}}
}

// spreadMLFM: switches of one position share all its h global switches, others one.
func spreadMLFM(v []int, out *[topology.MaxClasses]float64) bool {
	h := float64(v[0])
	out[1] = (h - 1) * (1 - 1/h) / (h*(h+1) - 1)
	return true
}
