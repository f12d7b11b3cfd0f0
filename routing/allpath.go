package routing

import (
	"fmt"
	"math/bits"

	"toposearch/topology"
)

// AllPath gives the rule of all-path routing in UB-Mesh's manner (H. Liao et al., arXiv:2503.20377,
// section 4.1) over a network with the natural rule given. Its states are those of the natural rule, which are on
// the first lanes, then as many on the second.
//
// The paper says that its TFC breaks cycles across dimensions and within one so that two virtual lanes
// carry all paths, and leaves out how. This is our assignment: a packet follows the natural
// rule on the first lanes; after any hop it may turn to the second lanes, where it starts the rule anew from
// the switch to which it has come. So a route is two routes of the rule, one after the other, each on lanes
// of its own:
//
//   - across dimensions, a descent in the order of dimensions (Y, then X) costs the turn;
//   - within a dimension, a second hop (a to c to b) costs the turn.
//
// A route is admitted if it has at most one of both: in dimension order by any third NPU of one dimension; out in any
// dimension, then on in dimension order; and the shortest routes in those orders of dimensions that have one descent.
// (What needs two turns, such as the detour Y, X, X in two dimensions or the shortest route Z, Y, X in three, is not
// admitted; CountPaths counts both. Whether another assignment of two lanes admits all of them at once is open.)
//
// Kinds of channels are then taken in a fixed order whatever the number of switches, provided that the
// natural rule takes each kind once (KindGraph); CheckWalks shows it on the channel-dependency
// graph. Other rules are refused.
func AllPath(n *topology.Network, natural topology.Rule) (topology.Rule, error) {
	if natural.HopVCs || natural.States == 0 || !KindGraph(n, natural, 0).Acyclic {
		of := ""
		if natural.Name != "" {
			of = " (rule " + natural.Name + ")"
		}
		return topology.Rule{}, fmt.Errorf("routing: all-path routing needs a rule that takes every kind of link once, such as dimension order "+
			"in full meshes; the routes of %s%s do not", n.Design, of)
	}
	S, lanes := natural.States, natural.VCs()
	if 2*S > MaxStates {
		return topology.Rule{}, fmt.Errorf("routing: all-path routing doubles the %d states of rule %s; %d are possible", S, natural.Name, MaxStates)
	}
	rule := topology.Rule{Name: "all paths, " + natural.Name, States: 2 * S}
	fresh := freshStates(n, natural)
	for _, st := range natural.Steps {
		second := topology.Step{From: st.From + uint8(S), Kind: st.Kind, To: st.To + uint8(S), VC: st.VC + uint8(lanes)}
		rule.Steps = append(rule.Steps, st, second)
		for class, state := range fresh {
			if state < 0 || st.Kind.To != topology.Any && int(st.Kind.To) != class {
				continue
			}
			turn := st
			turn.Kind.To, turn.To = uint8(class), uint8(S+state)
			rule.Steps = append(rule.Steps, turn)
		}
	}
	return rule, nil
}

// freshStates gives, by class of switches, the state in which a packet that starts anew at such a switch
// is: 0 where endpoints hang, else that in which its first hop from there brings it; -1: neither.
func freshStates(n *topology.Network, rule topology.Rule) []int {
	fresh := make([]int, len(n.SwitchClasses))
	for i := range fresh {
		fresh[i] = -1
	}
	for g := range n.Groups() {
		_, _, ports := n.Group(g)
		for _, s := range ports {
			fresh[n.Class(s)] = 0
		}
	}
	for _, st := range rule.Steps {
		if st.From != 0 || st.Kind.To == topology.Any || fresh[st.Kind.To] >= 0 {
			continue
		}
		fresh[st.Kind.To] = int(st.To)
	}
	return fresh
}

// WithoutClass gives the rule without the steps that name switches of a class; those for any class are kept.
func WithoutClass(rule topology.Rule, class int) topology.Rule {
	steps := rule.Steps
	rule.Steps = nil
	for _, st := range steps {
		if int(st.Kind.From) != class && int(st.Kind.To) != class {
			rule.Steps = append(rule.Steps, st)
		}
	}
	return rule
}

// Least gives, of the hops of a state over channel c, whether they lead nearer or not, the one from which the
// fewest are left to a destination, with their number; of equals the one to the lowest state. Far: none gets there.
func (t *Table) Least(dst int, c topology.ChannelID, state uint8) (Hop, uint8) {
	r := t.Router
	at, to := int(r.kind[c])*r.states+int(state), r.Net.To(c)
	best, left := Hop{}, uint8(Far)
	for m := r.next[at]; m != 0; m &= m - 1 {
		s := bits.TrailingZeros64(m)
		if d := t.Dist(dst, t.Node(to, uint8(s))); d < left {
			vc := r.vc[at*r.states+s]
			best, left = Hop{Channel: c, VC: vc, State: uint8(s), Top: vc}, d
		}
	}
	return best, left
}
