package family

import "toposearch/topology"

var polarstarSource = topology.Source{
	Authors: "K. Lakhotia, L. Monroe, K. Isham, M. Besta, N. Blach, T. Hoefler, F. Petrini",
	Title:   "PolarStar: Expanding the Horizon of Diameter-3 Networks", Venue: "SPAA, pp. 345-357", Year: 2024,
}

// polarstarIQParams are the parameters of polarstarIQ by name.
type polarstarIQParams []int

func (v polarstarIQParams) q() int { return v[0] }
func (v polarstarIQParams) d() int { return v[1] }
func (v polarstarIQParams) p() int { return v[2] }

// polarstarIQ is the star product of the polarity graph of PG(2,q) with the graph IQ_d. At a
// quadric, a point orthogonal to itself, every switch is also linked to its image.
var polarstarIQ = &topology.Family{
	Name:   "polarstar_iq",
	Title:  "PolarStar with inductive-quad supernodes, diameter 3",
	Source: polarstarSource,
	Params: []topology.Param{
		{Name: "q", Doc: "prime power; supernodes are the points of PG(2,q)", Min: 2, Max: 128},
		{Name: "d", Doc: "links of a switch inside its supernode of 2d+2; 0 or 3 mod 4", Min: 3, Max: 128},
		{Name: "p", Doc: "endpoints per switch", Min: 1, Max: 512},
	},
	LinkClasses:   starClasses(),
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "switch with endpoints"}},
	Check: func(v []int, s *topology.Size) error {
		x := polarstarIQParams(v)
		if d := x.d(); d%4 == 1 || d%4 == 2 {
			near := d - 1
			if d%4 == 2 {
				near = d + 1
			}
			return s.Fail("d", d, "d is 0 or 3 modulo 4", max(3, near))
		}
		return checkPower(s, "q", x.q(), 2, 128, "q is a prime power", func(int) bool { return true })
	},
	Count: func(v []int, s *topology.Size) {
		x := polarstarIQParams(v)
		q, d := int64(x.q()), int64(x.d())
		points, n := q*q+q+1, 2*d+2
		starCount(points, n, d, points*n*(q+1)/2, q+1, int64(x.p()), s)
		// Links to a switch's own image replace the missing link of a quadric, in class local.
		s.Link[1] += (q + 1) * n / 2
		s.Link[2] -= (q + 1) * n / 2
	},
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		d := polarstarIQParams(v)
		g := inductiveQuad(d.d())
		for _, x := range g.wirePolarity(d.q(), emit) {
			for y := 0; y < g.n; y += 2 {
				emit(1, topology.SwitchID(x*g.n+y), topology.SwitchID(x*g.n+y+1))
			}
		}
	},
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		d := polarstarIQParams(v)
		attachEach((d.q()*d.q()+d.q()+1)*(2*d.d()+2), d.p(), emit)
	},
	Place: func(v []int) topology.Placement {
		d := polarstarIQParams(v)
		return topology.Placement{Blocks: d.q()*d.q() + d.q() + 1, Homes: []topology.Home{topology.WithEndpoints}}
	},
	Deployed: deployedFlat,
	VCReason: minimalReason,
	Documentation: topology.Documentation{
		Formulas: []string{
			"n = (q^2+q+1)*(2*d+2)",
			"endpoints = n*p",
			"switches = n",
			"links = n*(q+1+d)/2",
			"radix = q+1 + d + p",
		},
		Traps: "For the largest network of a degree compare it with polarstar_paley.",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 2,
	},
	Routes: topology.Routes{
		// The bijection is an involution, so that the direction of a link between supernodes says nothing: what keeps the polarity graph moves supernodes as they are.
		Orbits: func(v []int) (y topology.Symmetry) {
			d := polarstarIQParams(v)
			n, p := int32(2*d.d()+2), int32(d.p())
			for _, o := range polarflyOrbits(v).Switches {
				for i := range n {
					y.Switches = append(y.Switches, topology.Orbit{Rep: o.Rep*n + i, Count: o.Count})
					y.Endpoints = append(y.Endpoints, topology.Orbit{Rep: (o.Rep*n + i) * p, Count: o.Count * int64(p)})
				}
			}
			return y
		},
		Automorphisms: func(v []int) (maps [][]topology.SwitchID) {
			d := polarstarIQParams(v)
			n := 2*d.d() + 2
			for _, points := range polarityMaps(d.q()) {
				image := make([]topology.SwitchID, len(points)*n)
				for i := range image {
					image[i] = topology.SwitchID(points[i/n]*n + i%n)
				}
				maps = append(maps, image)
			}
			return maps
		},
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 { return int64(polarstarIQParams(v).p()) },
	},
}

// polarstarPaleyParams are the parameters of polarstarPaley by name.
type polarstarPaleyParams []int

func (v polarstarPaleyParams) q() int { return v[0] }
func (v polarstarPaleyParams) s() int { return v[1] }
func (v polarstarPaleyParams) p() int { return v[2] }

// polarstarPaley is the same with Paley graphs. At a quadric half of the links to images are links
// of the Paley graph already; the others give every switch but the zero of its supernode the one
// that a quadric lacks.
var polarstarPaley = &topology.Family{
	Name:  "polarstar_paley",
	Title: "PolarStar with Paley supernodes, diameter 3",
	Source: func() topology.Source {
		s := polarstarSource
		s.Departures = "The bijection applies from the lower to the higher point."
		return s
	}(),
	Params: []topology.Param{
		{Name: "q", Doc: "prime power; supernodes are the points of PG(2,q)", Min: 2, Max: 128},
		{Name: "s", Doc: "switches per supernode: a prime power, 1 modulo 4", Min: 5, Max: 257},
		{Name: "p", Doc: "endpoints per switch", Min: 1, Max: 512},
	},
	LinkClasses:   starClasses(),
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "switch with endpoints"}},
	Check: func(v []int, s *topology.Size) error {
		d := polarstarPaleyParams(v)
		if err := checkPaley(d.s(), s); err != nil {
			return err
		}
		return checkPower(s, "q", d.q(), 2, 128, "q is a prime power", func(int) bool { return true })
	},
	Count: func(v []int, s *topology.Size) {
		d := polarstarPaleyParams(v)
		q, n := int64(d.q()), int64(d.s())
		starCount(q*q+q+1, n, (n-1)/2, q*(q+1)*(q+1)/2*n, q+1, int64(d.p()), s)
		s.Link[1] += (q + 1) * (n - 1) / 2
	},
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		d := polarstarPaleyParams(v)
		g := paley(d.s())
		quadrics := g.wirePolarity(d.q(), emit)
		linked := map[[2]int]bool{}
		for _, l := range g.links {
			linked[l] = true
		}
		for _, x := range quadrics {
			for y, z := range g.f {
				if l := [2]int{min(y, z), max(y, z)}; y != z && !linked[l] {
					emit(1, topology.SwitchID(x*g.n+l[0]), topology.SwitchID(x*g.n+l[1]))
				}
			}
		}
	},
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		d := polarstarPaleyParams(v)
		attachEach((d.q()*d.q()+d.q()+1)*d.s(), d.p(), emit)
	},
	Place: func(v []int) topology.Placement {
		d := polarstarPaleyParams(v)
		return topology.Placement{Blocks: d.q()*d.q() + d.q() + 1, Homes: []topology.Home{topology.WithEndpoints}}
	},
	Deployed: deployedFlat,
	VCReason: minimalReason,
	Documentation: topology.Documentation{
		Formulas: []string{
			"n = (q^2+q+1)*s",
			"endpoints = n*p",
			"switches = n",
			"links = n*(s-1)/4 + q*(q+1)^2/2*s + (q+1)*(s-1)/2",
			"radix = q+1 + (s-1)/2 + p",
		},
		Traps: "The bijection has a direction: from the lower to the higher point.",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 2,
	},
	Routes: topology.Routes{
		Orbits: func(v []int) topology.Symmetry {
			d := polarstarPaleyParams(v)
			return paleyOrbits(d.q()*d.q()+d.q()+1, d.s(), d.p())
		},
		Automorphisms: func(v []int) [][]topology.SwitchID {
			d := polarstarPaleyParams(v)
			return paleyMaps(d.q()*d.q()+d.q()+1, d.s())
		},
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 { return int64(polarstarPaleyParams(v).p()) },
	},
}

func checkPaley(n int, s *topology.Size) error {
	return checkPower(s, "s", n, 5, 257, "s is a prime power, 1 modulo 4", func(x int) bool { return x%4 == 1 })
}

// wirePolarity streams the star product with the polarity graph of PG(2,q) and gives the quadrics.
func (g *inner) wirePolarity(q int, emit func(int, topology.SwitchID, topology.SwitchID)) (quadrics []int) {
	g.wireStar(q*q+q+1, func(link func(a, b int)) {
		polarityLinks(q, func(a, b int) {
			if a == b {
				quadrics = append(quadrics, a)
			} else {
				link(a, b)
			}
		})
	}, emit)
	return quadrics
}
