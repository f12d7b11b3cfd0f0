package route

import (
	"slices"

	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// Where a rule cannot avoid what has failed, the pairs of attachment sets that it misses go by way of an intermediate from which it leads on, whatever queues say. Both
// legs are routes of the rule on VCs of their own, so that no other pair changes its ways, and no VC is needed beyond those of any detour.

// findMissed finds the pairs that links connect and the rule does not; nil if there are none, or links are one-way, of which it is not known.
func (r *Native) findMissed() *missed {
	if r.t.Router.Net.Unidirectional || r.t.Unreachable().Pairs == 0 {
		return nil
	}
	sets, parts := r.t.Router.Sets, r.t.Router.Net.Parts()
	m, any := &missed{len(sets), make([]bool, len(sets)*len(sets))}, false
	for src := range sets {
		for dst := range sets {
			if src != dst && linked(parts, sets[src].Ports, sets[dst].Ports) &&
				!slices.ContainsFunc(sets[src].Ports, func(p routing.Port) bool { return r.leadsTo(dst, p.Switch) }) {
				m.pairs[src*m.sets+dst], any = true, true
			}
		}
	}
	if !any {
		return nil
	}
	return m
}

// linked says whether ports of two sets are in one part of a network.
func linked(parts []topology.SwitchID, a, b []routing.Port) bool {
	return slices.ContainsFunc(a, func(p routing.Port) bool {
		return slices.ContainsFunc(b, func(q routing.Port) bool { return parts[p.Switch] == parts[q.Switch] })
	})
}

// leadsTo says whether the rule leads from a switch to a destination of the table.
func (r *Native) leadsTo(dst int, sw topology.SwitchID) bool {
	return r.t.Dist(dst, r.t.Node(sw, 0)) != routing.Far
}

// missesAlone says whether what a port of a set does not reach no port of it does: it is an intermediate of the others.
func (r *Native) missesAlone(set int, sw topology.SwitchID) bool {
	if r.missed == nil {
		return false
	}
	for dst := range r.t.Router.Sets {
		if len(r.t.Router.Sets[dst].Ports) > 0 && !r.missed.has(int32(set), int32(dst)) && !r.leadsTo(dst, sw) {
			return false
		}
	}
	return true
}

// goesOn says whether the rule leads from all switches of an intermediate to a set.
func (r *Native) goesOn(mid int32, dst int) bool {
	if r.missed == nil {
		return true
	}
	return !slices.ContainsFunc(r.mids[mid].ports, func(p routing.Port) bool { return !r.leadsTo(dst, p.Switch) })
}

// joins says whether a pair of sets can go by way of an intermediate.
func (r *Native) joins(src, dst, mid int32) bool {
	m := &r.mids[mid]
	return m.dst >= 0 && r.goesOn(mid, int(dst)) &&
		slices.ContainsFunc(r.t.Router.Sets[src].Ports, func(p routing.Port) bool { return r.leadsTo(int(m.dst), p.Switch) })
}

// joinsAll says whether all pairs that the rule misses can go by way of an intermediate.
func (r *Native) joinsAll() bool {
	for i, missed := range r.missed.pairs {
		if missed && !r.joined(int32(i/r.missed.sets), int32(i%r.missed.sets)) {
			return false
		}
	}
	return true
}

// joined says whether some intermediate joins a pair of sets.
func (r *Native) joined(src, dst int32) bool {
	for mid := range int32(len(r.mids)) {
		if r.joins(src, dst, mid) {
			return true
		}
	}
	return false
}

// farDraws bounds the draws of an intermediate outside the blocks of source and destination, of which three
// have to exist: with equal blocks at most 2/3 of the draws fail, and 1 packet in 600 finds none.
const farDraws = 16

// drawAround draws an intermediate for a pair that the rule misses, of those that join it each as likely: where these are so few that draws miss them, of a list of them.
func (r *Native) drawAround(p *simcore.Packet) int32 {
	src, dst := r.setOf[p.Src], r.setOf[p.Dst]
	for range farDraws {
		if mid := int32(p.Rand.IntN(len(r.mids))); r.joins(src, dst, mid) {
			return mid
		}
	}
	kept, seen := int32(-1), 0
	for mid := range int32(len(r.mids)) {
		if r.joins(src, dst, mid) {
			if seen++; p.Rand.IntN(seen) == 0 {
				kept = mid
			}
		}
	}
	return kept
}

// Around says how many pairs of endpoints go by way of an intermediate always, since the family's rule cannot avoid what has failed between them.
func (r *Native) Around() (pairs int64) {
	if !r.around {
		return 0
	}
	return r.t.Unreachable().Pairs - routing.Disconnected(r.t.Router.Net).Pairs
}
