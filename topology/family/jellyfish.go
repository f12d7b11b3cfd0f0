package family

import (
	"fmt"
	"math/rand/v2"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// jellyfishParams are the parameters of jellyfish by name.
type jellyfishParams []int

func (v jellyfishParams) n() int    { return v[0] }
func (v jellyfishParams) r() int    { return v[1] }
func (v jellyfishParams) p() int    { return v[2] }
func (v jellyfishParams) seed() int { return v[3] }

// jellyfish is a random regular graph of n switches with r links and p endpoints each.
var jellyfish = &topology.Family{
	Name:  "jellyfish",
	Title: "Jellyfish: random regular graph of switches",
	Source: topology.Source{
		Authors: "A. Singla, C.-Y. Hong, L. Popa, P. B. Godfrey", Title: "Jellyfish: Networking Data Centers Randomly",
		Venue: "NSDI, pp. 225-238", Year: 2012,
		Departures: "Two last free ports on linked switches are spliced into a random link as one free pair; a graph " +
			"that comes out in several parts is drawn again.",
	},
	Params: []topology.Param{
		{Name: "n", Doc: "switches", Min: 4, Max: 1 << 17},
		{Name: "r", Doc: "links per switch; below n, and n*r even", Min: 3, Max: 512},
		{Name: "p", Doc: "endpoints per switch", Min: 1, Max: 512},
		{Name: "seed", Doc: "of the random wiring", Min: 0, Max: 1 << 30, Default: topology.Const(1), Draw: true},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassNic, Doc: "endpoint to switch"},
		{Name: "link", Doc: "between switches"},
	},
	SwitchClasses: []topology.SwitchClass{{Name: "switch", Doc: "switch with endpoints"}},
	Check: func(v []int, s *topology.Size) error {
		n, r := v[0], v[1]
		if r >= n {
			return s.Fail("r", r, "r < n", n-1-(n-1)*n%2)
		}
		if n*r%2 != 0 {
			return s.Fail("n", n, "n*r is even", n+1)
		}
		return nil
	},
	Count: func(v []int, s *topology.Size) {
		n, r, p := int64(v[0]), int64(v[1]), int64(v[2])
		s.Endpoints = n * p
		s.EndpointPorts, s.EndpointLanes = 1, 1
		s.Link[0], s.Link[1] = s.Endpoints, n*r/2
		s.Switch[0].Count = n
		s.Switch[0].Ports = ports(int32(p), int32(r))
	},
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		d := jellyfishParams(v)
		g := randomRegular(d.n(), d.r(), uint64(d.seed()))
		g.above()
		for s := range int32(d.n()) {
			for _, t := range g.of(s) {
				emit(1, topology.SwitchID(s), topology.SwitchID(t))
			}
		}
	},
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		d := jellyfishParams(v)
		attachEach(d.n(), d.p(), emit)
	},
	Place:    onePlace,
	VCReason: minimalReason,
	Documentation: topology.Documentation{
		Formulas: []string{
			"endpoints = n*p",
			"switches = n",
			"links = n*r/2",
			"radix = r + p",
		},
		Traps: "Cables have no order: every switch added moves links. Minimal routing needs a VC per hop of diameter.",
	},
	SearchSpace: topology.SearchSpace{
		Canonical: func(v []int) { // all are linked to all: nothing is random
			if n, r, seed := v[0], v[1], &v[3]; r == n-1 {
				*seed = 1
			}
		},
		Derived: 0,
	},
	Layout: topology.Layout{
		WireCost: func(v []int) (ns, bytes float64) { d := jellyfishParams(v); return randomCost(d.n(), d.r()) },
	},
	Figures: topology.Figures{
		Regular:     true,
		NonBlocking: func(v []int) int64 { return int64(jellyfishParams(v).p()) },
	},
}

// drawsMax bounds how often a graph is drawn until it is complete and connected. A random graph of
// degree three or more is connected almost always; the smallest ones fail about one time in ten.
const drawsMax = 1000

// randomRegular draws a connected simple graph of n switches of degree r: n > r, n*r even.
func randomRegular(n, r int, seed uint64) regularRows {
	for draw := range drawsMax {
		g := randomGraph{randomLinks: newRandomLinks(n, r), links: make([][2]int32, 0, n*r/2), rng: stream.New(seed, "jellyfish", uint64(draw))}
		if !g.fill() {
			continue
		}
		if rows := g.rows(); connected(n, rows.of) {
			return rows
		}
	}
	panic(&topology.Unfinished{Design: fmt.Sprintf("a random graph of %d switches of degree %d, seed %d", n, r, seed), Tries: drawsMax})
}

// randomCost is what randomRegular takes (Family.WireCost): neighbours twice, bits and a list of links; some 300 ns a link of a hundred thousand
// switches, mostly misses of the cache.
func randomCost(n, r int) (ns, bytes float64) {
	links := float64(n) * float64(r) / 2
	return links * 300, float64(n)*32 + links*(8+3*8)
}

// randomGraph grows by the paper's procedure: join two switches with free ports that are not yet
// linked, as long as there are such; then splice the rest into random links.
type randomGraph struct {
	*randomLinks
	links [][2]int32
	free  []int32 // switches with free ports
	place []int32 // of a switch in free; -1 if it has none
	rng   *rand.Rand
}

// fill tells whether every port found its link.
func (g *randomGraph) fill() bool {
	for s := range g.count {
		g.free, g.place = append(g.free, int32(s)), append(g.place, int32(s))
	}
	for len(g.free) > 0 {
		if a, b, ok := g.pair(); ok {
			g.join(a, b)
		} else if !g.splice() {
			return false
		}
	}
	return true
}

// pair finds two switches with free ports that are not linked: at random, and if that fails too
// often, in order from a random place.
func (g *randomGraph) pair() (a, b int32, ok bool) {
	k := len(g.free)
	for range 32 {
		a, b = g.free[g.rng.IntN(k)], g.free[g.rng.IntN(k)]
		if a != b && !g.linked(a, b) {
			return a, b, true
		}
	}
	from := g.rng.IntN(k)
	for i := range k {
		for j := range i {
			a, b = g.free[(from+i)%k], g.free[(from+j)%k]
			if !g.linked(a, b) {
				return a, b, true
			}
		}
	}
	return 0, 0, false
}

// splice takes away a random link (x,y) and links its ends to two free ports: of one switch, or of
// the two last ones with one each. It gives up if it finds no such link in many tries.
func (g *randomGraph) splice() bool {
	a, b := g.free[0], g.free[0]
	if int(g.count[a]) == g.degree-1 {
		b = g.free[1]
	}
	for range 100 * len(g.links) {
		i := g.rng.IntN(len(g.links))
		x, y := g.links[i][0], g.links[i][1]
		if g.rng.IntN(2) == 1 {
			x, y = y, x
		}
		if x == a || y == a || x == b || y == b || g.linked(a, x) || g.linked(b, y) {
			continue
		}
		g.links[i] = g.links[len(g.links)-1]
		g.links = g.links[:len(g.links)-1]
		g.cut(x, y)
		g.cut(y, x)
		g.join(a, x)
		g.join(b, y)
		return true
	}
	return false
}

func (g *randomGraph) join(a, b int32) {
	g.randomLinks.join(a, b)
	g.links = append(g.links, [2]int32{a, b})
	g.full(a)
	g.full(b)
}

// full drops a switch without free ports from the list of those that have some.
func (g *randomGraph) full(s int32) {
	if int(g.count[s]) < g.degree {
		return
	}
	if i := int(g.place[s]); i >= 0 {
		last := g.free[len(g.free)-1]
		g.free[i], g.place[last] = last, int32(i)
		g.free = g.free[:len(g.free)-1]
		g.place[s] = -1
	}
}

// connected tells whether each of n switches is reached from the first.
func connected(n int, near func(s int32) []int32) bool {
	seen := make([]bool, n)
	seen[0] = true
	queue := append(make([]int32, 0, n), 0)
	for i := 0; i < len(queue); i++ {
		for _, t := range near(queue[i]) {
			if !seen[t] {
				seen[t] = true
				queue = append(queue, t)
			}
		}
	}
	return len(queue) == n
}
