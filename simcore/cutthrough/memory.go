package cutthrough

import (
	"math"
	"slices"
	"unsafe"

	"toposearch/internal/memory"
	"toposearch/simcore"
)

// Bytes predicts the memory of a simulation before it is taken: its state, for a network of so many parts.
// What grows with the load, packets and events under way, comes on top of it (see Run): packets take
// 64 bytes each. So does what a routing asks for that decides by queues (overdueBytes).
func Bytes(n simcore.Counts, c *Config) float64 {
	vcs := float64(max(c.VCs, 1)) // 0: as many as the routing needs
	ties := float64(n.Ties)
	ports := float64(n.Channels) + ties
	perVC := float64(unsafe.Sizeof(lane{}) + unsafe.Sizeof(int32(0)))
	perPort := float64(unsafe.Sizeof(inPort{})+unsafe.Sizeof(outPort{})) + vcs*perVC
	if c.Queueing == VOQ {
		perPort += float64(unsafe.Sizeof(int64(0)))
	}
	if c.FlowControl == PFC {
		perPort += float64(unsafe.Sizeof(uint32(0))) * (1 + vcs)
	}
	perTie := float64(unsafe.Sizeof(nicPort{})+unsafe.Sizeof(int64(0))) + float64(unsafe.Sizeof(int32(0)))*(1+vcs)
	perEndpoint := float64(unsafe.Sizeof(source{}) + 2*unsafe.Sizeof(int32(0)))
	// Starts of ports and ties, counts of events, bytes in use, the owner.
	perSwitch := float64(6*unsafe.Sizeof(int32(0)) + 2*unsafe.Sizeof(int64(0)))
	return ports*perPort + ties*perTie + float64(n.Endpoints)*perEndpoint + float64(n.Switches)*perSwitch +
		maxChunks*float64(unsafe.Sizeof((*chunk)(nil)))
}

// Bytes is what the state of this simulation takes, and that of a Clone.
func (s *Sim) Bytes() float64 { return s.state }

// makeRoom notes how many chunks of packets there is memory for beside the state of the simulation; less
// than none is refused.
func (s *Sim) makeRoom(n simcore.Counts) error {
	state := Bytes(n, &s.cfg)
	if s.seesBehind() {
		state += float64(n.Channels+n.Ties) * overdueBytes(&s.cfg)
	}
	if err := memory.Require("a simulation of "+s.net.Design, state); err != nil {
		return err
	}
	limit, _ := memory.Limit()
	s.state, s.mostChunks = state, int(min((float64(limit)-state)/float64(unsafe.Sizeof(chunk{})), maxChunks))
	return nil
}

// outOfChunks ends a simulation that has as many packets under way as there is memory or a number for.
func (s *Sim) outOfChunks() {
	e := &memory.Error{What: "a simulation of " + s.net.Design + " at this load", Bytes: s.state + float64(s.used+1)*float64(unsafe.Sizeof(chunk{}))}
	if e.Limit, e.Source = memory.Limit(); s.mostChunks == maxChunks {
		e.Limit, e.Source = maxChunks*int64(unsafe.Sizeof(chunk{})), "numbers of packets"
	}
	panic(e)
}

// overdueBytes is the memory that a port takes for it: as many packets as are sent within the longest round trip; a list doubles when
// more than half of it is not due (overdue.note), so that it has room for four times as many.
func overdueBytes(c *Config) float64 {
	packets := 0.0
	bytes, _, _ := c.sizes()
	for i, gbps := range c.ClassGbps {
		trip := c.ControlNs + max(c.SwitchNs, c.RelayNs)
		if i < len(c.ClassCableNs) {
			trip += 2 * c.ClassCableNs[i]
		}
		packets = max(packets, math.Ceil(trip*gbps/8/float64(slices.Min(bytes)))+1)
	}
	return float64(unsafe.Sizeof(overdue{})) + 4*packets*float64(unsafe.Sizeof(sent{}))
}
