package flow

import "math"

// Link is a link of one unit.
type Link struct {
	A, B   int32
	OneWay bool // from A to B only
}

// Port is a vertex where at most Count paths may begin, or end.
type Port struct{ Vertex, Count int32 }

// Unit counts link-disjoint paths between vertices: the largest flow that takes each link once (Menger
// 1927), by Dinic's algorithm, which needs few phases on unit capacities (Even, Tarjan, SIAM J. Comput.
// 4(4), 1975). Opposite uses of one link cancel, so that paths that share no channel in one direction can
// be made to share no link at all. A Unit has the memory of the search: it serves one caller at a time.
type Unit struct {
	start   []int32
	to, rev []int32
	left    []int8  // capacity that is left of each arc
	full    []int8  // and before any flow: 0 for the way back of a link one way
	stops   []bool  // vertices that do not forward
	exits   []int32 // paths that may yet end at each vertex

	level []int32 // distance from where paths begin, -1 beyond the nearest exit
	next  []int32
	queue []int32
	dirty []int32 // arcs that flow has changed
}

// NewUnit makes a graph with a vertex for each entry of stops; those that stop may begin and end paths but
// do not forward.
func NewUnit(stops []bool, links []Link) *Unit {
	k := len(stops)
	u := &Unit{start: make([]int32, k+1), stops: stops, exits: make([]int32, k), level: make([]int32, k), next: make([]int32, k)}
	for _, l := range links {
		u.start[l.A+1]++
		u.start[l.B+1]++
	}
	for v := range k {
		u.start[v+1] += u.start[v]
	}
	m := 2 * len(links)
	u.to, u.rev, u.left, u.full = make([]int32, m), make([]int32, m), make([]int8, m), make([]int8, m)
	at := append([]int32(nil), u.start...)
	for _, l := range links {
		i, j := at[l.A], at[l.B]
		at[l.A]++
		at[l.B]++
		u.to[i], u.rev[i], u.full[i] = l.B, j, 1
		u.to[j], u.rev[j] = l.A, i
		if !l.OneWay {
			u.full[j] = 1
		}
	}
	copy(u.left, u.full)
	return u
}

// Leaving is the number of links that a path can leave v by.
func (u *Unit) Leaving(v int32) (d int) {
	for a := u.start[v]; a < u.start[v+1]; a++ {
		d += int(u.full[a])
	}
	return d
}

// Entering is the number of links that a path can reach v by.
func (u *Unit) Entering(v int32) (d int) {
	for a := u.start[v]; a < u.start[v+1]; a++ {
		d += int(u.full[u.rev[a]])
	}
	return d
}

// clear takes all flow back.
func (u *Unit) clear() {
	for _, a := range u.dirty {
		u.left[a] = u.full[a]
	}
	u.dirty = u.dirty[:0]
}

// Paths is the largest number of link-disjoint paths from some ports to others, at most most.
func (u *Unit) Paths(from, to []Port, most int) int {
	u.clear()
	for _, p := range to {
		u.exits[p.Vertex] = p.Count
	}
	left := make([]int32, 0, 16) // paths that may yet begin at each port
	for _, p := range from {
		left = append(left, p.Count)
	}
	flow := 0
	for flow < most && u.layer(from, left) {
		copy(u.next, u.start)
		for i := range from {
			for left[i] > 0 && flow < most && u.push(from[i].Vertex) {
				left[i]--
				flow++
			}
		}
	}
	for _, p := range to {
		u.exits[p.Vertex] = 0
	}
	return flow
}

// Reached is the number of vertices to which there are paths from v, itself included.
func (u *Unit) Reached(v int32) int {
	u.clear()
	u.layer([]Port{{v, 1}}, []int32{1})
	return len(u.queue)
}

// layer finds the distances from the ports over what is left, as far as the nearest exit, and
// reports whether there is one.
func (u *Unit) layer(from []Port, left []int32) bool {
	for v := range u.level {
		u.level[v] = -1
	}
	u.queue = u.queue[:0]
	for i, p := range from {
		if v := p.Vertex; left[i] > 0 && u.level[v] < 0 {
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
func (u *Unit) push(v int32) bool {
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
