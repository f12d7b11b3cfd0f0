package family

import "toposearch/topology"

// bundleflyParams are the parameters of bundlefly by name.
type bundleflyParams []int

func (v bundleflyParams) q() int { return v[0] }
func (v bundleflyParams) s() int { return v[1] }
func (v bundleflyParams) p() int { return v[2] }

// bundlefly is the star product of the McKay-Miller-Siran graph of Slim Fly with Paley graphs.
var bundlefly = &topology.Family{
	Name:  "bundlefly",
	Title: "Bundlefly: Slim Fly of Paley supernodes, diameter 3",
	Source: topology.Source{
		Authors: "F. Lei, D. Dong, X. Liao, J. Duato", Title: "Bundlefly: A Low-Diameter Topology for Multicore Fiber",
		Venue: "ICS, pp. 1-11", Year: 2020,
		Departures: "The bijection applies from the lower to the higher supernode.",
	},
	Params: []topology.Param{
		{Name: "q", Doc: "prime power, not 2: of the Slim Fly of supernodes", Min: 3, Max: 64},
		{Name: "s", Doc: "switches per supernode: a prime power, 1 modulo 4", Min: 5, Max: 257},
		{Name: "p", Doc: "endpoints per switch", Min: 1, Max: 512},
	},
	LinkClasses:   starClasses(),
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "switch with endpoints"}},
	Check: func(v []int, s *topology.Size) error {
		d := bundleflyParams(v)
		if err := checkPaley(d.s(), s); err != nil {
			return err
		}
		return checkPower(s, "q", d.q(), 3, 64, "q is a prime power, not 2", func(x int) bool { return x > 2 })
	},
	Count: func(v []int, s *topology.Size) {
		x := bundleflyParams(v)
		q, n, d := int64(x.q()), int64(x.s()), int64(slimflyDegree(x.q()))
		starCount(2*q*q, n, (n-1)/2, q*q*d*n, d, int64(x.p()), s)
	},
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		d := bundleflyParams(v)
		paley(d.s()).wireStar(2*d.q()*d.q(), func(link func(a, b int)) {
			slimflyWire(v, func(_ int, a, b topology.SwitchID) { link(int(a), int(b)) })
		}, emit)
	},
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		d := bundleflyParams(v)
		attachEach(2*d.q()*d.q()*d.s(), d.p(), emit)
	},
	Place: func(v []int) topology.Placement {
		d := bundleflyParams(v)
		return topology.Placement{Blocks: 2 * d.q() * d.q(), Homes: []topology.Home{topology.WithEndpoints}}
	},
	Deployed: deployedFlat,
	VCReason: minimalReason,
	Documentation: topology.Documentation{
		Formulas: []string{
			"w = floor((q+1)/4)",
			"degree = q + 2*w + (s-1)/2",
			"endpoints = 2*q^2*s*p",
			"switches = 2*q^2*s",
			"links = q^2*s*degree",
			"radix = degree + p",
		},
		Deployments: "None known; meant for multicore fibre, with the links of two supernodes as one bundle.",
		Traps:       "Of one degree, the largest network is not that of the largest q: compare all pairs of q and s.",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 2,
	},
	Routes: topology.Routes{
		Orbits: func(v []int) topology.Symmetry {
			d := bundleflyParams(v)
			return paleyOrbits(2*d.q()*d.q(), d.s(), d.p())
		},
		Automorphisms: func(v []int) [][]topology.SwitchID {
			d := bundleflyParams(v)
			return paleyMaps(2*d.q()*d.q(), d.s())
		},
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 { return int64(bundleflyParams(v).p()) },
	},
}
