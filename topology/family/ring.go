package family

import "toposearch/topology"

// ringParams are the parameters of ring by name.
type ringParams []int

func (v ringParams) n() int { return v[0] }
func (v ringParams) t() int { return v[1] }

// ring is n switches in a circle.
var ring = &topology.Family{
	Name:   "ring",
	Title:  "ring of switches",
	Source: hypercube.Source,
	Params: []topology.Param{
		{Name: "n", Doc: "switches", Min: 2, Max: 4096},
		{Name: "t", Doc: "endpoints per switch", Min: 1, Max: 512, Default: topology.Const(1)},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassNic, Doc: "endpoint to switch"},
		{Name: "ring", Doc: "between neighbours"},
		{Name: "wrap", Doc: "closes the ring: the dateline"},
	},
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "switch with endpoints"}},
	Count: func(v []int, s *topology.Size) {
		d := ringParams(v)
		n := int64(d.n())
		s.Endpoints = n * int64(d.t())
		s.EndpointPorts, s.EndpointLanes = 1, 1
		s.Link[0], s.Link[1] = s.Endpoints, n-1
		s.Switch[0].Count = n
		s.Switch[0].Ports = ports(int32(d.t()), int32(min(2, n-1)))
		if n > 2 {
			s.Link[2] = 1 // every switch has two ports in the ring, whatever their class
		}
	},
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		d := ringParams(v)
		for i := 1; i < d.n(); i++ {
			emit(1, topology.SwitchID(i-1), topology.SwitchID(i))
		}
		if d.n() > 2 {
			emit(2, topology.SwitchID(d.n()-1), 0)
		}
	},
	Attach: func(v []int, emit func(int, []topology.SwitchID)) { d := ringParams(v); attachEach(d.n(), d.t(), emit) },
	Natural: func(v []int) topology.Rule {
		return ringOrder([]ringClasses{{inner: []int{1}, wrap: 2, long: ringParams(v).n() > 3}})
	},
	Place: onePlace,
	VCReason: "A packet goes the shorter way round. One that has yet to cross the wrap-around link, the dateline, is on VC 0, " +
		"one that has crossed it on VC 1; others, and all on that link, take whichever is free, and never VC 0 after VC 1. " +
		"Rings of up to three switches need no dateline.",
	Documentation: topology.Documentation{
		OnlyNamed: "nobody buys one: its diameter and the load of its links grow with the number of switches",
		Formulas: []string{
			"endpoints = n*t",
			"switches = n",
			"links = if(n>2, n, 1)",
			"radix = t + min(n,3) - 1",
		},
		Traps: "Deadlocks with one VC from four switches on; a dateline and two do not.",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 0,
	},
	Routes: topology.Routes{
		Spread: spreadRing,
		Paths: func(v []int, p *topology.Paths) bool {
			d := ringParams(v)
			var buf [64]leg
			for _, l := range legs(d.n(), true, buf[:0]) {
				w := l.weight * int64(d.t())
				if l.inner+l.wrap == 0 {
					w = l.weight * int64(d.t()-1)
				}
				p.Add(w, crossing(2, l.inner, l.wrap))
			}
			return true
		},
		Brief: func(v []int, p *topology.Paths) bool {
			d := ringParams(v)
			axes := [1]axis{lineAxis(d.n(), true)}
			briefAxes(axes[:], int64(d.t()), 2*int64(d.n()), true, func(int) (int, int) { return 1, 2 }, p)
			return true
		},
		Orbits: func(v []int) topology.Symmetry {
			d := ringParams(v)
			y := mirrorOrbits([]int{d.n(), 1, 1, 1, 1, 1, d.t()})
			y.Alike = alikeRings(v[:1])
			return y
		},
	},
	Layout: topology.Layout{
		Dims: func(v []int) []int { return v[:1] },
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 {
			d := ringParams(v)
			return freeOrSwitch([]int{d.n(), 1, 1, 1, 1, 1, d.t()}, torusMiddle([]int{d.n(), 1, 1, 1, 1, 1, d.t()}))
		},
		Middle: func(v []int) float64 { d := ringParams(v); return torusMiddle([]int{d.n(), 1, 1, 1, 1, 1, d.t()}) },
	},
}

// spreadRing is spreadTorus of one dimension.
func spreadRing(v []int, out *[topology.MaxClasses]float64) bool {
	if n := ringParams(v).n(); n > 2 && n%2 == 0 {
		out[1], out[2] = 1/float64(n), 1/float64(n)
	}
	return true
}
