package verify

import (
	"cmp"
	"fmt"
	"math"

	"toposearch/simcore"
	"toposearch/study"
	"toposearch/topology"
)

// What a simulation may take, in port-cycles: a port of a switch or of an endpoint in one cycle,
// some 100 ns near saturation. A finalist whose runs would take more than is allowed gets fewer
// cycles per load, down to the fewest that still measure; if even those are far too many it is
// named as not simulated.
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
	leastWarmup  = 200 // several times the latency of a loaded network,
	warmupTrips  = 4   // and as many times what a packet takes on the longest route
	windowTrips  = 40  // the same for a window: queues of a saturated torus take some ten crossings to fill,
	leastTrips   = 10  // and where there is no time for that, what is under way at its ends is a tenth of it
	loadWorkers  = 1   // finalists run side by side; one alone is not split further
	saturatedTop = 1   // no endpoint sends more than its ports carry
)

const (
	leastLoad  = 1.0 / 256 // below it a window by packets would have no end
	mostCycles = 1 << 20   // of a first window: 16 endpoints at a twentieth of their bandwidth take a quarter of it
)

// searchPackets is how many packets the first window near saturation has. The search tries loads two standard errors of a
// short run off its guess: with so many packets, whose batches are correlated, that is its tolerance of 2 %.
const searchPackets = 150_000

// normal95 is half the width of the 95 % interval of a normal variable, in standard deviations.
const normal95 = 1.96

// flitsPerCycle is what an endpoint sends at load 1: its lanes over those of the fastest link.
func flitsPerCycle(n *topology.Network) float64 {
	return max(float64(n.EndpointLanes)/float64(simcore.UnitLanes(n)), 1)
}

// packets is how many a load has to deliver for half the 95 % interval of its rate to be a part of it: their number is
// that of a Poisson process, nearly, as sources draw each by itself.
func packets(precision float64) float64 { return normal95 / precision * normal95 / precision }

// window chooses how long a load is measured at first, for a network with this number of ports: as the study says; or
// else until the packets are there that the search for saturation needs, and the precision, at the predicted saturation
// load, perUnit of which are sent at load 1 in a cycle, and not below several times what the longest route takes, trip.
// Lower loads then go on until they are known as well. What takes too long is lowered, not below the least.
func (l *Result) window(v *study.Verify, perUnit, trip, ports float64, least int) error {
	allowed := largestWork // what the study asks for is done if it can be done at all
	if l.Cycles <= 0 {
		l.Precision = cmp.Or(v.Precision, study.DefaultPrecision)
		least = max(least, int(math.Ceil(leastTrips*trip)))
		need := max(searchPackets, packets(l.Precision)) / (perUnit * max(l.Predicted, leastLoad))
		l.Cycles, allowed = max(least, int(math.Ceil(windowTrips*trip)), int(min(math.Ceil(need), mostCycles))), allowedWork
	}
	work := func(cycles int) float64 {
		return ports * float64(cycles+warmup(cycles, trip)) * float64(v.Loads+tries)
	}
	asked := l.Cycles
	for l.Cycles > least && work(l.Cycles) > allowed {
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

// probeMost is the longest window of a load near saturation, of a network with this number of ports.
func (l *Result) probeMost(ports float64) int {
	times := simcore.ProbeTimes
	if l.Precision > 0 { // from windows that are as long in packets, not in cycles
		times = simcore.MeasureTimes
	}
	return max(l.Cycles, min(times*l.Cycles, int(longestWork/ports)))
}

// warmup is how many cycles go before a window, where the longest route takes trip.
func warmup(cycles int, trip float64) int {
	return max(cycles/warmupShare, leastWarmup, int(math.Ceil(warmupTrips*trip)))
}
