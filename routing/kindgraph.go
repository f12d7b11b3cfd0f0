package routing

import (
	"strconv"
	"strings"

	"toposearch/topology"
)

// KindOrder is the dependency graph of a rule over (kind of channel, VC) instead of channels.
type KindOrder struct {
	// Acyclic proves that no network with these kinds can deadlock, whatever its size. The
	// converse does not hold: a mesh in dimension order takes channels of one kind after
	// another, and only their positions rule a cycle out.
	Acyclic bool
	Order   string // the kinds and VCs in the order in which packets take them, in words
}

// KindGraph looks at the automaton alone. n gives the kinds that exist and their names; with
// fewer VCs than the rule uses, higher ones are folded onto the last (vcs = 0: none are).
func KindGraph(n *topology.Network, rule topology.Rule, vcs int) KindOrder {
	if rule.HopVCs || rule.States < 1 || rule.States > MaxStates {
		return KindOrder{}
	}
	r := &Router{Net: n, Rule: rule, states: rule.States}
	r.findKinds()
	if err := r.compile(); err != nil {
		return KindOrder{}
	}
	return r.kindGraph(vcs)
}

func (r *Router) kindGraph(vcs int) KindOrder {
	use := r.Rule.VCs()
	if vcs > 0 {
		use = min(use, vcs)
	}
	live := r.liveStates()
	size := len(r.Kinds) * use
	arc := make([]bool, size*size)
	node := make([]bool, size)
	r.eachStep(func(k, s, t int, vc int) {
		if live&(1<<s) == 0 {
			return
		}
		a := k*use + min(vc, use-1)
		node[a] = true
		r.eachStep(func(k2, s2, t2 int, vc2 int) {
			if s2 == t && r.Kinds[k2].From == r.Kinds[k].To {
				arc[a*size+k2*use+min(vc2, use-1)] = true
			}
		})
	})
	var words []string
	for done := make([]bool, size); ; {
		progress, open := false, false
		for v := range size {
			if !node[v] || done[v] {
				continue
			}
			open = true
			if waitedFor(v, size, arc, node, done) {
				continue
			}
			done[v], progress = true, true
			name := KindName(r.Net, r.Kinds[v/use])
			if use > 1 {
				name += " VC " + strconv.Itoa(v%use)
			}
			words = append(words, name)
		}
		if !open {
			return KindOrder{Acyclic: true, Order: strings.Join(words, " < ")}
		}
		if !progress {
			return KindOrder{}
		}
	}
}

// waitedFor reports whether a node that is not done has an arc to v.
func waitedFor(v, size int, arc, node, done []bool) bool {
	for u := range size {
		if node[u] && !done[u] && arc[u*size+v] {
			return true
		}
	}
	return false
}

// liveStates are the states that a packet can come to from state 0.
func (r *Router) liveStates() uint64 {
	live := uint64(1)
	for {
		before := live
		r.eachStep(func(_, s, t, _ int) {
			if live&(1<<s) != 0 {
				live |= 1 << t
			}
		})
		if live == before {
			return live
		}
	}
}
