package family

import "toposearch/topology"

// all lists every family, one line each, in the order in which they are shown.
var all = []*topology.Family{
	zcube,
	zcubePartial,
	zcubeRect,
	zettafly3,
	zettafly4,
	dragonfly,
	dragonflyplus,
	fullmesh,
	hyperx,
	flattenedbutterfly,
	torus,
	mesh,
	hypercube,
	ring,
	complete,
	crossbar,
	mlfm,
	oft,
	slimfly,
	polarfly,
	polarstarIQ,
	polarstarPaley,
	bundlefly,
	spectralfly,
	dcell,
	galaxyfly,
	jellyfish,
	dln,
	skywalk,
	multirail,
	fattree,
	roft,
	railonly,
	hpn,
	bcube,
	meshtree,
	kntree,
	th1a,
	omega,
	butterfly,
	benes,
	clos,
	bus,
	tpuocs,
	hammingmesh,
	ubmesh,
}

// All gives every published construction in a fixed order; not the free spaces of which a study names one (Known). The slice is the caller's.
func All() []*topology.Family { return append([]*topology.Family(nil), all...) }

// free are spaces rather than constructions: they hold the networks of many families, and a tuple takes milliseconds.
var free = []*topology.Family{layered, layeredRelay}

// Known gives all families and the free spaces behind them: what a design or a study may name. The slice is the caller's.
func Known() []*topology.Family { return append(All(), free...) }

// ByName gives the family of that name.
func ByName(name string) (*topology.Family, bool) {
	for _, f := range Known() {
		if f.Name == name {
			return f, true
		}
	}
	return nil, false
}
