package family

import "toposearch/topology"

// zcubeRectParams are the parameters of zcubeRect by name.
type zcubeRectParams []int

func (v zcubeRectParams) n() int { return v[0] }
func (v zcubeRectParams) m() int { return v[1] }

// zcubeRect is the rectangular production form of ZCube(n,2): n endpoints, m per leaf, and two
// groups of n/m leaves each, completely linked. Endpoint i has one port on leaf i mod (n/m) of the
// first group and one on leaf i div m of the second. It coincides with ZCube(m,2) at n = m^2.
var zcubeRect = &topology.Family{
	Name:  "zcube_rect",
	Title: "rectangular two-level ZCube, as deployed: any number of leaves",
	Source: topology.Source{
		Authors: "Z.ai", Title: "ZCube in production (through public notes)", Venue: "engineering blog", Year: 2025,
		Departures: "m need not be the root of n/m; endpoints on the same two leaves use both equally.",
	},
	Params: []topology.Param{
		{Name: "n", Doc: "endpoints; a multiple of m", Min: 2, Max: 1 << 20},
		{Name: "m", Doc: "endpoints per leaf", Min: 1, Max: 1024},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassNic, Doc: "endpoint to its leaf of each group"},
		{Name: "local", Doc: "leaf of the first group to leaf of the second"},
	},
	SwitchClasses: []topology.SwitchClass{
		{Name: "even", Doc: "leaf of m consecutive endpoints"},
		{Name: "odd", Doc: "leaf of every (n/m)-th endpoint"},
	},
	Check: func(v []int, s *topology.Size) error {
		d := zcubeRectParams(v)
		if n, m := d.n(), d.m(); n%m != 0 {
			return s.Fail("n", n, "n is a multiple of m", nearestMultiple(n, m))
		}
		return nil
	},
	Count: func(v []int, s *topology.Size) {
		d := zcubeRectParams(v)
		zcubeRectCount(d.n(), d.m(), d.n()/d.m(), d.n()/d.m(), s)
	},
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		n, m := v[0], v[1]
		g := n / m
		for i := range g {
			for j := range g {
				emit(1, topology.SwitchID(i), topology.SwitchID(g+j))
			}
		}
	},
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		n, m := v[0], v[1]
		g := n / m
		at := make([]topology.SwitchID, 2)
		for e := range n {
			at[0], at[1] = topology.SwitchID(e/m), topology.SwitchID(g+e%g)
			emit(1, at)
		}
	},
	Natural: func([]int) topology.Rule {
		return topology.Rule{Name: "zcube", States: 2, Steps: []topology.Step{
			{From: 0, Kind: topology.Kind{Link: 1, From: topology.Any, To: topology.Any}, To: 1}}}
	},
	Place: func(v []int) topology.Placement {
		d := zcubeRectParams(v)
		return topology.Placement{Blocks: d.n() / d.m(), Homes: []topology.Home{topology.WithEndpoints, topology.Central}}
	},
	VCReason: "Routes cross at most one link between switches, so that no channel waits for another.",
	Documentation: topology.Documentation{
		Formulas: []string{
			"g = n/m; leaves of a group",
			"endpoints = n",
			"endpoint_ports = 2",
			"switches = 2*g",
			"links = g^2",
			"radix = m + g",
		},
		Deployments: "Z.ai's production clusters (claimed: a third less for switches and optics).",
		Traps:       "Published notes number leaves from 1 and interleave both groups.",
	},
	SearchSpace: topology.SearchSpace{
		Bounds: func(lo, hi []int, bl, bh *topology.Size) {
			low, high := zcubeRectParams(lo), zcubeRectParams(hi)
			zcubeRectCount(low.n(), low.m(), low.n()/high.m(), low.n()/high.m(), bl)
			zcubeRectCount(high.n(), high.m(), high.n()/low.m(), high.n()/low.m(), bh)
		},
		Derived: 0,
	},
	Routes: topology.Routes{
		Spread:   spreadZCubeRect,
		Paths:    zcubeRectPaths,
		Messages: zcubeRectMessages,
		Orbits:   zcubeRectOrbits,
		Worst:    zcubeRectWorst,
		Cube: func(v []int) (row, side, levels int) {
			d := zcubeRectParams(v)
			if row, side = d.m(), d.n()/d.m(); row > side { // some endpoints have both leaves in common
				return 0, 0, 0
			}
			return row, side, 2
		},
		// Leaves of one group have all those of the other in common.
		Diameter: func(v []int) int { return min(2, v[0]/v[1]) },
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 {
			d := zcubeRectParams(v)
			if d.n()/d.m() >= d.m() {
				return int64(d.n())
			}
			return int64(d.m())
		},
		Middle: func(v []int) float64 {
			// Halves of both groups: a quarter of the links each way round and half of the odd
			// ports cross, g*g/2 + n/2 of n.
			n, g := float64(v[0]), float64(v[0]/v[1])
			if g == 1 {
				return 1
			}
			return min(1, (g*g/2+n/2)/n)
		},
	},
}

// nearestMultiple is the positive multiple of m that is nearest to n, the larger of two.
func nearestMultiple(n, m int) int { return max(m, (n+m/2)/m*m) }

// zcubeRectCount fills the counts for n endpoints, m per leaf and g leaves per group; links is
// separate so that bounds can widen it.
func zcubeRectCount(n, m, g, links int, s *topology.Size) {
	s.Endpoints = int64(n)
	s.EndpointPorts, s.EndpointLanes = 2, 2
	s.Link[0], s.Link[1] = 2*int64(n), int64(g)*int64(links)
	for i := range 2 {
		s.Switch[i].Count = int64(g)
		s.Switch[i].Ports = ports(int32(m), int32(g))
	}
}

// zcubeRectShared tells in how many endpoints an even and an odd leaf can meet: u of them, or
// u+1 with r of the g odd leaves, the same for every even leaf.
func zcubeRectShared(n, m int) (g, u, r int) {
	g = n / m
	return g, m / g, m % g
}

// zcubeRectPaths: the (m-u)^2 pairs that need the link between an even and an odd leaf are those
// on them and not on both, so the link is busiest where the leaves share fewest endpoints.
func zcubeRectPaths(v []int, p *topology.Paths) bool {
	d := zcubeRectParams(v)
	n, m := int64(d.n()), int64(d.m())
	gi, ui, ri := zcubeRectShared(d.n(), d.m())
	g, u, r := int64(gi), int64(ui), int64(ri)
	both := g * (r*(u+1)*u + (g-r)*u*(u-1))
	near := 2*n*(m-1) - both
	p.Add(near, crossing(2))
	p.Add(n*(n-1)-near, crossing(2, 1))
	mean := float64(r*(m-u-1)*(m-u-1)+(g-r)*(m-u)*(m-u)) / float64(g)
	if mean > 0 {
		p.Peak[1] = float64((m-u)*(m-u)) / mean
	}
	return true
}

// zcubeRectOrbits: adding m to every endpoint's number turns even leaf q into q+1 and odd leaf j
// into j+m, and reversing the numbers reverses both; if all leaves share equally many endpoints,
// both groups can be permuted freely.
func zcubeRectOrbits(v []int) topology.Symmetry {
	n, m := v[0], v[1]
	g, _, r := zcubeRectShared(n, m)
	y := topology.Symmetry{Switches: []topology.Orbit{{Rep: 0, Count: int64(g)}}, EvenLinks: r == 0}
	ends, odd := m, int(gcd(int64(m), int64(g)))
	if r == 0 {
		ends, odd = 1, 1
	}
	for i := 0; 2*i < odd; i++ {
		y.Switches = append(y.Switches, topology.Orbit{Rep: int32(g + i), Count: mirrored(i, odd) * int64(g/odd)})
	}
	for i := 0; 2*i < ends; i++ {
		y.Endpoints = append(y.Endpoints, topology.Orbit{Rep: int32(i), Count: mirrored(i, ends) * int64(n/ends)})
	}
	return y
}

// zcubeRectWorst: half of what goes from the endpoints of an even leaf to those of an odd one crosses the link between the
// two, unless they share a leaf: all on the one but on both to all on the other but on both. Endpoints that share one of their leaves and not the
// other use the one port that leads there, so that a port carries all that its endpoint sends.
func zcubeRectWorst(v []int, w *topology.WorstLoads) bool {
	d := zcubeRectParams(v)
	g, u, r := zcubeRectShared(d.n(), d.m())
	if g > 1 && d.m() > u+min(r, 1) { // some endpoints share an even leaf and no odd one
		w.Exact(0, 1)
	} else {
		w.Bound[0] = 1
	}
	w.Exact(1, float64(d.m()-u)/2)
	w.Each = r == 0
	return true
}

// spreadZCubeRect: who shares one leaf goes by that, others by either. Of m endpoints in a row on one leaf, numbers alike modulo g = n/m share
// the other, too: r = m mod g of these have one endpoint more than the others.
func spreadZCubeRect(v []int, out *[topology.MaxClasses]float64) bool {
	n, m := v[0], v[1]
	g := n / m
	each, more := m/g, m%g
	both := float64(more*(each+1)*each+(g-more)*each*(each-1)) / float64(m) // of the others, on the mean
	one := 2 * (float64(m-1) - both)
	out[topologyNic] = (float64(n-1) - one) / float64(2*(n-1))
	if g > 1 {
		out[1] = 0.5
	}
	return true
}

// zcubeRectMessages: endpoints that have both leaves in common use both alike.
func zcubeRectMessages(v []int) *topology.Messages {
	d := zcubeRectParams(v)
	g := d.n() / d.m()
	return zcubeMessages(d.n(), 1, g, func(e int) zcubePair { return zcubePair{0, e / d.m(), e % g} }, nil)
}
