package family

import (
	"slices"

	"toposearch/topology"
)

// flatDims is the most dimensions of a flattened butterfly.
const flatDims = 5

// flattenedbutterflyParams are the parameters of flattenedbutterfly by name.
type flattenedbutterflyParams []int

func (v flattenedbutterflyParams) k() int { return v[0] }
func (v flattenedbutterflyParams) n() int { return v[1] }

// flattenedbutterfly is the k-ary n-flat: the HyperX of n-1 dimensions of k switches with k
// endpoints each.
var flattenedbutterfly = &topology.Family{
	Name:  "flattenedbutterfly",
	Title: "flattened butterfly (k-ary n-flat)",
	Source: topology.Source{
		Authors: "J. Kim, W. J. Dally, D. Abts", Title: "Flattened Butterfly: A Cost-Efficient Topology for High-Radix Networks",
		Venue: "ISCA, pp. 126-137", Year: 2007,
	},
	Params: []topology.Param{
		{Name: "k", Doc: "switches per dimension, and endpoints per switch", Min: 2, Max: 256},
		{Name: "n", Doc: "dimensions and one", Min: 2, Max: flatDims + 1},
	},
	LinkClasses:   append([]topology.LinkClass{{Name: topology.ClassNic, Doc: "endpoint to switch"}}, dimClasses(flatDims)...),
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "switch with endpoints"}},
	Count: func(v []int, s *topology.Size) {
		d := flattenedbutterflyParams(v)
		n, k := ipow(d.k(), d.n()-1), d.k()
		s.Endpoints = n * int64(k)
		s.EndpointPorts, s.EndpointLanes = 1, 1
		s.Link[0] = s.Endpoints
		s.Switch[0].Count = n
		s.Switch[0].Ports[0] = int32(k)
		for i := 1; i < d.n(); i++ {
			s.Switch[0].Ports[i] = int32(k - 1)
			s.Link[i] = n * int64(k-1) / 2
		}
	},
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		x := flatGrid(v)
		x.fullMesh([]int{1, 1, 1, 1, 1}, emit)
	},
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		d := flattenedbutterflyParams(v)
		attachEach(int(ipow(d.k(), d.n()-1)), d.k(), emit)
	},
	Natural: func(v []int) topology.Rule { return dor(flattenedbutterflyParams(v).n() - 1) },
	Place: func(v []int) topology.Placement {
		d := flattenedbutterflyParams(v)
		return topology.Placement{Blocks: int(ipow(d.k(), max(0, d.n()-3))), Homes: []topology.Home{topology.WithEndpoints}}
	},
	Deployed: deployedFlat,
	VCReason: hyperx.VCReason,
	Documentation: topology.Documentation{
		Formulas: []string{
			"endpoints = k^n",
			"switches = k^(n-1)",
			"links = k^(n-1)*(n-1)*(k-1)/2",
			"radix = n*(k-1) + 1",
		},
		Traps: "The survey's formula [k/(L+1)]^(L+1) idealises the radix.",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 0,
	},
	Routes: topology.Routes{
		Spread: noSpread,
		Worst: func(v []int, w *topology.WorstLoads) bool {
			x := flatGrid(v)
			return x.worstMesh(flattenedbutterflyParams(v).k(), []int{1, 1, 1, 1, 1}, w)
		},
		Paths: func(v []int, p *topology.Paths) bool {
			x := flatGrid(v)
			x.meshPaths(flattenedbutterflyParams(v).k(), p)
			return true
		},
		Brief: func(v []int, p *topology.Paths) bool {
			x := flatGrid(v)
			x.briefMesh(flattenedbutterflyParams(v).k(), true, p)
			return true
		},
		Orbits: func(v []int) topology.Symmetry {
			d := flattenedbutterflyParams(v)
			y := oneOrbit(ipow(d.k(), d.n()-1), ipow(d.k(), d.n()))
			y.Alike = allAlike(d.n() - 1)
			return y
		},
	},
	Layout: topology.Layout{
		Dims: func(v []int) []int {
			x := flatGrid(v)
			return slices.Clone(x.size[:x.dims])
		},
	},
	Figures: topology.Figures{
		// k*k/4 links of k*k/2 endpoints cross the middle of a dimension.
		NonBlocking: func(v []int) int64 { return int64(flattenedbutterflyParams(v).k()) },
		Middle: func(v []int) float64 {
			d := flattenedbutterflyParams(v)
			x := flatGrid(v)
			return min(1, x.meshMiddle([]int{1, 1, 1, 1, 1})/(float64(ipow(d.k(), d.n()))/2))
		},
	},
}

func flatGrid(v []int) (x grid) {
	d := flattenedbutterflyParams(v)
	x.dims = d.n() - 1
	for i := range x.dims {
		x.size[i] = d.k()
	}
	return x
}
