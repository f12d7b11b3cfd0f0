// Package extension shows how another module adds a family: the cocktail party graph, searched beside
// the built-in families.
package extension

import "toposearch/topology"

// Cocktail is the cocktail party graph: n switches, each linked to all others but its opposite, with t
// endpoints each.
var Cocktail = &topology.Family{
	Name:  "cocktail",
	Title: "cocktail party graph",
	Source: topology.Source{Authors: "F. Harary", Title: "Graph Theory", Venue: "Addison-Wesley", Year: 1969,
		Departures: "endpoints are ours"},
	Params: []topology.Param{
		{Name: "n", Doc: "switches, an even number", Min: 4, Max: 1024},
		{Name: "t", Doc: "endpoints per switch", Min: 1, Max: 512},
	},
	LinkClasses:   []topology.LinkClass{{Name: topology.ClassNic, Doc: "endpoint to switch"}, {Name: "local", Doc: "between switches"}},
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "switch with endpoints"}},
	Check: func(v []int, s *topology.Size) error {
		if n := v[0]; n%2 != 0 {
			return s.Fail("n", n, "n is even", n+1)
		}
		return nil
	},
	Count: func(v []int, s *topology.Size) {
		n, t := int64(v[0]), int64(v[1])
		s.Endpoints, s.EndpointPorts, s.EndpointLanes = n*t, 1, 1
		s.Link[0], s.Link[1] = n*t, n*(n-2)/2
		s.Switch[0] = topology.SwitchCount{Count: n, Ports: [topology.MaxClasses]int32{int32(t), int32(n - 2)}}
	},
	Wire: func(v []int, emit func(class int, a, b topology.SwitchID)) {
		n := v[0]
		for a := range n {
			for b := a + 1; b < n; b++ {
				if b != a+n/2 {
					emit(1, topology.SwitchID(a), topology.SwitchID(b))
				}
			}
		}
	},
	Attach: func(v []int, emit func(count int, ports []topology.SwitchID)) {
		n, t := v[0], v[1]
		for s := range n {
			emit(t, []topology.SwitchID{topology.SwitchID(s)})
		}
	},
	Place: func([]int) topology.Placement {
		return topology.Placement{Blocks: 1, Homes: []topology.Home{topology.WithEndpoints}}
	},
	VCReason:    "Routes are at most two hops long, and a packet changes to the second VC at its second.",
	SearchSpace: topology.SearchSpace{Derived: 1}, // t follows from n and the number of endpoints
}
