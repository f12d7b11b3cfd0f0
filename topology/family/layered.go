package family

import (
	"strconv"

	"toposearch/topology"
)

var layered = newLayered("layered", false,
	"layered: ATOP's free space of up to four layers, linked between and within layers",
	"Accelerators do not forward: links among them, and networks that need them to relay, are layered_relay's.")

var layeredRelay = newLayered("layered_relay", true,
	"layered_relay: ATOP's free space of layers, with accelerators that forward and may be linked to one another",
	"Every accelerator forwards: where it need not, layered is the same network without forwarding parts.")

func newLayered(name string, relay bool, title, traps string) *topology.Family {
	f := &topology.Family{
		Name: name, Title: title,
		Source: topology.Source{
			Authors: "Authors of ATOP and ZCube",
			Title:   "ATOP: automatic topology optimization (doi 10.1145/3718958.3750503), Table 1 and Algorithms 1 and 2",
			Venue:   "SIGCOMM", Year: 2025,
			Departures: "The printed modulus of a target coordinate is the size of the dimension that owns the attempt; here it is that of the coordinate, " +
				"as the text says. Links within a layer that lead to their own switch are dropped, parallel ones merged. At most two dimensions " +
				"a layer (the paper's runs allow four), at most 4,096 switches. Bandwidth factors count relative to each other, because a study says " +
				"what bandwidth an accelerator has, and are one for all links of accelerators. Designs whose accelerators do not all reach one " +
				"another, or with a switch that none reaches, are no networks; the paper does not say what it does with them.",
		},
		Params:        layeredParams(relay),
		LinkClasses:   layeredLinks(relay),
		SwitchClasses: layeredSwitches[:layeredLayers-1],
		Counted: "links between layers by formula; those within layers are counted as they are merged, and who reaches whom is searched " +
			"for, so that a tuple takes microseconds to some milliseconds",
		Check:   func(v []int, s *topology.Size) error { return layeredCheck(v, relay, s) },
		Count:   func(v []int, s *topology.Size) { layeredCount(v, relay, s) },
		Wire:    func(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) { layeredWire(v, relay, emit) },
		Attach:  func(v []int, emit func(int, []topology.SwitchID)) { layeredAttach(v, relay, emit) },
		Natural: func(v []int) topology.Rule { return layeredRule(v, relay) },
		Place:   func(v []int) topology.Placement { return layeredPlace(v, relay) },
		VCReason: "on a VC a route climbs layers, then takes at most one link within a layer, then descends; where it climbs again or takes another " +
			"such link, it moves to the next VC: channels are taken in a fixed order",
		Documentation: topology.Documentation{
			Formulas:    layeredFormulas(relay),
			Deployments: "ZCube, which ATOP's search found in this space, runs clusters of Z.ai.",
			Traps: "The paper counts the accelerators as layer 1, so that a network of leaves and spines has three layers. " + traps +
				" With h of both layers equal, block b is linked to block b; with h=1 on both sides and e below the size of the upper layer, neighbouring switches " +
				"of the lower layer take consecutive ranges of e.",
			OnlyNamed: "it holds the other families' networks once more among 10^60 tuples, so that it would take the whole budget",
		},
		SearchSpace: topology.SearchSpace{
			Bounds:    func(lo, hi []int, bl, bh *topology.Size) { layeredBounds(lo, hi, relay, bl, bh) },
			Canonical: func(v []int) { layeredCanonical(v, relay) },
			Hull:      func(lo, hi []int) { layeredHull(lo, hi, relay) },
			Draws:     layeredDraws(relay),
			Derived:   0,
		},
	}
	if relay {
		f.SwitchClasses = layeredSwitches
	}
	return f
}

func layeredLinks(relay bool) []topology.LinkClass {
	nic := topology.LinkClass{Name: topology.ClassNic, Doc: "accelerator to a switch of any layer"}
	out := []topology.LinkClass{nic}
	if relay {
		out = []topology.LinkClass{{Name: topology.ClassInternal, Doc: "accelerator to its forwarding part"}, nic}
	}
	for _, p := range layeredPairOf[layeredLayers-1:] {
		i, j := strconv.Itoa(p[0]+1), strconv.Itoa(p[1]+1)
		out = append(out, topology.LinkClass{Name: "l" + i + j, Doc: "layer " + i + " to layer " + j})
	}
	for k := range layeredInners(relay) {
		i := strconv.Itoa(layeredInnerOf[k] + 1)
		out = append(out, topology.LinkClass{Name: "l" + i + i, Doc: "within layer " + i})
	}
	return out
}

var layeredSwitches = []topology.SwitchClass{
	{Name: "layer2", Doc: "switch of layer 2, the first above the accelerators"},
	{Name: "layer3", Doc: "switch of layer 3"},
	{Name: "layer4", Doc: "switch of layer 4"},
	{Name: "layer1", Doc: "forwarding part of an accelerator", Embedded: true},
}

func layeredFormulas(relay bool) []string {
	ports := "endpoint_ports = e12*min(1,h12_1) + e13*min(1,h13_1) + e14*min(1,h14_1); a h of 0: no links"
	if relay {
		ports += "; links among accelerators come on top where d1 is above 0"
	}
	return []string{
		"endpoints = n1",
		ports,
		"switches = n2 + n3 + n4",
	}
}

// layeredDraws is how a search finds its way among tuples of which nearly none is a network.
func layeredDraws(relay bool) *topology.Draws {
	return &topology.Draws{
		Endpoints: 0,
		Sample:    func(intn func(int) int, lo, hi, v []int) { layeredSample(intn, lo, hi, v, relay) },
		Vary:      func(intn func(int) int, lo, hi, v []int) { layeredVary(intn, lo, hi, v, relay) },
		Repair:    func(lo, hi, v []int) { layeredRepair(lo, hi, v, relay) },
	}
}
