package flit

import (
	"fmt"
	"slices"

	"toposearch/simcore"
	"toposearch/topology"
)

// makeState makes the state of the switches for a routing that keeps one, and what it asks of the engine.
func (s *Sim) makeState(r simcore.Stateful) error {
	if s.cfg.RoutingDelay == 0 {
		return fmt.Errorf("simcore: routing %s keeps state in the switches, and routing_delay = 0 has each decide for the next one; at least 1 is needed", s.routingName)
	}
	s.view = s.view.WithState(nil, (*queues)(s)) // NewState may ask how long channels are
	state, err := r.NewState(&s.view)
	if err != nil {
		return err
	}
	s.kept, s.view = state, s.view.WithState(state.Of, (*queues)(s))
	if state.Enter != nil {
		s.marks = make([]int32, len(s.vc))
	}
	if state.CountSent {
		s.log = newSentLog(int(s.nOut), s.longestTrip())
	}
	return nil
}

// longestTrip is the longest credit round trip of a channel.
func (s *Sim) longestTrip() int {
	trip := 0
	for c := range s.chanOut {
		trip = max(trip, (*queues)(s).Line(topology.ChannelID(c)).Trip)
	}
	return trip
}

func (s *Sim) resetState() {
	if s.kept == nil {
		return
	}
	if s.kept.Reset != nil {
		s.kept.Reset()
	}
	if s.log != nil {
		s.log.reset()
	}
}

// leave tells the state that a tail has left an input VC.
func (s *Sim) leave(iv int32) {
	if s.kept.Leave != nil {
		s.kept.Leave(topology.SwitchID(s.in[iv>>(s.vs&31)].sw), s.marks[iv])
	}
}

// remember begins a cycle of the state: notes that arrive, then what switches do from time to time.
func (s *Sim) remember() {
	if s.mail != nil {
		box := &s.mail[int(s.now)&(len(s.mail)-1)]
		if len(*box) > 1 {
			slices.SortFunc(*box, compareNotes)
		}
		for _, n := range *box {
			s.kept.Hear(n)
		}
		*box = (*box)[:0]
	}
	if s.kept.Tick == nil || s.now%s.kept.Period != 0 {
		return
	}
	for sw := range s.switches {
		if s.partOf == nil || s.partOf[sw] == s.me {
			s.kept.Tick(topology.SwitchID(sw), &s.view)
		}
	}
}
