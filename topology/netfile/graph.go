package netfile

import (
	"toposearch/diag"
	"toposearch/topology"
)

// LinkInfo is what a file says of a cable.
type LinkInfo struct {
	LengthM            float64 // 0: not said
	Medium, PartNo, ID string
	CyclesAB, CyclesBA int // latency of either direction in cycles (BookSim2); 0: not said
	PortA, PortB       string
}

// graph is what the parsers make: switches class by class, links by class, endpoint groups.
type graph struct {
	design         string // what the file says it is, "" if nothing
	unidirectional bool
	switchClasses  []topology.SwitchClass
	switchCount    []int64
	linkClasses    []topology.LinkClass
	lanes          []int32
	endpointLanes  int32 // 0: the most lanes of any endpoint
	laneGbps       float64
	unstated       bool
	place          topology.Placement
	class          []uint8 // of each link
	a, b           []topology.SwitchID
	groupCount     []int32
	portStart      []int32 // of group g: ports[portStart[g]:portStart[g+1]]; starts with 0
	ports          []topology.SwitchID
	switchNames    []string
	endpointNames  []string
	links, nics    []LinkInfo
	known          Known
}

// Limits of what is read: a file that asks for more is refused before memory is taken for it.
// Eight million switches and 128 million endpoints are several times the largest design.
const (
	maxSwitches  = 1 << 23
	maxEndpoints = 1 << 27
)

func (g *graph) switches() int64 {
	var n int64
	for _, c := range g.switchCount {
		n += c
	}
	return n
}

// check looks at what only the whole file tells.
func (g *graph) check(src *source) {
	if len(g.groupCount) == 0 {
		src.list.Add(diag.Diagnostic{Severity: diag.Error, Pos: diag.Pos{File: src.path}, Summary: "the network has no endpoints", Detail: noEndpoints(src.format)})
	}
	g.checkPorts(src)
	n := g.endpoints()
	for i, c := range g.switchClasses {
		if k := g.switchCount[i]; c.StandsIn && k > 0 && n%k != 0 {
			src.list.Errorf(diag.Pos{File: src.path}, "the %d spares of class %s do not divide %d endpoints", k, c.Name, n)
		}
	}
	if b := int64(g.place.Blocks); b > 1 {
		if n%b != 0 {
			src.list.Errorf(diag.Pos{File: src.path}, "%d blocks do not divide %d endpoints", b, n)
		}
		for i, h := range g.place.Homes {
			if h != topology.Central && g.switchCount[i]%b != 0 {
				src.list.Errorf(diag.Pos{File: src.path}, "%d blocks do not divide the %d switches of class %s",
					b, g.switchCount[i], g.switchClasses[i].Name)
			}
		}
	}
}

// checkPorts asks that endpoints hang on embedded switches by internal links, each on its own, and
// on others by nic links.
func (g *graph) checkPorts(src *source) {
	internal := g.linkClasses[0].Name == topology.ClassInternal
	taken := map[topology.SwitchID]bool{}
	for i, n := range g.groupCount {
		at := g.ports[g.portStart[i]:g.portStart[i+1]]
		for _, s := range at {
			switch c := g.switchClasses[g.classOf(s)]; {
			case c.Embedded != internal:
				src.list.Errorf(diag.Pos{File: src.path}, "entry %d of endpoints hangs on switch %d of class %s by %s links; "+
					"embedded switches have internal links, others nic", i+1, s, c.Name, g.linkClasses[0].Name)
				return
			case internal && (n != 1 || len(at) != 1 || taken[s]):
				src.list.Errorf(diag.Pos{File: src.path}, "entry %d of endpoints shares embedded switch %d; every endpoint has its own", i+1, s)
				return
			}
			if internal {
				taken[s] = true
			}
		}
	}
}

// classOf is the class of a switch.
func (g *graph) classOf(s topology.SwitchID) int {
	n := int64(s)
	for i, c := range g.switchCount {
		if n < c {
			return i
		}
		n -= c
	}
	return len(g.switchCount) - 1
}

func (g *graph) endpoints() int64 {
	var n int64
	for _, c := range g.groupCount {
		n += int64(c)
	}
	return n
}

// Classes of formats that have none: switches with endpoints, and the others.
var (
	nicClass  = topology.LinkClass{Name: topology.ClassNic, Doc: "endpoint to switch"}
	linkClass = topology.LinkClass{Name: "link", Doc: "between switches"}
)

// twoClasses makes the classes edge (switches with endpoints) and core (the others), each in the
// order of the file, and orders the names accordingly. Nothing is known of blocks.
func (g *graph) twoClasses(edge []bool, names []string) {
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
func (g *graph) renumber(edge []bool) []topology.SwitchID {
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
func (g *graph) endpoint(ports []topology.SwitchID) {
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

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// noEndpoints says how a format names endpoints.
func noEndpoints(format string) string {
	switch format {
	case "csv", "edges":
		return "names of endpoints begin with a word such as gpu, host, node or endpoint: a line gpu-0,leaf-0 hangs one on a switch"
	case "json":
		return `"endpoints": [[8, 0]] hangs 8 endpoints on switch 0`
	case "graphml":
		return "a node is an endpoint by data kind=endpoint, or by a name that begins with a word such as gpu, host or node"
	case "ibnet":
		return "endpoints are records of adapters, Ca"
	}
	return "a line router 0 node 0 hangs one on a router"
}
