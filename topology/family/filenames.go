package family

import "toposearch/topology"

// Classes of formats that have none: switches with endpoints, and the others.
var (
	nicOfFile  = topology.LinkClass{Name: topology.ClassNic, Doc: "endpoint to switch"}
	linkOfFile = topology.LinkClass{Name: "link", Doc: "between switches"}
)

// twoClasses makes the classes edge (switches with endpoints) and core (the others), each in the
// order of the file, and orders the names accordingly. Nothing is known of blocks.
func (g *fileGraph) twoClasses(edge []bool, names []string) {
	g.switchClasses = []topology.SwitchClass{
		{Name: "edge", Doc: "switch with endpoints"},
		{Name: "core", Doc: "switch without endpoints"},
	}
	g.switchCount = []int64{0, 0}
	g.place = topology.Placement{Blocks: 1, Homes: []topology.Home{topology.WithEndpoints, topology.Central}}
	var core []string
	for i, e := range edge {
		if e {
			g.switchCount[0]++
			g.switchNames = append(g.switchNames, names[i])
		} else {
			g.switchCount[1]++
			core = append(core, names[i])
		}
	}
	g.switchNames = append(g.switchNames, core...)
}

// renumber gives the ID of every switch when those with endpoints come first.
func (g *fileGraph) renumber(edge []bool) []topology.SwitchID {
	order := make([]topology.SwitchID, len(edge))
	next := [2]topology.SwitchID{0, topology.SwitchID(g.switchCount[0])}
	for i, e := range edge {
		c := 1
		if e {
			c = 0
		}
		order[i] = next[c]
		next[c]++
	}
	return order
}

// endpoint appends one endpoint, to the last group if that has the same ports.
func (g *fileGraph) endpoint(ports []topology.SwitchID) {
	if n := len(g.groupCount); n > 0 {
		last := g.ports[g.portStart[n-1]:g.portStart[n]]
		same := len(last) == len(ports)
		for i := 0; same && i < len(ports); i++ {
			same = last[i] == ports[i]
		}
		if same {
			g.groupCount[n-1]++
			return
		}
	}
	g.groupCount = append(g.groupCount, 1)
	g.ports = append(g.ports, ports...)
	g.portStart = append(g.portStart, int32(len(g.ports)))
}
