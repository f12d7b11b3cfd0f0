package routing

import (
	"slices"

	"toposearch/topology"
)

// Dependency is one resource of a cycle: a packet holds the channel on this VC and waits for the
// next one of the list (the last waits for the first).
type Dependency struct {
	Channel  topology.ChannelID
	From, To topology.SwitchID
	VC       uint8
}

// findCycle gives a cycle of a graph, nil if there is none; after calls yield for every vertex that v has an arc to, in
// order, until it returns false. What Kahn's algorithm cannot remove holds every cycle; the one shown is shortest
// through its lowest vertex that lies on one.
func findCycle(size int, after func(v int32, yield func(int32) bool)) []int32 {
	in, left := removeOrdered(size, after)
	if left == 0 {
		return nil
	}
	for v, d := range in {
		if d == 0 {
			continue
		}
		if loop := loopThrough(int32(v), in, after); loop != nil {
			return loop
		}
	}
	panic("routing: a graph that cannot be ordered has no cycle")
}

// removeOrdered is Kahn's algorithm: left is the number of vertices that it cannot remove, and in[v] how many arcs from them
// lead to v, none if v was removed.
func removeOrdered(size int, after func(v int32, yield func(int32) bool)) (in []int32, left int) {
	in = make([]int32, size)
	for v := range in {
		after(int32(v), func(u int32) bool { in[u]++; return true })
	}
	var ready []int32
	for v, d := range in {
		if d == 0 {
			ready = append(ready, int32(v))
		}
	}
	left = len(in)
	for len(ready) > 0 {
		v := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		left--
		after(v, func(u int32) bool {
			if in[u]--; in[u] == 0 {
				ready = append(ready, u)
			}
			return true
		})
	}
	return in, left
}

// loopThrough finds a shortest cycle through v among vertices that are left, nil if v is on none.
func loopThrough(v int32, in []int32, after func(v int32, yield func(int32) bool)) []int32 {
	from := make(map[int32]int32)
	queue := []int32{v}
	for k := 0; k < len(queue); k++ {
		found := false
		after(queue[k], func(u int32) bool {
			if u == v {
				found = true
				return false
			}
			if _, ok := from[u]; !ok && in[u] != 0 {
				from[u] = queue[k]
				queue = append(queue, u)
			}
			return true
		})
		if !found {
			continue
		}
		var out []int32
		for u := queue[k]; ; u = from[u] {
			out = append(out, u)
			if u == v {
				break
			}
		}
		slices.Reverse(out)
		return out
	}
	return nil
}

// dependencies describes vertices channel*vcs + VC.
func dependencies(n *topology.Network, vcs int, vertices []int32) []Dependency {
	var out []Dependency
	for _, u := range vertices {
		c := topology.ChannelID(int(u) / vcs)
		out = append(out, Dependency{Channel: c, From: n.From(c), To: n.To(c), VC: uint8(int(u) % vcs)})
	}
	return out
}
