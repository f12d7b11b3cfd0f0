package routing

import (
	"errors"

	"toposearch/topology"
)

// UpDown compiles up*/down* routing for any network whose channels are in pairs (Schroeder et
// al., "Autonet", IEEE JSAC 9(8), 1991): switches are ordered by their distance from a root, then
// by number; a route first goes up the order, then down. One VC is enough, since no channel is
// ever waited for by one that comes later in the order. The root is the switch with the most
// channels, the lowest of them (our choice; Autonet takes the lowest number).
//
// Where a family has a natural rule named updown, that one knows the levels of the tree and is
// shorter; this one is for networks of which nothing is known.
func UpDown(n *topology.Network) (*Router, error) {
	if n.Unidirectional {
		return nil, errors.New("routing: updown needs links in pairs, and the channels of this network go one way")
	}
	rank := ranks(n)
	r := &Router{Net: n, states: 2, ordered: true,
		Rule: topology.Rule{Name: "updown", States: 2, Steps: []topology.Step{{}}}}
	r.Sets, r.SetOf = Attachments(n)
	const up, down = 0, 1
	r.Kinds = make([]topology.Kind, 2) // not kinds of the family: directions
	r.kind = make([]uint16, n.Channels())
	for s := range topology.SwitchID(n.Switches()) {
		first, end := n.Out(s)
		for c := first; c < end; c++ {
			if rank[n.To(c)] > rank[s] {
				r.kind[c] = down
			}
		}
	}
	// State 0 goes up and stays, or turns down for good: state 1.
	r.next = []uint64{up*2 + 0: 0b01, up*2 + 1: 0, down*2 + 0: 0b10, down*2 + 1: 0b10}
	r.back = []uint64{up*2 + 0: 0b01, up*2 + 1: 0, down*2 + 0: 0, down*2 + 1: 0b11}
	r.vc = make([]uint8, 2*2*2)
	r.findRest()
	r.findIncoming()
	return r, nil
}

// ranks orders the switches breadth-first from the root of each piece of the network.
func ranks(n *topology.Network) []int32 {
	rank := make([]int32, n.Switches())
	for s := range rank {
		rank[s] = -1
	}
	var order []topology.SwitchID
	for len(order) < n.Switches() {
		root, most := topology.SwitchID(-1), -1
		for s := range topology.SwitchID(n.Switches()) {
			if first, end := n.Out(s); rank[s] < 0 && int(end-first) > most {
				root, most = s, int(end-first)
			}
		}
		k := len(order)
		rank[root] = int32(k)
		order = append(order, root)
		for ; k < len(order); k++ {
			for _, t := range n.Neighbors(order[k]) {
				if rank[t] < 0 {
					rank[t] = int32(len(order))
					order = append(order, t)
				}
			}
		}
	}
	return rank
}
