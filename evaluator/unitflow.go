package evaluator

import (
	"math"

	"toposearch/routing"
	"toposearch/topology"
)

// unitFlow counts link-disjoint paths between two vertices of a network: the largest flow that
// takes each link once (Menger 1927), by Dinic's algorithm, which needs few phases on unit
// capacities (Even, Tarjan, SIAM J. Comput. 4(4), 1975). Opposite uses of one link cancel, so that
// paths that share no channel in one direction can be made to share no link at all.
//
// Vertices are the switches, embedded ones included. Paths begin and end at sets of ports: switches
// with the number of paths that may do so there. Endpoints never forward, nor do the terminals of
// unidirectional networks.
type unitFlow struct {
	start   []int32
	to, rev []int32
	left    []int8  // capacity that is left of each arc
	full    []int8  // and before any flow: 0 for the way back of a channel without a partner
	stops   []bool  // switches that do not forward
	exits   []int32 // paths that may yet end at each switch

	level []int32
	next  []int32
	queue []int32
	dirty []int32 // arcs that flow has changed
}

// newUnitFlow takes the links of a network.
func newUnitFlow(n *topology.Network) *unitFlow {
	type link struct {
		a, b int32
		back int8
	}
	k := n.Switches()
	u := &unitFlow{start: make([]int32, k+1), stops: make([]bool, k), exits: make([]int32, k), level: make([]int32, k), next: make([]int32, k)}
	links := make([]link, 0, n.Channels())
	for s := range topology.SwitchID(k) {
		u.stops[s] = n.Unidirectional && n.Embedded(s)
		for c, end := n.Out(s); c < end; c++ {
			if n.Unidirectional {
				links = append(links, link{int32(s), int32(n.To(c)), 0})
			} else if n.Rev(c) > c {
				links = append(links, link{int32(s), int32(n.To(c)), 1})
			}
		}
	}
	for _, l := range links {
		u.start[l.a+1]++
		u.start[l.b+1]++
	}
	for v := range k {
		u.start[v+1] += u.start[v]
	}
	m := 2 * len(links)
	u.to, u.rev, u.left, u.full = make([]int32, m), make([]int32, m), make([]int8, m), make([]int8, m)
	at := append([]int32(nil), u.start...)
	for _, l := range links {
		i, j := at[l.a], at[l.b]
		at[l.a]++
		at[l.b]++
		u.to[i], u.rev[i], u.full[i] = l.b, j, 1
		u.to[j], u.rev[j], u.full[j] = l.a, i, l.back
	}
	copy(u.left, u.full)
	return u
}

// leaving and entering are the numbers of links that a path can leave v by, and reach it by.
func (u *unitFlow) leaving(v int32) (d int) {
	for a := u.start[v]; a < u.start[v+1]; a++ {
		d += int(u.full[a])
	}
	return d
}

func (u *unitFlow) entering(v int32) (d int) {
	for a := u.start[v]; a < u.start[v+1]; a++ {
		d += int(u.full[u.rev[a]])
	}
	return d
}

// paths is the largest number of link-disjoint paths from some ports to others, at most most. If
// it is less, queue holds the switches on the side of from of a least cut, until the next call.
func (u *unitFlow) paths(from, to []routing.Port, most int) int {
	for _, a := range u.dirty {
		u.left[a] = u.full[a]
	}
	u.dirty = u.dirty[:0]
	for _, p := range to {
		u.exits[p.Switch] = p.Count
	}
	left := make([]int32, 0, 16) // paths that may yet begin at each port
	for _, p := range from {
		left = append(left, p.Count)
	}
	flow := 0
	for flow < most && u.layer(from, left) {
		copy(u.next, u.start)
		for i := range from {
			for left[i] > 0 && flow < most && u.push(int32(from[i].Switch)) {
				left[i]--
				flow++
			}
		}
	}
	for _, p := range to {
		u.exits[p.Switch] = 0
	}
	return flow
}

// layer finds the distances from the ports over what is left, as far as the nearest exit, and
// tells whether there is one.
func (u *unitFlow) layer(from []routing.Port, left []int32) bool {
	for v := range u.level {
		u.level[v] = -1
	}
	u.queue = u.queue[:0]
	for i, p := range from {
		if v := int32(p.Switch); left[i] > 0 && u.level[v] < 0 {
			u.level[v] = 0
			u.queue = append(u.queue, v)
		}
	}
	exit := int32(math.MaxInt32) // level of the nearest
	for i := 0; i < len(u.queue); i++ {
		v := u.queue[i]
		if u.exits[v] > 0 {
			exit = min(exit, u.level[v])
		}
		if u.level[v] >= exit || u.stops[v] && u.level[v] > 0 {
			continue
		}
		for a := u.start[v]; a < u.start[v+1]; a++ {
			if w := u.to[a]; u.left[a] > 0 && u.level[w] < 0 {
				u.level[w] = u.level[v] + 1
				u.queue = append(u.queue, w)
			}
		}
	}
	return exit < math.MaxInt32
}

// push sends one path along the layers.
func (u *unitFlow) push(v int32) bool {
	if u.exits[v] > 0 {
		u.exits[v]--
		return true
	}
	if u.stops[v] && u.level[v] > 0 {
		return false
	}
	for ; u.next[v] < u.start[v+1]; u.next[v]++ {
		a := u.next[v]
		w := u.to[a]
		if u.left[a] == 0 || u.level[w] != u.level[v]+1 || !u.push(w) {
			continue
		}
		u.left[a]--
		u.left[u.rev[a]]++
		u.dirty = append(u.dirty, a, u.rev[a])
		u.next[v]++
		return true
	}
	return false
}
