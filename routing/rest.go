package routing

import "slices"

// Rest is the state that a packet is in that has taken the Top of a Hop with two VCs to a state, and what
// Top is; ok is false for states to which no such hop leads.
func (r *Router) Rest(state uint8) (rest, top uint8, ok bool) {
	rest = r.rest[state]
	return rest, r.top[state], rest != noRest
}

// SameStates reports whether states of the one router mean the same in the other, as they do for one rule on two networks
// unless kinds of channel that the one lacks make the difference.
func (r *Router) SameStates(o *Router) bool {
	if r.ordered || o.ordered || r.Rule.Name != o.Rule.Name || r.Rule.HopVCs != o.Rule.HopVCs || r.states != o.states || !slices.Equal(r.Rule.Steps, o.Rule.Steps) {
		return false
	}
	return slices.Equal(r.rest, o.rest) && slices.Equal(r.top, o.top)
}

// FirstHops tells for each of Kinds whether routes take it on their first hop, and whether on a later one.
func (r *Router) FirstHops() (first, later []bool) {
	first, later = make([]bool, len(r.Kinds)), make([]bool, len(r.Kinds))
	again := false // a hop leads to the state of the first
	r.eachStep(func(_, _, t, _ int) { again = again || t == 0 })
	r.eachStep(func(k, s, _, _ int) {
		first[k] = first[k] || s == 0
		later[k] = later[k] || s > 0 || again
	})
	return first, later
}

// OneVC tells for each of Kinds whether the rule has packets take it on a single VC. Such a channel can have any
// number of VCs in place of that one: they have its dependencies, so that cycles neither come nor go.
func (r *Router) OneVC() []bool {
	one, vc := make([]bool, len(r.Kinds)), make([]int, len(r.Kinds))
	for k := range one {
		one[k], vc[k] = !r.Rule.HopVCs, -1
	}
	r.eachStep(func(k, _, _, v int) {
		one[k] = one[k] && (vc[k] < 0 || vc[k] == v)
		vc[k] = v
	})
	r.eachStep(func(k, _, t, _ int) {
		one[k] = one[k] && r.rest[t] == noRest // there the VC is to tell the state
	})
	return one
}
