package routing

import (
	"fmt"
	"math/bits"

	"toposearch/topology"
)

// escapeGraph collects the dependencies between escape channels, vertices channel*vcs + VC, destination by destination.
type escapeGraph struct {
	adaptive, channels *Router
	back               bool
	vcs                int
	words              int // of a row
	rows               []uint64
	used               []bool
	free, on           *search // over adaptive routes and escape routes

	// Of a destination. A packet is free at a switch to which adaptive channels, or none, have brought it, and on
	// escape channels at a node (switch, state) of their rule otherwise.
	isFree []bool
	frees  []topology.SwitchID // in the order in which they were found
	placed []bool              // nodes
	nodes  []int32
	later  []uint64 // [switch*words]: escape channels that can be taken after one adaptive channel or more
	done   []bool   // of later
	hops   []Hop
	at     []int
}

func newEscapeGraph(adaptive, channels *Router, back bool) *escapeGraph {
	n, vcs := channels.Net, channels.Rule.VCs()
	g := &escapeGraph{adaptive: adaptive, channels: channels, back: back, vcs: vcs, words: (n.Channels()*vcs + 63) / 64, used: make([]bool, n.Channels()*vcs),
		free: newSearch(adaptive), on: newSearch(channels), isFree: make([]bool, n.Switches()),
		placed: make([]bool, n.Switches()*channels.states)}
	g.free.full, g.on.full = true, true
	g.rows = make([]uint64, n.Channels()*vcs*g.words)
	if back {
		g.later, g.done = make([]uint64, n.Switches()*g.words), make([]bool, n.Switches())
	}
	return g
}

// collect adds the dependencies of packets to a set; the answer is why the condition does not hold, "" if it may.
func (g *escapeGraph) collect(set int) string {
	near, far := g.free.run(set), g.on.run(set)
	clear(g.isFree)
	clear(g.placed)
	g.frees, g.nodes = g.frees[:0], g.nodes[:0]
	a := g.adaptive
	for src := range a.Sets {
		g.at, _ = a.Inject(near, src, g.at[:0])
		for _, i := range g.at {
			g.setFree(a.Sets[src].Ports[i].Switch)
		}
	}
	i, k := 0, 0
	for i < len(g.frees) || k < len(g.nodes) {
		if i < len(g.frees) {
			if why := g.expandFree(near, far, g.frees[i]); why != "" {
				return why
			}
			i++
			continue
		}
		if why := g.expandNode(near, far, g.nodes[k]); why != "" {
			return why
		}
		k++
	}
	g.join(near, far)
	return ""
}

func (g *escapeGraph) setFree(s topology.SwitchID) {
	if !g.isFree[s] {
		g.isFree[s] = true
		g.frees = append(g.frees, s)
	}
}

// expandFree follows a packet that is free at a switch: it goes on adaptively, or escapes.
func (g *escapeGraph) expandFree(near, far *Field, s topology.SwitchID) string {
	if near.Dist[s] == 0 {
		return ""
	}
	x := int(s) * g.channels.states
	if far.Dist[x] == Unreachable {
		return fmt.Sprintf("from switch %s, to which packets come adaptively, rule %s leads to no endpoint they may be for",
			g.channels.Net.SwitchName(s), g.channels.Rule.Name)
	}
	g.freeAfter(near, s)
	g.place(int32(x))
	return ""
}

// freeAfter sets free what one adaptive hop leads to.
func (g *escapeGraph) freeAfter(near *Field, s topology.SwitchID) {
	g.hops = g.adaptive.Next(near, s, 0, g.hops[:0])
	for _, h := range g.hops {
		g.setFree(g.adaptive.Net.To(h.Channel))
	}
}

func (g *escapeGraph) place(x int32) {
	if !g.placed[x] {
		g.placed[x] = true
		g.nodes = append(g.nodes, x)
	}
}

// expandNode follows a packet at a node of the escape rule.
func (g *escapeGraph) expandNode(near, far *Field, x int32) string {
	why := ""
	S := int32(g.channels.states)
	s := topology.SwitchID(x / S)
	if g.back && near.Dist[s] != 0 {
		g.freeAfter(near, s)
	}
	g.eachHop(far, x, func(c topology.ChannelID, vc int, to int32) {
		g.used[int(c)*g.vcs+vc] = true
		g.place(to)
		if g.back && near.Dist[g.channels.Net.To(c)] >= near.Dist[s] {
			why = fmt.Sprintf("escape routes of rule %s are no shortest paths", g.channels.Rule.Name)
		}
	})
	return why
}

// eachHop gives the escape hops out of a node: channel, VC and the node that they lead to.
func (g *escapeGraph) eachHop(far *Field, x int32, f func(c topology.ChannelID, vc int, to int32)) {
	r := g.channels
	S := r.states
	g.hops = r.Next(far, topology.SwitchID(int(x)/S), uint8(int(x)%S), g.hops[:0])
	for _, h := range g.hops {
		for vc := h.VC; vc <= h.Top; vc++ {
			state := h.State
			if vc > h.VC {
				state = r.rest[h.State]
			}
			f(h.Channel, int(vc), int32(int(r.Net.To(h.Channel))*S+int(state)))
		}
	}
}

// join lets every escape channel wait for what packets on it take next.
func (g *escapeGraph) join(near, far *Field) {
	if g.back {
		clear(g.later)
		clear(g.done)
	}
	S := int32(g.channels.states)
	type arc struct {
		v  int
		to int32
	}
	var arcs []arc
	for _, x := range g.nodes {
		g.eachHop(far, x, func(c topology.ChannelID, vc int, to int32) { arcs = append(arcs, arc{int(c)*g.vcs + vc, to}) })
	}
	for _, a := range arcs {
		row := g.row(a.v)
		g.eachHop(far, a.to, func(c topology.ChannelID, vc int, _ int32) { set(row, int(c)*g.vcs+vc) })
		if g.back {
			or(row, g.afterAdaptive(near, far, topology.SwitchID(a.to/S)))
		}
	}
}

// afterAdaptive is the escape channels that a packet can take after one or more adaptive hops from a switch.
func (g *escapeGraph) afterAdaptive(near, far *Field, s topology.SwitchID) []uint64 {
	out := g.later[int(s)*g.words : (int(s)+1)*g.words]
	if g.done[s] || near.Dist[s] == 0 {
		return out
	}
	g.done[s] = true
	// Shortest paths have no cycle, so the depth is the distance.
	for _, h := range g.adaptive.Next(near, s, 0, nil) {
		t := g.adaptive.Net.To(h.Channel)
		or(out, g.afterAdaptive(near, far, t))
		g.eachHop(far, int32(int(t)*g.channels.states), func(c topology.ChannelID, vc int, _ int32) { set(out, int(c)*g.vcs+vc) })
	}
	return out
}

func (g *escapeGraph) row(v int) []uint64 { return g.rows[v*g.words : (v+1)*g.words] }

func set(row []uint64, v int) { row[v>>6] |= 1 << (v & 63) }

func or(row, with []uint64) {
	for i, w := range with {
		row[i] |= w
	}
}

// after calls yield for every escape channel that one waits for.
func (g *escapeGraph) after(v int32, yield func(int32) bool) {
	for i, word := range g.row(int(v)) {
		for ; word != 0; word &= word - 1 {
			if !yield(int32(i*64 + bits.TrailingZeros64(word))) {
				return
			}
		}
	}
}
