package multicast

import (
	"fmt"
	"math/bits"
)

// patience bounds a collective: cycles for each flit that it sends to anyone, far above what one takes
// at any load below saturation.
const patience = 1000

// finish runs a collective to its end and gives the cycles from its begin to its last delivery, as Outcome.Last
// counts those of a message: the clock has gone on by a cycle or more since.
func (s *Sim) finish(what string, from int64, g *Group, flits int) (int64, error) {
	if s.Run(deadlockCycles + patience*int64(len(g.Members))*int64(flits)) {
		last := from
		for i := range s.messages {
			last = max(last, s.messages[i].last)
		}
		return last - from, nil
	}
	if s.Stuck() {
		return 0, fmt.Errorf("multicast: the %s of %d members is deadlocked: nothing has moved for %d cycles", what, len(g.Members), deadlockCycles)
	}
	return 0, fmt.Errorf("multicast: the %s of %d members was not finished after %d cycles; %d packets were lost at switches that did not know the group",
		what, len(g.Members), s.now-from, s.Count.Missed)
}

// Broadcast sends packets from a member to all others, one behind the other, and gives the cycles until the last has
// arrived everywhere.
func (s *Sim) Broadcast(m Method, g *Group, from, packets int) (int64, error) {
	begin := s.now
	for range packets {
		if _, err := s.Send(m, g, from, s.cfg.Flits, nil); err != nil {
			return 0, err
		}
	}
	return s.finish("broadcast", begin, g, packets*s.cfg.Flits)
}

// Exchange sends packets from every member to all others, all at once, and gives the cycles until the last has
// arrived.
func (s *Sim) Exchange(m Method, g *Group, packets int) (int64, error) {
	begin := s.now
	for range packets {
		for _, from := range g.Members {
			if _, err := s.Send(m, g, from, s.cfg.Flits, nil); err != nil {
				return 0, err
			}
		}
	}
	return s.finish("exchange", begin, g, packets*len(g.Members)*s.cfg.Flits)
}

// Barrier gathers a flit from every member along a binomial tree of unicast packets to the creator, which then
// releases all by a message of one flit; it gives the cycles from the entry of all members at once to the release of the last.
// The methods differ in the release alone.
func (s *Sim) Barrier(m Method, g *Group) (int64, error) {
	begin := s.now
	if m == Table && !s.notes[note{int32(g.Creator), g.ID}] {
		return 0, fmt.Errorf("multicast: group %d of creator %d has not been created", g.Sequence, g.Creator)
	}
	n := len(g.Members)
	missing := make([]int, n) // by rank, which is the place: children that have not reported
	for r := 1; r < n; r++ {
		missing[r-1<<(bits.Len(uint(r))-1)]++
	}
	var err error
	var report func(rank int)
	report = func(rank int) {
		if rank == 0 {
			_, err = s.Send(m, g, g.Creator, 1, nil)
			return
		}
		up := rank - 1<<(bits.Len(uint(rank))-1)
		msg := s.begin(message{left: 1})
		s.messages[msg].then = func(int) {
			if missing[up]--; missing[up] == 0 {
				// The message to come keeps the barrier open.
				s.after(func() { report(up) })
			}
		}
		s.unicast(g.Members[rank], g.Members[up], 1, msg)
	}
	for r := range n {
		if missing[r] == 0 {
			report(r)
		}
	}
	cycles, late := s.finish("barrier", begin, g, 2)
	if err != nil {
		return 0, err
	}
	return cycles, late
}
