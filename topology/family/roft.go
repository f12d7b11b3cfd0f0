package family

import "toposearch/topology"

// roftParams are the parameters of roft by name.
type roftParams []int

func (v roftParams) k() int        { return v[0] }
func (v roftParams) tapers() []int { return v[1:3] } // of leaves and of the second level
func (v roftParams) g() int        { return v[3] }
func (v roftParams) pods() int     { return v[4] }

// roft: the graph of a 3-level fat tree, endpoints in the order of servers. Each block of as many
// servers as a leaf has ports down, k/2 unless it tapers, owns g neighbouring leaves, one per rail, so that equal-index endpoints of its servers
// share a leaf.
var roft = &topology.Family{
	Name:  "roft",
	Title: "rail-optimised 3-level fat tree, tapered at any level if asked: endpoint j of a server hangs on rail j of its block",
	Source: topology.Source{
		Authors: "ATOP's authors, after NVIDIA's rail-optimised reference designs",
		Title:   "ATOP (ROFT baseline)", Venue: "SIGCOMM, doi 10.1145/3718958.3750503", Year: 2025,
		Departures: "partial trees by the rule of fattree for top switches; tapers as in fattree",
	},
	Params: []topology.Param{
		{Name: "k", Doc: "ports of a switch", Min: 4, Max: 1024},
		{Name: "taper1", Doc: "ports down : ports up of a leaf", Min: topology.RatioEven, Max: topology.RatioMost,
			Default: topology.Const(topology.RatioEven), Divides: "k"},
		taperParam(0, "ports down : ports up of a switch of the second level"),
		{Name: "g", Doc: "endpoints of a server: rails", Min: 1, Max: 64, Default: topology.Const(8)},
		{Name: "pods", Doc: "pods, each of as many leaves as a switch of the second level has ports down: (k/2)^2 endpoints untapered", Min: 2, Max: 1024,
			Default: func(v []int) int { return roftParams(v).k() }, DefaultDoc: "k"},
	},
	LinkClasses:   treeLinks,
	SwitchClasses: treeSwitches,
	Check: func(v []int, s *topology.Size) error {
		d, t := roftParams(v), roftTree(v)
		if x := d.tapers()[0]; d.k()%2 == 0 && !topology.RatioDivides(x, d.k()) {
			return s.Fail("taper1", x, "p:q with p+q a divisor of k", topology.RatioNearest(x, d.k()))
		}
		if err := t.tree.check(s); err != nil {
			return err
		}
		if err := t.checkTapers(d.tapers()[1:], s); err != nil {
			return err
		}
		if h := int(t.down[2]); h%d.g() != 0 {
			return s.Fail("g", d.g(), "g divides the leaves of a pod, k/2 untapered", nearestDivisor(h, d.g()))
		}
		return nil
	},
	Count: func(v []int, s *topology.Size) { t := roftTree(v); t.count(s) },
	Wire:  func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) { t := roftTree(v); t.wire(emit) },
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		t, g := roftTree(v), roftParams(v).g()
		var leaf [1]topology.SwitchID
		for block := range int(t.leaves()) / g {
			for range t.d {
				for rail := range g {
					leaf[0] = topology.SwitchID(block*g + rail)
					emit(1, leaf[:])
				}
			}
		}
	},
	Natural:  func([]int) topology.Rule { return treeRule },
	Place:    func(v []int) topology.Placement { t := roftTree(v); return t.place() },
	VCReason: "up, then down: no channel downwards is ever followed by one upwards, so one VC is acyclic",
	Documentation: topology.Documentation{
		Formulas: []string{
			"d = k*taper1/(taper1+1); endpoints of a leaf",
			"d2 = k*taper2/(taper2+1); leaves of a pod",
			"u = k - d; uplinks of a leaf",
			"u2 = k - d2; uplinks of a switch of the second level",
			"e = divisor(if(taper2=1, u2, u*u2), k/pods); links of a top switch to a pod",
			"endpoints = pods*d*d2",
			"switches = pods*(d2 + u) + u*u2/e",
			"links = pods*u*(d2 + u2)",
			"radix = k",
		},
		Deployments: "Rail-optimised reference designs of NVIDIA.",
		Traps: "A failed leaf cuts endpoints off unless servers relay: the mean path after a failure is then not " +
			"defined.",
	},
	SearchSpace: topology.SearchSpace{
		Bounds: func(lo, hi []int, bl, bh *topology.Size) {
			k, x, g := spanOf(lo, hi, 0), spanOf(lo, hi, 2), spanOf(lo, hi, 3)
			if k.one() && x.one() && g.one() && topology.RatioPart(lo[2], lo[0])%lo[3] != 0 {
				return // the leaves of a pod do not divide into rails
			}
			one := span{1, 1}
			boundRails(&railSpans{k: k, l: span{3, 3}, tapers: tapersOf(lo[2:3], hi[2:3]), r: one, f: one, planes: one, pods: spanOf(lo, hi, 4),
				d: span{int64(topology.RatioPart(lo[1], lo[0]/2*2)), int64(topology.RatioPart(hi[1], hi[0]/2*2))}}, bl, bh)
		},
		Next: func(v []int, i, x int) int {
			if i == 1 || i == 2 {
				return nextTaper(v[0], 3, i, x)
			}
			return x
		},
		Derived: 4,
	},
	Routes: topology.Routes{
		Spread: func(v []int, out *[topology.MaxClasses]float64) bool { t := roftTree(v); return t.hashSpread(out) },
		Worst:  func(v []int, w *topology.WorstLoads) bool { t := roftTree(v); return t.worst(w) },
		Paths:  func(v []int, p *topology.Paths) bool { t := roftTree(v); return t.paths(p) },
		Orbits: func(v []int) topology.Symmetry { t := roftTree(v); return t.orbits() },
	},
	Layout: topology.Layout{
		Subtrees: func(v []int) []topology.Subtree {
			t := roftTree(v)
			out := t.blocks()
			if g := roftParams(v).g(); g > 1 {
				out[0].Across = g
			}
			return out
		},
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 { t := roftTree(v); return t.nonBlocking() },
		Middle:      func(v []int) float64 { t := roftTree(v); return t.middleCut() },
	},
}

func roftTree(v []int) rails {
	d := roftParams(v)
	return oneRail(newTree(d.k(), 3, d.pods(), topology.RatioPart(d.tapers()[0], d.k()), d.tapers()[1:]))
}
