package family

import "toposearch/topology"

// zcubePartial is ZCube(n,3)-partial: n pods ZCube(n,2) joined by n^2/2 switches without
// endpoints, so that an endpoint needs two ports only. Level-2 switch c takes two links per pod,
// from the level-1 switches c/n and c/n + n/2 of it: two different ones, which the paper does not
// print but which its mean path of 4.75092 at n=16 requires.
var zcubePartial = &topology.Family{
	Name:   "zcube_partial",
	Title:  "ZCube(n,3)-partial: n pods ZCube(n,2) under a common level",
	Source: zcubePartialSource(),
	Params: []topology.Param{
		{Name: "n", Doc: "endpoints per switch, and pods; even", Min: 2, Max: 1024},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassNic, Doc: "endpoint to its level-0 and its level-1 switch"},
		{Name: "local", Doc: "level 0 to level 1, inside a pod"},
		{Name: "global", Doc: "level 1 to level 2"},
	},
	SwitchClasses: []topology.SwitchClass{
		{Name: "level0", Doc: "edge switch of n consecutive endpoints"},
		{Name: "level1", Doc: "switch of one endpoint of each edge switch of the pod"},
		{Name: "level2", Doc: "joins the pods; no endpoints"},
	},
	Check: func(v []int, s *topology.Size) error {
		n := v[0]
		if n%2 != 0 {
			return s.Fail("n", n, "n is even", n+1)
		}
		return nil
	},
	Count: func(v []int, s *topology.Size) {
		n := int64(v[0])
		s.Endpoints = n * n * n
		s.EndpointPorts, s.EndpointLanes = 2, 2
		s.Link[0], s.Link[1], s.Link[2] = 2*n*n*n, n*n*n, n*n*n
		s.Switch[0].Count, s.Switch[1].Count, s.Switch[2].Count = n*n, n*n, n*n/2
		p := int32(n)
		s.Switch[0].Ports = ports(p, p)
		s.Switch[1].Ports = ports(p, p, p)
		s.Switch[2].Ports = ports(0, 0, 2*p)
	},
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		n := v[0]
		for pod := range n {
			for i := range n {
				for j := range n {
					emit(1, topology.SwitchID(pod*n+i), topology.SwitchID(n*n+pod*n+j))
				}
			}
			for j := range n {
				for c := range n {
					emit(2, topology.SwitchID(n*n+pod*n+j), topology.SwitchID(2*n*n+j%(n/2)*n+c))
				}
			}
		}
	},
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		n := v[0]
		at := make([]topology.SwitchID, 2)
		for e := range n * n * n {
			pod := e / n / n
			at[0], at[1] = topology.SwitchID(e/n), topology.SwitchID(n*n+pod*n+e%n)
			emit(1, at)
		}
	},
	Natural: func([]int) topology.Rule { return upDown3() },
	Place: func(v []int) topology.Placement {
		n := v[0]
		return topology.Placement{Blocks: n, Homes: []topology.Home{
			topology.WithEndpoints, topology.InBlock, topology.Central}}
	},
	VCReason: "Routes go up the levels, then down, and never up again: channels are taken in a fixed order.",
	Documentation: topology.Documentation{
		Formulas: []string{
			"endpoints = n^3",
			"endpoint_ports = 2",
			"switches = 2*n^2 + n^2/2",
			"links = 2*n^3",
			"radix = 3*n; of the middle level",
		},
		Traps: "Each top switch takes its two links of a pod from two different switches; the paper prints neither " +
			"that nor why, but its mean path needs it.",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 0,
	},
	Routes: topology.Routes{
		Paths:    zcubePartialPaths,
		Messages: zcubePartialMessages,
		Orbits: func(v []int) topology.Symmetry {
			n := int64(v[0])
			return topology.Symmetry{
				Switches:  []topology.Orbit{{Rep: 0, Count: n * n}, {Rep: int32(n * n), Count: n * n}, {Rep: int32(2 * n * n), Count: n * n / 2}},
				Endpoints: []topology.Orbit{{Rep: 0, Count: n * n * n}},
				EvenLinks: true,
			}
		},
		Worst: zcubePartialWorst,
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 { n := v[0]; return int64(n) * int64(n) },
		// Half of the pods on each side: every level-2 switch has n links across, n^3/2 in all,
		// half of what the n^3/2 endpoints of a side send through two ports.
		Middle: func([]int) float64 { return 0.5 },
	},
}

func zcubePartialSource() topology.Source {
	s := zcubeSource
	s.Departures = "The two level-1 switches per pod of a level-2 switch are inferred from the published mean path."
	return s
}

// zcubePartialPaths: an endpoint shares its level-0 or level-1 switch with 2(n-1) others, and
// crosses the pod once to the rest of it. In another pod, those on two of the n level-1 switches
// are two hops away, over the ports of level 1 alone; to the rest half of the traffic leaves by
// level 1 and arrives by level 0, and half the other way round.
func zcubePartialPaths(v []int, p *topology.Paths) bool {
	n := int64(v[0])
	near, pod, aligned, rest := 2*(n-1), (n-1)*(n-1), 2*n*(n-1), n*(n-1)*(n-2)
	p.Add(near, crossing(2))
	p.Add(pod, crossing(2, 1))
	p.Add(aligned, crossing(2, 0, 2))
	p.Add(rest, crossing(2, 1, 2))
	level1 := float64(near)/2 + float64(pod)/2 + float64(aligned) + float64(rest)/2
	p.Peak[0] = level1 / (float64(n*n*n-1) / 2)
	return true
}

// zcubePartialWorst: a port carries all that an endpoint sends to those on the two level-1 switches of another pod that match its own. From level-0
// switch i up to level-1 switch j comes half of what each endpoint of i sends, but for the one that is on both: it goes up to j for nobody, who
// would be reached from j directly. The n-1 others send to as many on j, and by symmetry as much comes down. Up from a level-1 switch, whose n
// links share it evenly, goes all that its n endpoints send to those that match them, and of the n(n-2) of the pod that do not match a quarter:
// half of it takes level 0, from where two level-1 switches are as near. All of them may send so at once, to other pods.
func zcubePartialWorst(v []int, w *topology.WorstLoads) bool {
	n := float64(v[0])
	w.Exact(0, 1)
	w.Exact(1, (n-1)/2)
	w.Exact(2, (n+2)/4)
	return true
}

// zcubePartialMessages (zcubePartialPaths): to another pod a level-1 switch reaches the two that match it over level 2; others are reached by way of those of one's own pod that match
// the receiver's, or of the receiver's pod that match one's own, each half.
func zcubePartialMessages(v []int) *topology.Messages {
	n := v[0]
	half := n / 2
	m := zcubeMessages(n*n*n, n, n, func(e int) zcubePair { return zcubePair{e / (n * n), e / n % n, e % n} },
		func(a, b zcubePair, ends func(port, other int, share float64), emit func(level, at int, share float64)) {
			global := func(second, other int, share float64) {
				emit(zcubeGlobal, (a.pod*n+second)*2, share)
				emit(zcubeGlobal, (b.pod*n+other)*2+1, share)
			}
			if a.second%half == b.second%half {
				ends(1, 1, 1)
				global(a.second, b.second, 1)
				return
			}
			ends(0, 1, 0.5)
			ends(1, 0, 0.5)
			for i := range 2 {
				up, down := b.second%half+i*half, a.second%half+i*half
				emit(zcubeLocal, ((a.pod*n+a.first)*n+up)*2, 0.25)
				global(up, b.second, 0.25)
				global(a.second, down, 0.25)
				emit(zcubeLocal, ((b.pod*n+b.first)*n+down)*2+1, 0.25)
			}
		})
	m.Levels, m.Pods = append(m.Levels, topology.Channels{Class: 2, Bundles: 2 * n * n, Each: n}), n
	return m
}
