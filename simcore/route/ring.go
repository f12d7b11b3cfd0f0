package route

import (
	"fmt"
	"slices"

	"toposearch/routing"
	"toposearch/topology"
)

// linkedPart is the least part of the pairs of switches of a block, in the mean over all pairs, that a link joins: all do in a Dragonfly of which nothing has failed, of leaves and spines at most
// two thirds (one leaf and two spines).
const linkedPart = 3. / 4

// ringOfBlocks finds a directed cycle through all switches of a network that work, whose blocks are full meshes, but for what has failed: through
// all switches of a block, then by a link between blocks into another. The answer is the channel of the cycle by
// which each switch is left, -1 of one that has failed.
func ringOfBlocks(n *topology.Network, blockOf []int32) ([]topology.ChannelID, error) {
	r := ringSearch{n: n, blockOf: make([]int32, n.Switches()), tries: ringTries}
	number := map[int32]int32{} // of the blocks of which a switch works
	for s, b := range blockOf {
		if r.blockOf[s] = -1; failedSwitch(n, topology.SwitchID(s)) {
			continue
		}
		if _, ok := number[b]; !ok {
			number[b] = int32(len(number))
			r.members = append(r.members, nil)
		}
		r.blockOf[s] = number[b]
		r.members[number[b]] = append(r.members[number[b]], topology.SwitchID(s))
	}
	linked, pairs := 0, 0
	var apart [2]topology.SwitchID
	for _, of := range r.members {
		for i, s := range of {
			for _, to := range of[:i] {
				if pairs++; channelTo(n, s, to) >= 0 {
					linked++
				} else {
					apart = [2]topology.SwitchID{to, s}
				}
			}
		}
	}
	if float64(linked) < linkedPart*float64(pairs) {
		return nil, fmt.Errorf("routing: ofar needs blocks whose switches are all linked; switches %d and %d of %s are not", apart[0], apart[1], n.Design)
	}
	r.used = make([]bool, len(r.members))
	if len(r.members) < 2 || !r.leave(0, -1) {
		return nil, fmt.Errorf("routing: ofar: no ring through all switches of %s was found by which packets could escape from deadlock", n.Design)
	}
	return r.walk(), nil
}

// failedSwitch says whether a switch has no link to another, as one that has failed.
func failedSwitch(n *topology.Network, s topology.SwitchID) bool {
	first, end := n.Out(s)
	return first == end
}

// ringTries bounds the links that are tried. Where all pairs of blocks are linked some dozens for each block do.
const ringTries = 1 << 20

// ringSearch chooses the order of blocks and the links between them, depth first: a block is left by a switch to which a way leads through all others of it
// from that by which it is entered.
type ringSearch struct {
	n       *topology.Network
	blockOf []int32 // of a switch that has failed -1
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
			if entry >= 0 && r.through(entry, s) == nil {
				continue
			}
			for c, end := r.n.Out(s); c < end; c++ {
				if int(r.blockOf[r.n.To(c)]) != to {
					continue
				}
				if r.tries--; r.tries < 0 {
					return false
				}
				if last && r.through(r.n.To(c), r.n.From(r.exits[0])) == nil {
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

// through is a way from a switch of a block to another through all others of it, nil if none was found. It goes on to the next one in order, as long as that leaves a way.
func (r *ringSearch) through(in, out topology.SwitchID) []topology.SwitchID {
	of := r.members[r.blockOf[in]]
	if in == out && len(of) > 1 {
		return nil
	}
	way := []topology.SwitchID{in}
	var extend func() bool
	extend = func() bool {
		at := way[len(way)-1]
		if len(way) == len(of) {
			return at == out
		}
		for _, s := range of {
			if slices.Contains(way, s) || s == out && len(way) < len(of)-1 || channelTo(r.n, at, s) < 0 {
				continue
			}
			if r.tries--; r.tries < 0 {
				return false
			}
			way = append(way, s)
			if extend() {
				return true
			}
			way = way[:len(way)-1]
		}
		return false
	}
	if !extend() {
		return nil
	}
	return way
}

// walk goes from the switch by which a block is entered through all others, last to that by which it is left.
func (r *ringSearch) walk() []topology.ChannelID {
	ring := slices.Repeat([]topology.ChannelID{-1}, r.n.Switches())
	r.tries = ringTries // each way was found before
	for i, exit := range r.exits {
		way := r.through(r.n.To(r.exits[(i+len(r.exits)-1)%len(r.exits)]), r.n.From(exit))
		for k, s := range way[1:] {
			ring[way[k]] = channelTo(r.n, way[k], s)
		}
		ring[way[len(way)-1]] = exit
	}
	return ring
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
	n, passed := r.t.Router.Net, make([]bool, r.t.Router.Net.Switches())
	works := 0
	at := topology.SwitchID(0)
	for s := range topology.SwitchID(n.Switches()) {
		if !failedSwitch(n, s) {
			works++
			at = s
		}
	}
	first, hops := at, 0
	for ; !passed[at]; hops++ {
		passed[at] = true
		at = n.To(r.ofar.ring[at])
	}
	return &routing.DeadlockReport{Acyclic: at == first && hops == works, Proven: true, VCs: r.need, ClassVCs: r.class,
		Method: fmt.Sprintf("but of a ring through all %d switches under bubble flow control, by which whoever waits elsewhere escapes", hops)}
}
