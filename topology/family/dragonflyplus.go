package family

import (
	"math"

	"toposearch/topology"
)

// dragonflyplus is groups of l leaves and m spines, completely linked; the spines bear the global
// links, placed like those of a Dragonfly whose switches are the spines (see globals).
var dragonflyplus = &topology.Family{
	Name:  "dragonflyplus",
	Title: "Dragonfly+ (Megafly): leaf-spine groups, global links between the spines",
	Source: topology.Source{
		Authors:    "A. Shpiner, Z. Haramaty, S. Eliad, V. Zdornov, B. Gafni, E. Zahavi",
		Title:      "Dragonfly+: Low Cost Topology for Scaling Datacenters",
		Venue:      "HiPINEB, pp. 1-8",
		Year:       2017,
		Departures: "Global links are placed as a palm tree; with fewer than m*h+1 groups the spare global ports are spread by a rule of our own.",
	},
	Params: []topology.Param{
		{Name: "l", Doc: "leaves per group", Min: 1, Max: 512},
		{Name: "m", Doc: "spines per group", Min: 1, Max: 512},
		{Name: "p", Doc: "endpoints per leaf", Min: 1, Max: 512},
		{Name: "h", Doc: "global links per spine", Min: 1, Max: dragonflyplusMostH},
		{Name: "g", Doc: "groups, at most m*h+1", Min: 2, Max: 512*dragonflyplusMostH + 1, Default: func(v []int) int { d := dragonflyplusParams(v); return d.m()*d.h() + 1 }, DefaultDoc: "m*h + 1"},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassNic, Doc: "endpoint to leaf"},
		{Name: "local", Doc: "leaf to spine of a group"},
		{Name: "global", Doc: "between spines of different groups"},
	},
	SwitchClasses: []topology.SwitchClass{
		{Name: "leaf", Doc: "switch with endpoints"},
		{Name: "spine", Doc: "joins the leaves of a group, and the group to others"},
	},
	Check: func(v []int, s *topology.Size) error {
		d := dragonflyplusParams(v)
		if most := d.m()*d.h() + 1; d.g() > most {
			return s.Fail("g", d.g(), "g <= m*h+1", most)
		}
		return nil
	},
	Count: func(v []int, s *topology.Size) {
		d := dragonflyplusParams(v)
		dragonflyplusCount(v, s)
		used := dragonflyplusGlobals(v).used()
		s.Link[2] = int64(d.g()) * int64(used) / 2
		s.Switch[1].Ports[2] = int32(min(d.h(), used)) // less if the only spine has the empty port
	},
	Wire: func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		l, m, h, g := v[0], v[1], v[3], v[4]
		for i := range g {
			for x := range l {
				for t := range m {
					emit(1, topology.SwitchID(i*l+x), topology.SwitchID(g*l+i*m+t))
				}
			}
		}
		dragonflyplusGlobals(v).links(func(i, q, j, to int) {
			emit(2, topology.SwitchID(g*l+i*m+q/h), topology.SwitchID(g*l+j*m+to/h))
		})
	},
	Attach: func(v []int, emit func(int, []topology.SwitchID)) {
		d := dragonflyplusParams(v)
		attachEach(d.l()*d.g(), d.p(), emit)
	},
	Natural: func([]int) topology.Rule {
		up, down := topology.Kind{Link: 1, From: 0, To: 1}, topology.Kind{Link: 1, From: 1, To: 0}
		return topology.Rule{Name: "updown", States: 3, Steps: []topology.Step{
			{From: 0, Kind: up, To: 1}, {From: 1, Kind: topology.Kind{Link: 2, From: 1, To: 1}, To: 2},
			{From: 1, Kind: down, To: 2}, {From: 2, Kind: down, To: 2},
		}}
	},
	Place: func(v []int) topology.Placement {
		return topology.Placement{Blocks: dragonflyplusParams(v).g(), Homes: []topology.Home{topology.WithEndpoints, topology.InBlock}}
	},
	Deployed: deployedGroups,
	VCReason: "A route goes up to a spine, over at most one global link, and down: channels are taken in the order up, " +
		"global, down.",
	Documentation: topology.Documentation{
		Formulas: []string{
			"endpoints = g*l*p",
			"switches = g*(l+m)",
			"used = m*h - mod(m*h*g, 2); global ports of a group in use",
			"links = g*l*m + g*used/2",
			"radix = max(p+m, l + if(m=1, used, h))",
		},
		Deployments: "JUPITER (27 groups); Niagara of the University of Toronto, the first (four wings).",
		Traps:       "One minimal route between groups: adversarial traffic needs detours, and those a second VC.",
	},
	SearchSpace: topology.SearchSpace{
		Bounds: func(lo, hi []int, bl, bh *topology.Size) {
			low, high := dragonflyplusParams(lo), dragonflyplusParams(hi)
			// As for the Dragonfly: at most one global port of a group is empty.
			dragonflyplusCount(lo, bl)
			dragonflyplusCount(hi, bh)
			bl.Link[2] = int64(low.g()) * int64(low.m()*low.h()-1) / 2
			bh.Link[2] = int64(high.g()) * int64(high.m()) * int64(high.h()) / 2
			if low.m() == 1 {
				bl.Switch[1].Ports[2]--
			}
		},
		PerEndpoint: func(lo, hi []int, least, most int64, out *topology.PerEndpoint) {
			low, high := dragonflyplusParams(lo), dragonflyplusParams(hi)
			l, m, p, h := reals(lo, hi, 0), reals(lo, hi, 1), reals(lo, hi, 2), reals(lo, hi, 3)
			out.Switch[0], out.Switch[1] = 1/p.hi, m.lo/(l.hi*p.hi)
			out.Known, out.Link[0], out.LinkMost[0] = true, 1, 1
			out.Link[1], out.LinkMost[1] = m.lo/p.hi, m.hi/p.lo
			out.Link[2], out.LinkMost[2] = (m.lo*h.lo-1)/(2*l.hi*p.hi), m.hi*h.hi/(2*l.lo*p.lo)
			other := max(0, 1-p.hi/float64(least))                      // of the endpoints, on another leaf
			groups := max(float64(low.g()), float64(least)/(l.hi*p.hi)) // as few as there can be
			out.Cross[0], out.Cross[1], out.Cross[2] = 2, 2*other, 1-1/groups
			out.Flow[1], out.Flow[2] = out.Cross[1], out.Cross[2]
			out.Fan[0] = topology.Fan{Ends: p.lo, Every: 1}
			out.Fan[1] = topology.Fan{Ends: l.lo, Every: p.lo, Switches: true}
			if groups > 1 { // every pair of groups has about equally many links
				others, links := math.Ceil(groups*(1-1e-12))-1, m.lo*h.lo-1
				ends := max(links/math.Ceil(m.hi*h.hi/others), links*others/(links+others)) // that of all designs, that of the one with least links
				out.Fan[2] = topology.Fan{Ends: ends, Every: l.lo * p.lo, Step: 1, OtherBlocks: true, With: l.hi, Together: m.hi, Ports: h.lo, Around: others, Few: m.lo,
					Each:  max(1, low.m()*low.h()/(high.g()-1)),
					Share: globalShare([2]int{low.m(), high.m()}, [2]int{low.h(), high.h()}, [2]int{low.g(), high.g()})}
			}
			// Traffic between two groups is split over their links, of which there are the whole part of the mean at least. So a spine carries what so many times
			// the mean number of its links do, and a leaf sends it as much.
			links, each := float64(high.m()*high.h())/float64(max(1, low.g()-1)), float64(max(1, low.m()*low.h()/max(1, high.g()-1)))
			out.Uneven = max(1, min(links/each, 1+1/each))
			out.Load[1], out.Load[2] = other*p.lo/m.hi, (1-1/groups)*l.lo*p.lo/(m.hi*h.hi)
			// Some pair of groups has no more links than every pair has, and its traffic shares them.
			if rounds := high.m() * high.h() / max(int(math.Ceil(groups*(1-1e-12)))-1, 1); rounds > 0 {
				out.Load[2] = max(out.Load[2], l.lo*p.lo*l.lo*p.lo/(float64(most)*float64(rounds)))
			}
			if low.l() == high.l() && low.m() == high.m() && low.p() == high.p() && low.h() == high.h() {
				each := int64(low.l()) * int64(low.p())
				within := [2]int64{max(int64(low.g()), (least+each-1)/each), min(int64(high.g()), most/each)}
				out.Load[1] = max(out.Load[1], dragonflyplusBusiest(lo, within))
			}
		},
		Next: func(v []int, i, x int) int {
			d := dragonflyplusParams(v)
			if i == 4 && x > d.m()*dragonflyplusMostH+1 { // g
				return beyond
			}
			return x
		},
		Within: dragonflyplusWithin,
		// All but h says where everything stands.
		Order:    []int{0, 1, 2, 4, 3},
		Unplaced: []int{3},
		Derived:  4,
		Canonical: func(v []int) { // the port of the only spine that stays empty is none
			if m, h, g := v[1], &v[3], v[4]; m == 1 && g <= *h+1 {
				*h = dragonflyplusGlobals(v).used()
			}
		},
	},
	Routes: topology.Routes{
		Spread:    dragonflyplusSpread,
		Worst:     dragonflyplusWorst,
		Paths:     dragonflyplusPaths,
		SlowPaths: true,
		GroupLinks: func(v []int, group int, emit func(from, to int)) (turned bool) {
			x, m, h := dragonflyplusGlobals(v), v[1], v[3]
			x.peers(group, func(q, j, to int) { emit(group*m+q/h, j*m+to/h) })
			return x.cyclic()
		},
		Orbits: func(v []int) topology.Symmetry {
			d := dragonflyplusParams(v)
			leaves := int64(d.l()) * int64(d.g())
			return topology.Symmetry{
				Switches:  append([]topology.Orbit{{Rep: 0, Count: leaves}}, dragonflyplusGlobals(v).groupOrbits(int32(leaves), d.m())...),
				Endpoints: []topology.Orbit{{Rep: 0, Count: leaves * int64(d.p())}},
			}
		},
	},
	Layout: topology.Layout{
		Bundles: func(v []int, emit func(topology.Bundle)) {
			l, m, h, g := v[0], v[1], v[3], v[4]
			for i := range g {
				emit(topology.Bundle{Class: 1, A: topology.SwitchID(i * l), B: topology.SwitchID(g*l + i*m), Count: l, Cycle: 1, Each: m, Times: 1})
			}
			dragonflyplusGlobals(v).bundles(2, g*l, m, h, emit)
		},
		Cables: func(v []int, c int) topology.Cables {
			return [...]topology.Cables{{I: -1, J: -1, InTurn: true}, {I: 0, J: 1, Scope: topology.OneBlock, Parts: 1},
				{I: 1, J: 1, Scope: topology.OtherBlocks, Pairs: dragonflyplusGlobals(v).pairs()}}[c]
		},
	},
	Figures: topology.Figures{
		NonBlocking: func(v []int) int64 {
			d := dragonflyplusParams(v)
			p, group := int64(d.p()), int64(d.l())*int64(d.p())
			return largestFree([]int64{p, group, group * int64(d.g())}, d.m() >= d.p(), dragonflyplusMiddle(v) >= 1)
		},
		Middle: dragonflyplusMiddle,
	},
}

// dragonflyplusMiddle is the cut between halves of the groups.
func dragonflyplusMiddle(v []int) float64 {
	d := dragonflyplusParams(v)
	return min(1, dragonflyplusGlobals(v).middle()/(float64(d.l()*d.p()*d.g())/2))
}

// dragonflyplusCount fills everything but the global links.
func dragonflyplusCount(v []int, s *topology.Size) {
	d := dragonflyplusParams(v)
	l, m, p, g := int64(d.l()), int64(d.m()), int64(d.p()), int64(d.g())
	s.Endpoints = g * l * p
	s.EndpointPorts, s.EndpointLanes = 1, 1
	s.Link[0], s.Link[1] = s.Endpoints, g*l*m
	s.Switch[0].Count, s.Switch[1].Count = g*l, g*m
	s.Switch[0].Ports = ports(int32(p), int32(m))
	s.Switch[1].Ports = ports(0, int32(l), int32(d.h()))
}

// dragonflyplusPaths: every route between groups is up, global, down. Where a pair of groups has
// several links, a leaf splits its packets over the spines that have one, a spine over its own.
func dragonflyplusPaths(v []int, p *topology.Paths) bool {
	d := dragonflyplusParams(v)
	l, n, g := int64(d.l()), int64(d.p()), int64(d.g())
	p.Add(n-1, crossing(2))
	p.Add(n*(l-1), crossing(2, 2))
	p.Add((g-1)*l*n, crossing(2, 2, 1))
	if dragonflyplusGlobals(v).even() {
		return true
	}
	if int64(d.g())*int64(d.m()) > walkMax {
		return false
	}
	// Leaves and endpoints only scale what the spines carry.
	m, h := int64(d.m()), int64(d.h())
	key := 1 + uint64(m) + uint64(h)<<10 + uint64(g)<<20
	x := p.Memo(key, func() [3]float64 { return dragonflyplusPeaks(v) })
	inGroup := float64(l-1) / float64(m)
	p.Peak[1] = (x[0]*float64(l) + inGroup) / (x[1]*float64(l)/float64(2*m) + inGroup)
	p.Peak[2] = x[2]
	return true
}

// dragonflyplusMostH is the most global links of a spine.
const dragonflyplusMostH = 512

// dragonflyplusWithin narrows (l, m, p, g, h), in this order: there are l*p*g endpoints, and 2 <= g <= m*h + 1.
func dragonflyplusWithin(v []int, i int, least, most int64) (lo, hi int64) {
	d := dragonflyplusParams(v)
	switch i {
	case 2: // p
		return 1, most / (2 * int64(d.l()))
	case 3: // h
		return int64((d.g() - 1 + d.m() - 1) / d.m()), beyond
	case 4: // g
		return withinProduct(int64(d.l())*int64(d.p()), least, most)
	}
	return 0, beyond
}

// dragonflyplusSpread: with one link per pair of groups there is one route between groups, and inside them any spine.
func dragonflyplusSpread(v []int, out *[topology.MaxClasses]float64) bool {
	d := dragonflyplusParams(v)
	l, m, g := float64(d.l()), float64(d.m()), float64(d.g())
	if d.g() != d.m()*d.h()+1 {
		return false
	}
	if g*l > 1 {
		out[1] = (l - 1) * (1 - 1/m) / (g*l - 1)
	}
	return true
}
