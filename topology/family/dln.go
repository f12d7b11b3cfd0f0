package family

import (
	"math/bits"
	"slices"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// dlnParams are the parameters of dln by name.
type dlnParams []int

func (v dlnParams) n() int    { return v[0] }
func (v dlnParams) x() int    { return v[1] }
func (v dlnParams) y() int    { return v[2] }
func (v dlnParams) p() int    { return v[3] }
func (v dlnParams) seed() int { return v[4] }

// dln is a distributed loop network with random shortcuts, DLN-x-y: a regular loop of degree x, and
// y random perfect matchings of the switches on top of it.
var dln = &topology.Family{
	Name:  "dln",
	Title: "DLN-x-y: a loop of degree x with y random shortcuts per switch",
	Source: topology.Source{
		Authors: "M. Koibuchi, H. Matsutani, H. Amano, D. F. Hsu, H. Casanova",
		Title:   "A Case for Random Shortcut Topologies for HPC Interconnects", Venue: "ISCA, pp. 177-188", Year: 2012,
		Departures: "Known from a survey. Ours: the loop of degree x is the ring with chords of n/4, n/8, ... switches, and the one " +
			"of n/2 if x is odd; shortcuts are y random perfect matchings that repeat no link, so that every switch has exactly x+y.",
	},
	Params: []topology.Param{
		{Name: "n", Doc: "switches; even", Min: 4, Max: 1 << 17},
		{Name: "x", Doc: "links per switch in the loop; 2 is a ring", Min: 2, Max: 32, Default: topology.Const(2)},
		{Name: "y", Doc: "random shortcuts per switch", Min: 0, Max: 512},
		{Name: "p", Doc: "endpoints per switch", Min: 1, Max: 512},
		{Name: "seed", Doc: "of the random shortcuts", Min: 0, Max: 1 << 30, Default: topology.Const(1), Draw: true},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassNic, Doc: "endpoint to switch"},
		{Name: "loop", Doc: "ring and regular chords"},
		{Name: "shortcut", Doc: "random"},
	},
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "switch with endpoints"}},
	Check:         checkDLN,
	Count: func(v []int, s *topology.Size) {
		n, x, y, p := int64(v[0]), int64(v[1]), int64(v[2]), int64(v[3])
		s.Endpoints = n * p
		s.EndpointPorts, s.EndpointLanes = 1, 1
		s.Link[0], s.Link[1], s.Link[2] = s.Endpoints, n*x/2, n*y/2
		s.Switch[0].Count = n
		s.Switch[0].Ports = ports(int32(p), int32(x), int32(y))
	},
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		d := dlnParams(v)
		g := shortcuts{newRandomLinks(d.n(), d.x()+d.y())}
		g.loop(d.x(), func(a, b int32) { emit(1, topology.SwitchID(a), topology.SwitchID(b)) })
		for i := range d.y() {
			g.matching(uint64(d.seed()), uint64(i), func(a, b int32) { emit(2, topology.SwitchID(a), topology.SwitchID(b)) })
		}
	},
	Attach:   func(v []int, emit func(int, []topology.SwitchID)) { d := dlnParams(v); attachEach(d.n(), d.p(), emit) },
	Place:    onePlace,
	VCReason: minimalReason,
	Documentation: topology.Documentation{
		Formulas: []string{
			"endpoints = n*p",
			"switches = n",
			"links = n*(x+y)/2",
			"radix = x + y + p",
		},
		Traps: "Cables have no order. Minimal routing needs a VC per hop of diameter, and loads are uneven: the ring's links count as any.",
	},
	SearchSpace: topology.SearchSpace{
		Derived: 0,
		Canonical: func(v []int) { // no shortcut: nothing is random
			if y, seed := v[2], &v[4]; y == 0 {
				*seed = 1
			}
		},
	},
	Layout: topology.Layout{
		// As randomCost, without a list of links.
		WireCost: func(v []int) (ns, bytes float64) {
			d := dlnParams(v)
			ns, _ = randomCost(d.n(), d.x()+d.y())
			return ns, float64(d.n()) * (1000 + 6*float64(d.x()+d.y()))
		},
	},
	Figures: topology.Figures{
		Regular:     true,
		NonBlocking: func(v []int) int64 { return int64(dlnParams(v).p()) },
	},
}

// checkDLN: the shortest chord of the loop must span two switches at least. With x+y <= n/2, in
// every matching to come each switch has n/2 others at least that it is not linked to, so that a
// perfect matching exists (Dirac, 1952) and shortcuts.matching finds it.
func checkDLN(v []int, s *topology.Size) error {
	n, x, y := v[0], v[1], v[2]
	switch {
	case n%2 != 0:
		return s.Fail("n", n, "n is even", n+1)
	case x > 3 && n>>(x/2) < 2:
		return s.Fail("x", x, "2^(x/2+1) <= n, for x above 3", max(3, 2*bits.Len(uint(n))-3))
	case x+y > n/2 && x+1 <= n/2:
		return s.Fail("y", y, "x+y <= n/2", n/2-x)
	case x+y > n/2 && !(y == 0 && x < n):
		return s.Fail("n", n, "x+y <= n/2", 2*(x+y))
	}
	return nil
}

// shortcuts is a graph to which links are added.
type shortcuts struct{ *randomLinks }

func (g shortcuts) join(a, b int32, emit func(a, b int32)) {
	g.randomLinks.join(a, b)
	emit(min(a, b), max(a, b))
}

// loop links every switch to those at a distance of 1, of n/4, n/8, ... and of n/2 if x is odd.
func (g shortcuts) loop(x int, emit func(a, b int32)) {
	n := int32(g.n)
	for i := range x / 2 {
		d := int32(1)
		if i > 0 {
			d = n >> (i + 1)
		}
		for s := range n {
			g.join(s, (s+d)%n, emit)
		}
	}
	if x%2 == 1 {
		for s := range n / 2 {
			g.join(s, s+n/2, emit)
		}
	}
}

// matching adds a random perfect matching that repeats no link: neighbours in a random order are
// joined where they may be, and the rest is fitted in.
func (g shortcuts) matching(seed, round uint64, emit func(a, b int32)) {
	rng := stream.New(seed, "dln", round)
	order := rng.Perm(g.n)
	pairs := make([][2]int32, 0, len(order)/2)
	var left []int32
	const together = 16 // pairs, whose words of bits are fetched at one time
	for next := order; len(next) > 0; {
		some := next[:min(2*together, len(next))]
		next = next[len(some):]
		var seen [together]uint64
		for i := range len(some) / 2 {
			word, _ := g.mark(int32(some[2*i]), int32(some[2*i+1]))
			seen[i] = g.maybe[word]
		}
		for i := range len(some) / 2 {
			a, b := int32(some[2*i]), int32(some[2*i+1])
			if word, set := g.mark(a, b); seen[i]&set == set && g.found(a, b) {
				left = append(left, a, b)
			} else {
				pairs = append(pairs, [2]int32{a, b})
				g.maybe[word] |= set // no other pair of the round is the same
			}
		}
	}
	for len(left) > 0 {
		a := left[0]
		i := max(1, slices.IndexFunc(left, func(b int32) bool { return !g.linked(a, b) }))
		b := left[i]
		left = append(left[1:i], left[i+1:]...)
		if !g.linked(a, b) {
			g.set(a, b)
			pairs = append(pairs, [2]int32{a, b})
		} else if rest, ok := g.exchange(pairs, a, b, rng.IntN(max(1, len(pairs)))); ok {
			pairs = rest
		} else {
			left = append(left, a, b) // its free partners are left over too, and join them first
		}
	}
	for _, p := range pairs {
		g.put(p[0], p[1])
		g.put(p[1], p[0])
		emit(min(p[0], p[1]), max(p[0], p[1]))
	}
}

// exchange takes apart a pair (c,d) with a-c and b-d free. There is one if all switches that a and
// b may be joined to are in pairs: each has n/2 of them, more than there are pairs.
func (g shortcuts) exchange(pairs [][2]int32, a, b int32, first int) ([][2]int32, bool) {
	for j := range pairs {
		p := &pairs[(first+j)%len(pairs)]
		c, d := p[0], p[1]
		if g.linked(a, c) || g.linked(b, d) {
			c, d = d, c
		}
		if !g.linked(a, c) && !g.linked(b, d) {
			g.set(a, c)
			g.set(b, d)
			*p = [2]int32{a, c}
			return append(pairs, [2]int32{b, d}), true
		}
	}
	return pairs, false
}
