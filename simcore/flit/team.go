package flit

import (
	"runtime"
	"sync/atomic"

	"toposearch/simcore"
)

// maxWindow bounds the cycles between two exchanges, and with them the memory for what crosses.
const maxWindow = 128

// outbox is what a part has for another at the next exchange.
type outbox struct {
	flits   []farFlit
	credits []farCredit
	freed   []int32 // packets that go back to the part that they came from
	notes   []farNote
}

// farFlit and farCredit are entries of buckets of the receiver's wheel.
type farFlit struct {
	at int32 // bucket of the wheel
	iv int32
	f  uint32
}

type farCredit struct{ at, ov int32 }

// farNote is a note for another part.
type farNote struct {
	at simcore.Cycle
	simcore.Note
}

// team takes the parts of a Sim through the stages of a Step. Nothing happens in a stage that a part could see
// in another before the next one, so that it does not matter who runs a part: each goroutine begins with the
// part of its own number and goes on with those that nobody has begun. A helper that is late, because its
// core is busy with something else, leaves its part to the others.
//
// A core that is taken away in the middle of a part holds all up. Nobody burns time on that: a helper that
// has waited for longer than patience allows ends, the caller of Step sleeps, and the pace of the
// team falls.
type team struct {
	window int                      // cycles between two exchanges
	steps  int                      // stages of a window: 1, or the steps of its one cycle between which a routing may read what another part writes
	lead   func(p int, i int32) int // takes a part through a stage and gives its patience
	pace   pace

	// Of this Step.
	cycles, stages int32
	run            func(w int) // takes part as goroutine w
	leave          func()      // nobody waits any more: a part that has to panics. Go reports the first panic, of the part that left.

	stage  atomic.Int32 // that is being worked on
	done   atomic.Int32 // parts that have come through it
	late   atomic.Bool  // somebody had to wait for long
	left   atomic.Bool  // a part will never come
	inside atomic.Int32 // helpers at work
	asleep atomic.Bool  // the caller of Step is, until wake
	wake   chan struct{}
	turns  []turn // by part
}

// turn counts the stages of a Step that somebody has begun to run a part through. It has a cache line of its own.
type turn struct {
	begun atomic.Int32
	_     [60]byte
}

func newTeam(parts, window, steps int, lead func(p int, i int32) int) *team {
	t := &team{window: window, steps: steps, lead: lead, wake: make(chan struct{}, 1), turns: make([]turn, parts)}
	t.pace.reset(parts)
	t.run, t.leave = t.work, func() {
		t.left.Store(true)
		t.rouse()
	}
	return t
}

// begin prepares a Step of n cycles and gives the number of goroutines for it.
func (t *team) begin(n int) (goroutines int) {
	t.cycles, t.stages = int32(n), int32((n+t.window-1)/t.window*t.steps+1)
	t.stage.Store(0)
	t.done.Store(0)
	t.late.Store(false)
	for i := range t.turns {
		t.turns[i].begun.Store(0)
	}
	return min(t.pace.crew, runtime.GOMAXPROCS(0))
}

// work takes part in the stages as goroutine w: 0, the caller of Step, until all are done, a helper until
// it is not needed any more.
func (t *team) work(w int) {
	if w > 0 {
		t.inside.Add(1)
		defer t.inside.Add(-1)
	}
	for i := t.stage.Load(); i < t.stages; i = t.stage.Load() {
		if w > 0 && t.late.Load() {
			return
		}
		patience := leastPatience
		for k := range t.turns {
			p := (w + k) % len(t.turns)
			if !t.turns[p].begun.CompareAndSwap(i, i+1) {
				continue
			}
			patience = max(patience, t.lead(p, i))
			if t.done.Add(1) == int32(len(t.turns)) {
				t.done.Store(0)
				t.stage.Store(i + 1)
				t.rouse()
			}
		}
		if !t.await(i, patience, w == 0) {
			return
		}
	}
	for n := 0; w == 0 && t.inside.Load() > 0; n++ { // a helper whose core is gone will be waited for
		if n > leastPatience {
			t.late.Store(true)
			return
		}
	}
}

// await waits for the end of a stage, and looks so many times before it is late; then it sleeps, if it is to
// stay, or gives up.
func (t *team) await(i int32, patience int, stay bool) bool {
	for n := 0; t.stage.Load() == i; n++ {
		switch {
		case t.left.Load():
			panic("simcore: another part has ended")
		case n < patience:
			continue
		}
		t.late.Store(true)
		if !stay {
			return false
		}
		t.asleep.Store(true)
		if t.stage.Load() == i && !t.left.Load() {
			<-t.wake
		}
		t.asleep.Store(false)
	}
	return true
}

// rouse wakes the caller of Step. It may be told so again when it sleeps next, and then looks once more.
func (t *team) rouse() {
	if t.asleep.Load() {
		select {
		case t.wake <- struct{}{}:
		default:
		}
	}
}
