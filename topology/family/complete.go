package family

import "toposearch/topology"

// completeParams are the parameters of complete by name.
type completeParams []int

func (v completeParams) n() int { return v[0] }
func (v completeParams) t() int { return v[1] }

// complete is n switches, each linked to every other.
var complete = &topology.Family{
	Name:   "complete",
	Title:  "complete graph of switches",
	Source: hypercube.Source,
	Params: []topology.Param{
		{Name: "n", Doc: "switches", Min: 2, Max: 1024},
		{Name: "t", Doc: "endpoints per switch", Min: 1, Max: 512, Default: topology.Const(1)},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassNic, Doc: "endpoint to switch"},
		{Name: "local", Doc: "between switches"},
	},
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "switch with endpoints"}},
	Count: func(v []int, s *topology.Size) {
		d := completeParams(v)
		n := int64(d.n())
		s.Endpoints = n * int64(d.t())
		s.EndpointPorts, s.EndpointLanes = 1, 1
		s.Link[0], s.Link[1] = s.Endpoints, n*(n-1)/2
		s.Switch[0].Count = n
		s.Switch[0].Ports = ports(int32(d.t()), int32(n-1))
	},
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		meshLinks(1, 0, completeParams(v).n(), emit)
	},
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		d := completeParams(v)
		attachEach(d.n(), d.t(), emit)
	},
	Natural:  func([]int) topology.Rule { return dor(1) },
	Place:    onePlace,
	Deployed: deployedFlat,
	VCReason: "Routes are one hop long, so that no channel waits for another.",
	Documentation: topology.Documentation{
		Formulas: []string{
			"endpoints = n*t",
			"switches = n",
			"links = n*(n-1)/2",
			"radix = n-1 + t",
		},
		Traps: "Adversarial traffic of a switch to one other shares one link: without detours it gets 1/t of its rate.",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 0,
	},
	Routes: topology.Routes{
		Spread: noSpread,
		Lines:  func(v []int) []int { return []int{completeParams(v).n()} },
		Worst: func(v []int, w *topology.WorstLoads) bool {
			w.Exact(1, float64(completeParams(v).t()))
			w.Each = true
			return true
		},
		Paths: func(v []int, p *topology.Paths) bool {
			d := completeParams(v)
			p.Add(int64(d.t()-1), crossing(2))
			p.Add(int64(d.n()-1)*int64(d.t()), crossing(2, 1))
			return true
		},
		Orbits: func(v []int) topology.Symmetry {
			d := completeParams(v)
			return oneOrbit(int64(d.n()), int64(d.n())*int64(d.t()))
		},
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 {
			d := completeParams(v)
			if completeMiddle(v) < 1 {
				return int64(d.t())
			}
			return int64(d.n()) * int64(d.t())
		},
		Middle: completeMiddle,
	},
}

func completeMiddle(v []int) float64 {
	d := completeParams(v)
	return min(1, float64(d.n()/2*((d.n()+1)/2))/(float64(d.n())*float64(d.t())/2))
}
