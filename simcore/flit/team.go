package flit

import (
	"runtime"
	"sync/atomic"
)

// maxWindow bounds the cycles between two exchanges, and with them the memory for what crosses.
const maxWindow = 128

// outbox is what a part has for another at the next exchange.
type outbox struct {
	flits   []farFlit
	credits []farCredit
	freed   []int32 // packets that go back to the part that they came from
}

// farFlit and farCredit are entries of buckets of the receiver's wheel.
type farFlit struct {
	at int32 // bucket of the wheel
	iv int32
	f  uint32
}

type farCredit struct{ at, ov int32 }

// team is what the parts of a Sim share while they run.
type team struct {
	steps  int // cycles of this Step
	window int
	phased bool // barriers between the steps of a cycle
	wait   barrier
	run    func(part int) // through the cycles of the Step
	leave  func()         // wait.leave
}

// barrier lets parts go on when all have come to it.
type barrier struct {
	n     int32
	spins int
	here  atomic.Int32
	round atomic.Uint32
	left  atomic.Bool // a part will never come
}

// spins is how often a part looks whether the others have come before it lets other goroutines
// run: about a microsecond, for giving way costs as much. With more parts than processors it
// gives way at once.
const spins = 1000

func (b *barrier) arrive() {
	r := b.round.Load()
	if b.here.Add(1) == b.n {
		b.here.Store(0)
		b.round.Add(1)
		return
	}
	for i := 0; b.round.Load() == r; i++ {
		if i >= b.spins {
			if b.left.Load() {
				panic("simcore: another part has ended")
			}
			runtime.Gosched()
		}
	}
}

// leave lets nobody wait any more: a part that has to panics. Go reports the first panic, of the part
// that left.
func (b *barrier) leave() { b.left.Store(true) }
