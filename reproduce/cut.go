package reproduce

import (
	"fmt"

	"toposearch/topology"
)

// middleCut is the least number of links that separate the first half of the endpoints from the
// second, by augmenting paths. Links count once, and so do channels of unidirectional networks.
func middleCut(design string) (int, error) {
	d, _, err := sized(design)
	if err != nil {
		return 0, err
	}
	n, err := d.Build()
	if err != nil {
		return 0, err
	}
	side := make([]int, n.Switches()) // 1: holds endpoints of the first half, 2: of the second
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		for _, s := range ports {
			if int(first) < n.Endpoints()/2 {
				side[s] |= 1
			}
			if int(end) > n.Endpoints()/2 {
				side[s] |= 2
			}
		}
	}
	for s, x := range side {
		if x == 3 {
			return 0, fmt.Errorf("%s: switch %d holds endpoints of both halves", design, s)
		}
	}
	free := make([]int, n.Channels()) // capacity left
	for c := range free {
		free[c] = 1
	}
	cut := 0
	for augment(n, side, free) {
		cut++
	}
	return cut, nil
}

// augment sends one more unit from the first half to the second; false if there is no way.
func augment(n *topology.Network, side, free []int) bool {
	const none = -1
	via := make([]topology.ChannelID, n.Switches())
	var queue []topology.SwitchID
	for s := range via {
		via[s] = none
		if side[s] == 1 {
			via[s] = none - 1
			queue = append(queue, topology.SwitchID(s))
		}
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		for c, end := n.Out(s); c < end; c++ {
			t := n.To(c)
			if free[c] == 0 || via[t] != none {
				continue
			}
			if via[t] = c; side[t] != 2 {
				queue = append(queue, t)
				continue
			}
			for side[t] != 1 {
				c := via[t]
				free[c]--
				if r := n.Rev(c); r >= 0 {
					free[r]++
				}
				t = n.From(c)
			}
			return true
		}
	}
	return false
}
