package family

import (
	"toposearch/internal/gf"
	"toposearch/topology"
)

// spectralflyParams are the parameters of spectralfly by name.
type spectralflyParams []int

func (v spectralflyParams) x() int { return v[0] }
func (v spectralflyParams) q() int { return v[1] }
func (v spectralflyParams) p() int { return v[2] }

// spectralfly is the Ramanujan graph of Lubotzky, Phillips and Sarnak: a Cayley graph of PSL(2,q), or
// of PGL(2,q) if x is no square modulo q, with x+1 generators, one for each way to write x as a sum
// of four squares with the first odd and positive (x = 1 mod 4), or even and the first
// non-zero one positive (x = 3 mod 4).
var spectralfly = &topology.Family{
	Name:  "spectralfly",
	Title: "SpectralFly: Ramanujan graph of Lubotzky, Phillips and Sarnak",
	Source: topology.Source{
		Authors: "S. Young, S. Aksoy, J. Firoz, R. Gioiosa, T. Hagge, M. Kempton, J. Escobedo, M. Raugas",
		Title:   "SpectralFly: Ramanujan Graphs as Flexible and Efficient Interconnection Networks", Venue: "IPDPS, pp. 1040-1050", Year: 2022,
	},
	Params: []topology.Param{
		{Name: "x", Doc: "odd prime; x+1 links per switch", Min: 3, Max: 256},
		{Name: "q", Doc: "odd prime above 2*sqrt(x), not x; (q^3-q)/2 switches if x is a square modulo q, else q^3-q", Min: 5, Max: 61},
		{Name: "p", Doc: "endpoints per switch", Min: 1, Max: 512},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassNic, Doc: "endpoint to switch"},
		{Name: "link", Doc: "between switches"},
	},
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "switch with endpoints"}},
	Check:         spectralflyCheck,
	Count: func(v []int, s *topology.Size) {
		d := spectralflyParams(v)
		spectralflyCount(v, spectralflyHalf(d.x(), d.q()), s)
	},
	Wire: spectralflyWire,
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		d := spectralflyParams(v)
		attachEach((d.q()*d.q()*d.q()-d.q())/spectralflyHalf(d.x(), d.q()), d.p(), emit)
	},
	Place:    onePlace,
	Deployed: deployedFlat,
	VCReason: minimalReason,
	Documentation: topology.Documentation{
		Formulas: []string{
			"switches = if(square(x,q)=1, (q^3-q)/2, q^3-q); PSL(2,q) if x is a square modulo q, else PGL(2,q)",
			"endpoints = switches*p",
			"links = switches*(x+1)/2",
			"radix = x+1 + p",
		},
		Traps: "Over PGL the graph has two sides, and no odd cycles.",
	},
	SearchSpace: topology.SearchSpace{
		Bounds: func(lo, hi []int, bl, bh *topology.Size) {
			spectralflyCount(lo, 2, bl)
			spectralflyCount(hi, 1, bh)
		},
		Derived: 2,
	},
	Routes: topology.Routes{
		// The group acts on its Cayley graph.
		Automorphisms: spectralflyMaps,
		Orbits: func(v []int) topology.Symmetry {
			d := spectralflyParams(v)
			n := int64(d.q()*d.q()*d.q()-d.q()) / int64(spectralflyHalf(d.x(), d.q()))
			return topology.Symmetry{Switches: []topology.Orbit{{Rep: 0, Count: n}}, Endpoints: []topology.Orbit{{Rep: 0, Count: n * int64(d.p())}}}
		},
	},
	Layout: topology.Layout{
		// Products of matrices by tables, looked up in a list of all: 40 to 150 ns a channel, and some 180 bytes a switch, measured on designs of 660 to
		// 227,000 switches.
		WireCost: func(v []int) (ns, bytes float64) {
			d := spectralflyParams(v)
			n := float64(d.q()*d.q()*d.q()-d.q()) / float64(spectralflyHalf(d.x(), d.q()))
			return n * float64(d.x()+1) * 100, n * 200
		},
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 { return int64(spectralflyParams(v).p()) },
	},
}

// oddPrime tells whether n is one.
func oddPrime(n int) bool {
	_, m, ok := gf.PrimePower(n)
	return ok && m == 1 && n > 2
}

func spectralflyCheck(v []int, s *topology.Size) error {
	x, q := v[0], v[1]
	if !oddPrime(x) {
		return s.Fail("x", x, "x is an odd prime", gf.Nearest(x, func(y int) bool { return oddPrime(y) && y <= 251 && y != q }))
	}
	if fits := func(y int) bool { return oddPrime(y) && y != x && y*y > 4*x && y <= 61 }; !fits(q) {
		return s.Fail("q", q, "q is an odd prime above 2*sqrt(x), not x", gf.Nearest(q, fits))
	}
	return nil
}

// spectralflyHalf is 2 if x is a square modulo q, so that the graph is on PSL(2,q), else 1.
func spectralflyHalf(x, q int) int {
	for y := 1; y < q; y++ {
		if (y*y-x)%q == 0 {
			return 2
		}
	}
	return 1
}

func spectralflyCount(v []int, half int, s *topology.Size) {
	x, q, p := int64(v[0]), int64(v[1]), int64(v[2])
	n := (q*q*q - q) / int64(half)
	s.Endpoints = n * p
	s.EndpointPorts, s.EndpointLanes = 1, 1
	s.Link[0], s.Link[1] = s.Endpoints, n*(x+1)/2
	s.Switch[0].Count = n
	s.Switch[0].Ports = ports(int32(p), int32(x+1))
}

// matrix is an element of PGL(2,q), scaled so that its first non-zero entry is 1.
type matrix [4]int

func (a matrix) scaled(q int) matrix {
	first := a[0]
	if first == 0 {
		first = a[1]
	}
	inv := 1
	for inv*first%q != 1 {
		inv++
	}
	for i := range a {
		a[i] = a[i] * inv % q
	}
	return a
}

// spectralflyGenerators gives the x+1 generators, in order of the four squares.
func spectralflyGenerators(x, q int) []matrix {
	// i and j with i^2 + j^2 + 1 = 0 modulo q.
	i, j := 0, 0
	for (i*i+j*j+1)%q != 0 {
		if j++; j == q {
			i, j = i+1, 0
		}
	}
	mod := func(y int) int { return (y%q + q) % q }
	var out []matrix
	r := 0
	for r*r < x {
		r++
	}
	for a := 0; a <= r; a++ {
		for b := -r; b <= r; b++ {
			for c := -r; c <= r; c++ {
				for d := -r; d <= r; d++ {
					if a*a+b*b+c*c+d*d != x || !spectralflyTakes(x, a, b, c, d) {
						continue
					}
					out = append(out, matrix{mod(a + b*i + d*j), mod(-b*j + c + d*i), mod(-b*j - c + d*i), mod(a - b*i - d*j)}.scaled(q))
				}
			}
		}
	}
	return out
}

// spectralflyTakes chooses one of the eight or sixteen associates of each quaternion of norm x.
func spectralflyTakes(x, a, b, c, d int) bool {
	if x%4 == 1 {
		return a%2 == 1
	}
	if a%2 != 0 {
		return false
	}
	for _, y := range [4]int{a, b, c, d} {
		if y != 0 {
			return y > 0
		}
	}
	return false
}

// spectralflyWire numbers the group by breadth-first search from the unit.
func spectralflyWire(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
	spectralflyNumber(v, func(from, to topology.SwitchID) {
		if from < to {
			emit(1, from, to)
		}
	})
}

// spectralflyNumber gives the elements by number, with the number and 1 of each by its place (scalers), and calls channel with every channel, in order of its first end.
func spectralflyNumber(v []int, channel func(from, to topology.SwitchID)) (t *scalers, id []topology.SwitchID, queue []matrix) {
	d := spectralflyParams(v)
	t = newScalers(d.q())
	gens := spectralflyGenerators(d.x(), d.q())
	id = make([]topology.SwitchID, t.places()) // 0: not met yet
	unit := matrix{1, 0, 0, 1}
	id[t.place(&unit)] = 1
	queue = []matrix{unit}
	for i := 0; i < len(queue); i++ {
		from := queue[i]
		for g := range gens {
			y := t.product(&from, &gens[g])
			to := &id[t.place(&y)]
			if *to == 0 {
				queue = append(queue, y)
				*to = topology.SwitchID(len(queue))
			}
			channel(topology.SwitchID(i), *to-1)
		}
	}
	return t, id, queue
}

// spectralflyMaps multiplies from the left, which keeps links, as these multiply from the right: by two matrices of determinant 1 that generate PSL(2,q), a
// translation and an exchange, and over PGL(2,q) by a diagonal one whose determinant is no square as well.
func spectralflyMaps(v []int) (maps [][]topology.SwitchID) {
	q := spectralflyParams(v).q()
	t, id, queue := spectralflyNumber(v, func(_, _ topology.SwitchID) {})
	by := []matrix{{1, 1, 0, 1}, {0, 1, q - 1, 0}}
	if spectralflyHalf(v[0], q) == 1 {
		by = append(by, matrix{1, 0, 0, v[0] % q}) // x is no square
	}
	for i := range by {
		image := make([]topology.SwitchID, len(queue))
		for s := range queue {
			y := t.product(&by[i], &queue[s])
			image[s] = id[t.place(&y)] - 1
		}
		maps = append(maps, image)
	}
	return maps
}

// scalers multiplies elements of PGL(2,q) by tables: large designs take millions of products.
type scalers struct {
	q   int
	mod []int // of all sums of two products
	inv []int
}

func newScalers(q int) *scalers {
	t := &scalers{q: q, mod: make([]int, 2*(q-1)*(q-1)+1), inv: make([]int, q)}
	for i := range t.mod {
		t.mod[i] = i % q
	}
	for i := 1; i < q; i++ {
		for j := 1; j < q; j++ {
			if i*j%q == 1 {
				t.inv[i] = j
			}
		}
	}
	return t
}

func (t *scalers) product(a, b *matrix) matrix {
	c := matrix{
		t.mod[a[0]*b[0]+a[1]*b[2]], t.mod[a[0]*b[1]+a[1]*b[3]],
		t.mod[a[2]*b[0]+a[3]*b[2]], t.mod[a[2]*b[1]+a[3]*b[3]],
	}
	first := c[0]
	if first == 0 {
		first = c[1]
	}
	inv := t.inv[first]
	for i := range c {
		c[i] = t.mod[c[i]*inv]
	}
	return c
}

// place is an index of its own of each scaled matrix, below places: the first entry is 1, or it is 0 and the second is 1.
func (t *scalers) place(a *matrix) int {
	if a[0] == 0 {
		return (t.q*t.q+a[2])*t.q + a[3]
	}
	return (a[1]*t.q+a[2])*t.q + a[3]
}

func (t *scalers) places() int { return t.q * t.q * (t.q + 1) }
