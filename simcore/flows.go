package simcore

import (
	"fmt"
	"slices"
)

// Flow is a stream of equal messages from one endpoint to another, of which each may have to wait for messages of
// other flows to its sender.
type Flow struct {
	From, To int32
	Count    int32 // messages, at least 1
	Size     int32 // of each
	Via      int32 // of Message
	// After are the flows, by their numbers, that end at From and are waited for.
	After []Need
}

// Need says that message i of a flow waits for the first i + Lead messages of another, or for all of them if there are
// fewer. A Lead of the flow's own Count or more waits for all from the first message on.
type Need struct{ Flow, Lead int32 }

// Flows is a Script of flows: collectives, and whatever else waits for data. Of the flows of an endpoint whose next
// message may be sent, that goes first which has been able to for longest, among equals the one with the lower number.
type Flows struct {
	flows  []Flow
	atOnce int
	delay  int64
	total  int64
	sizes  []int32
	next   [][]int32 // by flow: those that wait for it
	ends   []flowEnd // by endpoint
	state  []flowState
}

// flowState is a flow under way. What is sent belongs to its sender, what has arrived to its receiver.
type flowState struct {
	sent, may int32 // messages taken up; those that could be
	inbox     Inbox
	last      int64 // when the last message was received
}

// flowEnd is an endpoint's side: what it may send, and from when on, in the order of these times.
type flowEnd struct {
	first []int32 // flows that begin here
	may   []ready
}

type ready struct {
	at   int64
	flow int32
}

// NewFlows makes the script of flows among endpoints 0 to endpoints-1. atOnce is Script.AtOnce; what waits for a message may be
// sent delay (cycles or ps) after its arrival, and nothing sooner than that. The error names the flow that cannot be.
func NewFlows(endpoints int, flows []Flow, atOnce int, delay int64) (*Flows, error) {
	f := &Flows{flows: flows, atOnce: atOnce, delay: delay, next: make([][]int32, len(flows)), ends: make([]flowEnd, endpoints), state: make([]flowState, len(flows))}
	seen := make(map[int32]bool)
	for i, x := range flows {
		if x.From < 0 || x.To < 0 || int(max(x.From, x.To)) >= endpoints || x.From == x.To {
			return nil, fmt.Errorf("simcore: flow %d goes from endpoint %d to %d; they are two of 0 to %d", i, x.From, x.To, endpoints-1)
		}
		if x.Count < 1 || x.Size < 1 {
			return nil, fmt.Errorf("simcore: flow %d has %d messages of %d; at least 1 of each", i, x.Count, x.Size)
		}
		f.total += int64(x.Count) * int64(x.Size)
		if !seen[x.Size] {
			seen[x.Size] = true
			f.sizes = append(f.sizes, x.Size)
		}
		f.ends[x.From].first = append(f.ends[x.From].first, int32(i))
		for _, n := range x.After {
			if n.Flow < 0 || int(n.Flow) >= len(flows) || flows[n.Flow].To != x.From {
				return nil, fmt.Errorf("simcore: flow %d from endpoint %d waits for flow %d, which does not end there", i, x.From, n.Flow)
			}
			f.next[n.Flow] = append(f.next[n.Flow], int32(i))
		}
	}
	slices.Sort(f.sizes)
	return f, nil
}

// Begin is of Script.
func (f *Flows) Begin() {
	for i := range f.state {
		s := &f.state[i]
		s.sent, s.may, s.last = 0, 0, 0
		s.inbox.Empty()
	}
	for e := range f.ends {
		f.ends[e].may = f.ends[e].may[:0]
		for _, i := range f.ends[e].first {
			f.allow(i, f.delay)
		}
	}
}

// Total is of Script.
func (f *Flows) Total() int64 { return f.total }

// Sizes is of Script.
func (f *Flows) Sizes() []int32 { return f.sizes }

// AtOnce is of Script.
func (f *Flows) AtOnce() int { return f.atOnce }

// Due is of Script.
func (f *Flows) Due(e int32) int64 {
	if m := f.ends[e].may; len(m) > 0 {
		return m[0].at
	}
	return Never
}

// Next is of Script.
func (f *Flows) Next(e int32) Message {
	end := &f.ends[e]
	i := end.may[0].flow
	end.may = append(end.may[:0], end.may[1:]...)
	s, x := &f.state[i], &f.flows[i]
	s.sent++
	return Message{Dst: x.To, Size: x.Size, Via: x.Via, Tag: int64(i)<<32 | int64(s.sent-1)}
}

// Arrived is of Script.
func (f *Flows) Arrived(_ int32, tag int64, size int32, from int64) {
	i := int32(tag >> 32)
	s := &f.state[i]
	if s.inbox.Receive(int32(tag), size, f.flows[i].Size) == 0 {
		return
	}
	s.last = from
	for _, o := range f.next[i] {
		f.allow(o, from+f.delay)
	}
}

// allow notes which messages of a flow may be sent from a time on, now that more has arrived.
func (f *Flows) allow(i int32, at int64) {
	s, x := &f.state[i], &f.flows[i]
	for s.may < x.Count && f.met(x, s.may) {
		s.may++
		end := &f.ends[x.From]
		end.may = append(end.may, ready{at, i})
	}
}

// met reports whether what a message of a flow waits for has arrived.
func (f *Flows) met(x *Flow, message int32) bool {
	for _, n := range x.After {
		if f.state[n.Flow].inbox.Got() < min(message+n.Lead, f.flows[n.Flow].Count) {
			return false
		}
	}
	return true
}

// Last is when the last message of a flow was received, as Arrived was told; 0: none has been.
func (f *Flows) Last(flow int) int64 { return f.state[flow].last }
