// Package routing holds the rules by which packets choose paths. A Rule of package topology is
// compiled against a network into a Router; a Router makes a Field per destination, which holds
// the distance of every (switch, state) to it, and candidate hops follow from the field. Loads
// (UniformLoads, FlowLoads), dependency check (CheckDeadlock) and the simulator's routings
// (All) read the same fields, so that they cannot disagree about where a packet may go.
//
// Destinations are attachment sets: endpoints that hang on the same switches are one Set.
package routing

import (
	"math"

	"toposearch/topology"
)

// Hop is one candidate step: a channel, the VCs VC to Top on it and the state it leads to. Where it
// takes Top instead of VC, it leads to Router.Rest of State.
type Hop struct {
	Channel topology.ChannelID
	VC      uint8
	State   uint8
	Top     uint8 // VC or VC + 1
}

// Unreachable is the distance of what has no legal route.
const Unreachable = 0xFFFF

// Far stands for Unreachable in the bytes of a Table.
const Far = math.MaxUint8
