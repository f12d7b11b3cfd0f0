package route

import (
	"fmt"

	"toposearch/routing"
	"toposearch/topology"
)

// ringOfBlocks finds a directed cycle through all switches of a network whose blocks are full meshes: through
// all switches of a block, then by a link between blocks into another. The answer is the channel of the cycle by
// which each switch is left. Blocks follow each other in steps of the same width around the circle of their numbers; the
// narrowest that works is taken.
func ringOfBlocks(n *topology.Network, blockOf []int32, blocks int) ([]topology.ChannelID, error) {
	members := make([][]topology.SwitchID, blocks)
	for s, b := range blockOf {
		members[b] = append(members[b], topology.SwitchID(s))
	}
	for step := 1; step < blocks; step++ {
		if gcd(step, blocks) != 1 {
			continue
		}
		// between[i] are the channels from the i-th block on the way to the next.
		order, between := make([]int, blocks), make([][]topology.ChannelID, blocks)
		for i := range order {
			order[i] = i * step % blocks
			next := int32((i + 1) * step % blocks)
			for _, s := range members[order[i]] {
				for c, end := n.Out(s); c < end; c++ {
					if blockOf[n.To(c)] == next {
						between[i] = append(between[i], c)
					}
				}
			}
		}
		for _, first := range between[0] {
			if exits := linkBlocks(n, between, first, len(members[0]) == 1); exits != nil {
				return walkBlocks(n, order, members, exits)
			}
		}
	}
	return nil, fmt.Errorf("routing: ofar: no ring through all switches of %s was found by which packets could escape from deadlock", n.Design)
}

// linkBlocks chooses a channel from each block to the next, the first being given, so that no block is left by the
// switch by which it is entered, unless it has no other (alone). nil: there is no such choice.
func linkBlocks(n *topology.Network, between [][]topology.ChannelID, first topology.ChannelID, alone bool) []topology.ChannelID {
	fits := func(in, out topology.ChannelID) bool { return alone || n.To(in) != n.From(out) }
	// By block, the channels that can be reached, with one before each.
	type state struct {
		c    topology.ChannelID
		from int
	}
	reached := [][]state{{{first, -1}}}
	for i := 1; i < len(between); i++ {
		var here []state
		for _, c := range between[i] {
			for k, before := range reached[i-1] {
				if fits(before.c, c) {
					here = append(here, state{c, k})
					break
				}
			}
		}
		reached = append(reached, here)
	}
	last := len(between) - 1
	for k, x := range reached[last] {
		if !fits(x.c, first) {
			continue
		}
		exits := make([]topology.ChannelID, len(between))
		for i := last; i >= 0; i-- {
			exits[i], k = reached[i][k].c, reached[i][k].from
		}
		return exits
	}
	return nil
}

// walkBlocks goes from the switch by which a block is entered through all others, last to that by which it is left.
func walkBlocks(n *topology.Network, order []int, members [][]topology.SwitchID, exits []topology.ChannelID) ([]topology.ChannelID, error) {
	ring := make([]topology.ChannelID, n.Switches())
	for i, b := range order {
		in, out := n.To(exits[(i+len(order)-1)%len(order)]), n.From(exits[i])
		way := []topology.SwitchID{in}
		for _, s := range members[b] {
			if s != in && s != out {
				way = append(way, s)
			}
		}
		if out != in {
			way = append(way, out)
		}
		for k, s := range way[1:] {
			if ring[way[k]] = channelTo(n, way[k], s); ring[way[k]] < 0 {
				return nil, fmt.Errorf("routing: ofar needs blocks whose switches are all linked; switches %d and %d of %s are not", way[k], s, n.Design)
			}
		}
		ring[out] = exits[i]
	}
	return ring, nil
}

// channelTo is the first channel between two switches, -1 if there is none.
func channelTo(n *topology.Network, from, to topology.SwitchID) topology.ChannelID {
	for c, end := n.Out(from); c < end; c++ {
		if n.To(c) == to {
			return c
		}
	}
	return -1
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// checkEscape walks the ring of ofar. Dependencies of the other VCs do have cycles, which the ring breaks.
func (r *Native) checkEscape() *routing.DeadlockReport {
	n, at, passed := r.t.Router.Net, topology.SwitchID(0), make([]bool, r.t.Router.Net.Switches())
	hops := 0
	for ; !passed[at]; hops++ {
		passed[at] = true
		at = n.To(r.ofar.ring[at])
	}
	return &routing.DeadlockReport{Acyclic: at == 0 && hops == n.Switches(), Proven: true, VCs: r.need, ClassVCs: r.class,
		Method: fmt.Sprintf("but of a ring through all %d switches under bubble flow control, by which whoever waits elsewhere escapes", hops)}
}
