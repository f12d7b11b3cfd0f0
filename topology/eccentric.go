package topology

import (
	"context"
	"math"
)

// DiameterWithin encloses Diameter by so many searches: each gives the eccentricity of one switch exactly and bounds that of all
// others by the triangle inequality; the next switch is in turn the one that may reach furthest and the one that may reach least
// far (Takes and Kosters, Determining the Diameter of Small World Networks, CIKM 2011). lo equals hi where that suffices. Where channels
// lead one way a search goes to a switch, and one from it, and no other is bounded but by their sum. searches is 1 at least. It stops
// when ctx ends.
func (n *Network) DiameterWithin(ctx context.Context, searches int) (lo, hi int, connected bool, err error) {
	k := n.Switches()
	hi = max(k-1, 0)
	low, high := make([]int32, k), make([]int32, k)
	for v := range high {
		high[v] = math.MaxInt32
	}
	far, queue := make([]int32, k), make([]SwitchID, 0, k)
	var back *Network
	if n.Unidirectional {
		back = n.reversed()
	}
	for i := 0; i < searches && lo < hi; i++ {
		if ctx.Err() != nil {
			return 0, 0, false, ctx.Err()
		}
		s := undecided(low, high, int32(lo), i%2 == 0)
		if s < 0 {
			break
		}
		queue = n.reach(s, far, queue)
		if len(queue) < k {
			return lo, hi, false, nil
		}
		ecc := far[queue[k-1]]
		lo = max(lo, int(ecc))
		if back != nil {
			if queue = back.reach(s, far, queue); len(queue) < k {
				return lo, hi, false, nil
			}
			to := far[queue[k-1]]
			lo, hi = max(lo, int(to)), min(hi, int(ecc+to))
			low[s], high[s] = ecc, ecc
			continue
		}
		hi = min(hi, int(2*ecc))
		most := int32(0)
		for v := range k {
			low[v] = max(low[v], ecc-far[v], far[v])
			high[v] = min(high[v], ecc+far[v])
			most = max(most, high[v])
		}
		low[s], high[s] = ecc, ecc
		hi = max(lo, min(hi, int(most)))
	}
	return lo, hi, true, nil
}

// undecided is, of the switches whose eccentricity may exceed the largest that is known, the one that may be the most or, if not
// furthest, the least eccentric; -1 if there is none.
func undecided(low, high []int32, known int32, furthest bool) int32 {
	best := int32(-1)
	for v := range low {
		switch {
		case low[v] == high[v] || high[v] <= known:
		case best < 0 || furthest && high[v] > high[best] || !furthest && low[v] < low[best]:
			best = int32(v)
		}
	}
	return best
}

// reach searches the switches that s reaches, breadth first, and returns them in that order; far has the distance of each.
func (n *Network) reach(s int32, far []int32, queue []SwitchID) []SwitchID {
	for v := range far {
		far[v] = -1
	}
	far[s] = 0
	queue = append(queue[:0], SwitchID(s))
	for at := 0; at < len(queue); at++ {
		v := queue[at]
		for _, u := range n.to[n.start[v]:n.start[v+1]] {
			if far[u] < 0 {
				far[u] = far[v] + 1
				queue = append(queue, u)
			}
		}
	}
	return queue
}

// reversed has the channels of n the other way round, and nothing else of it.
func (n *Network) reversed() *Network {
	r := &Network{start: make([]int32, len(n.start)), to: make([]SwitchID, len(n.to))}
	for _, v := range n.to {
		r.start[v+1]++
	}
	for v := 1; v < len(r.start); v++ {
		r.start[v] += r.start[v-1]
	}
	next := append([]int32(nil), r.start...)
	for u := range n.start[1:] {
		for _, v := range n.to[n.start[u]:n.start[u+1]] {
			r.to[next[v]] = SwitchID(u)
			next[v]++
		}
	}
	return r
}
