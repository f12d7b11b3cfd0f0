package family

import "toposearch/topology"

// cubeDims is the most dimensions of a hypercube: one link class each, so that dimension order
// is a rule over classes.
const cubeDims = topology.MaxClasses - 1

// hypercube is 2^n switches; two are linked if their numbers differ in one bit.
var hypercube = &topology.Family{
	Name:  "hypercube",
	Title: "binary hypercube",
	Source: topology.Source{
		Authors: "J. L. Hennessy, D. A. Patterson", Title: "Computer Architecture, appendix F: Interconnection Networks",
		Venue: "Morgan Kaufmann", Year: 2017,
	},
	Params: []topology.Param{
		{Name: "n", Doc: "dimensions", Min: 1, Max: cubeDims},
		{Name: "t", Doc: "endpoints per switch", Min: 1, Max: 512, Default: topology.Const(1)},
	},
	LinkClasses:   append([]topology.LinkClass{{Name: topology.ClassNic, Doc: "endpoint to switch"}}, dimClasses(cubeDims)...),
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "switch with endpoints"}},
	Count: func(v []int, s *topology.Size) {
		n := int64(1) << v[0]
		s.Endpoints = n * int64(v[1])
		s.EndpointPorts, s.EndpointLanes = 1, 1
		s.Link[0] = s.Endpoints
		s.Switch[0].Count = n
		s.Switch[0].Ports[0] = int32(v[1])
		for i := 1; i <= v[0]; i++ {
			s.Switch[0].Ports[i] = 1
			s.Link[i] = n / 2
		}
	},
	Derived: 1,
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		for i := range v[0] {
			for s := range 1 << v[0] {
				if s>>i&1 == 0 {
					emit(i+1, topology.SwitchID(s), topology.SwitchID(s|1<<i))
				}
			}
		}
	},
	Attach: func(v []int, emit func(int, []topology.SwitchID)) { attachEach(1<<v[0], v[1], emit) },
	Paths: func(v []int, p *topology.Paths) bool {
		for set := range 1 << v[0] {
			c, w := crossing(2), int64(v[1])
			for i := range v[0] {
				c[i+1] = int16(set >> i & 1)
			}
			if set == 0 {
				w--
			}
			p.Add(w, c)
		}
		return true
	},
	Natural: func(v []int) topology.Rule { return dor(v[0]) },
	Place: func(v []int) topology.Placement {
		return topology.Placement{Blocks: 1 << max(0, v[0]-4), Homes: []topology.Home{topology.WithEndpoints}}
	},
	Orbits: func(v []int) topology.Symmetry { return oneOrbit(1<<v[0], int64(v[1])<<v[0]) },
	// A subcube has one link per switch across its middle.
	NonBlocking: func(v []int) int64 {
		if v[1] == 1 {
			return 1 << v[0]
		}
		return int64(v[1])
	},
	Middle:   func(v []int) float64 { return min(1, 1/float64(v[1])) },
	VCReason: "Dimension order (e-cube): links are taken in the order of their dimensions.",
}

// ring is n switches in a circle.
var ring = &topology.Family{
	Name:   "ring",
	Title:  "ring of switches",
	Source: hypercube.Source,
	Params: []topology.Param{
		{Name: "n", Doc: "switches", Min: 2, Max: 4096},
		{Name: "t", Doc: "endpoints per switch", Min: 1, Max: 512, Default: topology.Const(1)},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassNic, Doc: "endpoint to switch"},
		{Name: "ring", Doc: "between neighbours"},
		{Name: "wrap", Doc: "closes the ring: the dateline"},
	},
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "switch with endpoints"}},
	Count: func(v []int, s *topology.Size) {
		n := int64(v[0])
		s.Endpoints = n * int64(v[1])
		s.EndpointPorts, s.EndpointLanes = 1, 1
		s.Link[0], s.Link[1] = s.Endpoints, n-1
		s.Switch[0].Count = n
		s.Switch[0].Ports = ports(int32(v[1]), int32(min(2, n-1)))
		if n > 2 {
			s.Link[2] = 1 // every switch has two ports in the ring, whatever their class
		}
	},
	Derived: 0,
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		for i := 1; i < v[0]; i++ {
			emit(1, topology.SwitchID(i-1), topology.SwitchID(i))
		}
		if v[0] > 2 {
			emit(2, topology.SwitchID(v[0]-1), 0)
		}
	},
	Attach: func(v []int, emit func(int, []topology.SwitchID)) { attachEach(v[0], v[1], emit) },
	Paths: func(v []int, p *topology.Paths) bool {
		var buf [64]leg
		for _, l := range legs(v[0], true, buf[:0]) {
			w := l.weight * int64(v[1])
			if l.inner+l.wrap == 0 {
				w = l.weight * int64(v[1]-1)
			}
			p.Add(w, crossing(2, l.inner, l.wrap))
		}
		return true
	},
	Natural: func(v []int) topology.Rule {
		after := uint8(1)
		if v[0] <= 3 {
			after = 0
		}
		return topology.Rule{Name: "dor", States: 2, Steps: []topology.Step{
			{From: 0, Kind: topology.Kind{Link: 1}, To: 0},
			{From: 0, Kind: topology.Kind{Link: 2}, To: 1, VC: after},
			{From: 1, Kind: topology.Kind{Link: 1}, To: 1, VC: after},
		}}
	},
	Place: onePlace,
	Orbits: func(v []int) topology.Symmetry {
		return mirrorOrbits([]int{v[0], 1, 1, 1, 1, 1, v[1]})
	},
	NonBlocking: func(v []int) int64 {
		return freeOrSwitch([]int{v[0], 1, 1, 1, 1, 1, v[1]}, torusMiddle([]int{v[0], 1, 1, 1, 1, 1, v[1]}))
	},
	Middle: func(v []int) float64 { return torusMiddle([]int{v[0], 1, 1, 1, 1, 1, v[1]}) },
	VCReason: "A packet goes the shorter way round and changes to VC 1 with the wrap-around link, which it crosses at " +
		"most once. Rings of up to three switches need no dateline.",
}

// complete is n switches, each linked to every other.
var complete = &topology.Family{
	Name:   "complete",
	Title:  "complete graph of switches",
	Source: hypercube.Source,
	Params: []topology.Param{
		{Name: "n", Doc: "switches", Min: 2, Max: 1024},
		{Name: "t", Doc: "endpoints per switch", Min: 1, Max: 512, Default: topology.Const(1)},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassNic, Doc: "endpoint to switch"},
		{Name: "local", Doc: "between switches"},
	},
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "switch with endpoints"}},
	Count: func(v []int, s *topology.Size) {
		n := int64(v[0])
		s.Endpoints = n * int64(v[1])
		s.EndpointPorts, s.EndpointLanes = 1, 1
		s.Link[0], s.Link[1] = s.Endpoints, n*(n-1)/2
		s.Switch[0].Count = n
		s.Switch[0].Ports = ports(int32(v[1]), int32(n-1))
	},
	Derived: 0,
	Wire:    func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) { meshLinks(1, 0, v[0], emit) },
	Attach:  func(v []int, emit func(int, []topology.SwitchID)) { attachEach(v[0], v[1], emit) },
	Paths: func(v []int, p *topology.Paths) bool {
		p.Add(int64(v[1]-1), crossing(2))
		p.Add(int64(v[0]-1)*int64(v[1]), crossing(2, 1))
		return true
	},
	Natural: func([]int) topology.Rule { return dor(1) },
	Place:   onePlace,
	Orbits:  func(v []int) topology.Symmetry { return oneOrbit(int64(v[0]), int64(v[0])*int64(v[1])) },
	NonBlocking: func(v []int) int64 {
		if completeMiddle(v) < 1 {
			return int64(v[1])
		}
		return int64(v[0]) * int64(v[1])
	},
	Middle:   completeMiddle,
	VCReason: "Routes are one hop long, so that no channel waits for another.",
}

func completeMiddle(v []int) float64 {
	return min(1, float64(v[0]/2*((v[0]+1)/2))/(float64(v[0])*float64(v[1])/2))
}

// crossbar is one switch with all endpoints.
var crossbar = &topology.Family{
	Name:          "crossbar",
	Title:         "one switch",
	Source:        hypercube.Source,
	Params:        []topology.Param{{Name: "n", Doc: "endpoints", Min: 2, Max: 4096}},
	LinkClasses:   []topology.LinkClass{{Name: topology.ClassNic, Doc: "endpoint to switch"}},
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "the switch"}},
	Count: func(v []int, s *topology.Size) {
		s.Endpoints, s.Link[0] = int64(v[0]), int64(v[0])
		s.EndpointPorts, s.EndpointLanes = 1, 1
		s.Switch[0].Count = 1
		s.Switch[0].Ports[0] = int32(v[0])
	},
	Derived: 0,
	Attach:  func(v []int, emit func(int, []topology.SwitchID)) { attachEach(1, v[0], emit) },
	Paths: func(v []int, p *topology.Paths) bool {
		p.Add(1, crossing(2))
		return true
	},
	Natural:     func([]int) topology.Rule { return topology.Rule{Name: "dor", States: 1} },
	Place:       onePlace,
	Orbits:      func(v []int) topology.Symmetry { return oneOrbit(1, int64(v[0])) },
	NonBlocking: func(v []int) int64 { return int64(v[0]) },
	Middle:      func([]int) float64 { return 1 },
	VCReason:    "There are no links between switches.",
}

// onePlace keeps everything together: one block, switches beside their endpoints.
func onePlace([]int) topology.Placement {
	return topology.Placement{Blocks: 1, Homes: []topology.Home{topology.WithEndpoints}}
}

// flatDims is the most dimensions of a flattened butterfly.
const flatDims = 5

// flattenedbutterfly is the k-ary n-flat: the HyperX of n-1 dimensions of k switches with k
// endpoints each.
var flattenedbutterfly = &topology.Family{
	Name:  "flattenedbutterfly",
	Title: "flattened butterfly (k-ary n-flat)",
	Source: topology.Source{
		Authors: "J. Kim, W. J. Dally, D. Abts", Title: "Flattened Butterfly: A Cost-Efficient Topology for High-Radix Networks",
		Venue: "ISCA, pp. 126-137", Year: 2007,
	},
	Params: []topology.Param{
		{Name: "k", Doc: "switches per dimension, and endpoints per switch", Min: 2, Max: 256},
		{Name: "n", Doc: "dimensions and one", Min: 2, Max: flatDims + 1},
	},
	LinkClasses:   append([]topology.LinkClass{{Name: topology.ClassNic, Doc: "endpoint to switch"}}, dimClasses(flatDims)...),
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "switch with endpoints"}},
	Count: func(v []int, s *topology.Size) {
		n, k := ipow(v[0], v[1]-1), v[0]
		s.Endpoints = n * int64(k)
		s.EndpointPorts, s.EndpointLanes = 1, 1
		s.Link[0] = s.Endpoints
		s.Switch[0].Count = n
		s.Switch[0].Ports[0] = int32(k)
		for i := 1; i < v[1]; i++ {
			s.Switch[0].Ports[i] = int32(k - 1)
			s.Link[i] = n * int64(k-1) / 2
		}
	},
	Derived: 0,
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		x := flatGrid(v)
		x.fullMesh([]int{1, 1, 1, 1, 1}, emit)
	},
	Attach: func(v []int, emit func(int, []topology.SwitchID)) { attachEach(int(ipow(v[0], v[1]-1)), v[0], emit) },
	Paths: func(v []int, p *topology.Paths) bool {
		x := flatGrid(v)
		x.meshPaths(v[0], p)
		return true
	},
	Natural: func(v []int) topology.Rule { return dor(v[1] - 1) },
	Place: func(v []int) topology.Placement {
		return topology.Placement{Blocks: int(ipow(v[0], max(0, v[1]-3))), Homes: []topology.Home{topology.WithEndpoints}}
	},
	Orbits: func(v []int) topology.Symmetry { return oneOrbit(ipow(v[0], v[1]-1), ipow(v[0], v[1])) },
	// k*k/4 links of k*k/2 endpoints cross the middle of a dimension.
	NonBlocking: func(v []int) int64 { return int64(v[0]) },
	Middle: func(v []int) float64 {
		x := flatGrid(v)
		return min(1, x.meshMiddle([]int{1, 1, 1, 1, 1})/(float64(ipow(v[0], v[1]))/2))
	},
	VCReason: hyperx.VCReason,
}

func flatGrid(v []int) (x grid) {
	x.dims = v[1] - 1
	for i := range x.dims {
		x.size[i] = v[0]
	}
	return x
}
