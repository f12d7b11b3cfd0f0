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
	layered,
	layeredRelay,
}

// All gives every family in a fixed order. The slice is the caller's.
func All() []*topology.Family { return append([]*topology.Family(nil), all...) }

// ByName gives the family of that name.
func ByName(name string) (*topology.Family, bool) {
	for _, f := range all {
		if f.Name == name {
			return f, true
		}
	}
	return nil, false
}
