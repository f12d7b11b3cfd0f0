package family

import "toposearch/topology"

// roftParams are the parameters of roft by name.
type roftParams []int

func (v roftParams) k() int    { return v[0] }
func (v roftParams) g() int    { return v[1] }
func (v roftParams) pods() int { return v[2] }

// roft: the graph of a 3-level fat tree, endpoints in the order of servers. Each block of k/2
// servers owns g neighbouring leaves, one per rail, so that equal-index endpoints of its servers
// share a leaf.
var roft = &topology.Family{
	Name:  "roft",
	Title: "rail-optimised 3-level fat tree: endpoint j of a server hangs on rail j of its block",
	Source: topology.Source{
		Authors: "ATOP's authors, after NVIDIA's rail-optimised reference designs",
		Title:   "ATOP (ROFT baseline)", Venue: "SIGCOMM, doi 10.1145/3718958.3750503", Year: 2025,
		Departures: "partial trees by the rule of fattree for top switches",
	},
	Params: []topology.Param{
		{Name: "k", Doc: "ports of a switch", Min: 4, Max: 1024},
		{Name: "g", Doc: "endpoints of a server: rails", Min: 1, Max: 64, Default: topology.Const(8)},
		{Name: "pods", Doc: "pods of (k/2)^2 endpoints", Min: 2, Max: 1024, Default: func(v []int) int { return roftParams(v).k() }, DefaultDoc: "k"},
	},
	LinkClasses:   treeLinks,
	SwitchClasses: treeSwitches,
	Check: func(v []int, s *topology.Size) error {
		d := roftParams(v)
		t := newTree(d.k(), 3, d.pods(), d.k()/2)
		if err := t.check(s); err != nil {
			return err
		}
		if h := d.k() / 2; h%d.g() != 0 {
			return s.Fail("g", d.g(), "g divides k/2, the leaves of a pod", nearestDivisor(h, d.g()))
		}
		return nil
	},
	Count: func(v []int, s *topology.Size) { t := roftTree(v); t.count(s) },
	Wire:  func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) { t := roftTree(v); t.wire(emit) },
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		h, g, pods := v[0]/2, v[1], v[2]
		var leaf [1]topology.SwitchID
		for block := range pods * h / g {
			for range h {
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
			"m = k/2",
			"e = divisor(m, k/pods); links of a top switch to a pod",
			"endpoints = pods*m^2",
			"switches = 2*pods*m + m^2/e",
			"links = 2*pods*m^2",
			"radix = k",
		},
		Deployments: "Rail-optimised reference designs of NVIDIA.",
		Traps: "A failed leaf cuts endpoints off unless servers relay: the mean path after a failure is then not " +
			"defined.",
	},
	SearchSpace: topology.SearchSpace{
		Bounds: func(lo, hi []int, bl, bh *topology.Size) {
			low, high := roftParams(lo), roftParams(hi)
			k := span{int64(low.k()), int64(high.k())}
			if low.k() == high.k() && low.g() == high.g() && low.k()/2%low.g() != 0 {
				return // the leaves of a pod do not divide into rails
			}
			one := span{1, 1}
			boundRails([8]span{k, {3, 3}, one, one, one, {int64(low.pods()), int64(high.pods())}, {k.lo / 2, k.hi / 2}}, bl, bh)
		},
		Derived: 2,
	},
	Routes: topology.Routes{
		Paths:  func(v []int, p *topology.Paths) bool { t := roftTree(v); return t.paths(p) },
		Orbits: func(v []int) topology.Symmetry { t := roftTree(v); return t.orbits() },
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 { t := roftTree(v); return t.endpoints() },
		Middle:      func([]int) float64 { return 1 },
	},
}

func roftTree(v []int) rails {
	d := roftParams(v)
	return rails{tree: newTree(d.k(), 3, d.pods(), d.k()/2), r: 1, f: 1, planes: 1, w: 1, mix: 1}
}
