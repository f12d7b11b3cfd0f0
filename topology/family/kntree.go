package family

import "toposearch/topology"

// kntreeParams are the parameters of kntree by name.
type kntreeParams []int

func (v kntreeParams) k() int { return v[0] }
func (v kntreeParams) n() int { return v[1] }

// kntree: n levels of k^(n-1) switches, k ports down and k up; the k up ports of the root level
// stay empty, so the root is as wide as the rest.
var kntree = &topology.Family{
	Name:  "kntree",
	Title: "k-ary n-tree: k^n endpoints below n levels of k^(n-1) switches",
	Source: topology.Source{
		Authors: "F. Petrini, M. Vanneschi", Title: "k-ary n-trees: High Performance Networks for Massively Parallel Architectures",
		Venue: "IPPS", Year: 1997,
		Departures: "none; the same graph as BookSim2's fattree, switches numbered from the leaves up",
	},
	Params: []topology.Param{
		{Name: "k", Doc: "ports of a switch downwards, and as many upwards", Min: 2, Max: 256},
		{Name: "n", Doc: "levels of switches", Min: 1, Max: maxLevels},
	},
	LinkClasses:   treeLinks,
	SwitchClasses: treeSwitches,
	Count:         func(v []int, s *topology.Size) { t := knRails(v); t.count(s) },
	Wire:          func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) { t := knRails(v); t.wire(emit) },
	Attach:        func(v []int, emit func(int, []topology.SwitchID)) { t := knRails(v); t.attach(emit) },
	Natural:       func([]int) topology.Rule { return treeRule },
	Place:         func(v []int) topology.Placement { t := knRails(v); return t.place() },
	VCReason:      "up, then down: no channel downwards is ever followed by one upwards, so one VC is acyclic",
	Documentation: topology.Documentation{
		Formulas: []string{
			"endpoints = k^n",
			"switches = n*k^(n-1)",
			"links = (n-1)*k^n",
			"radix = if(n=1, k, 2*k)",
		},
		Traps: "Its root is full: half of the root's ports are empty, and a fat tree with half of the root has the " +
			"same bisection.",
	},
	SearchSpace: topology.SearchSpace{
		Bounds: func(lo, hi []int, bl, bh *topology.Size) {
			low, high := kntreeParams(lo), kntreeParams(hi)
			boundLevels(low.n(), high.n(), bl, bh, func(n int) (a, b rails) { return knRails([]int{low.k(), n}), knRails([]int{high.k(), n}) })
		},
		Derived: 0,
	},
	Routes: topology.Routes{
		Spread: func(v []int, out *[topology.MaxClasses]float64) bool { t := knRails(v); return t.hashSpread(out) },
		Worst:  func(v []int, w *topology.WorstLoads) bool { t := knRails(v); return t.worst(w) },
		Paths:  func(v []int, p *topology.Paths) bool { t := knRails(v); return t.paths(p) },
		Orbits: func(v []int) topology.Symmetry { t := knRails(v); return t.orbits() },
	},
	Layout: topology.Layout{
		Subtrees: func(v []int) []topology.Subtree { t := knRails(v); return t.blocks() },
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 { t := knRails(v); return t.endpoints() },
		Middle:      func([]int) float64 { return 1 },
	},
}

func knRails(v []int) rails {
	k, n := v[0], v[1]
	t := newTree(2*k, n, k, k, nil)
	if t.single = true; n == 1 {
		t.pods = 1
	}
	return oneRail(t)
}

// boundLevels joins the bounds for every number of levels: for one number all counts grow from
// the first tree of ends to the second, but which class is the top depends on it.
func boundLevels(from, to int, bl, bh *topology.Size, ends func(n int) (a, b rails)) {
	for n := from; n <= to; n++ {
		var x, y topology.Size
		x.Reset(bl.Family)
		y.Reset(bh.Family)
		a, b := ends(n)
		a.count(&x)
		b.count(&y)
		if n == from {
			*bl, *bh = x, y
		} else {
			joinSizes(bl, &x, bh, &y)
		}
	}
}

// th1a: the tree of 16-port routers of the TH-1A, which has five levels.
var th1a = &topology.Family{
	Name:  "th1a",
	Title: "TH-1A: a fat tree of n levels of 16-port routers; the machine's routes pass up to nine of them, n = 5",
	Source: topology.Source{
		Authors: "M. Xie, Y. Lu, L. Liu, H. Cao, X. Yang",
		Title:   "Implementation and Evaluation of Network Interface and Message Passing Services for TianHe-1A Supercomputer",
		Venue:   "Hot Interconnects", Year: 2011,
		Departures: "the description gives 16-port routers, five levels and routes of up to nine routers; that the tree is full is ours: " +
			"it is fattree(k=16,l=n)",
	},
	Params: []topology.Param{
		{Name: "n", Doc: "levels of routers", Min: 1, Max: 5},
	},
	LinkClasses:   treeLinks,
	SwitchClasses: treeSwitches,
	Count:         func(v []int, s *topology.Size) { t := th1aRails(v); t.count(s) },
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		t := th1aRails(v)
		t.wire(emit)
	},
	Attach:   func(v []int, emit func(int, []topology.SwitchID)) { t := th1aRails(v); t.attach(emit) },
	Natural:  func([]int) topology.Rule { return treeRule },
	Place:    func(v []int) topology.Placement { t := th1aRails(v); return t.place() },
	VCReason: "up, then down: no channel downwards is ever followed by one upwards, so one VC is acyclic",
	Documentation: topology.Documentation{
		Formulas: []string{
			"endpoints = 2*8^n",
			"switches = (2*n-1)*8^(n-1)",
			"links = 2*(n-1)*8^n",
			"radix = 16",
		},
		Deployments: "Tianhe-1A.",
		Traps:       "Routes are counted in routers, up to 2n-1: nine of five levels.",
	},
	SearchSpace: topology.SearchSpace{
		Bounds: func(lo, hi []int, bl, bh *topology.Size) {
			from, to := lo[0], hi[0]
			boundLevels(from, to, bl, bh, func(n int) (a, b rails) { return th1aRails([]int{n}), th1aRails([]int{n}) })
		},
		Derived: 0,
	},
	Routes: topology.Routes{
		Spread: func(v []int, out *[topology.MaxClasses]float64) bool { t := th1aRails(v); return t.hashSpread(out) },
		Worst:  func(v []int, w *topology.WorstLoads) bool { t := th1aRails(v); return t.worst(w) },
		Paths:  func(v []int, p *topology.Paths) bool { t := th1aRails(v); return t.paths(p) },
		Orbits: func(v []int) topology.Symmetry { t := th1aRails(v); return t.orbits() },
	},
	Layout: topology.Layout{
		Subtrees: func(v []int) []topology.Subtree { t := th1aRails(v); return t.blocks() },
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 { t := th1aRails(v); return t.endpoints() },
		Middle:      func([]int) float64 { return 1 },
	},
}

func th1aRails(v []int) rails {
	n := v[0]
	const ports = 16 // of the NRC router
	return oneRail(newTree(ports, n, fullPods([]int{ports, n}), halfDown(ports, n), nil))
}
