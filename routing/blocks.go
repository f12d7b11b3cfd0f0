package routing

import "toposearch/topology"

// BlocksOf gives the block of each switch under a placement, -1 for switches of central classes.
func BlocksOf(n *topology.Network, place topology.Placement) []int32 {
	if place.Blocks < 2 {
		return nil
	}
	count := make([]int, len(n.SwitchClasses))
	for s := range n.Switches() {
		count[n.Class(topology.SwitchID(s))]++
	}
	out := make([]int32, n.Switches())
	at := make([]int, len(count))
	for s := range out {
		c := n.Class(topology.SwitchID(s))
		out[s] = -1
		if c >= len(place.Homes) || place.Homes[c] != topology.Central {
			out[s] = int32(at[c] * place.Blocks / count[c])
		}
		at[c]++
	}
	return out
}
