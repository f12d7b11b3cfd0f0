package family

import "toposearch/topology"

// crossbar is one switch with all endpoints.
var crossbar = &topology.Family{
	Name:          "crossbar",
	Title:         "one switch",
	Source:        hypercube.Source,
	Params:        []topology.Param{{Name: "n", Doc: "endpoints", Min: 2, Max: 4096}},
	LinkClasses:   []topology.LinkClass{{Name: topology.ClassNic, Doc: "endpoint to switch"}},
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "the switch"}},
	Count: func(v []int, s *topology.Size) {
		n := v[0]
		s.Endpoints, s.Link[0] = int64(n), int64(n)
		s.EndpointPorts, s.EndpointLanes = 1, 1
		s.Switch[0].Count = 1
		s.Switch[0].Ports[0] = int32(n)
	},
	Attach:   func(v []int, emit func(int, []topology.SwitchID)) { n := v[0]; attachEach(1, n, emit) },
	Natural:  func([]int) topology.Rule { return topology.Rule{Name: "dor", States: 1} },
	Place:    onePlace,
	VCReason: "There are no links between switches.",
	Documentation: topology.Documentation{
		Formulas: []string{
			"endpoints = n",
			"switches = 1",
			"links = 0",
			"radix = n",
		},
		Deployments: "Any system that fits one switch.",
		Traps:       "Ports are those of one box: the catalogue limits n long before the range does.",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 0,
	},
	Routes: topology.Routes{
		Spread: noSpread,
		Paths: func(v []int, p *topology.Paths) bool {
			p.Add(int64(v[0]-1), crossing(2))
			return true
		},
		Orbits: func(v []int) topology.Symmetry { n := v[0]; return oneOrbit(1, int64(n)) },
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 { n := v[0]; return int64(n) },
		Middle:      func([]int) float64 { return 1 },
	},
}

// onePlace keeps everything together: one block, switches beside their endpoints.
func onePlace([]int) topology.Placement {
	return topology.Placement{Blocks: 1, Homes: []topology.Home{topology.WithEndpoints}}
}
