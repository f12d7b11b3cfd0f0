package route

import (
	"errors"
	"fmt"

	"toposearch/simcore"
	"toposearch/topology"
)

// Tuning is what the adaptive routings (ugal_l, ugal_g, par) decide by. What is nil follows from packets, buffers and
// round trips, as said there.
type Tuning struct {
	// Bias favours the direct way: flits per VC of its queue that do not count. Negative: towards detours.
	// nil: a packet, or what a VC holds of it, while one passes through it and nothing waits (with packets of 16 flits over buffers of 8 a
	// whole one would hide half of the queue: 0.80 of Valiant's load under group_shift instead of 1.08). More delays the answer to
	// congestion; less takes for a queue what is none, and detours of uniform traffic then cost more than 3 % of the
	// throughput (Dragonfly of 342 endpoints; half a packet: 6 %).
	Bias *int `json:"ugal_bias"`
	// Stall is the number of flits on a VC of the last leg of detours beyond which packets on the direct way
	// leave that VC alone, at least 0. nil: the credit round trip of the channel. A VC that flows, however
	// fast, has no more flits and credits under way; one that has more stands, and what enters it on the
	// direct way would block the detours that are to relieve that way.
	Stall *int `json:"ugal_stall"`
	// Draws is the number of intermediates that are drawn at most, until one is found to which the packet
	// would leave by another channel than on the direct way; at least 1. nil: 4, with which less than 2 % of the packets
	// find none even at a switch with three channels, a third of whose detours begin alike.
	Draws *int `json:"ugal_draws"`
}

const defaultDraws = 4 // see Tuning.Draws

// check refuses values out of range, and any for a routing that does not decide by queues.
func (t *Tuning) check(name string, decides bool) error {
	if !decides && *t != (Tuning{}) {
		return fmt.Errorf("routing %s does not decide by queues: ugal_bias, ugal_stall and ugal_draws are for ugal_l, ugal_g and par", name)
	}
	var faults []error
	if t.Stall != nil && *t.Stall < 0 {
		faults = append(faults, fmt.Errorf("ugal_stall = %d is negative", *t.Stall))
	}
	if t.Draws != nil && (*t.Draws < 1 || *t.Draws > mostDraws) {
		faults = append(faults, fmt.Errorf("ugal_draws = %d is not in 1..%d", *t.Draws, mostDraws))
	}
	return errors.Join(faults...)
}

// mostDraws bounds the time of a decision; switches with a single channel would otherwise draw for long.
const mostDraws = 1000

func (t *Tuning) draws() int {
	if t.Draws != nil {
		return *t.Draws
	}
	return defaultDraws
}

func (t *Tuning) bias(v *simcore.View, c topology.ChannelID) int {
	if t.Bias != nil {
		return *t.Bias
	}
	l := v.Line(c)
	return min(l.Packet, l.Buffer) // what a VC holds of a packet that passes
}

func (t *Tuning) stall(v *simcore.View, c topology.ChannelID) int {
	if t.Stall != nil {
		return *t.Stall
	}
	l := v.Line(c)
	return max(0, min(l.Trip, l.Buffer-l.Packet)) // a buffer of less than a round trip and a packet never shows more
}
