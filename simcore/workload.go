package simcore

import (
	"errors"
	"fmt"
)

// Kinds of closed loop.
const (
	// LoopWindow keeps Workload.Window packets of every endpoint under way: the arrival of one,
	// known at once, lets its source make another. Throughput and latency are measured in a window.
	LoopWindow = "window"
	// LoopBarrier is Workload.Rounds rounds: every endpoint sends a message to where the traffic
	// says, and the next round begins for all in the cycle after the last flit of all has arrived.
	LoopBarrier = "barrier"
	// LoopAllToAll sends a message from every endpoint to every other, to the next by number first,
	// one after the other without waiting.
	LoopAllToAll = "alltoall"
	// LoopRing is the 2 (N - 1) steps of a ring all-reduce: in each, every endpoint sends a message
	// (one N-th of the vector) to the next by number, once it has received that of the step before.
	LoopRing = "ring"
)

// Workload is a closed loop of traffic: what is sent depends on what has arrived.
type Workload struct {
	Kind    string `json:"kind"`
	Window  int    `json:"window,omitempty"`        // packets
	Message int    `json:"message_flits,omitempty"` // split into packets of Config.PacketFlits
	Rounds  int    `json:"rounds,omitempty"`
	// MaxCycles ends a workload that is to be completed; 0: 100 million.
	MaxCycles int64 `json:"max_cycles,omitempty"`
}

// Validate names every setting that is out of range.
func (w *Workload) Validate() error {
	var bad []error
	check := func(ok bool, format string, args ...any) {
		if !ok {
			bad = append(bad, fmt.Errorf("simcore: "+format, args...))
		}
	}
	switch w.Kind {
	case LoopWindow:
		check(w.Window >= 1 && w.Window <= 1<<12, "Window = %d is not in 1..4096", w.Window)
	case LoopBarrier, LoopAllToAll, LoopRing:
		check(w.Message >= 1 && w.Message <= 1<<30, "Message = %d is not in 1..%d", w.Message, 1<<30)
	default:
		check(false, "workload %q is not %s, %s, %s or %s", w.Kind, LoopWindow, LoopBarrier, LoopAllToAll, LoopRing)
	}
	check(w.Kind != LoopBarrier || w.Rounds >= 1 && w.Rounds <= 1<<20, "Rounds = %d is not in 1..%d", w.Rounds, 1<<20)
	check(w.MaxCycles >= 0 && w.MaxCycles <= MostCycles, "MaxCycles = %d is not in 0..%d", w.MaxCycles, MostCycles)
	return errors.Join(bad...)
}

// Turns is how far an endpoint is in an all-to-all or a ring, of any model.
type Turns struct {
	step int32 // messages begun
	// A ring: messages received whole, and what has come of those behind them.
	got   int32
	early []int32
}

// Ready reports whether one of n endpoints may begin a message.
func (t *Turns) Ready(kind string, n int32) bool {
	switch kind {
	case LoopAllToAll:
		return t.step < n-1
	case LoopRing:
		return t.step < 2*(n-1) && t.step <= t.got
	}
	return false
}

// Begin takes up the next message of endpoint e of n, and gives its number and its destination.
func (t *Turns) Begin(kind string, e, n int32) (number, dst int32) {
	t.step++
	if kind == LoopAllToAll {
		return t.step - 1, (e + t.step) % n
	}
	return t.step - 1, (e + 1) % n
}

// Got is the number of messages of a ring received whole.
func (t *Turns) Got() int32 { return t.got }

// Receive counts a piece of a message of a ring by the number of that message, and gives how many
// messages it completes. Pieces of the next message may come first where routes differ.
func (t *Turns) Receive(number, size, message int32) (whole int) {
	k := number - t.got
	for int(k) >= len(t.early) {
		t.early = append(t.early, 0)
	}
	t.early[k] += size
	for len(t.early) > 0 && t.early[0] == message {
		t.early = append(t.early[:0], t.early[1:]...)
		t.got++
		whole++
	}
	return whole
}

// Total is what n endpoints send in an all-to-all or a ring, in units of Message; 0 of other kinds.
func (w *Workload) Total(n int64) int64 {
	switch w.Kind {
	case LoopAllToAll:
		return n * (n - 1) * int64(w.Message)
	case LoopRing:
		return n * 2 * (n - 1) * int64(w.Message)
	}
	return 0
}

// Chain is the number of messages of which each can begin only when the one before it has arrived.
// In a ring each chain passes every link of the ring equally often on average, and the longest is no
// shorter than that.
func (w *Workload) Chain(n int) int {
	switch w.Kind {
	case LoopBarrier:
		return w.Rounds
	case LoopRing:
		return 2 * (n - 1)
	}
	return 1
}

// maxCycles bounds the length of a run in cycles: those in packets are 32 bits wide.
const MostCycles = 1<<31 - 1<<20
