package verify

import (
	"math"

	"toposearch/simcore"
	"toposearch/simcore/flit"
	"toposearch/study"
	"toposearch/topology"
)

// What simulations take, by which those of a study are estimated; nothing is decided by it.
const (
	hopNs      = 65  // of a flit-hop at a crossbar speedup of 2 whose state is in a second-level cache, on one core of 2024
	nearLoads  = 25  // windows near saturation, warm-up and drain included: some four short runs and three or four of two to four windows
	belowLoads = 0.7 // windows at full load that a point of the curve takes
)

// Ahead is what is known of a design before it is simulated under a traffic.
type Ahead struct {
	Hops       float64 // mean links between switches of a route
	Longest    int     // of the longest one
	Saturation float64 // load at which the busiest channel is full
}

// Cost is what a simulation is expected to take.
type Cost struct {
	Seconds float64 // on one core
	Hops    float64 // flit-hops
	Cycles  int     // of the first window of a load
}

// CostOf estimates what the simulation of a design takes under one traffic. It is nil if it is too large to be simulated.
func CostOf(v study.Verify, size *topology.Size, a Ahead) *Cost {
	c := simcore.CountsOfSize(size)
	l := Result{Cycles: v.Cycles, Predicted: a.Saturation, Model: v.Model}
	cfg := flit.SwitchConfig()
	cfg.PacketFlits = max(v.Packet, 1)
	ports := float64(c.Channels + 2*c.UnitTies)
	flits := float64(c.UnitTies)
	trip := zeroLoad(&cfg, float64(a.Longest), float64(cfg.PacketFlits-1))
	if c.Endpoints > mostEnds || l.window(&v, flits/cfg.MeanFlits(), trip, ports, leastCycles) != nil {
		return nil
	}
	windows := nearLoads + belowLoads*float64(v.Loads)
	x := &Cost{Cycles: l.Cycles, Hops: flits * a.Saturation * (a.Hops + 1) * float64(l.Cycles) * windows}
	x.Seconds = x.Hops * hopNs / 1e9
	if math.IsNaN(x.Seconds) {
		return nil
	}
	return x
}
