package family

import (
	"slices"

	"toposearch/topology"
)

// cubeDims is the most dimensions of a hypercube: one link class each, so that dimension order
// is a rule over classes.
const cubeDims = topology.MaxClasses - 1

// hypercubeParams are the parameters of hypercube by name.
type hypercubeParams []int

func (v hypercubeParams) n() int { return v[0] }
func (v hypercubeParams) t() int { return v[1] }

// hypercube is 2^n switches; two are linked if their numbers differ in one bit.
var hypercube = &topology.Family{
	Name:  "hypercube",
	Title: "binary hypercube",
	Source: topology.Source{
		Authors: "J. L. Hennessy, D. A. Patterson", Title: "Computer Architecture, appendix F: Interconnection Networks",
		Venue: "Morgan Kaufmann", Year: 2017,
	},
	Params: []topology.Param{
		{Name: "n", Doc: "dimensions", Min: 1, Max: cubeDims},
		{Name: "t", Doc: "endpoints per switch", Min: 1, Max: 512, Default: topology.Const(1)},
	},
	LinkClasses:   append([]topology.LinkClass{{Name: topology.ClassNic, Doc: "endpoint to switch"}}, dimClasses(cubeDims)...),
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "switch with endpoints"}},
	Count: func(v []int, s *topology.Size) {
		d := hypercubeParams(v)
		n := int64(1) << d.n()
		s.Endpoints = n * int64(d.t())
		s.EndpointPorts, s.EndpointLanes = 1, 1
		s.Link[0] = s.Endpoints
		s.Switch[0].Count = n
		s.Switch[0].Ports[0] = int32(d.t())
		for i := 1; i <= d.n(); i++ {
			s.Switch[0].Ports[i] = 1
			s.Link[i] = n / 2
		}
	},
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		d := hypercubeParams(v)
		for i := range d.n() {
			for s := range 1 << d.n() {
				if s>>i&1 == 0 {
					emit(i+1, topology.SwitchID(s), topology.SwitchID(s|1<<i))
				}
			}
		}
	},
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		d := hypercubeParams(v)
		attachEach(1<<d.n(), d.t(), emit)
	},
	Natural: func(v []int) topology.Rule { return dor(hypercubeParams(v).n()) },
	Place: func(v []int) topology.Placement {
		return topology.Placement{Blocks: 1 << max(0, hypercubeParams(v).n()-4), Homes: []topology.Home{topology.WithEndpoints}}
	},
	VCReason: "Dimension order (e-cube): links are taken in the order of their dimensions.",
	Documentation: topology.Documentation{
		Formulas: []string{
			"endpoints = 2^n*t",
			"switches = 2^n",
			"links = n*2^(n-1)",
			"radix = n + t",
		},
		Deployments: "Cosmic Cube, Connection Machine, SGI Origin and ICE.",
		Traps:       "Books count n links a node; here a switch has t ports more for its endpoints.",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 1,
	},
	Routes: topology.Routes{
		Spread: noSpread,
		Worst: func(v []int, w *topology.WorstLoads) bool {
			return worstCube(hypercubeParams(v).n(), hypercubeParams(v).t(), w)
		},
		Paths: func(v []int, p *topology.Paths) bool {
			d := hypercubeParams(v)
			for set := range 1 << d.n() {
				c, w := crossing(2), int64(d.t())
				for i := range d.n() {
					c[i+1] = int16(set >> i & 1)
				}
				if set == 0 {
					w--
				}
				p.Add(w, c)
			}
			return true
		},
		Lines: func(v []int) []int { return slices.Repeat([]int{2}, hypercubeParams(v).n()) },
		Brief: func(v []int, p *topology.Paths) bool { d := hypercubeParams(v); return briefCube(d.n(), d.t(), p) },
		Orbits: func(v []int) topology.Symmetry {
			d := hypercubeParams(v)
			y := oneOrbit(1<<d.n(), int64(d.t())<<d.n())
			y.Alike = allAlike(d.n())
			return y
		},
	},
	Figures: topology.Figures{
		// A subcube has one link per switch across its middle.
		NonBlocking: func(v []int) int64 {
			d := hypercubeParams(v)
			if d.t() == 1 {
				return 1 << d.n()
			}
			return int64(d.t())
		},
		Middle: func(v []int) float64 { return min(1, 1/float64(hypercubeParams(v).t())) },
	},
}

// briefCube is the routes of a hypercube of n dimensions with t endpoints on each switch.
func briefCube(n, t int, p *topology.Paths) bool {
	s := &p.Sums
	*s = topology.Sums{}
	all := int64(t) << n
	s.Pairs = all - 1
	s.Cross[0] = 2 * s.Pairs
	for i := 1; i <= n; i++ {
		s.Cross[i] = all / 2
	}
	s.Hops, s.MaxHops = int64(n)*(all/2), n
	s.Links, s.MaxLinks = s.Hops+2*s.Pairs, n+2
	return true
}
