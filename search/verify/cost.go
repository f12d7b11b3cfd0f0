package verify

import (
	"toposearch/simcore"
	"toposearch/study"
	"toposearch/topology"
)

// What simulations take, by which those of a study are estimated; nothing is decided by it. Windows are the means of ten
// designs of 36 to 1,152 endpoints, torus to Slim Fly, under uniform traffic, which took from 0.7 to 1.5 times what this
// gives. A network that accepts all that is offered is done after two loads, in a fifth to a third.
const (
	hopNs      = 65  // of a flit-hop at a crossbar speedup of 2, on one core of 2024
	busy       = 0.6 // mean utilisation of ports near saturation
	nearLoads  = 25  // windows near saturation, warm-up and drain included: some four short runs and three or four of two to four windows
	belowLoads = 0.7 // windows at full load that a point of the curve takes
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
