package family

import (
	"fmt"

	"toposearch/topology"
)

// fullmeshDims is the most dimensions of an nD-FullMesh.
const fullmeshDims = 5

// fullmesh is the nD-FullMesh of UB-Mesh: endpoints that forward, each linked to all that differ
// from it in one coordinate.
var fullmesh = &topology.Family{
	Name:  "fullmesh",
	Title: "nD-FullMesh: endpoints forward, full meshes in every dimension",
	Source: topology.Source{
		Authors:    "H. Liao, B. Liu, X. Chen, Z. Guo, C. Cheng, et al.",
		Title:      "UB-Mesh: a Hierarchically Localized nD-FullMesh Datacenter Network Architecture",
		Venue:      "arXiv:2503.20377",
		Year:       2025,
		Departures: "The graph alone: racks, spare endpoints, relay switches and the Clos above are in ubmesh.",
	},
	Params:        fullmeshParams(),
	LinkClasses:   append([]topology.LinkClass{{Name: topology.ClassInternal, Doc: "endpoint to its own forwarding part"}}, dimClasses(fullmeshDims)...),
	SwitchClasses: []topology.SwitchClass{{Name: "npu", Doc: "forwarding part of an endpoint", Embedded: true, OnChip: true}},
	Count: func(v []int, s *topology.Size) {
		x := gridOf(v, fullmeshDims)
		n := x.switches()
		s.Endpoints, s.Switch[0].Count, s.Link[0] = n, n, n
		s.Switch[0].Ports[0] = 1
		for i, d := range x.size[:x.dims] {
			p := v[fullmeshDims+i] * (d - 1)
			s.Switch[0].Ports[i+1] = int32(p)
			s.Link[i+1] = n * int64(p) / 2
			s.EndpointPorts += int32(p)
		}
		s.EndpointLanes = s.EndpointPorts
	},
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		x := gridOf(v, fullmeshDims)
		x.fullMesh(v[fullmeshDims:], emit)
	},
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		x := gridOf(v, fullmeshDims)
		attachEach(int(x.switches()), 1, emit)
	},
	Natural: func([]int) topology.Rule { return dor(fullmeshDims) },
	// Two dimensions make a rack: boards, and a full mesh of boards.
	Place: func(v []int) topology.Placement {
		d3, d4, d5 := v[2], v[3], v[4]
		return topology.Placement{Blocks: d3 * d4 * d5, Homes: []topology.Home{topology.Inside}}
	},
	VCReason: "Dimension order with one hop per dimension: links are taken in the order of their dimensions.",
	Documentation: topology.Documentation{
		Formulas: []string{
			"endpoints = d1*d2*d3*d4*d5",
			"endpoint_ports = b1*(d1-1) + b2*(d2-1) + b3*(d3-1) + b4*(d4-1) + b5*(d5-1)",
			"switches = 0; endpoints forward",
			"links = endpoints*endpoint_ports/2",
			"radix = 0",
		},
		Traps: "The bare graph; the racks, relay switches and lanes of UB-Mesh are in ubmesh.",
	},
	SearchSpace: topology.SearchSpace{
		PerEndpoint: func(lo, hi []int, least, most int64, out *topology.PerEndpoint) {
			out.Known, out.Uneven = true, 1
			apart := 1.0 // endpoints from one to the next in a dimension
			for i := range fullmeshDims {
				d, b := span{int64(lo[i]), int64(hi[i])}, span{int64(lo[fullmeshDims+i]), int64(hi[fullmeshDims+i])}
				out.Link[i+1], out.LinkMost[i+1] = float64(b.lo*(d.lo-1))/2, float64(b.hi*(d.hi-1))/2
				out.Cross[i+1] = 1 - 1/float64(d.lo)
				out.Flow[i+1] = out.Cross[i+1]
				if d.lo > 1 {
					out.Load[i+1] = 1 / float64(b.hi*d.hi)
				}
				out.Fan[i+1] = topology.Fan{Ends: float64(d.lo - 1), Every: apart}
				if i == 2 { // blocks are of two dimensions
					out.Fan[i+1].Step, out.Fan[i+1].OtherBlocks = 1, true
				}
				apart *= float64(d.lo)
			}
		},
		Derived:    0,
		Hull:       func(lo, hi []int) { hullDims(lo, hi, fullmeshDims) },
		Multiplies: []int{0, 5, 6, 7, 8, 9},
		Canonical:  func(v []int) { sortDims(v[:fullmeshDims], v[fullmeshDims:]) },
		Idle:       func(v []int, i int) (int, bool) { return idleLinks(v, i, fullmeshDims) },
	},
	Routes: topology.Routes{
		Spread: func(v []int, out *[topology.MaxClasses]float64) bool {
			return spreadMesh(v[fullmeshDims:2*fullmeshDims], out)
		},
		Worst: func(v []int, w *topology.WorstLoads) bool {
			x := gridOf(v, fullmeshDims)
			return x.worstMesh(1, v[fullmeshDims:2*fullmeshDims], w)
		},
		Paths: func(v []int, p *topology.Paths) bool {
			x := gridOf(v, fullmeshDims)
			x.meshPaths(1, p)
			return true
		},
		Brief: func(v []int, p *topology.Paths) bool {
			x := gridOf(v, fullmeshDims)
			x.briefMesh(1, false, p)
			return true
		},
		Orbits: func(v []int) topology.Symmetry {
			x := gridOf(v, fullmeshDims)
			y := oneOrbit(x.switches(), x.switches())
			y.Alike = x.alike(v[fullmeshDims:])
			return y
		},
	},
	Layout: topology.Layout{
		Bundles: func(v []int, emit func(topology.Bundle)) {
			x := gridOf(v, fullmeshDims)
			x.meshBundles(v[fullmeshDims:], emit)
		},
		Dims: func(v []int) []int { return v[:fullmeshDims] },
		Cables: func(v []int, c int) topology.Cables {
			switch {
			case c == 0:
				return topology.Cables{I: -1, J: -1}
			case c <= 2:
				return topology.Cables{Scope: topology.OneBlock}
			}
			return topology.Cables{Scope: topology.OtherBlocks}
		},
	},
	Figures: topology.Figures{
		// An endpoint that forwards can send over all its links at once, which no cut carries, unless
		// the whole network has the bisection.
		NonBlocking: func(v []int) int64 {
			if fullmeshMiddle(v) < 1 {
				return 1
			}
			x := gridOf(v, fullmeshDims)
			return x.switches()
		},
		Middle: fullmeshMiddle,
	},
}

func fullmeshParams() []topology.Param {
	var out []topology.Param
	for i := 1; i <= fullmeshDims; i++ {
		p := topology.Param{Name: fmt.Sprintf("d%d", i), Doc: fmt.Sprintf("endpoints in dimension %d", i), Min: 1, Max: 256}
		switch {
		case i == 1:
			p.Min = 2
		case i > 2:
			p.Default = topology.Const(1)
		}
		out = append(out, p)
	}
	for i := 1; i <= fullmeshDims; i++ {
		out = append(out, topology.Param{Name: fmt.Sprintf("b%d", i), Doc: fmt.Sprintf("links per pair in dimension %d", i),
			Min: 1, Max: 64, Default: topology.Const(1)})
	}
	return out
}

func fullmeshMiddle(v []int) float64 {
	x := gridOf(v, fullmeshDims)
	lanes := 0
	for i, d := range x.size[:x.dims] {
		lanes += v[fullmeshDims+i] * (d - 1)
	}
	return min(1, x.meshMiddle(v[fullmeshDims:])/(float64(x.switches())/2*float64(lanes)))
}
