package flit

import (
	"unsafe"

	"toposearch/simcore"
)

// laneBytes is the state of a lane's switches: a quarter of the second-level cache of one core
// of today's servers, for packets and the wheel want room there as well.
const laneBytes = 512 << 10

// laneCount is the number of lanes. Switches of a cycle may only be done one after the other if no
// routing reads another switch.
func (s *Sim) laneCount() int {
	if !s.lean || !s.readsLocally() {
		return 1
	}
	if s.cfg.lanes > 0 {
		return min(s.cfg.lanes, s.switches)
	}
	bytes := int64(s.nIn)*int64(unsafe.Sizeof(inPort{})+unsafe.Sizeof(vcState{})<<s.vs) +
		int64(s.nOut)*int64(unsafe.Sizeof(outPort{})+unsafe.Sizeof(ovState{})<<s.vs)
	return int(min(max(1, bytes/laneBytes), maxLanes, int64(s.switches)))
}

// dealLanes deals out the switches to lanes in ranges of their numbers, equal in ports, and notes in
// every port in which lane what it sends arrives.
func (s *Sim) dealLanes() {
	n := int64(len(s.lanes))
	laneOf := func(sw int32) lag { return lag(int64(s.inStart[sw]) * n / int64(max(s.nIn, 1))) }
	for op := range s.out {
		o := &s.out[op]
		if o.down < 0 {
			continue
		}
		o.lag = o.lag&^0xff | lag(n)
		if o.down < s.nIn {
			o.lag = o.lag&^0xff | laneOf(s.in[o.down].sw)
		}
		s.in[o.down].crLag = s.in[o.down].crLag&^0xff | lag(n)
	}
	for sw := range int32(s.switches) {
		for op := s.outStart[sw]; op < s.outStart[sw+1]; op++ {
			if ip := s.out[op].down; ip >= 0 {
				s.in[ip].crLag = s.in[ip].crLag&^0xff | laneOf(sw)
			}
		}
	}
}

// cycleLanes is cycle lane by lane, so that the state of a lane stays in cache from its credits to
// its sends.
func (s *Sim) cycleLanes() {
	due := s.due()
	ends := &due[len(due)-1]
	s.creditsLean(nil, ends.credits) // of sources, which have no VCs that wait
	s.inject()
	s.eject(ends.flits)
	s.spare.giveBack(ends)
	steps := s.stepsLean()
	for i := range s.lanes {
		l, b := &s.lanes[i], &due[i]
		s.creditsLean(l, b.credits)
		s.allocEarly(l)
		s.routeAgainLean(l)
		s.arriveLean(l, b.flits)
		s.spare.giveBack(b)
		s.workLean(l, steps)
	}
	s.now++
}

// stepsLean is how many steps switches take in this cycle.
func (s *Sim) stepsLean() int {
	if s.steps == nil {
		return 1
	}
	s.steps.due += s.cfg.InternalSpeedup
	n := int(s.steps.due)
	s.steps.due -= float64(n)
	return n
}

// workLean lets the switches of a lane allocate and send, in n steps.
func (s *Sim) workLean(l *lane, n int) {
	for k := range n {
		if k > 0 {
			s.allocEarly(l)
			s.routeAgainLean(l)
		}
		if !s.blind {
			s.allocLean(l)
		}
		if s.steps != nil { // a flit is behind the crossbar a step later
			s.steps.line = s.now + simcore.Cycle(b2i(k == n-1))
		}
		s.sendLean(l)
	}
}

// readsLocally reports whether routes are computed from what the switch itself knows.
func (s *Sim) readsLocally() bool {
	if s.cfg.RoutingDelay == 0 {
		return false
	}
	l, ok := s.asGiven().(simcore.LocalRouting)
	return ok && l.Local()
}

// readsNoWaiting reports whether the routing never asks for what waits at a switch.
func (s *Sim) readsNoWaiting() bool {
	b, ok := s.asGiven().(simcore.BlindRouting)
	return ok && b.Blind()
}

// asGiven is the routing as it was given, which says what it reads.
func (s *Sim) asGiven() any {
	if s.native != nil {
		return s.native
	}
	return s.routing
}
