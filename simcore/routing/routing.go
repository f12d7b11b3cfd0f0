// Package routing holds the rules by which packets choose paths. A Rule of package topology
// becomes a Field per destination: the distance of every (switch, state) to it, from which
// candidate hops follow. Loads, dependency check and simulator all read the same fields.
package routing

import "toposearch/topology"

// Hop is one candidate step: a channel, the VCs allowed on it and the state it leads to.
type Hop struct {
	Channel topology.ChannelID
	VC      uint8
	State   uint8
}
