package family

import (
	"slices"

	"toposearch/topology"
)

// fattreeParams are the parameters of fattree by name.
type fattreeParams []int

func (v fattreeParams) k() int        { return v[0] }
func (v fattreeParams) l() int        { return v[1] }
func (v fattreeParams) tapers() []int { return v[treeTapers:fattreePods] }
func (v fattreeParams) pods() int     { return v[fattreePods] }
func (v fattreeParams) d() int        { return v[fattreeD] }

// The places of fattree's parameters behind k, l and the tapers.
const (
	fattreePods = treeTapers + maxLevels - 2 + iota
	fattreeD
)

// fattree is multirail with one port per endpoint.
var fattree = &topology.Family{
	Name:  "fattree",
	Title: "k-port fat tree (folded Clos) of l levels, full or partial, tapered at any level if asked",
	Source: topology.Source{
		Authors: "M. Al-Fares, A. Loukissas, A. Vahdat", Title: "A Scalable, Commodity Data Center Network Architecture",
		Venue: "SIGCOMM", Year: 2008,
		Departures: "any number of levels and pods: every top switch has e parallel links to each pod, e the largest divisor of " +
			"the uplinks of the switch below with e*pods <= k, so fewer pods need fewer top switches; any taper at each level below " +
			"the top: above a tapered level e divides all uplinks of a pod, and the e links go to different switches of it first",
	},
	Params: withTapers([]topology.Param{
		{Name: "k", Doc: "ports of a switch", Min: 2, Max: 1024},
		{Name: "l", Doc: "levels of switches", Min: 1, Max: maxLevels},
	}, []topology.Param{
		{Name: "pods", Doc: "subtrees below the top level; leaves for l = 2", Min: 1, Max: 1024, Default: fullPods, DefaultDoc: "if(l=1, 1, k)"},
		{Name: "d", Doc: "ports of a leaf that face endpoints; above k/2 the tree tapers", Min: 1, Max: 1024,
			Default: func(v []int) int { d := fattreeParams(v); return halfDown(d.k(), d.l()) }, DefaultDoc: "if(l=1, k, floor(k/2))"},
	}),
	LinkClasses:   treeLinks,
	SwitchClasses: treeSwitches,
	Check: func(v []int, s *topology.Size) error {
		d := fattreeParams(v)
		t := tree{k: d.k(), l: d.l(), pods: d.pods(), d: d.d()} // no more is checked
		if err := t.check(s); err != nil {
			return err
		}
		return t.checkTapers(d.tapers(), s)
	},
	Count:    func(v []int, s *topology.Size) { t := singleRail(v); t.count(s) },
	Wire:     func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) { t := singleRail(v); t.wire(emit) },
	Attach:   func(v []int, emit func(int, []topology.SwitchID)) { t := singleRail(v); t.attach(emit) },
	Natural:  func([]int) topology.Rule { return treeRule },
	Place:    func(v []int) topology.Placement { t := singleRail(v); return t.place() },
	VCReason: "up, then down: no channel downwards is ever followed by one upwards, so one VC is acyclic",
	Documentation: topology.Documentation{
		Formulas: append(slices.Clone(taperFormulas),
			"endpoints = leaves*d where l>1; one switch of d endpoints for l = 1",
			"switches = tree where l>1",
			"links = wires where l>1",
			"radix = k where l>1",
		),
		Deployments: "Most InfiniBand and Ethernet clusters: Summit, Sierra, NVIDIA's reference designs.",
		Traps: "A full tree of l levels has 2*(k/2)^l endpoints on (2l-1)*(k/2)^(l-1) switches; Hennessy and " +
			"Patterson add a full root (kntree).",
	},
	SearchSpace: topology.SearchSpace{
		Bounds: func(lo, hi []int, bl, bh *topology.Size) {
			one := span{1, 1}
			boundRails(&railSpans{k: spanOf(lo, hi, 0), l: spanOf(lo, hi, 1), tapers: tapersOf(lo[treeTapers:fattreePods], hi[treeTapers:fattreePods]),
				r: one, f: one, planes: one, pods: spanOf(lo, hi, fattreePods), d: spanOf(lo, hi, fattreeD)}, bl, bh)
		},
		Next: func(v []int, i, x int) int {
			if i >= treeTapers && i < fattreePods {
				return nextTaper(v[0], v[1], i, x)
			}
			return x
		},
		PerEndpoint: func(lo, hi []int, least, most int64, out *topology.PerEndpoint) {
			var low, high [multirailMix + 1]int
			perRails(oneRailValues(lo, &low), oneRailValues(hi, &high), least, most, out)
		},
		Within: func(v []int, i int, least, most int64) (lo, hi int64) {
			var buf [multirailMix + 1]int
			switch i {
			case fattreePods:
				return railsWithin(oneRailValues(v, &buf), multirailPods, least, most)
			case fattreeD:
				return railsWithin(oneRailValues(v, &buf), multirailD, least, most)
			}
			return 0, beyond
		},
		Derived:   fattreePods,
		Canonical: func(v []int) { oneSwitch(v, fattreeD) },
	},
	Routes: topology.Routes{
		Spread: func(v []int, out *[topology.MaxClasses]float64) bool { t := singleRail(v); return t.hashSpread(out) },
		Worst:  func(v []int, w *topology.WorstLoads) bool { t := singleRail(v); return t.worst(w) },
		Paths:  func(v []int, p *topology.Paths) bool { t := singleRail(v); return t.paths(p) },
		Orbits: func(v []int) topology.Symmetry { t := singleRail(v); return t.orbits() },
	},
	Layout: topology.Layout{
		Bundles:  func(v []int, emit func(topology.Bundle)) { t := singleRail(v); t.bundles(emit) },
		Cables:   func(v []int, c int) topology.Cables { t := singleRail(v); return t.cables(c) },
		Subtrees: func(v []int) []topology.Subtree { t := singleRail(v); return t.blocks() },
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 { t := singleRail(v); return t.nonBlocking() },
		Middle:      func(v []int) float64 { t := singleRail(v); return t.middleCut() },
	},
}

func singleRail(v []int) rails {
	d := fattreeParams(v)
	return oneRail(newTree(d.k(), d.l(), d.pods(), d.d(), d.tapers()))
}

// oneRailValues are the values of the multirail that is the same network, as far as v goes.
func oneRailValues(v []int, buf *[multirailMix + 1]int) []int {
	copy(buf[:fattreePods], v)
	buf[multirailR], buf[multirailF], buf[multirailPlanes], buf[multirailMix] = 1, 1, 1, 1
	if fattreePods < len(v) {
		buf[multirailPods] = v[fattreePods]
	}
	if fattreeD < len(v) {
		buf[multirailD] = v[fattreeD]
	}
	return buf[:]
}
