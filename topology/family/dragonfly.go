package family

import "toposearch/topology"

// dragonfly is groups of a fully linked switches, every pair of groups sharing at least one
// global link. How the links between groups are placed is in globals.
var dragonfly = &topology.Family{
	Name:  "dragonfly",
	Title: "Dragonfly: full-mesh groups, one or more global links between any two",
	Source: topology.Source{
		Authors:    "J. Kim, W. J. Dally, S. Scott, D. Abts",
		Title:      "Technology-Driven, Highly-Scalable Dragonfly Topology",
		Venue:      "ISCA, pp. 77-88",
		Year:       2008,
		Departures: "With fewer than a*h+1 groups the spare global ports, and with up to h groups the parallel links of a switch, are spread by rules of our own; the circulant arrangement for odd a*h links opposite groups by its last port.",
	},
	Params: []topology.Param{
		{Name: "p", Doc: "endpoints per switch", Min: 1, Max: 512},
		{Name: "a", Doc: "switches per group", Min: 1, Max: 512},
		{Name: "h", Doc: "global links per switch", Min: 1, Max: dragonflyMostH},
		{Name: "g", Doc: "groups, at most a*h+1", Min: 2, Max: 512*dragonflyMostH + 1, Default: func(v []int) int { d := dragonflyParams(v); return d.a()*d.h() + 1 }, DefaultDoc: "a*h + 1"},
		{Name: "arrangement", Doc: "which global port leads to which group", Min: 0, Max: len(arrangements) - 1,
			Default: topology.Const(palmtree), Choices: arrangements},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassNic, Doc: "endpoint to switch"},
		{Name: "local", Doc: "between switches of a group"},
		{Name: "global", Doc: "between groups"},
	},
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "switch of a group, with endpoints"}},
	Check: func(v []int, s *topology.Size) error {
		d := dragonflyParams(v)
		if most := d.a()*d.h() + 1; d.g() > most {
			return s.Fail("g", d.g(), "g <= a*h+1", most)
		}
		return nil
	},
	Count: func(v []int, s *topology.Size) {
		d := dragonflyParams(v)
		dragonflyCount(v, s)
		used := dragonflyGlobals(v).used()
		s.Link[2] = int64(d.g()) * int64(used) / 2
		s.Switch[0].Ports[2] = int32(min(d.h(), used)) // less if the only switch has the empty port
	},
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		a, h, g := v[1], v[2], v[3]
		for i := range g {
			meshLinks(1, i*a, a, emit)
		}
		dragonflyGlobals(v).links(func(i, q, j, to int) {
			emit(2, topology.SwitchID(i*a+q/h), topology.SwitchID(j*a+to/h))
		})
	},
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		d := dragonflyParams(v)
		attachEach(d.a()*d.g(), d.p(), emit)
	},
	Natural: func(v []int) topology.Rule {
		local, global := topology.Kind{Link: 1}, topology.Kind{Link: 2}
		if dragonflyParams(v).a() == 1 { // groups of one switch: every route is one global hop
			return topology.Rule{Name: "lgl", States: 2, Steps: []topology.Step{{From: 0, Kind: global, To: 1}}}
		}
		return topology.Rule{Name: "lgl", States: 4, Steps: []topology.Step{
			{From: 0, Kind: local, To: 1}, {From: 0, Kind: global, To: 2}, {From: 1, Kind: global, To: 2},
			{From: 2, Kind: local, To: 3, VC: 1},
		}}
	},
	Place: func(v []int) topology.Placement {
		return topology.Placement{Blocks: dragonflyParams(v).g(), Homes: []topology.Home{topology.WithEndpoints}}
	},
	Deployed: deployedGroups,
	VCReason: "A route is local, global, local at most; local links on VC 0 lead to the global ones, and those to local " +
		"links on VC 1, so that resources are taken in a fixed order. With one VC local links would close cycles.",
	Documentation: topology.Documentation{
		Formulas: []string{
			"endpoints = p*a*g",
			"switches = a*g",
			"used = a*h - mod(a*h*g, 2); global ports of a group in use, if links come out even",
			"links = g*a*(a-1)/2 + g*used/2",
			"radix = p + a-1 + if(a=1, used, h)",
		},
		Deployments: "Frontier, Aurora, El Capitan (HPE Slingshot), Cray XC.",
		Traps: "Balanced is a = 2p = 2h. VC counts in papers differ by whether a detour goes over a group (3) or a " +
			"switch (4); with fewer, some published schemes deadlock. ATOP's Dragonfly is the palm tree; the " +
			"absolute arrangement has longer paths.",
	},
	SearchSpace: topology.SearchSpace{
		Bounds:      dragonflyBounds,
		PerEndpoint: dragonflyPer,
		Next: func(v []int, i, x int) int {
			d := dragonflyParams(v)
			if i == 3 && x > d.a()*dragonflyMostH+1 { // g
				return beyond
			}
			return x
		},
		Within: dragonflyWithin,
		// All but h and the arrangement says where everything stands.
		Order:    []int{0, 1, 3, 2, 4},
		Unplaced: []int{2, 4},
		Derived:  3,
		// A switch a group, or a link a switch, leaves nothing to arrange, and so do two groups. The port of
		// the only switch that stays empty is none.
		Canonical: func(v []int) {
			a, h, g, arrangement := v[1], &v[2], v[3], &v[4]
			if a == 1 || *h == 1 || g == 2 {
				*arrangement = palmtree
			}
			if a == 1 && g <= *h+1 {
				*h = dragonflyGlobals(v).used()
			}
		},
	},
	Routes: topology.Routes{
		Spread:    dragonflySpread,
		Worst:     dragonflyWorst,
		Paths:     dragonflyPaths,
		Walks:     dragonflyWalks,
		Distances: dragonflyDistances,
		GroupLinks: func(v []int, group int, emit func(from, to int)) (turned bool) {
			x, a, h := dragonflyGlobals(v), v[1], v[2]
			x.peers(group, func(q, j, to int) { emit(group*a+q/h, j*a+to/h) })
			return x.cyclic()
		},
		Orbits: func(v []int) topology.Symmetry {
			d := dragonflyParams(v)
			x := dragonflyGlobals(v)
			if !x.cyclic() {
				return topology.Symmetry{}
			}
			y := topology.Symmetry{Switches: x.groupOrbits(0, d.a())}
			for _, o := range y.Switches {
				y.Endpoints = append(y.Endpoints, topology.Orbit{Rep: o.Rep * int32(d.p()), Count: o.Count * int64(d.p())})
			}
			return y
		},
	},
	Layout: topology.Layout{
		Bundles: func(v []int, emit func(topology.Bundle)) {
			a, h, g := v[1], v[2], v[3]
			for i := range g {
				emit(topology.Bundle{Class: 1, A: topology.SwitchID(i * a), Count: a, Times: 1, Mesh: true})
			}
			dragonflyGlobals(v).bundles(2, 0, a, h, emit)
		},
		Cables: func(v []int, c int) topology.Cables {
			return [...]topology.Cables{{I: -1, J: -1, InTurn: true}, {I: 0, J: 0, Scope: topology.OneBlock, Parts: 1},
				{I: 0, J: 0, Scope: topology.OtherBlocks, Pairs: dragonflyGlobals(v).pairs()}}[c]
		},
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 {
			d := dragonflyParams(v)
			p, a, g := int64(d.p()), int64(d.a()), int64(d.g())
			return largestFree([]int64{p, a * p, a * p * g}, a >= 2*p || a == 1, dragonflyMiddle(v) >= 1)
		},
		Middle: dragonflyMiddle,
	},
}

// dragonflyMiddle is the cut between halves of the groups.
func dragonflyMiddle(v []int) float64 {
	d := dragonflyParams(v)
	return min(1, dragonflyGlobals(v).middle()/(float64(d.p()*d.a()*d.g())/2))
}

// dragonflyPaths: with one link per pair of groups, of the a^2 pairs of switches of two groups one
// has both ends on the link and 2(a-1) have one. All loads are even then: each switch has h of
// the links, over each of which all traffic of one pair of groups passes. With fewer groups
// the links of one group are walked, all groups being alike; in the absolute arrangement they are not, and those of all are.
func dragonflyPaths(v []int, p *topology.Paths) bool {
	d := dragonflyParams(v)
	n, a, g := int64(d.p()), int64(d.a()), int64(d.g())
	x := dragonflyGlobals(v)
	groups := int64(1)
	hops := [4]int64{1: g - 1, 2: (g - 1) * 2 * (a - 1), 3: (g - 1) * (a - 1) * (a - 1)}
	if !x.even() {
		if !x.cyclic() {
			// All switches of a group to and from each switch with a link; and all channels of the groups.
			if groups = g; g*a*(2*int64(x.used())+a) > walkMost {
				return false
			}
		}
		walked := dragonflyWalked.Of(globalsKey{x, d.h()}, func() (w lglWalk) {
			loads := lglLoads{a: d.a()}
			w.hops, w.local = loads.walk(x, int(groups), d.h())
			w.global = loads.global
			return w
		})
		busiest := walked.local
		hops = walked.hops
		p.Peak[2] = walked.global / (float64((g-1)*a*a) / float64(x.used()))
		if a > 1 {
			p.Peak[1] = busiest / (float64(groups*a*(a-1)+hops[2]+2*hops[3]) / float64(groups*a*(a-1)))
		}
	}
	dragonflyTypes(groups, n, a, hops, p)
	p.Shortest = d.a() == 1 || d.h() == 1
	return true
}

// lglWalk and lglNear are what walks over the links of groups find, whatever endpoints the switches have: a search asks for several numbers of them.
type (
	lglWalk struct {
		hops          [4]int64
		local, global float64 // busiest channels
	}
	lglNear struct {
		hops   [4]int64
		nearer int64
	}
)

// walkMax bounds the steps of a walk over links in place of a closed form: about 50 ms. The largest
// designs, of more than 10 million endpoints mostly, are left to the evaluator.
const walkMax = 1 << 24

// walkMost is that of the links of all groups of a Dragonfly, some seconds: without, the evaluator takes minutes, as it follows routes from every switch.
const walkMost = 1 << 30

// dragonflyTypes adds the types of routes of the given number of source groups: within them, and
// between groups by hops.
func dragonflyTypes(groups, n, a int64, hops [4]int64, p *topology.Paths) {
	p.Add(groups*a*(n-1), crossing(2))
	p.Add(groups*a*n*(a-1), crossing(2, 1))
	for i := int16(1); i <= 3; i++ {
		p.Add(hops[i]*n, crossing(2, i-1, 1))
	}
}

// dragonflyDistances shortens some routes of three hops by two global links. In the palm tree
// with one link per pair, and in the relative arrangement, its mirror image, two global hops from
// switch r lead to switches r of the groups at distance 1 to h-1 on either side. Their direct link
// ends at switches 0 and a-1, so for the other a-2 switches that is one hop less. Otherwise the
// links of one group are walked, or of all groups where they differ.
func dragonflyDistances(v []int, p *topology.Paths) bool {
	d := dragonflyParams(v)
	n, a, h := int64(d.p()), int64(d.a()), int64(d.h())
	x := dragonflyGlobals(v)
	groups := int64(1)
	if !x.cyclic() {
		groups = int64(d.g())
	}
	if !x.mirrored() && groups*(a*h*h+int64(d.g())*a) > walkMax {
		return false
	}
	var hops [4]int64
	var nearer int64
	if x.even() {
		pairs := groups * (int64(d.g()) - 1) // of groups, with one link each
		hops = [4]int64{1: pairs, 2: pairs * 2 * (a - 1), 3: pairs * (a - 1) * (a - 1)}
	}
	switch {
	case x.mirrored():
		nearer = 2 * (h - 1) * max(0, a-2)
	case x.even() && groups > 1: // few, or the walk would be too long: tables of them are small
		nearer = x.nearerEven(int(groups), d.h())
	case x.even():
		nearer = x.nearerByTwo(1, d.h())
	default:
		near := dragonflyNear.Of(globalsKey{x, d.h()}, func() (w lglNear) {
			for i := range int(groups) {
				x.groupPairs(i, d.h(), func(_ int, q *groupPair) {
					k := q.hops(d.a())
					for i := range w.hops {
						w.hops[i] += k[i]
					}
				})
			}
			w.nearer = x.nearerByTwo(int(groups), d.h())
			return w
		})
		hops, nearer = near.hops, near.nearer
	}
	hops[3] -= nearer
	dragonflyTypes(groups, n, a, hops, p)
	p.Add(nearer*n, crossing(2, 0, 2))
	return true
}
