package topology

// SwitchID numbers the switches of a network from 0, embedded ones included.
type SwitchID int32

// EndpointID numbers the endpoints of a network from 0.
type EndpointID int32

// ChannelID numbers the directed channels between switches from 0, by source switch.
type ChannelID int32

// Network is a graph of switches with endpoints attached. It is immutable once built; slices
// returned by its methods are its own and must not be changed. The zero value is empty.
type Network struct {
	Design        string // canonical name
	SwitchClasses []SwitchClass
	LinkClasses   []LinkClass
	Lanes         [MaxClasses]int32 // rate per link class, in lanes
	EndpointLanes int32
	// Unidirectional networks have channels without a partner: Rev is -1 everywhere.
	Unidirectional bool

	switchClass []uint8
	start       []int32 // channels of switch s are [start[s], start[s+1])
	to          []SwitchID
	class       []uint8
	rev         []ChannelID

	groupFirst []EndpointID // endpoints of group g are [groupFirst[g], groupFirst[g+1]); nil without endpoints
	portStart  []int32
	ports      []SwitchID
}

// Switches is the number of switches of every kind.
func (n *Network) Switches() int { return len(n.switchClass) }

// Endpoints is the number of endpoints.
func (n *Network) Endpoints() int {
	if len(n.groupFirst) == 0 {
		return 0
	}
	return int(n.groupFirst[len(n.groupFirst)-1])
}

// Channels is the number of directed channels between switches.
func (n *Network) Channels() int { return len(n.to) }

// Class is the index of the switch's class.
func (n *Network) Class(s SwitchID) int { return int(n.switchClass[s]) }

// Embedded tells whether s forwards inside an endpoint.
func (n *Network) Embedded(s SwitchID) bool { return n.SwitchClasses[n.switchClass[s]].Embedded }

// Out gives the first channel that leaves s and the one after the last.
func (n *Network) Out(s SwitchID) (first, end ChannelID) {
	return ChannelID(n.start[s]), ChannelID(n.start[s+1])
}

// Neighbors gives the far ends of the channels that leave s, in channel order; a neighbour
// stands as often as it has parallel links.
func (n *Network) Neighbors(s SwitchID) []SwitchID { return n.to[n.start[s]:n.start[s+1]] }

// Adjacency gives the compressed sparse rows: neighbours of s are to[start[s]:start[s+1]].
func (n *Network) Adjacency() (start []int32, to []SwitchID) { return n.start, n.to }

// To is where channel c leads.
func (n *Network) To(c ChannelID) SwitchID { return n.to[c] }

// From is where channel c comes from. Logarithmic in the number of switches.
func (n *Network) From(c ChannelID) SwitchID {
	if r := n.rev[c]; r >= 0 {
		return n.to[r]
	}
	lo, hi := 0, len(n.start)-1
	for lo+1 < hi {
		if m := (lo + hi) / 2; n.start[m] <= int32(c) {
			lo = m
		} else {
			hi = m
		}
	}
	return SwitchID(lo)
}

// LinkClass is the index of the channel's link class.
func (n *Network) LinkClass(c ChannelID) int { return int(n.class[c]) }

// Rev is the opposite channel of the same link, -1 if the network is unidirectional.
func (n *Network) Rev(c ChannelID) ChannelID { return n.rev[c] }

// Outpaced tells whether a channel from a switch is one of several ports of an endpoint that relays, in either direction: the endpoint sends faster
// than the channel does, so that one message queues there, however idle the network is.
func (n *Network) Outpaced(from SwitchID, c ChannelID) bool {
	return n.EndpointLanes > n.Lanes[n.class[c]] && (n.Embedded(from) || n.Embedded(n.to[c]))
}

// Kind describes a channel to a routing rule.
func (n *Network) Kind(from SwitchID, c ChannelID) Kind {
	return Kind{n.class[c], n.switchClass[from], n.switchClass[n.to[c]]}
}

// Groups is the number of endpoint groups: sets of consecutive endpoints with the same ports.
func (n *Network) Groups() int { return max(len(n.groupFirst)-1, 0) }

// Group gives the endpoints [first, end) of a group and the switch of each of their ports.
func (n *Network) Group(g int) (first, end EndpointID, ports []SwitchID) {
	return n.groupFirst[g], n.groupFirst[g+1], n.ports[n.portStart[g]:n.portStart[g+1]]
}

// GroupOf is the group of an endpoint. Logarithmic in the number of groups.
func (n *Network) GroupOf(e EndpointID) int {
	lo, hi := 0, len(n.groupFirst)-1
	for lo+1 < hi {
		if m := (lo + hi) / 2; n.groupFirst[m] <= e {
			lo = m
		} else {
			hi = m
		}
	}
	return lo
}
