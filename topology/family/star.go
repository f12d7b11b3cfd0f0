package family

import (
	"toposearch/internal/gf"
	"toposearch/topology"
)

// inner is the graph of a supernode: its links, and the bijection f by which supernodes that are
// linked meet, (x,y) with (x',f(y)), x being the lower of the two.
type inner struct {
	n     int
	links [][2]int
	f     []int
}

// wireStar streams the star product of an outer graph, given by its links a < b, with the inner
// graph. Switch (x,y) is x*n + y, so that a supernode is a block. Class 1 is inside a supernode,
// class 2 between two.
func (g *inner) wireStar(supernodes int, outer func(emit func(a, b int)), emit func(int, topology.SwitchID, topology.SwitchID)) {
	for x := range supernodes {
		for _, l := range g.links {
			emit(1, topology.SwitchID(x*g.n+l[0]), topology.SwitchID(x*g.n+l[1]))
		}
	}
	outer(func(a, b int) {
		for y, z := range g.f {
			emit(2, topology.SwitchID(a*g.n+y), topology.SwitchID(b*g.n+z))
		}
	})
}

// paley is the Paley graph of s vertices, s = 1 mod 4 a prime power: two are linked if their
// difference is a square. f multiplies by a primitive element and so exchanges squares with the
// others.
func paley(s int) *inner {
	f := field(s)
	g := &inner{n: s, f: make([]int, s)}
	for y := range s {
		g.f[y] = f.Mul(y, f.Exp(1))
		for e := 0; e < s-1; e += 2 {
			if z := f.Add(y, f.Exp(e)); y < z {
				g.links = append(g.links, [2]int{y, z})
			}
		}
	}
	return g
}

// inductiveQuad is the graph IQ_d of 2d+2 vertices of degree d, d = 0 or 3 mod 4. f is an
// involution: it exchanges 2i and 2i+1. IQ_0 is two vertices, IQ_3 a quad of eight; IQ_(d+4) is
// IQ_d and a quad, two of whose pairs are linked to the even vertices of IQ_d, two to the odd.
func inductiveQuad(d int) *inner {
	g := &inner{n: 2*d + 2}
	for y := range g.n {
		g.f = append(g.f, y^1)
	}
	first := 2 // vertices so far
	if d%4 == 3 {
		first = 0
	}
	for ; first < g.n; first += 8 {
		// u(i) is u_i, u(i)+1 its image.
		u := func(i int) int { return first + 2*i }
		for i := 1; i <= 3; i++ {
			w := u(i%3+1) + 1
			g.links = append(g.links, [2]int{u(0), u(i)}, [2]int{u(0) + 1, u(i)}, [2]int{u(i), w}, [2]int{u(i) + 1, w})
		}
		for old := range first {
			// Even ones meet u_0, u_1 and images, odd ones u_2, u_3 and images.
			for i := range 2 {
				x := u(i + old%2*2)
				g.links = append(g.links, [2]int{old, x}, [2]int{old, x + 1})
			}
		}
	}
	return g
}

// polarityLinks streams the links of the polarity graph of PG(2,q), and its quadrics as links of a
// point to itself.
func polarityLinks(q int, emit func(a, b int)) {
	f := field(q)
	for i, x := range f.Points() {
		for _, j := range f.Line(x) {
			if i <= j {
				emit(i, j)
			}
		}
	}
}

// checkPower asks that a parameter is a prime power that fits.
func checkPower(s *topology.Size, param string, q, least, most int, rule string, fits func(int) bool) error {
	if _, _, ok := gf.PrimePower(q); ok && fits(q) {
		return nil
	}
	return s.Fail(param, q, rule, gf.Nearest(q, func(x int) bool { return x >= least && x <= most && fits(x) }))
}

// starClasses are the link classes of star products.
func starClasses() []topology.LinkClass {
	return []topology.LinkClass{
		{Name: topology.ClassNic, Doc: "endpoint to switch"},
		{Name: "local", Doc: "inside a supernode"},
		{Name: "global", Doc: "between supernodes"},
	}
}

// starCount fills the counts of a product: supernodes of n switches of degree inside, and links
// between supernodes, outside of them at a switch.
func starCount(supernodes, n, inside, global, outside, p int64, s *topology.Size) {
	s.Endpoints = supernodes * n * p
	s.EndpointPorts, s.EndpointLanes = 1, 1
	s.Link[0], s.Link[1], s.Link[2] = s.Endpoints, supernodes*n*inside/2, global
	s.Switch[0].Count = supernodes * n
	s.Switch[0].Ports = ports(int32(p), int32(inside), int32(outside))
}

// paleyOrbits: products with squares keep a Paley graph and commute with its bijection, so that they are automorphisms of a star product; those of the vertices of a Paley graph are zero,
// the squares and the others.
func paleyOrbits(supernodes, n, p int) (y topology.Symmetry) {
	half := int64(n-1) / 2
	f := field(n)
	for x := range supernodes {
		for _, o := range []topology.Orbit{{Rep: 0, Count: 1}, {Rep: 1, Count: half}, {Rep: int32(f.Exp(1)), Count: half}} {
			at := int32(x*n) + o.Rep
			y.Switches = append(y.Switches, topology.Orbit{Rep: at, Count: o.Count})
			y.Endpoints = append(y.Endpoints, topology.Orbit{Rep: at * int32(p), Count: o.Count * int64(p)})
		}
	}
	return y
}

// paleyMaps is the product with the square of a primitive element, which generates those of paleyOrbits.
func paleyMaps(supernodes, n int) [][]topology.SwitchID {
	f, image := field(n), make([]topology.SwitchID, supernodes*n)
	for i := range image {
		image[i] = topology.SwitchID(i - i%n + f.Mul(i%n, f.Exp(2)))
	}
	return [][]topology.SwitchID{image}
}

// polarityMaps are maps of the points of PG(2,q) that keep which are orthogonal: x - 2 (x.a)/(a.a) a for odd q (reflections), x + (x.a) a with a.a = 0 for even q (transvections; of a
// and its multiples), each that makes fewer orbits, until there are those of polarflyOrbits.
func polarityMaps(q int) (maps [][]int) {
	f := field(q)
	points := f.Points()
	low, orbits := make([]int, len(points)), len(points) // of each point the lowest of its orbit, in some steps
	for i := range low {
		low[i] = i
	}
	lowest := func(i int) int {
		for low[i] != i {
			low[i] = low[low[i]]
			i = low[i]
		}
		return i
	}
	step := q + 3 // points of a line generate small groups
	for gcd(int64(step), int64(len(points))) != 1 {
		step++
	}
	for i := range points {
		a := points[(i+1)*step%len(points)]
		d := f.Dot(a, a)
		if (d == 0) != (q%2 == 0) {
			continue
		}
		factors := []int{1, f.Exp(1)}
		if d != 0 {
			factors = []int{f.Neg(f.Mul(2, f.Inv(d)))}
		}
		for _, c := range factors {
			image, before := make([]int, len(points)), orbits
			for i, x := range points {
				k := f.Mul(c, f.Dot(x, a))
				for j := range x {
					x[j] = f.Add(x[j], f.Mul(k, a[j]))
				}
				image[i] = f.Point(x)
				if x, y := lowest(i), lowest(image[i]); x != y {
					low[max(x, y)] = min(x, y)
					orbits--
				}
			}
			if orbits < before {
				maps = append(maps, image)
			}
		}
		if orbits <= 3 { // as many as polarflyOrbits has
			break
		}
	}
	return maps
}
