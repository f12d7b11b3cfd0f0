package routing

// noRest stands for no state in Router.rest; a word shifted by it is 0.
const noRest = 255

// findRest finds where a packet may take whichever of two VCs is free. State u is the rest of state t
// < u if some step leads to both on one channel, packets come to t on one VC alone and to u on the next,
// and u allows nothing that t does not. A hop that leads to both is then one Hop with two VCs and no
// choice of a route: what is legal after u is legal after t. Balanced datelines are made of that (package
// topology/family, ring.go).
func (r *Router) findRest() {
	S := r.states
	r.rest, r.top = make([]uint8, S), make([]uint8, S)
	for t := range r.rest {
		r.rest[t] = noRest
	}
	if r.Rule.HopVCs {
		return
	}
	into := r.entryVCs()
	for t := range S {
		for u := t + 1; u < S; u++ {
			if into[t] >= 0 && into[u] == into[t]+1 && r.rivals(t, u) && r.allowsLess(u, t) {
				r.rest[t], r.top[t] = uint8(u), uint8(into[u])
				r.spare = true
				break
			}
		}
	}
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

// entryVCs gives for each state the VC on which packets come to it; -1 for none or several.
func (r *Router) entryVCs() []int {
	const none, several = -1, -2
	into := make([]int, r.states)
	for t := range into {
		into[t] = none
	}
	r.eachStep(func(_, _, t, vc int) {
		switch into[t] {
		case none:
			into[t] = vc
		case vc:
		default:
			into[t] = several
		}
	})
	return into
}

// rivals reports whether a kind of channel leads from some state to both t and u.
func (r *Router) rivals(t, u int) bool {
	both := uint64(1)<<t | 1<<u
	for _, m := range r.next {
		if m&both == both {
			return true
		}
	}
	return false
}

// allowsLess reports whether every step out of u is one out of t, too.
func (r *Router) allowsLess(u, t int) bool {
	for k := range r.Kinds {
		if r.next[k*r.states+u]&^r.next[k*r.states+t] != 0 {
			return false
		}
	}
	return true
}

// Rest is the state that a packet is in that has taken the Top of a Hop with two VCs to a state, and what
// Top is; ok is false for states to which no such hop leads.
func (r *Router) Rest(state uint8) (rest, top uint8, ok bool) {
	rest = r.rest[state]
	return rest, r.top[state], rest != noRest
}
