package family

import (
	"fmt"
	"slices"

	"toposearch/topology"
)

// hyperxDims is the most dimensions of a HyperX; hyperxMostSize and hyperxMostEach the most switches of a dimension and endpoints of a switch.
const (
	hyperxDims     = 4
	hyperxMostSize = 256
	hyperxMostEach = 512
)

// hyperx is switches in up to four dimensions, fully linked along each.
var hyperx = &topology.Family{
	Name:  "hyperx",
	Title: "HyperX: switches fully linked along every dimension",
	Source: topology.Source{
		Authors: "J. H. Ahn, N. Binkert, A. Davis, M. McLaren, R. S. Schreiber",
		Title:   "HyperX: Topology, Routing, and Packaging of Efficient Large-Scale Networks",
		Venue:   "SC, pp. 1-11",
		Year:    2009,
	},
	Params:        hyperxParams(),
	LinkClasses:   append([]topology.LinkClass{{Name: topology.ClassNic, Doc: "endpoint to switch"}}, dimClasses(hyperxDims)...),
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "switch with endpoints"}},
	Count:         hyperxCount,
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		x := gridOf(v, hyperxDims)
		x.fullMesh(v[hyperxDims:], emit)
	},
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		x := gridOf(v, hyperxDims)
		attachEach(int(x.switches()), v[2*hyperxDims], emit)
	},
	Natural: func([]int) topology.Rule { return dor(hyperxDims) },
	// Two dimensions stay together in a block: a row of racks.
	Place: func(v []int) topology.Placement {
		s3, s4 := v[2], v[3]
		return topology.Placement{Blocks: s3 * s4, Homes: []topology.Home{topology.WithEndpoints}}
	},
	Deployed: deployedFlat,
	VCReason: "Dimension order with one hop per dimension: links are taken in the order of their dimensions.",
	Documentation: topology.Documentation{
		Formulas: []string{
			"n = s1*s2*s3*s4",
			"endpoints = n*t",
			"switches = n",
			"links = n*(k1*(s1-1) + k2*(s2-1) + k3*(s3-1) + k4*(s4-1))/2",
			"radix = t + k1*(s1-1) + k2*(s2-1) + k3*(s3-1) + k4*(s4-1)",
		},
		Deployments: "A 12 x 8 HyperX beside a fat tree of the same endpoints, for comparison (J. Domke et al., SC 2019).",
		Traps: "All minimal orders of dimensions deadlock with one VC; one order, or a VC per dimension, does not. " +
			"The bisection is that of the narrowest dimension, K*S/(2T).",
	},
	SearchSpace: topology.SearchSpace{
		PerEndpoint: func(lo, hi []int, least, most int64, out *topology.PerEndpoint) {
			t := reals(lo, hi, 2*hyperxDims)
			out.Known, out.Uneven = true, 1
			out.Switch[0], out.Link[0], out.LinkMost[0], out.Cross[0] = 1/t.hi, 1, 1, 2
			for i := range hyperxDims {
				s, k := reals(lo, hi, i), reals(lo, hi, hyperxDims+i)
				out.Link[i+1], out.LinkMost[i+1] = k.lo*(s.lo-1)/(2*t.hi), k.hi*(s.hi-1)/(2*t.lo)
				out.Cross[i+1] = 1 - 1/s.lo
				out.Flow[i+1] = out.Cross[i+1]
				if s.lo > 1 {
					out.Load[i+1] = t.lo / (k.hi * s.hi)
				}
			}
			hyperxFans(lo, hi, out)
			// Switches with other endpoints differ in one dimension at least.
			if other := 1 - t.hi/float64(least); other > 0 {
				out.Hops = other
			}
		},
		// With the sizes and the endpoints all that shapes the floor is known.
		Order:      []int{0, 1, 2, 3, 2 * hyperxDims, 4, 5, 6, 7},
		Multiplies: []int{0, 4, 5, 6, 7},
		Within:     hyperxWithin,
		Derived:    2 * hyperxDims,
		Canonical:  func(v []int) { sortDims(v[:hyperxDims], v[hyperxDims:2*hyperxDims]) },
		Idle:       func(v []int, i int) (int, bool) { return idleLinks(v, i, hyperxDims) },
		Hull:       func(lo, hi []int) { hullDims(lo, hi, hyperxDims) },
	},
	Routes: topology.Routes{
		Spread: func(v []int, out *[topology.MaxClasses]float64) bool {
			return spreadMesh(v[hyperxDims:2*hyperxDims], out)
		},
		Worst: func(v []int, w *topology.WorstLoads) bool {
			x := gridOf(v, hyperxDims)
			return x.worstMesh(v[2*hyperxDims], v[hyperxDims:2*hyperxDims], w)
		},
		Paths: func(v []int, p *topology.Paths) bool {
			x := gridOf(v, hyperxDims)
			x.meshPaths(v[2*hyperxDims], p)
			return true
		},
		Brief: func(v []int, p *topology.Paths) bool {
			x := gridOf(v, hyperxDims)
			x.briefMesh(v[2*hyperxDims], true, p)
			return true
		},
		Orbits: func(v []int) topology.Symmetry {
			x := gridOf(v, hyperxDims)
			y := oneOrbit(x.switches(), x.switches()*int64(v[2*hyperxDims]))
			y.Alike = x.alike(v[hyperxDims:])
			return y
		},
	},
	Layout: topology.Layout{
		Bundles: func(v []int, emit func(topology.Bundle)) {
			x := gridOf(v, hyperxDims)
			x.meshBundles(v[hyperxDims:], emit)
		},
		Dims: func(v []int) []int { return v[:hyperxDims] },
	},
	Figures: topology.Figures{
		// The switches along all dimensions that have the bandwidth of their endpoints across.
		NonBlocking: func(v []int) int64 {
			t := v[2*hyperxDims]
			n := int64(t)
			for i, s := range v[:hyperxDims] {
				if s > 1 && s/2*((s+1)/2)*v[hyperxDims+i]*2 >= s*t {
					n *= int64(s)
				}
			}
			return n
		},
		Middle: func(v []int) float64 {
			x := gridOf(v, hyperxDims)
			return min(1, x.meshMiddle(v[hyperxDims:])/(float64(x.switches())*float64(v[2*hyperxDims])/2))
		},
	},
}

// hyperxFans tells how far apart the peers of a switch stand in a dimension: behind each of them come the switches of all dimensions
// before. Blocks are of two dimensions. Of several designs it holds where all have their dimensions in canonical order: a design is
// wired by that.
func hyperxFans(lo, hi []int, out *topology.PerEndpoint) {
	fixed := slices.Equal(lo[:hyperxDims], hi[:hyperxDims])
	for i := 1; i < hyperxDims && !slices.Equal(lo, hi); i++ {
		if hi[i] > lo[i-1] || hi[i] == lo[i-1] && hi[i] > 1 && !fixed {
			return
		}
	}
	t := float64(lo[2*hyperxDims])
	block := t * float64(lo[0]) * float64(lo[1])
	out.Fan[0] = topology.Fan{Ends: t, Every: 1}
	out.Fan[1] = topology.Fan{Ends: float64(lo[0] - 1), Every: t, Switches: true}
	out.Fan[2] = topology.Fan{Ends: float64(lo[1] - 1), Every: t * float64(lo[0]), Switches: true}
	for i, step := 2, 1.0; i < hyperxDims; i++ {
		out.Fan[i+1] = topology.Fan{Ends: float64(lo[i] - 1), Every: block, Step: step, With: float64(hi[0]) * float64(hi[1]), OtherBlocks: true, Switches: true}
		step *= float64(lo[i])
	}
}

// hyperxWithin narrows the sizes and the endpoints of a switch: there are s1*s2*s3*s4*t endpoints.
func hyperxWithin(v []int, i int, least, most int64) (lo, hi int64) {
	n := int64(1)
	for _, s := range v[:min(i, hyperxDims)] {
		n *= int64(s)
	}
	switch {
	case i < hyperxDims:
		behind := int64(hyperxMostEach) // endpoints that the parameters behind multiply to at most
		for range hyperxDims - 1 - i {
			behind *= hyperxMostSize
		}
		lo, _ = withinProduct(n*behind, least, most)
		return lo, most / n
	case i == 2*hyperxDims:
		return withinProduct(n, least, most)
	}
	return 0, beyond
}

func hyperxParams() []topology.Param {
	var out []topology.Param
	for i := 1; i <= hyperxDims; i++ {
		p := topology.Param{Name: fmt.Sprintf("s%d", i), Doc: fmt.Sprintf("switches in dimension %d", i), Min: 1, Max: hyperxMostSize,
			Default: topology.Const(1)}
		if i == 1 {
			p.Min, p.Default = 2, nil
		}
		out = append(out, p)
	}
	for i := 1; i <= hyperxDims; i++ {
		out = append(out, topology.Param{Name: fmt.Sprintf("k%d", i), Doc: fmt.Sprintf("links per pair in dimension %d", i),
			Min: 1, Max: 64, Default: topology.Const(1)})
	}
	return append(out, topology.Param{Name: "t", Doc: "endpoints per switch", Min: 1, Max: hyperxMostEach})
}

func hyperxCount(v []int, s *topology.Size) {
	x := gridOf(v, hyperxDims)
	n, t := x.switches(), v[2*hyperxDims]
	s.Endpoints = n * int64(t)
	s.EndpointPorts, s.EndpointLanes = 1, 1
	s.Link[0] = s.Endpoints
	s.Switch[0].Count = n
	s.Switch[0].Ports[0] = int32(t)
	for i, d := range x.size[:x.dims] {
		p := v[hyperxDims+i] * (d - 1)
		s.Switch[0].Ports[i+1] = int32(p)
		s.Link[i+1] = n * int64(p) / 2
	}
}
