package family

import (
	"slices"

	"toposearch/topology"
)

// tpuocsParams are the parameters of tpuocs by name.
type tpuocsParams []int

func (v tpuocsParams) x() int     { return v[0] }
func (v tpuocsParams) y() int     { return v[1] }
func (v tpuocsParams) z() int     { return v[2] }
func (v tpuocsParams) twist() int { return v[3] }

// tpuocs: cubes of 4 x 4 x 4 chips, one rack each, whose faces are joined by optical circuit
// switches to a 3-D torus of 4x x 4y x 4z chips. A circuit switch joins the + and the - fibre of
// the same face position of any two cubes, so it adds no hop and is no switch here: 48 devices
// serve up to 64 cubes, 16 positions in each of 3 dimensions.
//
// twist=long, for cubes x = y and z = 2x, moves the wrap-around links of the short dimensions by
// half the long one, which doubles the bisection of the k x k x 2k torus.
var tpuocs = &topology.Family{
	Name:  "tpuocs",
	Title: "TPU v4 torus: cubes of 4x4x4 chips that forward, joined by optical circuit switches",
	Source: topology.Source{
		Authors: "N. P. Jouppi, G. Kurian, S. Li, P. Ma, et al.",
		Title:   "TPU v4: An Optically Reconfigurable Supercomputer for Machine Learning with Hardware Support for Embeddings",
		Venue:   "ISCA", Year: 2023,
		Departures: "circuit switches are optical links of class ocs and wrap; the twist is that of Camara et al. (IEEE TPDS 21(12), 2010) " +
			"for k x k x 2k only; a twisted torus is routed over all shortest paths",
	},
	Params: []topology.Param{
		{Name: "x", Doc: "cubes in the first dimension", Min: 1, Max: 32},
		{Name: "y", Doc: "cubes in the second dimension", Min: 1, Max: 32},
		{Name: "z", Doc: "cubes in the third dimension", Min: 1, Max: 64},
		{Name: "twist", Doc: "whether wrap-around links of short dimensions move half the long one", Min: 0, Max: 1,
			Choices: []string{"none", "long"}, Default: topology.Const(0)},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassInternal, Doc: "chip to its forwarding part"},
		{Name: "copper1", Doc: "inside a cube, first dimension"},
		{Name: "copper2", Doc: "inside a cube, second dimension"},
		{Name: "copper3", Doc: "inside a cube, third dimension"},
		{Name: "ocs1", Doc: "cube to next cube over a circuit switch, first dimension"},
		{Name: "ocs2", Doc: "cube to next cube over a circuit switch, second dimension"},
		{Name: "ocs3", Doc: "cube to next cube over a circuit switch, third dimension"},
		{Name: "wrap1", Doc: "last cube to first over a circuit switch, first dimension"},
		{Name: "wrap2", Doc: "last cube to first over a circuit switch, second dimension"},
		{Name: "wrap3", Doc: "last cube to first over a circuit switch, third dimension"},
	},
	SwitchClasses: []topology.SwitchClass{{Name: "chip", Doc: "forwarding part of a chip", Embedded: true, OnChip: true}},
	Check: func(v []int, s *topology.Size) error {
		d := tpuocsParams(v)
		switch x, y, z := d.x(), d.y(), d.z(); {
		case d.twist() == 0:
		case y != x:
			return s.Fail("y", y, "x = y for twist = long", x)
		case z != 2*x:
			return s.Fail("z", z, "z = 2x for twist = long", 2*x)
		}
		return nil
	},
	Count: countTPU,
	Wire:  wireTPU,
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		d := tpuocsParams(v)
		attachTerminals(0, 64*int64(d.x()*d.y()*d.z()), emit)
	},
	Natural: func(v []int) topology.Rule {
		if tpuocsParams(v).twist() != 0 {
			return topology.Minimal()
		}
		return tpuRule
	},
	Place: func(v []int) topology.Placement {
		d := tpuocsParams(v)
		return topology.Placement{Blocks: d.x() * d.y() * d.z(), Homes: []topology.Home{topology.Inside}}
	},
	VCReason: "dimension order, and a second VC after the wrap-around link of a dimension breaks its ring " +
		"(packets that do not cross it take either); " +
		"a twisted torus has no such order and counts hops instead",
	Documentation: topology.Documentation{
		Formulas: []string{
			"endpoints = 64*x*y*z",
			"endpoint_ports = 6",
			"switches = 0; chips forward",
			"links = 192*x*y*z",
			"radix = 0; optical circuit switches pass no packets",
		},
		Deployments: "Google TPU v4 (4,096 chips) and v7 (9,216).",
		Traps:       "The survey's '384 links per cube' are link ends. Faces of one sign cannot be joined.",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 2,
		Canonical: func(v []int) {
			if tpuocsParams(v).twist() == 0 {
				slices.Sort(v[:3])
			}
		},
	},
	Routes: topology.Routes{
		Spread:   spreadTPU,
		Worst:    tpuWorst,
		Paths:    tpuPaths,
		Brief:    briefTPU,
		Diameter: tpuDiameter,
		// Chips are numbered cube by cube, along the last dimension first.
		Lattice: func(v []int) (l topology.Lattice) {
			d := tpuocsParams(v)
			if d.twist() != 0 {
				return l
			}
			for i := range 3 {
				l.Lines = append(l.Lines, topology.Line{Ring: true, Classes: []int{tpuCopper + i, tpuOCS + i, tpuWrap + i}})
				l.Digits = append(l.Digits, topology.Digit{Line: 2 - i, Values: cubeSide})
			}
			for i := range 3 {
				l.Digits = append(l.Digits, topology.Digit{Line: 2 - i, Values: v[2-i]})
			}
			return l
		},
	},
	Layout: topology.Layout{
		OwnRacks: true, // a cube is a rack
		// A circuit switch joins the faces of one position in one dimension, of all cubes: 16 in each.
		Media: []topology.LinkMedium{
			{Classes: []int{tpuOCS, tpuWrap}, Medium: "ocs", Groups: cubeSide * cubeSide},
			{Classes: []int{tpuOCS + 1, tpuWrap + 1}, Medium: "ocs", Groups: cubeSide * cubeSide},
			{Classes: []int{tpuOCS + 2, tpuWrap + 2}, Medium: "ocs", Groups: cubeSide * cubeSide},
		},
	},
	Figures: topology.Figures{
		NonBlocking: func([]int) int64 { return 1 },
		// Two planes of links cut the longest dimension; all six links of a chip count as its bandwidth.
		Middle: func(v []int) float64 {
			d := tpuocsParams(v)
			if d.twist() != 0 {
				return 2 / (3 * float64(cubeSide*d.x()))
			}
			return 2 / (3 * float64(cubeSide*max(d.x(), d.y(), d.z())))
		},
	},
}

// cubeSide is the chips of a cube along a dimension.
const cubeSide = 4

// Link classes of tpuocs: the first of three dimensions each.
const (
	tpuCopper = 1
	tpuOCS    = 4
	tpuWrap   = 7
)

// tpuRule: every dimension is a ring of four chips or more.
var tpuRule = ringOrder([]ringClasses{
	{inner: []int{tpuCopper, tpuOCS}, wrap: tpuWrap, long: true},
	{inner: []int{tpuCopper + 1, tpuOCS + 1}, wrap: tpuWrap + 1, long: true},
	{inner: []int{tpuCopper + 2, tpuOCS + 2}, wrap: tpuWrap + 2, long: true},
})

func countTPU(v []int, s *topology.Size) {
	cubes := int64(v[0]) * int64(v[1]) * int64(v[2])
	s.Endpoints = cubes * cubeSide * cubeSide * cubeSide
	s.EndpointPorts, s.EndpointLanes = 6, 6
	s.Link[0], s.Switch[0].Count = s.Endpoints, s.Endpoints
	p := &s.Switch[0].Ports
	p[0] = 1
	for d := range 3 {
		s.Link[tpuCopper+d] = cubes * (cubeSide - 1) * cubeSide * cubeSide
		s.Link[tpuWrap+d] = cubes / int64(v[d]) * cubeSide * cubeSide
		s.Link[tpuOCS+d] = s.Link[tpuWrap+d] * int64(v[d]-1)
		p[tpuCopper+d], p[tpuWrap+d] = 2, 1
		if v[d] > 1 {
			p[tpuOCS+d] = 1
		}
	}
}

// tpuChip numbers the chip at a position, cube by cube.
func tpuChip(v []int, at [3]int) topology.SwitchID {
	cube, chip := 0, 0
	for d := range 3 {
		cube = cube*v[d] + at[d]/cubeSide
		chip = chip*cubeSide + at[d]%cubeSide
	}
	return topology.SwitchID(cube*cubeSide*cubeSide*cubeSide + chip)
}

func wireTPU(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
	x := tpuocsParams(v)
	side := [3]int{cubeSide * x.x(), cubeSide * x.y(), cubeSide * x.z()}
	var at [3]int
	for at[0] = range side[0] {
		for at[1] = range side[1] {
			for at[2] = range side[2] {
				for d := range 3 {
					next, class := at, tpuCopper+d
					next[d]++
					switch {
					case next[d] == side[d]:
						class = tpuWrap + d
						next[d] = 0
						if x.twist() != 0 && d < 2 {
							next[2] = (next[2] + side[2]/2) % side[2]
						}
					case next[d]%cubeSide == 0:
						class = tpuOCS + d
					}
					emit(class, tpuChip(v, at), tpuChip(v, next))
				}
			}
		}
	}
}

// tpuLeg is a way along one dimension: hops by kind and how many pairs of positions take it,
// counted twice so that both directions of a half round have one each.
type tpuLeg struct {
	copper, ocs, wrap int16
	weight            int64
}

// tpuLegs lists the ways along a ring of side positions in a fixed order.
func tpuLegs(side int) []tpuLeg {
	var legs []tpuLeg
	add := func(from, hops, step int, weight int64) {
		l := tpuLeg{weight: weight}
		for range hops {
			// The link above position p joins p and p+1.
			p := from
			if step < 0 {
				p = (from - 1 + side) % side
			}
			switch {
			case p == side-1:
				l.wrap++
			case p%cubeSide == cubeSide-1:
				l.ocs++
			default:
				l.copper++
			}
			from = (from + step + side) % side
		}
		for i := range legs {
			if legs[i].copper == l.copper && legs[i].ocs == l.ocs && legs[i].wrap == l.wrap {
				legs[i].weight += l.weight
				return
			}
		}
		legs = append(legs, l)
	}
	for from := range side {
		add(from, 0, 1, 2)
		for h := 1; 2*h < side; h++ {
			add(from, h, 1, 2)
			add(from, h, -1, 2)
		}
		add(from, side/2, 1, 1)
		add(from, side/2, -1, 1)
	}
	return legs
}

// tpuPaths: every ring has the same traffic in both directions at each of its links, so loads are
// even. Not for twisted tori, nor where the ways along three dimensions are too many to list.
func tpuPaths(v []int, p *topology.Paths) bool {
	p.Reset()
	if tpuocsParams(v).twist() != 0 {
		return false
	}
	var legs [3][]tpuLeg
	for d := range 3 {
		legs[d] = tpuLegs(cubeSide * v[d])
	}
	if len(legs[0])*len(legs[1])*len(legs[2]) > 20_000 {
		return false
	}
	for _, a := range legs[0] {
		for _, b := range legs[1] {
			for _, c := range legs[2] {
				var x [topology.MaxClasses]int16
				x[0] = 2
				hops := int16(0)
				for d, l := range [3]tpuLeg{a, b, c} {
					x[tpuCopper+d], x[tpuOCS+d], x[tpuWrap+d] = l.copper, l.ocs, l.wrap
					hops += l.copper + l.ocs + l.wrap
				}
				if hops > 0 {
					p.Add(a.weight*b.weight*c.weight, x)
				}
			}
		}
	}
	return true
}

// briefTPU is what tpuPaths lists: in every dimension distances add up to a quarter of its side for
// each pair, and the links of a ring are equally loaded, so that each has the same part of them.
func briefTPU(v []int, p *topology.Paths) bool {
	x := tpuocsParams(v)
	if x.twist() != 0 {
		return false
	}
	s := &p.Sums
	*s = topology.Sums{}
	n := cubeSide * cubeSide * cubeSide * int64(x.x()) * int64(x.y()) * int64(x.z()) // below 2^23
	all := 8 * n * n                                                                 // pairs count twice in each dimension
	s.Pairs = all - 8*n
	for d := range 3 {
		s.Cross[tpuCopper+d] = all / 4 * int64((cubeSide-1)*v[d])
		s.Cross[tpuOCS+d] = all / 4 * int64(v[d]-1)
		s.Cross[tpuWrap+d] = all / 4
		s.Hops += all / 4 * int64(cubeSide*v[d])
		s.MaxHops += cubeSide * v[d] / 2
	}
	s.Links, s.MaxLinks = s.Hops, s.MaxHops
	return true
}

// tpuWorst: without a twist it is a torus in dimension order, whose rings are of links of three classes.
func tpuWorst(v []int, w *topology.WorstLoads) bool {
	d := tpuocsParams(v)
	if d.twist() != 0 {
		return false
	}
	var x topology.WorstLoads
	worstLines([]int{cubeSide * d.x(), cubeSide * d.y(), cubeSide * d.z(), 1, 1, 1, 1}, true, &x)
	for i := range 3 {
		for _, c := range [...]int{tpuCopper, tpuOCS, tpuWrap} {
			if c != tpuOCS || v[i] > 1 {
				w.Bound[c+i], w.Found[c+i] = x.Bound[i+1], x.Found[i+1]
			}
		}
	}
	return true
}

// tpuDiameter is half of every ring, or, where wrap-around links are moved, how far the farthest chip is from one: all are alike, and
// no shortest path goes around a dimension twice.
func tpuDiameter(v []int) (most int) {
	d := tpuocsParams(v)
	side := [3]int{cubeSide * d.x(), cubeSide * d.y(), cubeSide * d.z()}
	if d.twist() == 0 {
		return (side[0] + side[1] + side[2]) / 2
	}
	for x := range side[0] {
		for y := range side[1] {
			for z := range side[2] {
				least := side[2]
				for around := range 4 {
					i, j := around&1, around>>1
					// Backwards by way of the wrap-around link, or not.
					dz := (z + (i+j)*side[2]/2) % side[2]
					least = min(least, (1-i)*x+i*(side[0]-x)+(1-j)*y+j*(side[1]-y)+min(dz, side[2]-dz))
				}
				most = max(most, least)
			}
		}
	}
	return most
}

// spreadTPU is spreadTorus: all sides are multiples of four, and links of every class of a dimension are in its rings.
func spreadTPU(v []int, out *[topology.MaxClasses]float64) bool {
	for i := range 3 {
		x := 1 / float64(cubeSide*v[i])
		out[tpuCopper+i], out[tpuOCS+i], out[tpuWrap+i] = x, x, x
	}
	return tpuocsParams(v).twist() == 0
}
