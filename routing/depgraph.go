package routing

import (
	"context"
	"math/bits"

	"toposearch/topology"
)

// dependencyGraph collects the dependencies between (channel, VC) pairs, destination by destination. A
// node is (switch, state, level), where level is the number of hops so far, at most vcs-1, if
// VCs follow hops, and 0 otherwise.
type dependencyGraph struct {
	*search
	vcs, levels int
	byHop       bool
	ordered     bool // known to be acyclic: only VCs in use are wanted
	// Row of vertex v = channel*vcs+vc starts at rowStart[channel] + vc*words(To(channel)): a
	// bit per (local channel, VC) that leaves the switch it leads to.
	rowStart []int64
	words    []int32
	rows     []uint64
	used     []bool   // vertices that packets use
	place    []int32  // per node: its place in list, from 1; 0: not reached
	list     []int32  // nodes that packets to this destination come to
	next     []arc    // hops out of them, node by node
	masks    []uint64 // per node of the list: bits of what leaves it
	maskAt   []int32
	hops     []Hop
	at       []int
	starts   []topology.SwitchID // where packets start besides the ports of endpoints
}

func newDependencyGraph(r *Router) *dependencyGraph { return &dependencyGraph{search: newSearch(r)} }

// longestRoute gives the most hops of any route.
func (g *dependencyGraph) longestRoute(ctx context.Context) (int, error) {
	var longest uint16
	for set := range g.r.Sets {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		f := g.run(set)
		for src := range g.r.Sets {
			var d uint16
			if g.at, d = g.r.Inject(f, src, g.at[:0]); d != Unreachable {
				longest = max(longest, d)
			}
		}
	}
	return int(longest), nil
}

// layOut reserves the graph for a number of VCs.
func (g *dependencyGraph) layOut(vcs int, byHop bool) {
	n := g.r.Net
	g.vcs, g.byHop, g.levels = vcs, byHop, 1
	if byHop {
		g.levels = vcs
	}
	g.words = make([]int32, n.Switches())
	for s := range topology.SwitchID(n.Switches()) {
		first, end := n.Out(s)
		g.words[s] = int32((int(end-first)*vcs + 63) / 64)
	}
	g.rowStart = make([]int64, n.Channels()+1)
	for c := range n.Channels() {
		g.rowStart[c+1] = g.rowStart[c] + int64(vcs)*int64(g.words[n.To(topology.ChannelID(c))])
	}
	g.rows = make([]uint64, g.rowStart[n.Channels()])
	g.used = make([]bool, n.Channels()*vcs)
	g.place = make([]int32, n.Switches()*g.r.states*g.levels)
}

func (g *dependencyGraph) row(c topology.ChannelID, vc int) []uint64 {
	k := int64(g.words[g.r.Net.To(c)])
	at := g.rowStart[c] + int64(vc)*k
	return g.rows[at : at+k]
}

// collectSet adds the dependencies of packets to one set.
func (g *dependencyGraph) collectSet(set int) { g.collect(g.run(set)) }

// collect adds the dependencies of packets on a field.
func (g *dependencyGraph) collect(f *Field) {
	r, S := g.r, g.r.states
	g.list = g.list[:0]
	for src := range r.Sets {
		var d uint16
		if g.at, d = r.Inject(f, src, g.at[:0]); d == Unreachable {
			continue
		}
		for _, i := range g.at {
			g.visit(int32(int(r.Sets[src].Ports[i].Switch) * S * g.levels))
		}
	}
	for _, s := range g.starts {
		if f.Dist[int(s)*S] != Unreachable {
			g.visit(int32(int(s) * S * g.levels))
		}
	}
	// The list grows while it is walked; with levels a node may be reached by routes of
	// different lengths, so its hops are made when its turn comes, in whatever order.
	g.next, g.masks, g.maskAt = g.next[:0], g.masks[:0], g.maskAt[:0]
	for k := 0; k < len(g.list); k++ {
		g.expand(f, int(g.list[k]))
	}
	if !g.ordered {
		g.depend()
	}
	for _, x := range g.list {
		g.place[x] = 0
	}
}

func (g *dependencyGraph) visit(x int32) {
	if g.place[x] == 0 {
		g.list = append(g.list, x)
		g.place[x] = int32(len(g.list))
	}
}

// arc is a hop out of a node: the resource that it takes and the node that it leads to.
type arc struct {
	channel topology.ChannelID
	vc      int32
	to      int32
}

// expand notes the hops out of a node and the bits of what they take.
func (g *dependencyGraph) expand(f *Field, x int) {
	r, S := g.r, g.r.states
	level, node := x%g.levels, x/g.levels
	sw := topology.SwitchID(node / S)
	g.maskAt = append(g.maskAt, int32(len(g.masks)))
	g.hops = r.Next(f, sw, uint8(node%S), g.hops[:0])
	if len(g.hops) == 0 {
		return // the destination: nothing is waited for
	}
	mask := len(g.masks)
	g.masks = append(g.masks, make([]uint64, g.words[sw])...)
	first, _ := r.Net.Out(sw)
	for _, h := range g.hops {
		for own := h.VC; own <= h.Top; own++ {
			vc, ahead, state := min(int(own), g.vcs-1), 0, h.State
			if g.byHop {
				vc, ahead = level, min(level+1, g.levels-1)
			}
			if own > h.VC {
				state = r.rest[h.State]
			}
			to := int32((int(r.Net.To(h.Channel))*S+int(state))*g.levels + ahead)
			g.visit(to)
			g.used[int(h.Channel)*g.vcs+vc] = true
			g.next = append(g.next, arc{h.Channel, int32(vc), to})
			bit := int(h.Channel-first)*g.vcs + vc
			g.masks[mask+bit>>6] |= 1 << (bit & 63)
		}
	}
}

// depend lets what leads to a node wait for all that leaves it.
func (g *dependencyGraph) depend() {
	g.maskAt = append(g.maskAt, int32(len(g.masks)))
	for _, a := range g.next {
		k := g.place[a.to] - 1
		row := g.row(a.channel, int(a.vc))
		for i, word := range g.masks[g.maskAt[k]:g.maskAt[k+1]] {
			row[i] |= word
		}
	}
}

// join lets a channel wait for another on the same VC.
func (g *dependencyGraph) join(a, b topology.ChannelID, vc int) {
	first, _ := g.r.Net.Out(g.r.Net.To(a))
	bit := int(b-first)*g.vcs + vc
	g.row(a, vc)[bit>>6] |= 1 << (bit & 63)
}

// count is the number of arcs.
func (g *dependencyGraph) count() (arcs int64) {
	for _, word := range g.rows {
		arcs += int64(bits.OnesCount64(word))
	}
	return arcs
}

// classVCs counts the VCs in use per link class: one more than the highest.
func (g *dependencyGraph) classVCs() (out [topology.MaxClasses]int) {
	for v, used := range g.used {
		if used {
			k := g.r.Net.LinkClass(topology.ChannelID(v / g.vcs))
			out[k] = max(out[k], v%g.vcs+1)
		}
	}
	return out
}

// after calls yield for every vertex that v waits for, in order, until it returns false.
func (g *dependencyGraph) after(v int32, yield func(int32) bool) {
	c := topology.ChannelID(int(v) / g.vcs)
	first, _ := g.r.Net.Out(g.r.Net.To(c))
	for i, word := range g.row(c, int(v)%g.vcs) {
		for ; word != 0; word &= word - 1 {
			if !yield(int32(int(first)*g.vcs + i*64 + bits.TrailingZeros64(word))) {
				return
			}
		}
	}
}

// cycle gives a cycle of the graph, nil if there is none.
func (g *dependencyGraph) cycle() []Dependency {
	return dependencies(g.r.Net, g.vcs, findCycle(len(g.used), g.after))
}
