package simcore

import "toposearch/topology"

// UnitLanes is the rate of the fastest class of links in use that is not internal.
func UnitLanes(n *topology.Network) int32 {
	var used [topology.MaxClasses]bool
	used[0] = n.LinkClasses[0].Name != topology.ClassInternal
	for c := range topology.ChannelID(n.Channels()) {
		used[n.LinkClass(c)] = true
	}
	unit := int32(0)
	for i, u := range used {
		if u {
			unit = max(unit, n.Lanes[i])
		}
	}
	if unit == 0 { // a lone embedded switch
		unit = max(1, n.EndpointLanes)
	}
	return unit
}

// NicClasses are the classes, as bits, of channels between switches that are the first and the last
// link of a route rather than hops: in a network of embedded switches the nic links between these
// and real switches. Elsewhere no channel is one, but the ports of endpoints are.
func NicClasses(n *topology.Network) (bits uint64) {
	if n.LinkClasses[0].Name != topology.ClassInternal {
		return 0
	}
	for c := range n.LinkClasses {
		if n.LinkClasses[c].Name == topology.ClassNic {
			bits |= 1 << c
		}
	}
	return bits
}
