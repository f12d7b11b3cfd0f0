package topology_test

import (
	"fmt"
	"log"
	"testing"

	"toposearch/topology"
	"toposearch/topology/topotest"
)

// star is a complete family in as few lines as possible: n leaf switches around one in the middle, t
// endpoints on each leaf.
var star = &topology.Family{
	Name:   "star",
	Title:  "leaf switches around a hub",
	Source: topology.Source{Authors: "nobody", Title: "folklore"},
	Params: []topology.Param{
		{Name: "n", Doc: "leaf switches", Min: 2, Max: 64},
		{Name: "t", Doc: "endpoints per leaf", Min: 1, Max: 64, Default: topology.Const(1)},
	},
	LinkClasses:   []topology.LinkClass{{Name: topology.ClassNic, Doc: "endpoint to leaf"}, {Name: "up", Doc: "leaf to hub"}},
	SwitchClasses: []topology.SwitchClass{{Name: "leaf", Doc: "switch with endpoints"}, {Name: "hub", Doc: "the switch in the middle"}},
	Count: func(v []int, s *topology.Size) {
		n, t := int64(v[0]), int64(v[1])
		s.Endpoints, s.EndpointPorts, s.EndpointLanes = n*t, 1, 1
		s.Link[0], s.Link[1] = n*t, n
		s.Switch[0] = topology.SwitchCount{Count: n, Ports: [topology.MaxClasses]int32{int32(t), 1}}
		s.Switch[1] = topology.SwitchCount{Count: 1, Ports: [topology.MaxClasses]int32{0, int32(n)}}
	},
	Wire: func(v []int, emit func(class int, a, b topology.SwitchID)) {
		for leaf := range v[0] {
			emit(1, topology.SwitchID(leaf), topology.SwitchID(v[0]))
		}
	},
	Attach: func(v []int, emit func(count int, ports []topology.SwitchID)) {
		for leaf := range v[0] {
			emit(v[1], []topology.SwitchID{topology.SwitchID(leaf)})
		}
	},
	Place: func([]int) topology.Placement {
		return topology.Placement{Blocks: 1, Homes: []topology.Home{topology.WithEndpoints, topology.Central}}
	},
	VCReason:    "A tree has no circles.",
	SearchSpace: topology.SearchSpace{Derived: 1},
}

// A family in full: its counts by formula, and the network.
func ExampleFamily() {
	d, err := topology.ParseDesign("star(n=5,t=3)", []*topology.Family{star})
	if err != nil {
		log.Fatal(err)
	}
	var s topology.Size
	if err := d.Family.Size(d.V, &s); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %d endpoints on %d switches, %d links between switches, radix %d\n", d, s.Endpoints, s.Switches(), s.SwitchLinks(), s.Radix())
	n, err := d.Build()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("built:", n.Endpoints(), "endpoints on", n.Switches(), "switches; neighbours of leaf 0:", n.Neighbors(0))
	// Output:
	// star(n=5,t=3): 15 endpoints on 6 switches, 5 links between switches, radix 5
	// built: 15 endpoints on 6 switches; neighbours of leaf 0: [5]
}

// What the formulas of the example say is what its wiring is.
func TestExampleFamily(t *testing.T) { topotest.Family(t, star, topotest.Options{}) }
