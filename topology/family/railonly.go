package family

import "toposearch/topology"

// railonlyParams are the parameters of railonly by name.
type railonlyParams []int

func (v railonlyParams) k() int      { return v[0] }
func (v railonlyParams) g() int      { return v[1] }
func (v railonlyParams) leaves() int { return v[2] }

// railonly: g separate 2-level trees, one per rail; the endpoints of a server forward for one
// another over its scale-up mesh, since nothing else joins the rails.
var railonly = &topology.Family{
	Name:  "railonly",
	Title: "rail-only: one 2-level tree per rail, rails joined only by the scale-up mesh inside servers",
	Source: topology.Source{
		Authors: "W. Wang, M. Ghobadi, K. Shakeri, Y. Zhang, N. Hasani",
		Title:   "Rail-only: A Low-Cost High-Performance Network for Training LLMs with Trillion Parameters",
		Venue:   "arXiv 2307.12169", Year: 2023,
		Departures: "spines as in fattree: e links from each leaf to each spine, e the largest divisor of k/2 with e*leaves <= k " +
			"(leaves/2 spines where leaves divides k). Routes take the scale-up link first, then the rail of the destination",
	},
	Params: []topology.Param{
		{Name: "k", Doc: "ports of a switch", Min: 4, Max: 1024},
		{Name: "g", Doc: "endpoints of a server: rails", Min: 2, Max: 1024, Default: topology.Const(8)},
		{Name: "leaves", Doc: "leaves of a rail", Min: 2, Max: 1024, Default: func(v []int) int { return railonlyParams(v).k() }, DefaultDoc: "k"},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassInternal, Doc: "endpoint to its forwarding part"},
		{Name: topology.ClassNic, Doc: "endpoint to the leaf of its rail"},
		{Name: "spine", Doc: "leaf to spine of a rail"},
		{Name: topology.ClassScaleup, Doc: "full mesh inside a server"},
	},
	SwitchClasses: railonlyClasses,
	Check: func(v []int, s *topology.Size) error {
		t := railTree(v)
		switch {
		case t.k%2 != 0:
			return s.Fail("k", t.k, "k even", t.k+1)
		case t.pods > t.k:
			return s.Fail("leaves", t.pods, "leaves <= k", t.k)
		}
		return nil
	},
	Count:   func(v []int, s *topology.Size) { countRailonly(v, s) },
	Wire:    wireRailonly,
	Attach:  attachRailonly,
	Natural: func([]int) topology.Rule { return railonlyRule },
	Place:   placeRailonly,
	VCReason: "scale-up link first, then up and down the rail of the destination: no class ever follows a later one, " +
		"and a scale-up channel never follows another, so one VC is acyclic",
	Documentation: topology.Documentation{
		Formulas: []string{
			"e = divisor(k/2, k/leaves); links of a spine to a leaf",
			"endpoints = g*leaves*k/2",
			"switches = g*(leaves + (k/2)/e)",
			"links = g*leaves*k/2; scale-up meshes aside",
			"radix = k",
		},
		Deployments: "The multi-plane fat tree that DeepSeek describes for V3 (ISCA 2025): each GPU has its NIC in one of eight planes, " +
			"railonly(k=64) with 16,384 GPUs.",
		Traps: "The rails meet only in the scale-up mesh of a server: without it the network is in g pieces. The " +
			"survey states a loss of 4.1 % of performance, the paper none.",
	},
	SearchSpace: topology.SearchSpace{
		Bounds:  boundRailonly,
		Derived: 2,
	},
	Routes: topology.Routes{
		Spread: spreadRailonly,
		Paths:  railonlyPaths,
		Orbits: orbitsRailonly,
	},
	Layout: topology.Layout{
		Bundles: bundlesRailonly,
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 { t := railTree(v); return t.leaves() * int64(t.d) * int64(railonlyParams(v).g()) },
		Middle:      func([]int) float64 { return 1 },
	},
}

// Classes of railonly.
const (
	railInternal = iota
	railNic
	railSpine
	railScaleup
)

const (
	railLeafSwitch = iota
	railSpineSwitch
	railRelay
)

var railonlyClasses = []topology.SwitchClass{
	{Name: "leaf", Doc: "first level of a rail"},
	{Name: "spine", Doc: "second level of a rail"},
	{Name: "relay", Doc: "forwarding part of an endpoint", Embedded: true, Relay: true},
}

// railonlyRule: state 0 at the source, 1 at the relay of the destination's rail, 2 upwards, 3 down.
var railonlyRule = topology.Rule{Name: "updown", States: 4, Steps: []topology.Step{
	{From: 0, Kind: topology.Kind{Link: railScaleup, From: railRelay, To: railRelay}, To: 1},
	{From: 0, Kind: topology.Kind{Link: railNic, From: railRelay, To: railLeafSwitch}, To: 2},
	{From: 1, Kind: topology.Kind{Link: railNic, From: railRelay, To: railLeafSwitch}, To: 2},
	{From: 2, Kind: topology.Kind{Link: railSpine, From: railLeafSwitch, To: railSpineSwitch}, To: 3},
	{From: 2, Kind: topology.Kind{Link: railNic, From: railLeafSwitch, To: railRelay}, To: 3},
	{From: 3, Kind: topology.Kind{Link: railSpine, From: railSpineSwitch, To: railLeafSwitch}, To: 3},
	{From: 3, Kind: topology.Kind{Link: railNic, From: railLeafSwitch, To: railRelay}, To: 3},
}}

// railTree is the tree of one rail.
func railTree(v []int) tree {
	d := railonlyParams(v)
	return newTree(d.k(), 2, d.leaves(), d.k()/2, nil)
}

func countRailonly(v []int, s *topology.Size) {
	t, g := railTree(v), int64(v[1])
	s.Endpoints = t.leaves() * int64(t.d) * g
	s.EndpointPorts, s.EndpointLanes = 1, 1
	s.Link[railInternal], s.Link[railNic] = s.Endpoints, s.Endpoints
	s.Link[railSpine] = t.levelLinks(1) * g
	s.Link[railScaleup] = s.Endpoints * (g - 1) / 2
	leaf, spine, relay := &s.Switch[railLeafSwitch], &s.Switch[railSpineSwitch], &s.Switch[railRelay]
	leaf.Count, spine.Count, relay.Count = t.leaves()*g, t.switches(2)*g, s.Endpoints
	leaf.Ports[railNic], leaf.Ports[railSpine] = int32(t.d), int32(t.u)
	spine.Ports[railSpine] = int32(t.pods * t.e())
	relay.Ports[railInternal], relay.Ports[railNic], relay.Ports[railScaleup] = 1, 1, int32(g-1)
}

// boundRailonly: all but the spines is monotone.
func boundRailonly(lo, hi []int, bl, bh *topology.Size) {
	low, high := railonlyParams(lo), railonlyParams(hi)
	if low.k() == high.k() && low.k()%2 != 0 {
		return // an odd k makes no network
	}
	countRailonly(lo, bl)
	top := [3]int{high.k(), high.g(), min(high.leaves(), high.k())}
	countRailonly(top[:], bh)
	k := span{int64(low.k()), int64(high.k())}
	t := boundTree(2, k, span{int64(low.leaves()), int64(high.leaves())}, span{k.lo / 2, k.hi / 2}, &untapered)
	if !t.ok {
		return
	}
	bl.Switch[railSpineSwitch].Count = t.switches[2].lo * int64(low.g())
	bh.Switch[railSpineSwitch].Count = t.switches[2].hi * int64(high.g())
	bl.Switch[railSpineSwitch].Ports[railSpine] = int32(t.pods.lo * t.e.lo)
	bh.Switch[railSpineSwitch].Ports[railSpine] = int32(min(k.hi, t.pods.hi*t.e.hi))
}

// A leaf is (leaf of the rail, rail), the rails of a block of servers together, so that blocks of
// k/2 servers stand together; a spine is (rail, spine of the rail); relays stand in endpoint order.
func wireRailonly(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
	t, g := railTree(v), int64(v[1])
	spines := t.leaves() * g
	relays := spines + t.switches(2)*g
	servers := t.leaves() * int64(t.d)
	for e := range servers * g {
		server, rail := e/g, e%g
		emit(railNic, topology.SwitchID(relays+e), topology.SwitchID(server/int64(t.d)*g+rail))
	}
	for rail := range g {
		t.wire(func(_ int, lower, upper int64) {
			emit(railSpine, topology.SwitchID(lower*g+rail), topology.SwitchID(spines+rail*t.switches(2)+upper))
		})
	}
	for server := range servers {
		for a := range g {
			for b := a + 1; b < g; b++ {
				emit(railScaleup, topology.SwitchID(relays+server*g+a), topology.SwitchID(relays+server*g+b))
			}
		}
	}
}

// bundlesRailonly: all servers of a block hang on its leaves, rail by rail; every leaf is linked to all spines of its rail.
func bundlesRailonly(v []int, emit func(topology.Bundle)) {
	t, g := railTree(v), int64(v[1])
	spines, each := t.leaves()*g, t.switches(2)
	relays, block := spines+each*g, int64(t.d)*g
	for leaf := range t.leaves() {
		emit(topology.Bundle{Class: railNic, A: topology.SwitchID(relays + leaf*block), B: topology.SwitchID(leaf * g), Count: int(block),
			Cycle: int(g), Each: 1, Times: 1})
		emit(topology.Bundle{Class: railSpine, A: topology.SwitchID(leaf * g), B: topology.SwitchID(spines), Count: int(g),
			Cycle: int(g), Each: int(each), Times: t.e()})
	}
	for server := range t.leaves() * int64(t.d) {
		emit(topology.Bundle{Class: railScaleup, A: topology.SwitchID(relays + server*g), Count: int(g), Times: 1, Mesh: true})
	}
}

func attachRailonly(v []int, emit func(int, []topology.SwitchID)) {
	t, g := railTree(v), int64(v[1])
	relays := (t.leaves() + t.switches(2)) * g
	var at [1]topology.SwitchID
	for e := range t.leaves() * int64(t.d) * g {
		at[0] = topology.SwitchID(relays + e)
		emit(1, at[:])
	}
}

// railonlyPaths: the same rail or not (a scale-up link more), the same block of servers or not
// (a turn at the spine more). Rails, blocks and servers are alike, so loads are even, and weights are
// those of one source.
func railonlyPaths(v []int, p *topology.Paths) bool {
	p.Reset()
	t, g := railTree(v), int64(railonlyParams(v).g())
	block := int64(t.d)
	far := (t.leaves() - 1) * block
	var c [topology.MaxClasses]int16
	c[railInternal] = 2
	for _, up := range []int16{0, 1} {
		others := int64(1)
		if up == 1 {
			others = g - 1
		}
		c[railScaleup], c[railNic], c[railSpine] = up, 0, 0
		if up == 1 {
			p.Add(g-1, c)
		}
		c[railNic] = 2
		p.Add((block-1)*others, c)
		c[railSpine] = 2
		p.Add(far*others, c)
	}
	return true
}

func placeRailonly(v []int) topology.Placement {
	return topology.Placement{
		Blocks: railonlyParams(v).leaves(),
		Homes:  []topology.Home{topology.WithEndpoints, topology.Central, topology.Inside},
		Boards: []int{railScaleup},
	}
}

func orbitsRailonly(v []int) topology.Symmetry {
	var s topology.Size
	countRailonly(v, &s)
	return classOrbits(railonlyClasses, &s)
}

// spreadRailonly: any uplink of the leaf of the destination's rail.
func spreadRailonly(v []int, out *[topology.MaxClasses]float64) bool {
	t := railTree(v)
	out[railSpine] = 1 - 1/float64(t.u)
	return true
}
