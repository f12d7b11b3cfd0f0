package verify

import (
	"fmt"

	"toposearch/simcore"
	"toposearch/simcore/flit"
	"toposearch/topology"
)

// What a simulation may take, in port-cycles: a port of a switch or of an endpoint in one cycle,
// some 100 ns near saturation. A finalist whose runs would take more than is allowed gets fewer
// cycles per load, down to the fewest that still measure; if even those are far too many it is
// named as not simulated. 200 cycles of a network that large are still some 100,000 packets.
const (
	allowedWork  = 2e8
	longestWork  = allowedWork / 4 // of one load near saturation, until it is known to be accepted or not
	largestWork  = 3e9
	leastCycles  = 200
	tries        = 8 // loads that the search for saturation takes
	mostEnds     = 70_000
	defaultVCs   = 4 // of a switch where the study does not say: what lossless fabrics offer
	zeroLoadTop  = 0.1
	warmupShare  = 4   // the warm-up is this part of the measured cycles,
	leastWarmup  = 200 // several times the latency of a loaded network
	loadWorkers  = 1   // finalists run side by side; one alone is not split further
	saturatedTop = 1   // no endpoint sends more than its ports carry
)

// flitsPerCycle is what an endpoint sends at load 1: its lanes over those of the fastest link.
func flitsPerCycle(n *topology.Network) float64 {
	return max(float64(n.EndpointLanes)/float64(simcore.UnitLanes(n)), 1)
}

// budget lowers the measured cycles until the work fits, for a network with this number of ports, but not below the least.
func (l *Result) budget(ports float64, loads, least int) error {
	work := func(cycles int) float64 {
		return ports * float64(cycles+max(cycles/warmupShare, leastWarmup)) * float64(loads+tries)
	}
	if l.Cycles <= 0 {
		l.Cycles = flit.DefaultConfig().Measure
	}
	asked := l.Cycles
	for l.Cycles > least && work(l.Cycles) > allowedWork {
		l.Cycles = max(l.Cycles/2, least)
	}
	if w := work(l.Cycles); w > largestWork {
		return fmt.Errorf("%d %s a load would take %.1e port-cycles, more than the %.0e allowed", l.Cycles, l.unit(), w, largestWork)
	}
	if l.Cycles < asked {
		l.Notes = append(l.Notes, fmt.Sprintf("%s: %d %s a load instead of %d, to keep the simulation short", l.Traffic, l.Cycles, l.unit(), asked))
	}
	return nil
}
