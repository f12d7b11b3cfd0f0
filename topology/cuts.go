package topology

import "slices"

// criticalWork bounds the channels that are looked at for parts that part the switches, one after the other: a fifth of
// a second. Networks for data centres have next to none.
const criticalWork = 2e7

// cuts knows which parts of the switches of a network hang together, and through which switch or link alone.
type cuts struct {
	n       *Network
	of      []int32     // part of each switch
	kinds   [][]int32   // the sets of parts on which ports of an endpoint are, ascending, each once
	groups  [][]int32   // with ports on a switch
	joint   []bool      // switches without which their part falls apart
	bridges []ChannelID // links of that sort, one channel of each
	work    int         // channels that may still be looked at
	left    []int32     // parts after a failure
	stack   []SwitchID
}

// newCuts finds parts, joints and bridges.
func newCuts(n *Network) *cuts {
	k := &cuts{n: n, of: make([]int32, n.Switches()), groups: make([][]int32, n.Switches()),
		joint: make([]bool, n.Switches()), left: make([]int32, n.Switches()), work: criticalWork}
	k.search()
	for g := range n.Groups() {
		_, _, ports := n.Group(g)
		if parts := partsOf(k.of, ports, -1); !slices.ContainsFunc(k.kinds, func(p []int32) bool { return slices.Equal(p, parts) }) {
			k.kinds = append(k.kinds, parts)
		}
		for i, s := range ports {
			if !slices.Contains(ports[:i], s) {
				k.groups[s] = append(k.groups[s], int32(g))
			}
		}
	}
	return k
}

// partsOf are the parts on which ports are, those on the switch but aside.
func partsOf(of []int32, ports []SwitchID, but SwitchID) (parts []int32) {
	for _, s := range ports {
		if s != but {
			parts = append(parts, of[s])
		}
	}
	slices.Sort(parts)
	return slices.Compact(parts)
}

// search is one by depth that numbers parts and finds what parts them: R. Tarjan, Depth-first search and linear graph
// algorithms, SIAM J. Comput. 1(2), 1972, without recursion. Of parallel links none is a bridge.
func (k *cuts) search() {
	n := k.n
	number, low := make([]int32, n.Switches()), make([]int32, n.Switches())
	next, by := make([]ChannelID, n.Switches()), make([]ChannelID, n.Switches())
	count := int32(0)
	for root := range SwitchID(n.Switches()) {
		if number[root] != 0 {
			continue
		}
		part, children := int32(root), 0
		enter := func(s SwitchID, c ChannelID) {
			count++
			number[s], low[s], by[s], k.of[s] = count, count, c, part
			next[s], _ = n.Out(s)
			k.stack = append(k.stack, s)
		}
		enter(root, -1)
		for len(k.stack) > 0 {
			s := k.stack[len(k.stack)-1]
			if _, end := n.Out(s); next[s] < end {
				c := next[s]
				next[s]++
				switch t := n.To(c); {
				case by[s] >= 0 && c == n.Rev(by[s]):
				case number[t] == 0:
					enter(t, c)
				default:
					low[s] = min(low[s], number[t])
				}
				continue
			}
			k.stack = k.stack[:len(k.stack)-1]
			if by[s] < 0 {
				k.joint[s] = children > 1
				continue
			}
			up := n.From(by[s])
			low[up] = min(low[up], low[s])
			if up == root {
				children++
			} else if low[s] >= number[up] {
				k.joint[up] = true
			}
			if low[s] > number[up] {
				k.bridges = append(k.bridges, by[s])
			}
		}
	}
}

// connected tells whether all endpoints reach each other.
func (k *cuts) connected() bool { return allMeet(k.kinds) }

// allMeet tells whether endpoints on any two of these sets of parts reach each other.
func allMeet(kinds [][]int32) bool {
	for i, a := range kinds {
		if len(a) == 0 {
			return false
		}
		for _, b := range kinds[:i] {
			if !overlap(a, b) {
				return false
			}
		}
	}
	return true
}

func overlap(a, b []int32) bool {
	return slices.ContainsFunc(a, func(x int32) bool { return slices.Contains(b, x) })
}

// whole tells whether all switches with endpoints are of one part.
func (k *cuts) whole() bool { return len(k.kinds) == 1 && len(k.kinds[0]) == 1 }

// cutsOff tells whether an endpoint of group g that loses its ports [i, j) reaches some others no more.
func (k *cuts) cutsOff(g, i, j int) bool {
	_, _, ports := k.n.Group(g)
	if k.whole() {
		return j-i == len(ports)
	}
	parts := partsOf(k.of, slices.Concat(ports[:i], ports[j:]), -1)
	return len(parts) == 0 || slices.ContainsFunc(k.kinds, func(b []int32) bool { return !overlap(parts, b) })
}

// loses tells whether some endpoints reach some others no more without switch s, which is no joint: what is left of
// its part hangs together. An endpoint on it must reach all kinds, of which another on it has fewer parts.
func (k *cuts) loses(s SwitchID) bool {
	var after [][]int32
	for _, g := range k.groups[s] {
		_, _, ports := k.n.Group(int(g))
		if k.whole() {
			if !slices.ContainsFunc(ports, func(t SwitchID) bool { return t != s }) {
				return true
			}
			continue
		}
		parts := partsOf(k.of, ports, s)
		if len(parts) == 0 || slices.ContainsFunc(k.kinds, func(b []int32) bool { return !overlap(parts, b) }) {
			return true
		}
		after = append(after, parts)
	}
	return !allMeet(after)
}

// falls tells whether some endpoints reach some others no more without a switch, or a link, the other below 0.
func (k *cuts) falls(s SwitchID, c ChannelID) bool {
	n := k.n
	for i := range k.left {
		k.left[i] = -1
	}
	for root := range SwitchID(n.Switches()) {
		if k.left[root] >= 0 || root == s {
			continue
		}
		k.left[root] = int32(root)
		for k.stack = append(k.stack[:0], root); len(k.stack) > 0; {
			at := k.stack[len(k.stack)-1]
			k.stack = k.stack[:len(k.stack)-1]
			for d, end := n.Out(at); d < end; d++ {
				if t := n.To(d); t != s && k.left[t] < 0 && (c < 0 || d != c && d != n.Rev(c)) {
					k.left[t] = int32(root)
					k.stack = append(k.stack, t)
				}
			}
		}
	}
	var after [][]int32
	for g := range n.Groups() {
		_, _, ports := n.Group(g)
		parts := partsOf(k.left, ports, s)
		if !slices.ContainsFunc(after, func(p []int32) bool { return slices.Equal(p, parts) }) {
			after = append(after, parts)
		}
		if len(after) > 1 && len(parts) == 1 && len(after[0]) == 1 && after[0][0] != parts[0] {
			return true // the usual case: two endpoints of one port each, apart
		}
	}
	return !allMeet(after)
}
