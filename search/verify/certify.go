package verify

import (
	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// Certified is an upper bound on the saturation load of a traffic with the given loads, at most 1.
// The first channel to fill does not saturate a network: traffic that does not need it goes on,
// and 97 % of all may still be accepted. What cannot be accepted at load x is at least, for every
// kind of channel, the sum of what its channels are asked beyond their capacity, over the most
// channels of that kind that a route crosses: a lost flit is missing on no more of them. It joins the backlog from
// the first cycle on, so that the bound holds for a run of any length.
func Certified(n *topology.Network, rule topology.Rule, l *routing.Loads) float64 {
	if l.Channel == nil || l.UnreachablePairs > 0 || l.Pairs == 0 {
		return 1
	}
	start, _ := n.Adjacency()
	full := float64(n.EndpointLanes)
	accepted := func(x float64) bool {
		lost := make(map[topology.Kind]float64)
		for s := range len(start) - 1 {
			for c := start[s]; c < start[s+1]; c++ {
				k := n.Kind(topology.SwitchID(s), topology.ChannelID(c))
				if n.LinkClasses[k.Link].Name == topology.ClassInternal {
					continue
				}
				if over := x*l.Channel[c] - float64(n.Lanes[k.Link])/full; over > 0 {
					lost[k] += over
				}
			}
		}
		for k, sum := range lost {
			if sum/float64(Crossings(rule, k, l.MaxHops)) > (1-simcore.SaturatedBelow)*x*float64(n.Endpoints()) {
				return false
			}
		}
		return true
	}
	return largest(accepted)
}

// certifiedHops is the same whatever the routing, l being the loads of shortest paths: what is accepted needs its hops on them at least, and
// what is not spares the most that a path has.
func certifiedHops(n *topology.Network, l *routing.Loads) float64 {
	room, need := 0.0, 0.0
	for s := range topology.SwitchID(n.Switches()) {
		for c, end := n.Out(s); c < end; c++ {
			if n.LinkClasses[n.LinkClass(c)].Name == topology.ClassInternal {
				return 1 // carries anything, and paths with fewer of the others may be longer
			}
			room += float64(n.Lanes[n.LinkClass(c)]) / float64(n.EndpointLanes)
			need += l.Channel[c]
		}
	}
	if need -= (1 - simcore.SaturatedBelow) * float64(n.Endpoints()*l.MaxHops); need <= room {
		return 1
	}
	return room / need
}

// certifiedEnds is the same of endpoints that are asked to take so much each at load 1: what one is asked beyond its
// bandwidth is not accepted.
func certifiedEnds(in []float64) float64 {
	return largest(func(x float64) bool {
		lost := 0.0
		for _, rate := range in {
			lost += max(0, x*rate-1)
		}
		return lost <= (1-simcore.SaturatedBelow)*x*float64(len(in))
	})
}

// largest is the largest load, at most 1, that is accepted, or a little more.
func largest(accepted func(load float64) bool) float64 {
	if accepted(1) {
		return 1
	}
	lo, hi := 0.0, 1.0
	for hi-lo > 1e-4 {
		if mid := (lo + hi) / 2; accepted(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// Crossings is the most channels of a kind that a legal route can cross, at most hops: the longest
// walk through the rule's states, counting steps of the kind.
func Crossings(rule topology.Rule, k topology.Kind, hops int) int {
	matches := func(s topology.Kind) bool {
		return (s.Link == topology.Any || s.Link == k.Link) && (s.From == topology.Any || s.From == k.From) && (s.To == topology.Any || s.To == k.To)
	}
	most := make([]int, max(rule.States, 1))
	for range rule.States + 1 {
		changed := false
		for _, s := range rule.Steps {
			w := most[s.From]
			if matches(s.Kind) {
				w++
			}
			if w > most[s.To] {
				most[s.To], changed = w, true
			}
		}
		if !changed {
			best := 1
			for _, m := range most {
				best = max(best, m)
			}
			return min(best, max(hops, 1))
		}
	}
	return max(hops, 1) // a cycle of states: only the length of a route bounds it
}
