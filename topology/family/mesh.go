package family

import "toposearch/topology"

// mesh is the torus without its wrap-around links.
var mesh = &topology.Family{
	Name:  "mesh",
	Title: "mesh: lines of switches along every dimension",
	Source: topology.Source{
		Authors: "W. J. Dally, B. Towles", Title: "Principles and Practices of Interconnection Networks, chapter 5",
		Venue: "Morgan Kaufmann", Year: 2004,
	},
	Params:        torusParams(),
	LinkClasses:   torusClasses()[:torusDims+1],
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "switch with endpoints"}},
	Count:         meshCount,
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		x := gridOf(v, torusDims)
		x.lines(false, emit)
	},
	Attach: torusAttach,
	Natural: func([]int) topology.Rule {
		r := topology.Rule{Name: "dor", States: torusDims + 1}
		for i := range torusDims {
			for s := range i + 2 {
				r.Steps = append(r.Steps, topology.Step{From: uint8(s), Kind: topology.Kind{Link: uint8(i + 1)}, To: uint8(i + 1)})
			}
		}
		return r
	},
	Place:    torusPlace,
	VCReason: "Dimension order without wrap-around links: within a dimension a packet never turns back.",
	Documentation: topology.Documentation{
		OnlyNamed: "nobody buys one of switches: wrap-around links cost little, and a torus has twice the bisection",
		Formulas: []string{
			"n = k1*k2*k3*k4*k5*k6",
			"endpoints = n*t",
			"switches = n",
			"links = n*((k1-1)/k1 + (k2-1)/k2 + (k3-1)/k3 + (k4-1)/k4 + (k5-1)/k5 + (k6-1)/k6)",
			"radix = t + min(k1,3)+min(k2,3)+min(k3,3)+min(k4,3)+min(k5,3)+min(k6,3) - 6; inside the mesh",
		},
		Deployments: "Networks on chips; Intel Paragon, ASCI Red.",
		Traps: "Hennessy and Patterson print a mean of 7 hops for 8 x 8, half the longest path; the true mean is " +
			"5.33.",
	},
	SearchSpace: topology.SearchSpace{
		PerEndpoint: lineBounds(false),
		Within:      lineWithin,
		Derived:     0,
		Canonical:   func(v []int) { sortDown(v[:torusDims]) },
	},
	Routes: topology.Routes{
		Spread: noSpread,
		Worst:  func(v []int, w *topology.WorstLoads) bool { return worstLines(v, false, w) },
		Paths:  func(v []int, p *topology.Paths) bool { return linePaths(v, false, p) },
		Brief:  func(v []int, p *topology.Paths) bool { return briefLines(v, false, p) },
		Orbits: func(v []int) topology.Symmetry { return mirrorOrbits(v) },
	},
	Layout: topology.Layout{
		Dims: func(v []int) []int { return v[:torusDims] },
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 { return freeOrSwitch(v, meshMiddle(v)) },
		Middle:      meshMiddle,
	},
}
