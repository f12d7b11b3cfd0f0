package verify

import (
	"cmp"
	"math"

	"toposearch/evaluator"
	"toposearch/simcore"
	"toposearch/simcore/flit"
	"toposearch/study"
	"toposearch/topology"
)

// What simulations take, by which those of a study are estimated; nothing is decided by it. Loads and windows are the means of
// designs of 16 to 1,056 endpoints under uniform and worst traffic, whose flit-hops were counted. A flit-hop takes 65 ns on a core
// that does nothing else, and 96 to 110 (UGAL 108 to 124, PAR 120 to 140) where others compute on the machine, as they do in a run on all
// its cores (TestSpeed; torus, fat tree and dragonfly of 64 to 128 endpoints); more the less of the state is in a cache.
const (
	nearLoads   = 9 // loads that the search for saturation tries
	nearWindows = 8 // windows that they are measured for
	fullLoads   = 2 // the same where no packet takes a link between switches: load 1, which is tried first, is carried, and tried in a long run
	fullWindows = 2
	queued      = 2   // packets that a precision takes below saturation, over those of sources without queues
	hopNs       = 90  // of a flit-hop where all state is in a second-level cache, on one core of 2024,
	missNs      = 50  // and for each doubling of the state beyond it: the built-in example takes 150 ns a flit-hop, all in all
	cacheBytes  = 1e6 // what such a cache holds
	cycleNs     = 300 // of a cycle, however little moves
	cutHopNs    = 400 // of a packet at a switch of the cut-through model: four times a flit, 350 to 700 by routing (TestSpeed)
	turnNs      = 100 // of a channel for each switch with endpoints, in the predictions of loads and turns before
)

// Ahead is what is known of a design before it is simulated under a traffic.
type Ahead struct {
	Hops       float64 // mean links between switches of a route
	Longest    int     // of the longest one
	Saturation float64 // load at which the busiest channel is full
}

// Cost is what a simulation is expected to take.
type Cost struct {
	Seconds  float64 // on one core
	FlitHops float64 // 0 of the cut-through model
	Cycles   int     // of the first window of a load, ns of the cut-through model
	Before   float64 // seconds of Seconds that come before the first load
	Work     float64 // by which its progress is told: flit-hops, ns of the cut-through model
	perCycle float64 // flit-hops of a cycle at the saturation load
	idle     float64 // seconds of Seconds that cycles take, however little moves
}

// CostOf estimates what the simulation of a design takes under one traffic: by the flits that cross its switches, of
// which endpoints with many ports send many in a cycle. It is nil if the design is too large to be simulated.
func CostOf(v study.Verify, size *topology.Size, a Ahead) *Cost {
	c := simcore.CountsOfSize(size)
	l := Result{Cycles: v.Cycles, Predicted: a.Saturation}
	cfg := flit.SwitchConfig()
	cfg.PacketFlits, cfg.VCs = max(v.Packet, 1), max(defaultVCs, v.VCs)
	flits, ports := float64(c.UnitTies), float64(c.Channels+2*c.UnitTies) // flits that are sent at load 1 in a cycle
	trip := zeroLoad(&cfg, float64(a.Longest), float64(cfg.PacketFlits-1))
	if c.Endpoints > mostEnds || l.window(&v, flits/cfg.MeanFlits(), trip, ports, leastCycles) != nil {
		return nil
	}
	full, all := l.simulated(&v, flits/cfg.MeanFlits(), trip, a)
	x := &Cost{Cycles: l.Cycles, perCycle: a.Saturation * flits * (a.Hops + 1), idle: all * cycleNs / 1e9}
	x.FlitHops = full * x.perCycle
	x.Work = x.FlitHops
	x.Before = float64(c.Channels) * float64(min(c.Switches, c.Endpoints)) * turnNs / 1e9
	x.Seconds = x.Before + x.idle + (x.FlitHops*(hopNs+missNs*max(0, math.Log2(flit.Bytes(c, &cfg)/cacheBytes))))/1e9
	return x
}

// cutCostOf is CostOf of the cut-through model, by packets.
func cutCostOf(v study.Verify, size *topology.Size, a Ahead, opt *evaluator.Options) *Cost {
	const someGbps = 400 // of an endpoint where the study does not say
	c := simcore.CountsOfSize(size)
	l := Result{Cycles: v.Cycles, Predicted: a.Saturation, Model: study.CutThrough}
	perNs := float64(c.Endpoints) * cmp.Or(opt.BandwidthGbps, someGbps) / float64(8*opt.Latency.MTUBytes)
	trip := float64(a.Longest+1) * opt.Latency.SwitchNs
	if c.Endpoints > mostEnds || l.window(&v, perNs, trip, cutShare*float64(c.Channels+2*c.Endpoints), leastNs) != nil {
		return nil
	}
	full, all := l.simulated(&v, perNs, trip, a)
	return &Cost{Cycles: l.Cycles, Work: all, Seconds: full * a.Saturation * perNs * (a.Hops + 1) * cutHopNs / 1e9}
}

// simulated is how many cycles, or ns, are simulated of all loads, and how many at the saturation load would be as much work.
func (l *Result) simulated(v *study.Verify, perUnit, trip float64, a Ahead) (full, all float64) {
	warm, window := float64(warmup(l.Cycles, trip)), float64(l.Cycles)
	all = nearLoads*(warm+trip) + nearWindows*window
	if a.Hops == 0 && a.Saturation >= saturatedTop {
		all = fullLoads*(warm+trip) + fullWindows*window
	}
	full = all
	for _, x := range fractions(v.Loads) {
		n := window
		if l.Precision > 0 {
			need := queued * packets(l.Precision) / (perUnit * x * a.Saturation)
			n *= math.Exp2(math.Ceil(math.Log2(min(max(1, need/window), simcore.MeasureTimes))))
		}
		all += warm + n + trip
		full += x * (warm + n + trip)
	}
	return full, all
}
