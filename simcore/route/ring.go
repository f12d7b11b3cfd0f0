package route

import (
	"fmt"

	"toposearch/routing"
	"toposearch/topology"
)

// ringOfBlocks finds a directed cycle through all switches of a network whose blocks are full meshes: through
// all switches of a block, then by a link between blocks into another. The answer is the channel of the cycle by
// which each switch is left.
func ringOfBlocks(n *topology.Network, blockOf []int32, blocks int) ([]topology.ChannelID, error) {
	r := ringSearch{n: n, blockOf: blockOf, members: make([][]topology.SwitchID, blocks), used: make([]bool, blocks), tries: ringTries}
	for s, b := range blockOf {
		r.members[b] = append(r.members[b], topology.SwitchID(s))
	}
	if !r.leave(0, -1) {
		return nil, fmt.Errorf("routing: ofar: no ring through all switches of %s was found by which packets could escape from deadlock", n.Design)
	}
	return walkBlocks(n, r.members, r.exits, blockOf)
}

// ringTries bounds the links that are tried. Where all pairs of blocks are linked some dozens for each block do.
const ringTries = 1 << 20

// ringSearch chooses the order of blocks and the links between them, depth first: no block may be left by the switch by which it is
// entered, unless it has no other.
type ringSearch struct {
	n       *topology.Network
	blockOf []int32
	members [][]topology.SwitchID
	used    []bool
	exits   []topology.ChannelID // from the first block on, in order
	tries   int
}

// leave finds the links from a block on that is entered by a switch (-1: the first block, for which that is not known yet).
func (r *ringSearch) leave(block int, entry topology.SwitchID) bool {
	r.used[block] = true
	last := len(r.exits) == len(r.members)-1
	for near := 1; near <= len(r.members); near++ { // of blocks the next ones first
		to := (block + near) % len(r.members)
		if r.used[to] != last || last && to != 0 {
			continue
		}
		for _, s := range r.members[block] {
			if s == entry && len(r.members[block]) > 1 {
				continue
			}
			for c, end := r.n.Out(s); c < end; c++ {
				if int(r.blockOf[r.n.To(c)]) != to {
					continue
				}
				if r.tries--; r.tries < 0 {
					return false
				}
				if last && len(r.members[0]) > 1 && r.n.To(c) == r.n.From(r.exits[0]) {
					continue
				}
				r.exits = append(r.exits, c)
				if last || r.leave(to, r.n.To(c)) {
					return true
				}
				r.exits = r.exits[:len(r.exits)-1]
			}
		}
	}
	r.used[block] = false
	return false
}

// walkBlocks goes from the switch by which a block is entered through all others, last to that by which it is left.
func walkBlocks(n *topology.Network, members [][]topology.SwitchID, exits []topology.ChannelID, blockOf []int32) ([]topology.ChannelID, error) {
	ring := make([]topology.ChannelID, n.Switches())
	for i, exit := range exits {
		in, out := n.To(exits[(i+len(exits)-1)%len(exits)]), n.From(exit)
		way := []topology.SwitchID{in}
		for _, s := range members[blockOf[out]] {
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
		ring[out] = exit
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
