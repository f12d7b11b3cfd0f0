package family

import (
	"math"
	"sync/atomic"

	"toposearch/internal/gf"
	"toposearch/topology"
)

// slimflyParams are the parameters of slimfly by name.
type slimflyParams []int

func (v slimflyParams) q() int { return v[0] }
func (v slimflyParams) p() int { return v[1] }

// slimfly is the McKay-Miller-Siran graph: switches (0,x,y) and (1,m,c) over GF(q), with (0,x,y)
// and (1,m,c) linked if y = m*x + c, and two switches of one column (0,x,*) or (1,m,*) if their
// last coordinates differ by a member of the generator set of their side. A block is a pair of
// columns (0,x,*) and (1,x,*).
var slimfly = &topology.Family{
	Name:  "slimfly",
	Title: "Slim Fly: McKay-Miller-Siran graph of diameter 2",
	Source: topology.Source{
		Authors: "M. Besta, T. Hoefler", Title: "Slim Fly: A Cost Effective Low-Diameter Network Topology",
		Venue: "SC, pp. 348-359", Year: 2014,
	},
	Params: []topology.Param{
		{Name: "q", Doc: "prime power, not 2; about 3q/2 links per switch", Min: 3, Max: slimflyMost},
		{Name: "p", Doc: "endpoints per switch", Min: 1, Max: 512, Default: func(v []int) int { return (slimflyDegree(slimflyParams(v).q()) + 1) / 2 }, DefaultDoc: "ceil((q + 2*floor((q+1)/4))/2); half the links"},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassNic, Doc: "endpoint to switch"},
		{Name: "link", Doc: "between switches"},
	},
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "switch with endpoints"}},
	Check: func(v []int, s *topology.Size) error {
		d := slimflyParams(v)
		if _, _, ok := gf.PrimePower(d.q()); !ok {
			return s.Fail("q", d.q(), "q is a prime power", gf.Nearest(d.q(), func(x int) bool { return x >= 3 && x <= 256 }))
		}
		return nil
	},
	Count: func(v []int, s *topology.Size) {
		x := slimflyParams(v)
		q, d := int64(x.q()), int64(slimflyDegree(x.q()))
		s.Endpoints = 2 * q * q * int64(x.p())
		s.EndpointPorts, s.EndpointLanes = 1, 1
		s.Link[0], s.Link[1] = s.Endpoints, q*q*d
		s.Switch[0].Count = 2 * q * q
		s.Switch[0].Ports = ports(int32(x.p()), int32(d))
	},
	Wire: slimflyWire,
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		d := slimflyParams(v)
		attachEach(2*d.q()*d.q(), d.p(), emit)
	},
	Place: func(v []int) topology.Placement {
		return topology.Placement{Blocks: slimflyParams(v).q(), Homes: []topology.Home{topology.WithEndpoints}}
	},
	Deployed: deployedFlat,
	VCReason: minimalReason,
	Documentation: topology.Documentation{
		Formulas: []string{
			"w = floor((q+1)/4)",
			"degree = q + 2*w; (3q-1)/2, 3q/2 or (3q+1)/2",
			"endpoints = 2*q^2*p",
			"switches = 2*q^2",
			"links = q^2*degree",
			"radix = degree + p",
		},
		Deployments: "A test cluster of 200 servers, the first Slim Fly that was built: slimfly(q=5) (N. Blach et al., NSDI 2024).",
		Traps: "Prime powers need field arithmetic, not integers modulo q. The survey's '88 ports for 100,000 " +
			"endpoints' is the Moore bound; Slim Fly itself needs 91 (q = 41, p = 30).",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 1,
	},
	Routes: topology.Routes{
		Spread: slimflySpread,
		Worst:  func(v []int, w *topology.WorstLoads) bool { return worstOfTwo(slimflyParams(v).p(), w) },
		Paths:  slimflyPaths,
		// (0,x,y) to (0,x+a,y+b), (1,m,c) to (1,m,c+b-m*a) keeps all links, and so does its counterpart
		// that moves m: each side is one orbit.
		Orbits: func(v []int) topology.Symmetry {
			q, p := int64(v[0]), int64(v[1])
			return topology.Symmetry{
				Switches:  []topology.Orbit{{Rep: 0, Count: q * q}, {Rep: int32(q), Count: q * q}},
				Endpoints: []topology.Orbit{{Rep: 0, Count: q * q * p}, {Rep: int32(q * p), Count: q * q * p}},
			}
		},
	},
	Layout: topology.Layout{
		WireCost: func(v []int) (ns, bytes float64) { // products in the field, some 80 ns a link
			q := float64(v[0])
			return 80 * 1.5 * q * q * q, 0
		},
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 { return int64(slimflyParams(v).p()) },
	},
}

// slimflyDelta is -1, 0 or 1 with q = 4w + delta.
func slimflyDelta(q int) int { return (q+1)%4 - 1 }

// slimflyDegree is the number of links of a switch; it does not decrease with q, between prime
// powers either.
func slimflyDegree(q int) int { return (3*q - slimflyDelta(q)) / 2 }

// slimflySets gives the generator sets of both sides: even and odd powers of a primitive element,
// with the second half of them exchanged where q = 4w-1, so that each holds the negatives of its
// members.
func slimflySets(f *gf.Field) (sets [2][]int) {
	q := f.Q
	last := []int{q - 3, q - 2}
	switch slimflyDelta(q) {
	case 0:
		last = []int{q - 2, q - 1}
	case -1:
		w := (q + 1) / 4
		for e := 0; e <= 2*w-2; e += 2 {
			sets[0], sets[1] = append(sets[0], f.Exp(e)), append(sets[1], f.Exp(e+1))
		}
		for e := 2*w - 1; e <= 4*w-3; e += 2 {
			sets[0], sets[1] = append(sets[0], f.Exp(e)), append(sets[1], f.Exp(e+1))
		}
		return sets
	}
	for side := range sets {
		for e := side; e <= last[side]; e += 2 {
			sets[side] = append(sets[side], f.Exp(e))
		}
	}
	return sets
}

// slimflyNeighbours gives the neighbours of a switch, those of its column first. Switch IDs are
// x*2q + side*q + y.
func slimflyNeighbours(f *gf.Field, sets *[2][]int, s int, out []int) []int {
	q := f.Q
	side, x, y := s/q%2, s/q/2, s%q
	out = out[:0]
	for _, d := range sets[side] {
		out = append(out, s-y+f.Add(y, d))
	}
	// Side 0: to (1,m,c) with c = y - m*x. Side 1, that is (1,x,y): to (0,z,x*z + y).
	slope, other := x, 0
	if side == 0 {
		slope, other = f.Neg(x), q
	}
	for z := range q {
		out = append(out, z*2*q+other+f.Add(y, f.Mul(z, slope)))
	}
	return out
}

func slimflyWire(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
	f := field(v[0])
	sets := slimflySets(f)
	var near []int
	for s := range 2 * f.Q * f.Q {
		near = slimflyNeighbours(f, &sets, s, near)
		for _, t := range near {
			if s < t {
				emit(1, topology.SwitchID(s), topology.SwitchID(t))
			}
		}
	}
}

// slimflyPaths: every switch has its neighbours and, two hops away, all others. The load of a
// channel from s to t is that of the pair, of the pairs that end behind t and of those that begin
// before s; what a pair puts on one of its common neighbours is one over their number. The
// symmetry leaves one channel per member of a generator set, and one between the sides.
func slimflyPaths(v []int, p *topology.Paths) bool {
	x := slimflyParams(v)
	q, t := int64(x.q()), int64(x.p())
	d, n := int64(slimflyDegree(x.q())), 2*q*q
	p.Add(t-1, crossing(2))
	p.Add(d*t, crossing(2, 1))
	p.Add((n-1-d)*t, crossing(2, 2))
	known := &slimflyKnown[x.q()]
	bits := known.Load()
	if bits == 0 {
		bits = math.Float64bits(slimflyBusiest(x.q()))
		known.Store(bits)
	}
	p.Peak[1] = math.Float64frombits(bits) / (float64(d+2*(n-1-d)) / float64(d))
	return true
}

// slimflySpread: between neighbours there is one route. To others of its column a switch has as many as members of its side's generator set that differ by what
// these do; to switches of other columns of its side one; to those of the other side that are no neighbours two where the
// difference, which is not 0, is in both sets, else one. Two hops of one of c routes each add 1 - 1/c.
func slimflySpread(v []int, out *[topology.MaxClasses]float64) bool {
	q := slimflyParams(v).q()
	known := &slimflySpreads[q]
	bits := known.Load()
	if bits == 0 {
		f := field(q)
		chosen := 0.0 // by flows from one switch of each side
		for _, set := range slimflySets(f) {
			member, ways := make([]bool, q), make([]int, q)
			for _, x := range set {
				member[x] = true
				for _, y := range set {
					ways[f.Add(x, f.Neg(y))]++
				}
			}
			for d := 1; d < q; d++ {
				if !member[d] {
					chosen += 2 * (1 - 1/float64(ways[d]))
				}
			}
			both := 2*len(set) - (q - 1) // every difference is in one set at least
			chosen += float64(q * both)  // 2 (1 - 1/2) each
		}
		d := slimflyDegree(q)
		bits = math.Float64bits(1 + chosen/2/float64(d+2*(2*q*q-1-d)))
		known.Store(bits)
	}
	out[1] = math.Float64frombits(bits) - 1
	return true
}

// slimflySpreads keeps 1 more than the spread by q, as slimflyKnown does loads.
var slimflySpreads [slimflyMost + 1]atomic.Uint64

// slimflyKnown keeps the load of the busiest channel by q, which is all that it depends on, once it
// has been asked for: as the bits of a number that is never 0.
var slimflyKnown [slimflyMost + 1]atomic.Uint64

// slimflyMost is the largest q.
const slimflyMost = 256

// slimflyBusiest is the load of the busiest channel, in units of the traffic between two switches.
func slimflyBusiest(q int) float64 {
	f := field(q)
	sets := slimflySets(f)
	most, cross := 0.0, 1.0
	for side := range 2 {
		behind := slimflyBehind(f, &sets, side)
		for i, x := range sets[side] {
			for j, y := range sets[side] {
				if y == f.Neg(x) {
					most = max(most, 1+behind[i]+behind[j])
				}
			}
		}
		cross += behind[len(sets[side])]
	}
	return max(most, cross)
}

// slimflyBehind gives, for each neighbour t of the first switch of a side, what the pairs from that
// switch to switches behind t put on t.
func slimflyBehind(f *gf.Field, sets *[2][]int, side int) []float64 {
	s := side * f.Q
	near := slimflyNeighbours(f, sets, s, nil)
	ways := make([]int32, 2*f.Q*f.Q)
	d := len(near)
	next := make([]int, d*d)
	for i, t := range near {
		for _, u := range slimflyNeighbours(f, sets, t, next[i*d:i*d:(i+1)*d]) {
			ways[u]++
		}
	}
	ways[s] = 0
	for _, t := range near {
		ways[t] = 0
	}
	out := make([]float64, len(near))
	for i := range near {
		for _, u := range next[i*d : (i+1)*d] {
			if ways[u] > 0 {
				out[i] += 1 / float64(ways[u])
			}
		}
	}
	return out
}
