package family

import (
	"slices"

	"toposearch/topology"
)

// Galaxy graphs, in the order of the choices of parameter outer: the number of supernodes must not
// decrease along them.
const (
	galaxyComplete = iota
	galaxyPaley
	galaxyMMS
)

// galaxyflyParams are the parameters of galaxyfly by name.
type galaxyflyParams []int

func (v galaxyflyParams) outer() int { return v[0] }
func (v galaxyflyParams) q() int     { return v[1] }
func (v galaxyflyParams) a() int     { return v[2] }
func (v galaxyflyParams) h() int     { return v[3] }
func (v galaxyflyParams) p() int     { return v[4] }

// galaxyfly stands for the family of that name as far as its description reaches: supernodes, each
// a full mesh of switches, on a galaxy graph.
var galaxyfly = &topology.Family{
	Name:  "galaxyfly",
	Title: "Galaxyfly, in part: full-mesh supernodes on a galaxy graph, diameter 2 to 5",
	Source: topology.Source{
		Authors: "F. Lei, D. Dong, X. Liao, X. Su, C. Li",
		Title:   "Galaxyfly: A Novel Family of Flexible-Radix Low-Diameter Topologies for Large-Scales Interconnection Networks",
		Venue:   "ICS", Year: 2016,
		Departures: "Known from a survey only: supernodes that are full meshes, on a galaxy graph, diameter 2 to 5 by parameters. " +
			"Ours: the galaxy graphs offered (complete, Paley, McKay-Miller-Siran) and the spread of a supernode's outer links, in " +
			"turn over its switches. Sizes published for Galaxyfly itself are not to be expected of it.",
	},
	Params: []topology.Param{
		{Name: "outer", Doc: "the galaxy graph; paley and mms have diameter 2", Min: 0, Max: 2,
			Choices: []string{"complete", "paley", "mms"}, Default: topology.Const(galaxyMMS)},
		{Name: "q", Doc: "supernodes of complete and paley (a prime power, 1 modulo 4); mms has 2q^2 (a prime power, not 2)", Min: 2, Max: 4096},
		{Name: "a", Doc: "switches of a supernode", Min: 1, Max: 512},
		{Name: "h", Doc: "outer links per switch; the outer degree divides a*h", Min: 1, Max: 512},
		{Name: "p", Doc: "endpoints per switch", Min: 1, Max: 512},
	},
	LinkClasses:   starClasses(),
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "switch of a supernode, with endpoints"}},
	Check:         checkGalaxy,
	Count: func(v []int, s *topology.Size) {
		d := galaxyflyParams(v)
		g, a, h := galaxySize(v), int64(d.a()), int64(d.h())
		starCount(g, a, a-1, g*a*h/2, h, int64(d.p()), s)
	},
	Wire: wireGalaxy,
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		d := galaxyflyParams(v)
		attachEach(int(galaxySize(v))*d.a(), d.p(), emit)
	},
	Place: func(v []int) topology.Placement {
		return topology.Placement{Blocks: int(galaxySize(v)), Homes: []topology.Home{topology.WithEndpoints}}
	},
	VCReason: minimalReason,
	Documentation: topology.Documentation{
		Formulas: []string{
			"supernodes = if(outer=mms, 2*q^2, q)",
			"endpoints = supernodes*a*p",
			"switches = supernodes*a",
			"links = supernodes*a*(a-1+h)/2",
			"radix = a-1 + h + p",
		},
		Traps: "Ours as far as the source is silent: do not compare it with sizes published for Galaxyfly.",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 4,
	},
	Layout: topology.Layout{
		WireCost: func(v []int) (ns, bytes float64) { // lists of neighbours that grow
			d := galaxyflyParams(v)
			n, each := float64(galaxySize(v)), float64(galaxyDegree(d.outer(), d.q()))
			return n * each * 20, n * (24 + 3*8*each)
		},
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 {
			d := galaxyflyParams(v)
			if a, p := int64(d.a()), int64(d.p()); a >= 2*p || a == 1 {
				return a * p
			}
			return int64(d.p())
		},
	},
}

// galaxySize is the number of supernodes.
func galaxySize(v []int) int64 {
	d := galaxyflyParams(v)
	q := int64(d.q())
	if d.outer() == galaxyMMS {
		return 2 * q * q
	}
	return q
}

// galaxyDegree is the number of supernodes that one is linked to.
func galaxyDegree(outer, q int) int {
	switch outer {
	case galaxyComplete:
		return q - 1
	case galaxyPaley:
		return (q - 1) / 2
	}
	return slimflyDegree(q)
}

func checkGalaxy(v []int, s *topology.Size) error {
	outer, q, a, h := v[0], v[1], v[2], v[3]
	// Far above the largest there is nothing to look for: 1021 and 256 are the largest powers.
	switch {
	case outer == galaxyPaley && q > 1024:
		return s.Fail("q", q, "q <= 1021 for paley", 1021)
	case outer == galaxyMMS && q > 256:
		return s.Fail("q", q, "q <= 256 for mms", 256)
	}
	switch outer {
	case galaxyPaley:
		if err := checkPower(s, "q", q, 5, 1024, "q is a prime power, 1 modulo 4", func(x int) bool { return x%4 == 1 }); err != nil {
			return err
		}
	case galaxyMMS:
		if err := checkPower(s, "q", q, 3, 256, "q is a prime power, not 2", func(x int) bool { return x > 2 }); err != nil {
			return err
		}
	}
	d := galaxyDegree(outer, q)
	if h > d {
		return s.Fail("h", h, "h <= the outer degree", d)
	}
	if a*h%d != 0 {
		unit := d / int(gcd(int64(d), int64(h)))
		return s.Fail("a", a, "the outer degree divides a*h", (a+unit-1)/unit*unit)
	}
	return nil
}

// galaxyNeighbours lists the neighbours of every supernode in ascending order.
func galaxyNeighbours(outer, q int) [][]int {
	var near [][]int
	link := func(a, b int) {
		near[a], near[b] = append(near[a], b), append(near[b], a)
	}
	switch outer {
	case galaxyComplete:
		near = make([][]int, q)
		for a := range q {
			for b := a + 1; b < q; b++ {
				link(a, b)
			}
		}
	case galaxyPaley:
		near = make([][]int, q)
		for _, l := range paley(q).links {
			link(l[0], l[1])
		}
	default:
		f := field(q)
		sets := slimflySets(f)
		near = make([][]int, 2*q*q)
		for s := range near {
			near[s] = slimflyNeighbours(f, &sets, s, nil)
		}
	}
	for _, l := range near {
		slices.Sort(l)
	}
	return near
}

// wireGalaxy gives the pair of a supernode and its j-th neighbour c = a*h/degree links, the i-th of
// which ends on switch (j*c+i) mod a at either side, j being that side's own. With c = a this is
// the product of both graphs, of the diameter of the galaxy graph and one; with c = 1 a route may
// need a local hop before and after every outer one.
func wireGalaxy(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
	d := galaxyflyParams(v)
	near, a := galaxyNeighbours(d.outer(), d.q()), d.a()
	c := a * d.h() / galaxyDegree(d.outer(), d.q())
	for x := range near {
		meshLinks(1, x*a, a, emit)
	}
	for x, l := range near {
		for j, y := range l {
			if y < x {
				continue
			}
			back, _ := slices.BinarySearch(near[y], x)
			for i := range c {
				emit(2, topology.SwitchID(x*a+(j*c+i)%a), topology.SwitchID(y*a+(back*c+i)%a))
			}
		}
	}
}
