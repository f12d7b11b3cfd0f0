package family

import "toposearch/topology"

// dcellLevels is the most levels of a DCell; DCell(6,3) has 3,263,442 endpoints.
const dcellLevels = 3

// dcellParams are the parameters of dcell by name.
type dcellParams []int

func (v dcellParams) n() int { return v[0] }
func (v dcellParams) l() int { return v[1] }

// dcell is the recursive server network: a DCell of level 0 is n servers on one switch; one of level
// l is t+1 of level l-1, t being the servers of such a cell. For cells i < j, server j-1 of
// cell i is linked to server i of cell j, so that every server has one link of each level.
var dcell = &topology.Family{
	Name:  "dcell",
	Title: "DCell: servers on small switches, cells fully linked by the servers",
	Source: topology.Source{
		Authors: "C. Guo, H. Wu, K. Tan, L. Shi, Y. Zhang, S. Lu",
		Title:   "DCell: A Scalable and Fault-Tolerant Network Structure for Data Centers", Venue: "ACM SIGCOMM, pp. 75-86", Year: 2008,
		Departures: "Routes are shortest paths, with a VC per hop, not DCellRouting, for which the paper defines no VCs.",
	},
	Params: []topology.Param{
		{Name: "n", Doc: "servers per switch", Min: 2, Max: 128},
		{Name: "l", Doc: "levels above the switches", Min: 1, Max: dcellLevels},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassInternal, Doc: "endpoint to its own forwarding part"},
		{Name: topology.ClassNic, Doc: "server to its switch"},
		{Name: "level1", Doc: "between servers of two cells of level 0"},
		{Name: "level2", Doc: "between servers of two cells of level 1"},
		{Name: "level3", Doc: "between servers of two cells of level 2"},
	},
	SwitchClasses: []topology.SwitchClass{
		{Name: "server", Doc: "forwarding part of an endpoint", Embedded: true},
		{Name: "switch", Doc: "switch of n servers"},
	},
	Count: func(v []int, s *topology.Size) {
		d := dcellParams(v)
		n, l := int64(d.n()), d.l()
		t := dcellServers(d.n(), l)
		s.Endpoints, s.Link[0], s.Link[1] = t, t, t
		s.EndpointPorts, s.EndpointLanes = int32(l+1), int32(l+1)
		s.Switch[0].Count, s.Switch[1].Count = t, t/n
		s.Switch[0].Ports = ports(1, 1)
		s.Switch[1].Ports = ports(0, int32(n))
		for i := range l {
			s.Switch[0].Ports[2+i] = 1
			s.Link[2+i] = t / 2
		}
	},
	Wire: dcellWire,
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		d := dcellParams(v)
		attachEach(int(dcellServers(d.n(), d.l())), 1, emit)
	},
	// A block is a cell of the level below the top.
	Place: func(v []int) topology.Placement {
		d := dcellParams(v)
		return topology.Placement{Blocks: int(dcellServers(d.n(), d.l()-1)) + 1,
			Homes: []topology.Home{topology.Inside, topology.WithEndpoints}}
	},
	VCReason: minimalReason,
	Documentation: topology.Documentation{
		Formulas: []string{
			"t1 = n*(n+1)",
			"t2 = t1*(t1+1)",
			"t3 = t2*(t2+1)",
			"endpoints = if(l=1, t1, if(l=2, t2, t3))",
			"endpoint_ports = l + 1",
			"switches = endpoints/n",
			"links = l*endpoints/2; between endpoints",
			"radix = n",
		},
		Traps: "Endpoints relay: the paper stores packets in them and defines no VCs.",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 0,
	},
	Routes: topology.Routes{
		Spread: spreadDCell,
		// With one level server j of cell i, not counting i, is the ordered pair (i, j): permutations of the n+1 cells map servers, and
		// links between cells, which are pairs without order, onto one another.
		Orbits: func(v []int) topology.Symmetry {
			d := dcellParams(v)
			if d.l() != 1 {
				return topology.Symmetry{}
			}
			t := dcellServers(d.n(), 1)
			return topology.Symmetry{Switches: []topology.Orbit{{Rep: 0, Count: t}, {Rep: int32(t), Count: t / int64(d.n())}},
				Endpoints: []topology.Orbit{{Rep: 0, Count: t}}, EvenLinks: true}
		},
		Paths: dcellPaths,
		Worst: dcellWorst,
		Cells: func(v []int) int {
			if d := dcellParams(v); d.l() == 1 {
				return d.n()
			}
			return 0
		},
	},
	Figures: topology.Figures{
		// The servers of a switch, over the port that leads to it.
		NonBlocking: func(v []int) int64 { return int64(dcellParams(v).n()) },
	},
}

// dcellPaths: with one level each server is an ordered pair of cells (own, linked), and hangs on its own cell's switch. From (a, b) to (c, d) it is
// two links in one cell, and else the link between a and c with two more on either side where the server is not at its end. If
// both servers are linked to one third cell, b = d, the way through that is shorter by one. There is one shortest route of each pair.
func dcellPaths(v []int, p *topology.Paths) bool {
	p.Reset()
	d := dcellParams(v)
	if d.l() != 1 {
		return false
	}
	n := int64(d.n())
	p.Add(n-1, crossing(2, 2, 0))         // in the cell
	p.Add(1, crossing(2, 0, 1))           // at the other end of the own link
	p.Add(2*(n-1), crossing(2, 2, 1))     // one end of the link between the cells is the source or the destination
	p.Add(n-1, crossing(2, 2, 2))         // through the third cell
	p.Add((n-1)*(n-2), crossing(2, 4, 1)) // neither
	return true
}

// dcellWorst: over the link from a to c come flows of the n servers of a to the n of c, but for those that have a third cell in common, one
// more from the server of a at the link to some server linked to c, and one more to the server of c there: n+1 in all, which no two
// of share an end, and no more, since all of them begin at one of the n servers or end at the last. A server sends to its switch what it
// sends itself, what comes over its link for the n-1 others of its cell, and what passes through the cell from its partner: again n+1,
// by permutations of n-1 cells that leave none where it is. With n = 2 there is none, and it is two each.
func dcellWorst(v []int, w *topology.WorstLoads) bool {
	d := dcellParams(v)
	if d.l() != 1 {
		return false
	}
	load := float64(d.n() + 1)
	if d.n() == 2 {
		load = 2
	}
	w.Exact(1, load)
	w.Exact(2, load)
	w.Each = true
	return true
}

// dcellServers is the number of servers of a cell of level l, or a number past all IDs.
func dcellServers(n, l int) int64 {
	t := int64(n)
	for range l {
		if t > 1<<20 {
			return 1 << 40
		}
		t *= t + 1
	}
	return t
}

func dcellWire(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
	d := dcellParams(v)
	all := int(dcellServers(d.n(), d.l()))
	for e := range all {
		emit(1, topology.SwitchID(e), topology.SwitchID(all+e/d.n()))
	}
	for l := 1; l <= d.l(); l++ {
		t := int(dcellServers(d.n(), l-1))
		for cell := 0; cell < all; cell += t * (t + 1) {
			for i := range t + 1 {
				for j := i + 1; j <= t; j++ {
					emit(1+l, topology.SwitchID(cell+i*t+j-1), topology.SwitchID(cell+j*t+i))
				}
			}
		}
	}
}

// spreadDCell: with one level there is one route.
func spreadDCell(v []int, _ *[topology.MaxClasses]float64) bool { return dcellParams(v).l() == 1 }
