package family

import "toposearch/topology"

// bcubeParams are the parameters of bcube by name.
type bcubeParams []int

func (v bcubeParams) n() int { return v[0] }
func (v bcubeParams) l() int { return v[1] }

// bcube: server x of l base-n digits has one port to a switch of each level; the switch of level
// j joins the n servers that differ in digit j only. Servers forward.
var bcube = &topology.Family{
	Name:  "bcube",
	Title: "BCube: servers of l ports that forward between the switches of l levels",
	Source: topology.Source{
		Authors: "C. Guo, G. Lu, D. Li, H. Wu, X. Zhang, et al.",
		Title:   "BCube: A High Performance, Server-centric Network Architecture for Modular Data Centers",
		Venue:   "SIGCOMM", Year: 2009,
		Departures: "l counts levels, so bcube(n,l) is BCube_(l-1) of the paper; digits are put right in ascending order",
	},
	Params: []topology.Param{
		{Name: "n", Doc: "ports of a switch", Min: 2, Max: 1024},
		{Name: "l", Doc: "levels: ports of an endpoint", Min: 1, Max: bcubeLevels},
	},
	LinkClasses:   bcubeLinks,
	SwitchClasses: bcubeSwitches,
	Count:         countBCube,
	Wire:          wireBCube,
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		d := bcubeParams(v)
		first := int64(d.l()) * pow(int64(d.n()), d.l()-1)
		var at [1]topology.SwitchID
		for e := range pow(int64(d.n()), d.l()) {
			at[0] = topology.SwitchID(first + e)
			emit(1, at[:])
		}
	},
	Natural:  func([]int) topology.Rule { return bcubeRule },
	Place:    placeBCube,
	VCReason: "digits are put right in ascending order, so a channel of a level is only followed by channels of higher ones: one VC is acyclic",
	Documentation: topology.Documentation{
		Formulas: []string{
			"endpoints = n^l",
			"endpoint_ports = l",
			"switches = l*n^(l-1)",
			"links = 0; endpoints relay",
			"radix = n",
		},
		Deployments: "None known; proposed for data centres in containers.",
		Traps:       "The paper's BCube_k has k+1 levels. The survey prices it with two NIC ports of full rate.",
	},
	SearchSpace: topology.SearchSpace{
		Bounds:  boundBCube,
		Derived: 0,
	},
	Routes: topology.Routes{
		Spread: noSpread,
		Paths:  bcubePaths,
		Lattice: func(v []int) (l topology.Lattice) {
			d := bcubeParams(v)
			for j := range d.l() {
				l.Lines = append(l.Lines, topology.Line{Classes: []int{bcubeNic}})
				l.Digits = append(l.Digits, topology.Digit{Line: j, Values: d.n()})
			}
			return l
		},
		// Exchanging two digits maps level on level, so the links of all levels are alike.
		Orbits: func(v []int) topology.Symmetry {
			var s topology.Size
			countBCube(v, &s)
			return classOrbits(bcubeSwitches, &s)
		},
		// Servers that differ in all digits; between switches of two levels, or of one, one digit at least needs no correction.
		Diameter: func(v []int) int { return 2 * bcubeParams(v).l() },
		Worst:    bcubeWorst,
	},
	Figures: topology.Figures{
		// The cut through the middle of a digit crosses the switches of its level alone, on which an endpoint has one of its l ports.
		NonBlocking: func(v []int) int64 {
			d := bcubeParams(v)
			if d.l() > 1 {
				return 1
			}
			return int64(d.n())
		},
		Middle: func(v []int) float64 { return 1 / float64(bcubeParams(v).l()) },
	},
}

// bcubeLevels bounds the ports of a server; the largest published BCube has four.
const bcubeLevels = 6

// Classes of bcube. The switches of level j are class j; servers are the last class.
const (
	bcubeInternal = 0
	bcubeNic      = 1
	bcubeServer   = bcubeLevels
)

var (
	bcubeLinks = []topology.LinkClass{
		{Name: topology.ClassInternal, Doc: "endpoint to its forwarding part"},
		{Name: topology.ClassNic, Doc: "server port to switch"},
	}
	bcubeSwitches = []topology.SwitchClass{
		{Name: "level0", Doc: "joins neighbouring servers"},
		{Name: "level1", Doc: "joins servers that differ in digit 1"},
		{Name: "level2", Doc: "joins servers that differ in digit 2"},
		{Name: "level3", Doc: "joins servers that differ in digit 3"},
		{Name: "level4", Doc: "joins servers that differ in digit 4"},
		{Name: "level5", Doc: "joins servers that differ in digit 5"},
		{Name: "server", Doc: "forwarding part of an endpoint", Embedded: true},
	}
	bcubeRule = bcubeAscending()
)

// bcubeAscending: in state s a packet at a server may still use levels s and above. Going up to
// level j moves to state j+1 at once; the way down keeps it.
func bcubeAscending() topology.Rule {
	r := topology.Rule{Name: "bcube", States: bcubeLevels + 1}
	for j := range uint8(bcubeLevels) {
		for s := range j + 1 {
			r.Steps = append(r.Steps, topology.Step{From: s, Kind: topology.Kind{Link: bcubeNic, From: bcubeServer, To: j}, To: j + 1})
		}
		r.Steps = append(r.Steps, topology.Step{From: j + 1, Kind: topology.Kind{Link: bcubeNic, From: j, To: bcubeServer}, To: j + 1})
	}
	return r
}

func countBCube(v []int, s *topology.Size) {
	n, l := int64(v[0]), v[1]
	s.Endpoints = pow(n, l)
	s.EndpointPorts, s.EndpointLanes = int32(l), int32(l)
	s.Link[bcubeInternal], s.Link[bcubeNic] = s.Endpoints, s.Endpoints*int64(l)
	for j := range l {
		s.Switch[j].Count = pow(n, l-1)
		s.Switch[j].Ports[bcubeNic] = int32(n)
	}
	s.Switch[bcubeServer].Count = s.Endpoints
	s.Switch[bcubeServer].Ports[bcubeInternal] = 1
	s.Switch[bcubeServer].Ports[bcubeNic] = int32(l)
}

// boundBCube: every count grows with both parameters; levels that only some designs of the box
// have still have ports of n.
func boundBCube(lo, hi []int, bl, bh *topology.Size) {
	low, high := bcubeParams(lo), bcubeParams(hi)
	countBCube(lo, bl)
	countBCube(hi, bh)
	for j := low.l(); j < high.l(); j++ {
		bl.Switch[j].Ports[bcubeNic] = int32(low.n())
	}
}

// The switch of level j of server x is x without digit j.
func wireBCube(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
	n, l := int64(v[0]), v[1]
	per := pow(n, l-1)
	servers := int64(l) * per
	for x := range pow(n, l) {
		w := int64(1)
		for j := range l {
			emit(bcubeNic, topology.SwitchID(servers+x), topology.SwitchID(int64(j)*per+x/(w*n)*w+x%w))
			w *= n
		}
	}
}

// bcubePaths: b digits differ, two links each; weights are those of one source, all being alike. A channel of level j carries n^(l-1)(n-1) pairs,
// whatever j and the server: the digits below j are the destination's already, free at the
// source, those above still the source's.
func bcubePaths(v []int, p *topology.Paths) bool {
	d := bcubeParams(v)
	p.Reset()
	n, l := int64(d.n()), d.l()
	choose, weight := int64(1), int64(1)
	var c [topology.MaxClasses]int16
	c[bcubeInternal] = 2
	for b := 1; b <= l; b++ {
		choose = choose * int64(l-b+1) / int64(b)
		weight *= n - 1
		c[bcubeNic] = int16(2 * b)
		p.Add(choose*weight, c)
	}
	return true
}

// placeBCube: the servers that share their last digit are a block with the switches of all
// levels but the last; level 0 stands among its servers.
func placeBCube(v []int) topology.Placement {
	d := bcubeParams(v)
	p := topology.Placement{Blocks: 1, Homes: make([]topology.Home, len(bcubeSwitches))}
	for j := range bcubeLevels {
		p.Homes[j] = topology.InBlock
	}
	p.Homes[0], p.Homes[bcubeServer] = topology.WithEndpoints, topology.Inside
	if d.l() > 1 {
		p.Blocks = d.n()
		p.Homes[d.l()-1] = topology.Central
	}
	return p
}

// bcubeWorst: digits are put right in ascending order, so that a server sends on its port of level j from the n^j that have its digits
// from j on, to the (n-1) n^(l-1-j) that have those below j and another digit j. It receives there what is the same with
// levels counted from the top. The middle levels are worst.
func bcubeWorst(v []int, w *topology.WorstLoads) bool {
	d := bcubeParams(v)
	n, most := int64(d.n()), int64(0)
	for j := range d.l() {
		most = max(most, min(pow(n, j), (n-1)*pow(n, d.l()-1-j)))
	}
	w.Exact(bcubeNic, float64(most))
	return true
}
