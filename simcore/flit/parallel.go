package flit

import (
	"fmt"

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
// between two steps of a cycle, in which no switch changes it: each step is then a stage of
// its own (team.go). Either way every decision reads exactly what it reads on one core, and within a step the
// order of switches does not matter, so that the result is the same, bit for bit, on any number
// of parts.

// stepParts simulates n cycles on all parts.
func (s *Sim) stepParts(n int) {
	t := s.team
	for _, p := range s.parts[1:] {
		p.follow(s)
	}
	hops := s.stat.flitHops
	crew.Run(t.begin(n), t.run, t.leave)
	for _, p := range s.parts[1:] {
		s.absorb(p)
	}
	t.pace.note(s.stat.flitHops-hops, t.late.Load())
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

// runStage runs one part through a stage of a Step: what the others have posted in the window before, and the
// next window or a step of it. After the last window there is a stage that only collects. The answer is the patience of
// the part.
func (s *Sim) runStage(i int32) (patience int) {
	t := s.team
	step := i % int32(t.steps)
	if step == 0 && i > 0 {
		s.collect()
	}
	if i == t.stages-1 {
		return s.patience
	}
	hops, end := s.stat.flitHops, true
	if t.steps > 1 {
		end = s.phase(step)
	} else {
		for range min(t.window, int(t.cycles)-int(i)*t.window) {
			s.cycle()
		}
	}
	if end {
		s.parity ^= 1
	}
	if n := int(s.stat.flitHops - hops); n > 0 { // of all steps, one moves flits
		s.patience = n * looksPerHop / t.steps
	}
	return s.patience
}

// phase is a step of a cycle; it tells whether it was the last.
func (s *Sim) phase(step int32) (last bool) {
	switch step {
	case 0:
		if s.kept != nil {
			s.remember()
		}
		s.takeCredits()
		return false
	case 1:
		s.enter(s.due())
		return false
	case 2:
		if s.work(); s.cfg.RoutingDelay == 0 {
			return false
		}
	case 3:
		s.routeAhead()
	}
	s.now++
	return true
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
			s.fileFlit(&s.wheel[e.at], flitAt(e.iv, e.f))
		}
		for _, e := range b.credits {
			s.fileCredit(&s.wheel[e.at], e.ov)
		}
		for _, i := range b.freed {
			s.packet(i).next = s.free
			s.free = i
		}
		for _, n := range b.notes {
			s.fileNote(n.at, n.Note)
		}
		b.flits, b.credits, b.freed, b.notes = b.flits[:0], b.credits[:0], b.freed[:0], b.notes[:0]
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
