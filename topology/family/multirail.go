package family

import (
	"slices"

	"toposearch/topology"
)

// multirail: endpoints with r ports on fat trees, several planes and several leaves of each.
var multirail = &topology.Family{
	Name:  "multirail",
	Title: "multi-rail, multi-plane fat tree: r ports of an endpoint on f leaves of each plane",
	Source: topology.Source{
		Authors: "C. E. Leiserson", Title: "Fat-Trees: Universal Networks for Hardware-Efficient Supercomputing",
		Venue: "IEEE Trans. Computers 34(10)", Year: 1985,
		Departures: "attachment in the manner of MR-tree (IPCCC 2021), whose parameters are not published: here f leaves serve " +
			"the same endpoints, with r/(planes*f) ports of each on every one of them; the leaves are neighbours in a pod, or one in each of f pods; " +
			"or f sets of leaves serve endpoints that have one leaf of each set, in all combinations; tapers and top switches as in fattree",
	},
	Params: withTapers([]topology.Param{
		{Name: "k", Doc: "ports of a switch", Min: 2, Max: 1024},
		{Name: "l", Doc: "levels of switches", Min: 1, Max: maxLevels},
	}, []topology.Param{
		{Name: "r", Doc: "ports of an endpoint, over all planes", Min: 1, Max: maxRails},
		{Name: "f", Doc: "leaves of a plane that an endpoint is attached to", Min: 1, Max: maxRails, Default: topology.Const(1)},
		{Name: "planes", Doc: "separate trees, each with r/planes ports of every endpoint", Min: 1, Max: maxRails, Default: topology.Const(1)},
		{Name: "pods", Doc: "subtrees below the top level; leaves for l = 2", Min: 1, Max: 1024, Default: fullPods, DefaultDoc: "if(l=1, 1, k)"},
		{Name: "d", Doc: "ports of a leaf that face endpoints; above k/2 the tree tapers", Min: 1, Max: 1024,
			Default: func(v []int) int { d := multirailParams(v); return halfDown(d.k(), d.l()) }, DefaultDoc: "if(l=1, k, floor(k/2))"},
		{Name: "spread", Doc: "where the f leaves of an endpoint are: neighbours in a pod, or in the same place of f pods", Min: 0, Max: 1,
			Default: topology.Const(0), Choices: []string{"near", "wide"}},
		{Name: "mix", Doc: "leaves among which each of the f is chosen: endpoints have all combinations; 1: they share the same f", Min: 1, Max: 512,
			Default: topology.Const(1)},
	}),
	LinkClasses:   treeLinks,
	SwitchClasses: treeSwitches,
	Check:         func(v []int, s *topology.Size) error { r := railsOf(v); return r.check(multirailParams(v).tapers(), s) },
	Count:         func(v []int, s *topology.Size) { r := railsOf(v); r.count(s) },
	Wire:          func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) { r := railsOf(v); r.wire(emit) },
	Attach:        func(v []int, emit func(int, []topology.SwitchID)) { r := railsOf(v); r.attach(emit) },
	Natural:       func([]int) topology.Rule { return treeRule },
	Place:         func(v []int) topology.Placement { r := railsOf(v); return r.place() },
	VCReason:      "up, then down: no channel downwards is ever followed by one upwards, and planes share no switch, so one VC is acyclic",
	Documentation: topology.Documentation{
		Formulas: append(slices.Clone(taperFormulas),
			"endpoints = leaves*d*planes/r where l>1; one switch a plane for l = 1",
			"endpoint_ports = r",
			"switches = planes*tree where l>1",
			"links = planes*wires where l>1",
			"radix = k where l>1",
		),
		Deployments: "Dual-port NICs on two trees, as in HPN (hpn). DeepSeek's multi-plane fat tree, of one port in one plane, is railonly.",
		Traps: "Planes share no switch: a packet cannot change them. Ports are counted at the rate of links: one physical port " +
			"split over two planes is r = 2, planes = 2. With leaves in several pods more endpoints are near, and a rack's cables go to more places.",
	},
	SearchSpace: topology.SearchSpace{
		Bounds: func(lo, hi []int, bl, bh *topology.Size) {
			b := spansOf(lo, hi)
			boundRails(&b, bl, bh)
		},
		PerEndpoint: perRails,
		Next:        nextRails,
		Within:      railsWithin,
		Derived:     multirailPods,
		Canonical:   func(v []int) { oneSwitch(v, multirailD) },
	},
	Routes: topology.Routes{
		Spread: func(v []int, out *[topology.MaxClasses]float64) bool { t := railsOf(v); return t.hashSpread(out) },
		Worst:  func(v []int, w *topology.WorstLoads) bool { t := railsOf(v); return t.worst(w) },
		Paths:  func(v []int, p *topology.Paths) bool { r := railsOf(v); return r.paths(p) },
		Orbits: func(v []int) topology.Symmetry { r := railsOf(v); return r.orbits() },
	},
	Layout: topology.Layout{
		Bundles:  func(v []int, emit func(topology.Bundle)) { r := railsOf(v); r.bundles(emit) },
		Cables:   func(v []int, c int) topology.Cables { r := railsOf(v); return r.cables(c) },
		Subtrees: func(v []int) []topology.Subtree { r := railsOf(v); return r.blocks() },
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 { r := railsOf(v); return r.nonBlocking() },
		Middle:      func(v []int) float64 { r := railsOf(v); return r.middleCut() },
	},
}
