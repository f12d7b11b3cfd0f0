package flit

import (
	"fmt"
	"runtime"

	"toposearch/internal/crew"
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
	crew.Run(len(s.parts), t.run, t.leave)
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

// Step simulates n cycles. After a panic of a routing, a traffic or the engine a Sim is of no more use.
func (s *Sim) Step(n int) {
	defer crew.Doing(func() string {
		return fmt.Sprintf("simulating %s, routing %s, load %g, seed %d, cycle %d", s.design(), s.routingName, s.load, s.cfg.Seed, s.now)
	})
	if s.parts != nil {
		s.stepParts(n)
		s.verify()
		return
	}
	for range n {
		s.cycle()
		s.verify()
	}
}
