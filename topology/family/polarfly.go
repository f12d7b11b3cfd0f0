package family

import (
	"toposearch/internal/gf"
	"toposearch/topology"
)

// polarflyParams are the parameters of polarfly by name.
type polarflyParams []int

func (v polarflyParams) q() int { return v[0] }
func (v polarflyParams) p() int { return v[1] }

// polarfly is the Erdos-Renyi (Brown) polarity graph: the points of the projective plane PG(2,q),
// two of them linked if their inner product is zero. The q+1 quadrics, points orthogonal to
// themselves, have one link less than the q+1 of the others.
var polarfly = &topology.Family{
	Name:  "polarfly",
	Title: "PolarFly: polarity graph of a projective plane, diameter 2",
	Source: topology.Source{
		Authors: "K. Lakhotia, M. Besta, L. Monroe, K. Isham, P. Iff, T. Hoefler, F. Petrini",
		Title:   "PolarFly: A Cost-Effective and Flexible Low-Diameter Topology", Venue: "SC, pp. 1-15", Year: 2022,
	},
	Params: []topology.Param{
		{Name: "q", Doc: "prime power; q+1 links per switch", Min: 2, Max: 512},
		{Name: "p", Doc: "endpoints per switch", Min: 1, Max: 512, Default: func(v []int) int { return (polarflyParams(v).q() + 2) / 2 }, DefaultDoc: "ceil((q+1)/2)"},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassNic, Doc: "endpoint to switch"},
		{Name: "link", Doc: "between switches"},
	},
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "a point of the plane"}},
	Check: func(v []int, s *topology.Size) error {
		d := polarflyParams(v)
		if _, _, ok := gf.PrimePower(d.q()); !ok {
			return s.Fail("q", d.q(), "q is a prime power", nearestPower(d.q(), 512))
		}
		return nil
	},
	Count: func(v []int, s *topology.Size) {
		d := polarflyParams(v)
		q := int64(d.q())
		n := q*q + q + 1
		s.Endpoints = n * int64(d.p())
		s.EndpointPorts, s.EndpointLanes = 1, 1
		s.Link[0], s.Link[1] = s.Endpoints, q*(q+1)*(q+1)/2
		s.Switch[0].Count = n
		s.Switch[0].Ports = ports(int32(d.p()), int32(q+1))
	},
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		f := field(v[0])
		for i, x := range f.Points() {
			for _, j := range f.Line(x) {
				if i < j {
					emit(1, topology.SwitchID(i), topology.SwitchID(j))
				}
			}
		}
	},
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		d := polarflyParams(v)
		attachEach(d.q()*d.q()+d.q()+1, d.p(), emit)
	},
	Place:    onePlace,
	Deployed: deployedFlat,
	VCReason: minimalReason,
	Documentation: topology.Documentation{
		Formulas: []string{
			"n = q^2 + q + 1",
			"endpoints = n*p",
			"switches = n",
			"links = q*(q+1)^2/2",
			"radix = q+1 + p",
		},
		Traps: "The q+1 quadrics have one link less.",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 1,
	},
	Routes: topology.Routes{
		Spread: noSpread,
		Worst:  func(v []int, w *topology.WorstLoads) bool { return worstOfTwo(polarflyParams(v).p(), w) },
		Paths:  polarflyPaths,
		Orbits: polarflyOrbits,
	},
	Layout: topology.Layout{
		WireCost: func(v []int) (ns, bytes float64) { q := float64(v[0]); return planeCost(q, q*q*q/2) },
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 { return int64(polarflyParams(v).p()) },
	},
}

// minimalReason is the argument of all families whose routing is minimal.
const minimalReason = "All shortest paths, with the number of hops so far as the VC: VCs are taken in increasing order."

// polarflyPaths: points that are not linked share exactly one neighbour, the cross product. So
// a channel from x to y carries the pair itself, and one pair for each further neighbour of y, or
// of x, that the other does not have. Linked points share one neighbour unless one of them is a
// quadric, so the load is 1 + (q-1) + (q-1) between others, and 1 + q + (q-1) at a quadric.
func polarflyPaths(v []int, p *topology.Paths) bool {
	q, t := int64(v[0]), int64(v[1])
	n, channels := q*q+q+1, q*(q+1)*(q+1)
	far := n*(n-1) - channels
	p.Add(n*(t-1), crossing(2))
	p.Add(channels*t, crossing(2, 1))
	p.Add(far*t, crossing(2, 2))
	p.Peak[1] = float64(2*q) / (float64(channels+2*far) / float64(channels))
	return true
}

// polarflyOrbits: quadrics; then for odd q the points linked to quadrics and those that are not,
// for even q the one point linked to all quadrics, and the rest.
func polarflyOrbits(v []int) topology.Symmetry {
	d := polarflyParams(v)
	q := int64(d.q())
	f := field(d.q())
	kinds := [3]int64{q + 1, q * (q + 1) / 2, q * (q - 1) / 2}
	if q%2 == 0 {
		kinds = [3]int64{q + 1, 1, q*q - 1}
	}
	var y topology.Symmetry
	var found [3]bool
	points := f.Points()
	for i, x := range points {
		kind := 0
		if f.Dot(x, x) != 0 {
			quadrics := 0
			for _, j := range f.Line(x) {
				if f.Dot(points[j], points[j]) == 0 {
					quadrics++
				}
			}
			kind = 2
			if quadrics == 2 || q%2 == 0 && int64(quadrics) == q+1 {
				kind = 1
			}
		}
		if !found[kind] {
			found[kind] = true
			y.Switches = append(y.Switches, topology.Orbit{Rep: int32(i), Count: kinds[kind]})
			y.Endpoints = append(y.Endpoints, topology.Orbit{Rep: int32(i * d.p()), Count: kinds[kind] * int64(d.p())})
		}
		if found == [3]bool{true, true, true} {
			break
		}
	}
	return y
}
