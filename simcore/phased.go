package simcore

import (
	"cmp"
	"fmt"
	"slices"
)

// Send is a message of a Phased script.
type Send struct {
	From, To int32
	Size     int32 // flits, or bytes; at least 1
	Phase    int32 // from 0 on, without gaps
	At       int64 // cycles or ps after the phase begins for From at which it may begin; in phase 0 after the start
}

// Phased is a Script of messages in phases: an endpoint goes on to the next phase when all that the phases before send to it
// has arrived (it needs no news of others), and sends the messages of a phase in the order of their times, then in that given.
// With one phase it replays a trace, or a graph of who sends how much to whom.
type Phased struct {
	sends []Send
	start []int32 // of each endpoint's in sends
	sizes []int32
	total int64
	goal  [][]int64 // what each endpoint has to receive in each phase
	ends  []phasedEnd
}

// phasedEnd is an endpoint's side.
type phasedEnd struct {
	next  int32 // of its messages
	phase int32 // that it is in
	since int64 // when it got there
	got   []int64
	last  []int64 // by phase: when the last packet came
}

// NewPhased makes the script of messages among some endpoints. The error names the message that cannot be.
func NewPhased(endpoints int, sends []Send) (*Phased, error) {
	p := &Phased{sends: slices.Clone(sends), start: make([]int32, endpoints+1), ends: make([]phasedEnd, endpoints)}
	phases := int32(0)
	for i, s := range p.sends {
		switch {
		case s.From < 0 || s.To < 0 || int(max(s.From, s.To)) >= endpoints || s.From == s.To:
			return nil, fmt.Errorf("simcore: message %d goes from endpoint %d to %d; they are two of 0 to %d", i, s.From, s.To, endpoints-1)
		case s.Size < 1 || s.At < 0 || s.At >= Never || s.Phase < 0 || int(s.Phase) > len(p.sends):
			return nil, fmt.Errorf("simcore: message %d has the size %d, phase %d and time %d; a size of at least 1, a phase and a time of at least 0", i, s.Size, s.Phase, s.At)
		}
		phases = max(phases, s.Phase+1)
		p.total += int64(s.Size)
		p.sizes = append(p.sizes, s.Size)
		p.start[s.From+1]++
	}
	slices.Sort(p.sizes)
	p.sizes = slices.Compact(p.sizes)
	for e := range endpoints {
		p.start[e+1] += p.start[e]
	}
	slices.SortStableFunc(p.sends, func(a, b Send) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Phase, b.Phase), cmp.Compare(a.At, b.At))
	})
	p.goal = make([][]int64, phases)
	for k := range p.goal {
		p.goal[k] = make([]int64, endpoints)
	}
	for _, s := range p.sends {
		p.goal[s.Phase][s.To] += int64(s.Size)
	}
	for e := range p.ends {
		p.ends[e].got, p.ends[e].last = make([]int64, phases), make([]int64, phases)
	}
	return p, nil
}

// Begin is of Script.
func (p *Phased) Begin() {
	for e := range p.ends {
		x := &p.ends[e]
		x.next, x.phase, x.since = p.start[e], 0, 0
		clear(x.got)
		clear(x.last)
		p.enter(int32(e), 0)
	}
}

// enter goes on through the phases of which an endpoint has received all.
func (p *Phased) enter(e int32, now int64) {
	x := &p.ends[e]
	for int(x.phase) < len(p.goal) && x.got[x.phase] == p.goal[x.phase][e] {
		x.phase++
		x.since = now
	}
}

// Total is of Script.
func (p *Phased) Total() int64 { return p.total }

// Sizes is of Script.
func (p *Phased) Sizes() []int32 { return p.sizes }

// AtOnce is of Script: one message after the other.
func (p *Phased) AtOnce() int { return 1 }

// Due is of Script.
func (p *Phased) Due(e int32) int64 {
	x := &p.ends[e]
	if x.next == p.start[e+1] {
		return Never
	}
	switch s := &p.sends[x.next]; {
	case s.Phase == 0:
		return s.At
	case s.Phase <= x.phase:
		return x.since + s.At
	}
	return Never
}

// Next is of Script.
func (p *Phased) Next(e int32) Message {
	x := &p.ends[e]
	s := &p.sends[x.next]
	x.next++
	return Message{Dst: s.To, Size: s.Size, Tag: int64(s.Phase)}
}

// Arrived is of Script.
func (p *Phased) Arrived(e int32, tag int64, size int32, from int64) {
	x := &p.ends[e]
	x.got[tag] += int64(size)
	x.last[tag] = max(x.last[tag], from)
	p.enter(e, from)
}

// Ends are the times, as Arrived was told them, by which all messages of each phase have arrived.
func (p *Phased) Ends() []int64 {
	out := make([]int64, len(p.goal))
	for e := range p.ends {
		for k, at := range p.ends[e].last {
			out[k] = max(out[k], at)
		}
	}
	return out
}
