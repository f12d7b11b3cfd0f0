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
	// LoopScript is what Workload.Script says.
	LoopScript = "script"
)

// Workload is a closed loop of traffic: what is sent depends on what has arrived.
type Workload struct {
	Kind    string `json:"kind"`
	Window  int    `json:"window,omitempty"`        // packets
	Message int    `json:"message_flits,omitempty"` // split into packets of Config.PacketFlits
	Rounds  int    `json:"rounds,omitempty"`
	// MaxCycles ends a workload that is to be completed; 0: 100 million.
	MaxCycles int64 `json:"max_cycles,omitempty"`
	// Script of LoopScript. An all-to-all and a ring have scripts of their own (Scripted).
	Script Script `json:"-"`
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
	case LoopScript:
		check(w.Script != nil, "a workload %s has no Script", w.Kind)
	default:
		check(false, "workload %q is not %s, %s, %s or %s", w.Kind, LoopWindow, LoopBarrier, LoopAllToAll, LoopRing)
	}
	check(w.Kind != LoopBarrier || w.Rounds >= 1 && w.Rounds <= 1<<20, "Rounds = %d is not in 1..%d", w.Rounds, 1<<20)
	check(w.MaxCycles >= 0 && w.MaxCycles <= MostCycles, "MaxCycles = %d is not in 0..%d", w.MaxCycles, MostCycles)
	return errors.Join(bad...)
}

// Scripted is the script of a workload among n endpoints, at least two; nil of a window and a barrier, which have none.
func (w *Workload) Scripted(n int) Script {
	switch w.Kind {
	case LoopScript:
		return w.Script
	case LoopAllToAll:
		return &toAll{n: int32(n), size: int32(w.Message), sent: make([]int32, n)}
	case LoopRing:
		flows := make([]Flow, n)
		for e := range flows {
			before := (e + n - 1) % n
			flows[e] = Flow{From: int32(e), To: int32((e + 1) % n), Count: int32(2 * (n - 1)), Size: int32(w.Message), After: []Need{{Flow: int32(before)}}}
		}
		f, err := NewFlows(n, flows, 1, 0)
		if err != nil {
			panic("simcore: the ring of a workload: " + err.Error())
		}
		return f
	}
	return nil
}

// toAll is the script of an all-to-all: nothing waits for anything.
type toAll struct {
	n, size int32
	sent    []int32 // messages, by endpoint
}

func (a *toAll) Begin()                             { clear(a.sent) }
func (a *toAll) Total() int64                       { return int64(a.n) * int64(a.n-1) * int64(a.size) }
func (a *toAll) Sizes() []int32                     { return []int32{a.size} }
func (a *toAll) AtOnce() int                        { return 1 }
func (a *toAll) Arrived(int32, int64, int32, int64) {}
func (a *toAll) Due(e int32) int64 {
	if a.sent[e] == a.n-1 {
		return Never
	}
	return 0
}

func (a *toAll) Next(e int32) Message {
	a.sent[e]++
	return Message{Dst: (e + a.sent[e]) % a.n, Size: a.size}
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
