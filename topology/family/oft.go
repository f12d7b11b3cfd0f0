package family

import (
	"toposearch/internal/gf"
	"toposearch/topology"
)

// oft is the two-level orthogonal fat tree: two layers of edge switches, both linked to the same
// middle layer as the points of a projective plane to its lines, so that edge switches share
// exactly one middle switch, or all k if they stand for the same point.
var oft = &topology.Family{
	Name:  "oft",
	Title: "two-level orthogonal fat tree, on a projective plane",
	Source: topology.Source{
		Authors: "M. Valerio, L. E. Moser, P. M. Melliar-Smith", Title: "Recursively Scalable Fat-Trees as Interconnection Networks",
		Venue: "IPCCC, pp. 40-46", Year: 1994,
		Departures: "Any prime power k-1, with field arithmetic, not primes only.",
	},
	Params: []topology.Param{{Name: "k", Doc: "endpoints and up-links of an edge switch; k-1 is a prime power", Min: 3, Max: 513}},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassNic, Doc: "endpoint to edge switch"},
		{Name: "global", Doc: "edge to middle switch"},
	},
	SwitchClasses: []topology.SwitchClass{
		{Name: "edge", Doc: "switch with endpoints: a point of the plane, twice"},
		{Name: "middle", Doc: "a line of the plane; no endpoints"},
	},
	Check: func(v []int, s *topology.Size) error {
		k := v[0]
		if _, _, ok := gf.PrimePower(k - 1); !ok {
			return s.Fail("k", k, "k-1 is a prime power", nearestPower(k-1, 512)+1)
		}
		return nil
	},
	Count: func(v []int, s *topology.Size) {
		k := int64(v[0])
		points := 1 + k*(k-1)
		s.Endpoints = 2 * k * points
		s.EndpointPorts, s.EndpointLanes = 1, 1
		s.Link[0], s.Link[1] = s.Endpoints, 2*k*points
		s.Switch[0].Count, s.Switch[1].Count = 2*points, points
		s.Switch[0].Ports = ports(int32(k), int32(k))
		s.Switch[1].Ports = ports(0, int32(2*k))
	},
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		f := field(v[0] - 1)
		points := f.Points()
		for layer := range 2 {
			for i, x := range points {
				for _, j := range f.Line(x) {
					emit(1, topology.SwitchID(layer*len(points)+i), topology.SwitchID(2*len(points)+j))
				}
			}
		}
	},
	Attach:  func(v []int, emit func(int, []topology.SwitchID)) { k := v[0]; attachEach(2*(1+k*(k-1)), k, emit) },
	Natural: func([]int) topology.Rule { return upDown2() },
	Place: func([]int) topology.Placement {
		return topology.Placement{Blocks: 2, Homes: []topology.Home{topology.WithEndpoints, topology.Central}}
	},
	VCReason: "Routes go up to one middle switch and down.",
	Documentation: topology.Documentation{
		Formulas: []string{
			"points = 1 + k*(k-1); of the plane of order k-1",
			"endpoints = 2*k*points",
			"switches = 3*points",
			"links = 2*k*points",
			"radix = 2*k",
		},
		Traps: "One minimal route between most pairs. Some generators take primes only for k-1; all prime powers work " +
			"here.",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 0,
	},
	Routes: topology.Routes{
		Spread: spreadOFT,
		Paths: func(v []int, p *topology.Paths) bool {
			k := int64(v[0])
			p.Add(k-1, crossing(2))
			p.Add(k*(2*(1+k*(k-1))-1), crossing(2, 2))
			return true
		},
		Orbits: func(v []int) topology.Symmetry {
			k := int64(v[0])
			points := 1 + k*(k-1)
			return topology.Symmetry{
				Switches:  []topology.Orbit{{Rep: 0, Count: 2 * points}, {Rep: int32(2 * points), Count: points}},
				Endpoints: []topology.Orbit{{Rep: 0, Count: 2 * points * k}},
				EvenLinks: true,
			}
		},
		Worst: func(v []int, w *topology.WorstLoads) bool { return worstOfLeaf(v[0], w) },
	},
	Layout: topology.Layout{
		WireCost: func(v []int) (ns, bytes float64) { k := float64(v[0]); return planeCost(k-1, 2*k*k*k) },
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 { k := v[0]; return int64(k) },
		// One layer against the other: every middle switch has k links to either side, so all pass.
		Middle: func([]int) float64 { return 1 },
	},
}

// spreadOFT: of the other edge switches one shares all k middle switches, the others one each.
func spreadOFT(v []int, out *[topology.MaxClasses]float64) bool {
	k := float64(v[0])
	out[1] = (1 - 1/k) / (2*(1+k*(k-1)) - 1)
	return true
}
