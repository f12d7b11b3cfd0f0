package verify

import (
	"toposearch/simcore"
	"toposearch/study"
	"toposearch/topology"
)

// What the simulations of the built-in example took, by which those of another study are estimated; nothing is decided by it.
const (
	hopNs      = 150  // of a flit-hop at a crossbar speedup of 2, on one core of 2024
	busy       = 0.6  // mean utilisation of ports near saturation
	nearLoads  = 10.5 // windows near saturation, warm-up included: three short runs and three of two windows
	belowLoads = 0.65 // windows at full load that a point of the curve takes
)

// Seconds estimates how long a design of a size is simulated under one traffic, on one core: by the flits that cross its
// switches, of which endpoints with many ports send many in a cycle. 0: it is too large to be simulated.
func Seconds(v study.Verify, size *topology.Size) float64 {
	c := simcore.CountsOfSize(size)
	l := Result{Cycles: v.Cycles}
	if c.Endpoints > mostEnds || l.budget(float64(c.Channels+2*c.UnitTies), v.Loads, leastCycles) != nil {
		return 0
	}
	windows := nearLoads + belowLoads*float64(v.Loads)
	return busy * float64(c.Channels+c.UnitTies) * float64(l.Cycles) * windows * hopNs / 1e9
}
