package route

import (
	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// way is one of the two that are compared: from a node towards a destination of the table by a first hop.
type way struct {
	node, dst int
	first     routing.Hop
	hops      int // to the packet's destination
}

// farAway is the number of channels of a block, one behind the other, over which switches tell each other something. What is
// farther away is not told; groups of published Dragonflies have two at most.
const farAway = 4

// exit follows a way, at random where it divides, to the channel by which it leaves the block of its first switch, and
// gives how long what is known where that begins takes to come here. ok: it does leave the block.
func (r *Native) exit(p *simcore.Packet, v *simcore.View, w way) (c topology.ChannelID, away simcore.Cycle, ok bool) {
	n := r.t.Router.Net
	block := r.blockOf[r.t.SwitchOf(w.node)]
	for h := w.first; ; {
		to := n.To(h.Channel)
		if r.blockOf[to] != block {
			return h.Channel, away, true
		}
		away += v.Lag(h.Channel)
		if h, ok = choose(r.t, w.dst, r.t.Node(to, h.State), random, p, nil); !ok {
			return 0, 0, false
		}
	}
}

// farChannels lists, by switch, the channels that leave its block.
func (r *Native) farChannels() (first []int32, list []topology.ChannelID) {
	n := r.t.Router.Net
	first = make([]int32, n.Switches()+1)
	for s := range topology.SwitchID(n.Switches()) {
		c, end := n.Out(s)
		for ; c < end; c++ {
			if r.blockOf[s] >= 0 && r.blockOf[n.To(c)] != r.blockOf[s] {
				list = append(list, c)
			}
		}
		first[s+1] = int32(len(list))
	}
	return first, list
}

// longestInside is the longest time that a flit takes over a channel inside a block; at least 1.
func (r *Native) longestInside(v *simcore.View) simcore.Cycle {
	n := r.t.Router.Net
	longest := simcore.Cycle(1)
	for s := range topology.SwitchID(n.Switches()) {
		c, end := n.Out(s)
		for ; c < end; c++ {
			if r.blockOf[s] >= 0 && r.blockOf[n.To(c)] == r.blockOf[s] {
				longest = max(longest, v.Lag(c))
			}
		}
	}
	return longest
}

// acrossBlock bounds the time that something takes between two switches of a block: over channels inside it, or, where these
// do not connect them (leaf switches below central ones), over any.
func (r *Native) acrossBlock(v *simcore.View) simcore.Cycle {
	if hops, connected := r.blockHops(true); connected {
		return simcore.Cycle(hops) * r.longestInside(v)
	}
	longest := simcore.Cycle(1)
	for c := range topology.ChannelID(r.t.Router.Net.Channels()) {
		longest = max(longest, v.Lag(c))
	}
	hops, _ := r.blockHops(false)
	return simcore.Cycle(hops) * longest
}

// blockHops is the most hops, over channels inside blocks or over any, between two switches of a block, at least 1;
// connected: all switches of a block reach each other so.
func (r *Native) blockHops(inside bool) (hops int, connected bool) {
	n, size := r.t.Router.Net, map[int32]int{}
	for _, b := range r.blockOf {
		size[b]++
	}
	hops, connected = 1, true
	depth := make([]int, n.Switches())
	for s := range topology.SwitchID(n.Switches()) {
		b := r.blockOf[s]
		if b < 0 {
			continue
		}
		list, left := []topology.SwitchID{s}, size[b]-1
		for i := 0; i < len(list) && left > 0; i++ {
			for _, to := range n.Neighbors(list[i]) {
				mate := r.blockOf[to] == b
				if to == s || depth[to] > 0 || inside && !mate {
					continue
				}
				depth[to] = depth[list[i]] + 1
				list = append(list, to)
				if mate {
					hops = max(hops, depth[to])
					left--
				}
			}
		}
		connected = connected && left == 0
		for _, x := range list {
			depth[x] = 0
		}
	}
	return hops, connected
}

// blockOfSet is the block of the first switch of an attachment set, -1 for none: its switches may have failed.
func (r *Native) blockOfSet(set int32) int32 {
	ports := r.t.Router.Sets[set].Ports
	if r.blockOf == nil || len(ports) == 0 {
		return -1
	}
	return r.blockOf[ports[0].Switch]
}

// blockOfMid is the block of an intermediate, -1 for none.
func (r *Native) blockOfMid(mid int32) int32 {
	if r.via == viaBlock {
		return mid
	}
	return r.blockOfSet(mid)
}

// stateOf is the state that the switches keep; ok: the model keeps one.
func stateOf[T any](v *simcore.View) (state T, ok bool) {
	if v == nil {
		return state, false
	}
	state, ok = v.State().(T)
	return state, ok
}

// packetOf is the flits of the largest packet.
func packetOf(v *simcore.View) int {
	if v.Network().Channels() == 0 {
		return 1
	}
	return v.Line(0).Packet
}
