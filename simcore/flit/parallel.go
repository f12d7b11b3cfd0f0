package flit

import (
	"runtime"
	"sync"
	"sync/atomic"

	"toposearch/simcore"
)

// One network on several cores. The switches are dealt out to parts; an endpoint belongs to the
// part of the switch that its first port is tied to. A part is a Sim of its own that shares the
// arrays of ports, VCs, packets and endpoints, of which it writes only what belongs to it, and has
// its own wheel, lists, free packets and counters.
//
// What is sent in a cycle is seen by the receiver not before the delay of its line. Parts meet
// only through flits and credits on lines between them, so each can run alone for as many cycles
// as the shortest such delay; then they exchange what crossed, at a barrier. A routing that reads
// the state of distant switches (and look-ahead, which reads the next switch) sees it as it is
// between two steps of a cycle, in which no switch changes it: barriers then stand between the
// steps. Either way every decision reads exactly what it reads on one core, and within a step the
// order of switches does not matter, so that the result is the same, bit for bit, on any number
// of parts.

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
	wg     sync.WaitGroup
	run    []func() // by part, from 1
}

// barrier lets parts go on when all have come to it.
type barrier struct {
	n     int32
	spins int
	here  atomic.Int32
	round atomic.Uint32
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
			runtime.Gosched()
		}
	}
}

// post is what this part has for part o; two sets alternate, so that one is read while the other
// is filled.
func (s *Sim) post(o uint16) *outbox { return &s.outboxes[s.parity][o] }

func (s *Sim) flitFar(to uint16, now simcore.Cycle, l lag, iv int32, f uint32) {
	b := s.post(to)
	b.flits = append(b.flits, farFlit{s.place(now, l), iv, f})
}

func (s *Sim) creditFar(to uint16, now simcore.Cycle, l lag, ov int32) {
	b := s.post(to)
	b.credits = append(b.credits, farCredit{s.place(now, l), ov})
}

// stepParts simulates n cycles on all parts.
func (s *Sim) stepParts(n int) {
	t := s.team
	t.steps = n
	for _, p := range s.parts[1:] {
		p.follow(s)
	}
	if t.wait.spins = spins; len(s.parts) > runtime.GOMAXPROCS(0) {
		t.wait.spins = 0
	}
	t.wg.Add(len(t.run))
	for _, f := range t.run {
		go f()
	}
	s.runPart()
	t.wg.Wait()
	for _, p := range s.parts[1:] {
		s.absorb(p)
	}
}

// follow takes over the settings that may have changed between two Steps.
func (s *Sim) follow(main *Sim) {
	s.stopped, s.sent = main.stopped, main.sent
	s.stat.follow(&main.stat)
}

// absorb moves what a part has counted into s.
func (s *Sim) absorb(p *Sim) {
	s.live += p.live
	s.inNet += p.inNet
	p.live, p.inNet = 0, 0
	s.moved = max(s.moved, p.moved)
	s.stat.absorb(&p.stat)
}

// runPart runs one part through the cycles of a Step.
func (s *Sim) runPart() {
	t := s.team
	for left := t.steps; left > 0; {
		w := min(left, t.window)
		for range w {
			if t.phased {
				s.cyclePhased()
			} else {
				s.cycle()
			}
		}
		left -= w
		s.parity ^= 1
		t.wait.arrive()
		s.collect()
	}
}

// cyclePhased is cycle with barriers where a routing may read what another part writes.
func (s *Sim) cyclePhased() {
	t := s.team
	b := s.takeCredits()
	t.wait.arrive()
	s.enter(b)
	t.wait.arrive()
	s.work()
	if s.cfg.RoutingDelay == 0 {
		t.wait.arrive()
		s.routeAhead()
	}
	s.now++
}

// collect files what the others have posted.
func (s *Sim) collect() {
	last := s.parity ^ 1
	for _, p := range s.parts {
		if p == s {
			continue
		}
		b := &p.outboxes[last][s.me]
		for _, e := range b.flits {
			s.fileFlit(&s.wheel[e.at], e.iv, e.f)
		}
		for _, e := range b.credits {
			s.fileCredit(&s.wheel[e.at], e.ov)
		}
		for _, i := range b.freed {
			s.packet(i).next = s.free
			s.free = i
		}
		b.flits, b.credits, b.freed = b.flits[:0], b.credits[:0], b.freed[:0]
	}
}
