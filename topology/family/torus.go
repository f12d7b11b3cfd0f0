package family

import (
	"fmt"
	"slices"

	"toposearch/topology"
)

// torus is switches in up to six dimensions, in a ring along each.
var torus = &topology.Family{
	Name:  "torus",
	Title: "torus: rings of switches along every dimension",
	Source: topology.Source{
		Authors: "W. J. Dally, B. Towles", Title: "Principles and Practices of Interconnection Networks, chapter 5",
		Venue: "Morgan Kaufmann", Year: 2004,
		Departures: "A dimension of two switches has one link per pair, not two.",
	},
	Params:        torusParams(),
	LinkClasses:   torusClasses(),
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "switch with endpoints"}},
	Count: func(v []int, s *topology.Size) {
		meshCount(v, s)
		for i, k := range v[:torusDims] {
			if k > 2 {
				// No port: the fullest switch is one inside its rings, all switches having two per ring.
				s.Link[torusDims+1+i] = s.Switch[0].Count / int64(k)
			}
		}
	},
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		x := gridOf(v, torusDims)
		x.lines(true, emit)
	},
	Attach:  torusAttach,
	Natural: torusRule,
	Place:   torusPlace,
	VCReason: "Dimension order; in each ring a packet that has yet to cross the wrap-around link, the dateline, is on VC 0, " +
		"one that has crossed it on VC 1; others, and all on that link, take whichever is free, and never VC 0 after VC 1. " +
		"Rings of up to three switches need no dateline, since routes in them are one hop.",
	Documentation: topology.Documentation{
		Formulas: []string{
			"n = k1*k2*k3*k4*k5*k6",
			"endpoints = n*t",
			"switches = n",
			"steps = min(k1,3)+min(k2,3)+min(k3,3)+min(k4,3)+min(k5,3)+min(k6,3) - 6; network ports of a switch",
			"links = n*steps/2",
			"radix = t + steps",
		},
		Deployments: "IBM Blue Gene, Cray XT and XE, Fujitsu Tofu (6-D).",
		Traps: "Rings of four and more deadlock with one VC; two with a dateline do not. Cabling is folded, so no " +
			"link is long.",
	},
	SearchSpace: topology.SearchSpace{
		Bounds: func(lo, hi []int, bl, bh *topology.Size) {
			meshCount(lo, bl)
			meshCount(hi, bh)
			others := int64(1)
			for i := range torusDims {
				others *= int64(hi[i])
			}
			for i := range torusDims {
				if hi[i] > 2 {
					bh.Link[torusDims+1+i] = others / int64(hi[i])
				}
				if lo[i] > 2 {
					bl.Link[torusDims+1+i] = bl.Switch[0].Count / int64(lo[i])
				}
			}
		},
		PerEndpoint: lineBounds(true),
		Within:      lineWithin,
		Derived:     0,
		Canonical:   func(v []int) { sortDown(v[:torusDims]) },
	},
	Routes: topology.Routes{
		Spread: spreadTorus,
		Worst:  func(v []int, w *topology.WorstLoads) bool { return worstLines(v, true, w) },
		Paths:  func(v []int, p *topology.Paths) bool { return linePaths(v, true, p) },
		Brief:  func(v []int, p *topology.Paths) bool { return briefLines(v, true, p) },
		Orbits: func(v []int) topology.Symmetry {
			y := mirrorOrbits(v)
			y.Alike = alikeRings(v[:torusDims])
			return y
		},
	},
	Layout: topology.Layout{
		Dims: func(v []int) []int { return v[:torusDims] },
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 {
			return freeOrSwitch(v, torusMiddle(v))
		},
		Middle: torusMiddle,
	},
}

// alikeRings adds to grid.alike that rings can be turned, by which the links that close them are as the others.
func alikeRings(v []int) []int {
	x := gridOf(v, len(v))
	dims := x.alike(slices.Repeat([]int{1}, len(v)))
	return append(dims, dims[1:]...)
}

func torusParams() []topology.Param {
	var out []topology.Param
	for i := 1; i <= torusDims; i++ {
		p := topology.Param{Name: fmt.Sprintf("k%d", i), Doc: fmt.Sprintf("switches in dimension %d", i), Min: 1, Max: 1024,
			Default: topology.Const(1)}
		if i == 1 {
			p.Min, p.Default = 2, nil
		}
		out = append(out, p)
	}
	return append(out, topology.Param{Name: "t", Doc: "endpoints per switch", Min: 1, Max: 512, Default: topology.Const(1)})
}

func torusClasses() []topology.LinkClass {
	out := append([]topology.LinkClass{{Name: topology.ClassNic, Doc: "endpoint to switch"}}, dimClasses(torusDims)...)
	for i := 1; i <= torusDims; i++ {
		out = append(out, topology.LinkClass{Name: fmt.Sprintf("wrap%d", i), Doc: fmt.Sprintf("closes the rings of dimension %d", i)})
	}
	return out
}

func meshCount(v []int, s *topology.Size) {
	x := gridOf(v, torusDims)
	n, t := x.switches(), v[torusDims]
	s.Endpoints = n * int64(t)
	s.EndpointPorts, s.EndpointLanes = 1, 1
	s.Link[0] = s.Endpoints
	s.Switch[0].Count = n
	s.Switch[0].Ports[0] = int32(t)
	for i, k := range v[:torusDims] {
		s.Link[i+1] = n / int64(k) * int64(k-1)
		s.Switch[0].Ports[i+1] = int32(min(2, k-1))
	}
}

// lines joins neighbours along every dimension, and the ends if wrap is set.
func (x *grid) lines(wrap bool, emit func(int, topology.SwitchID, topology.SwitchID)) {
	n, step := int(x.switches()), 1
	for i, k := range x.size[:x.dims] {
		for s := range n {
			switch at := s / step % k; {
			case at+1 < k:
				emit(i+1, topology.SwitchID(s), topology.SwitchID(s+step))
			case wrap && k > 2:
				emit(x.dims+1+i, topology.SwitchID(s), topology.SwitchID(s-at*step))
			}
		}
		step *= k
	}
}

func torusAttach(v []int, emit func(int, []topology.SwitchID)) {
	x := gridOf(v, torusDims)
	attachEach(int(x.switches()), v[torusDims], emit)
}

func torusRule(v []int) topology.Rule {
	var rings []ringClasses
	for i, k := range v[:torusDims] {
		if k > 1 {
			rings = append(rings, ringClasses{inner: []int{i + 1}, wrap: torusDims + 1 + i, long: k > 3})
		}
	}
	return ringOrder(rings)
}

// torusPlace makes a block of each plane of the first two dimensions.
func torusPlace(v []int) topology.Placement {
	k3, k4, k5, k6 := v[2], v[3], v[4], v[5]
	return topology.Placement{Blocks: k3 * k4 * k5 * k6, Homes: []topology.Home{topology.WithEndpoints}}
}

func torusMiddle(v []int) float64 { return lineMiddle(v, true) }

func meshMiddle(v []int) float64 { return lineMiddle(v, false) }

// lineMiddle cuts the longest dimension: one link of each line, two of each ring.
func lineMiddle(v []int, wrap bool) float64 {
	cut := 1.0
	for _, k := range v[:torusDims] {
		links := 1.0
		if wrap && k > 2 {
			links = 2
		}
		if k > 1 {
			cut = min(cut, 2*links/float64(k*v[torusDims]))
		}
	}
	return cut
}

// freeOrSwitch is all endpoints if the middle carries them all, else those of one switch.
func freeOrSwitch(v []int, middle float64) int64 {
	if middle < 1 {
		return int64(v[torusDims])
	}
	x := gridOf(v, torusDims)
	return x.switches() * int64(v[torusDims])
}
