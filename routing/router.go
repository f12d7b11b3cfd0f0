package routing

import (
	"fmt"

	"toposearch/topology"
)

// MaxStates bounds the states of a rule, so that a set of them is one word.
const MaxStates = 64

// Router is a rule compiled against a network: per kind of channel, which state leads to which.
// It is immutable and safe for concurrent use.
type Router struct {
	Net  *topology.Network
	Rule topology.Rule
	Sets []Set
	// SetOf is the set of each endpoint group.
	SetOf []int32
	Kinds []topology.Kind // the kinds of channel that the network has, in order of appearance

	states int
	free   bool // one state, and every kind is allowed
	// ordered: kinds are not those of the network, but routes follow an order of all channels
	// (UpDown).
	ordered bool
	kind    []uint16 // per channel
	next    []uint64 // [kind*states+s]: the states that a packet in state s may take on
	vc      []uint8  // [(kind*states+s)*states+t]
	back    []uint64 // [kind*states+t]: the states from which the kind leads to t
	rest    []uint8  // [t]: see findRest; noRest for none
	top     []uint8  // [t]: the VC on which packets come to the rest of t
	spare   bool     // some state has a rest

	// Channels into each switch v are [inStart[v], inStart[v+1]) of these.
	inStart []int32
	inFrom  []topology.SwitchID
	inKind  []uint16
}

// New compiles a rule against a network. A rule that names states it does not have, or gives
// the same step two VCs, is an error.
func New(n *topology.Network, rule topology.Rule) (*Router, error) {
	if rule.States < 1 || rule.States > MaxStates {
		return nil, fmt.Errorf("routing: rule %s has %d states; 1 to %d are possible", rule.Name, rule.States, MaxStates)
	}
	r := &Router{Net: n, Rule: rule, states: rule.States}
	r.Sets, r.SetOf = Attachments(n)
	r.findKinds()
	if err := r.compile(); err != nil {
		return nil, err
	}
	r.findIncoming()
	return r, nil
}

// findKinds numbers the kinds of channel.
func (r *Router) findKinds() {
	n := r.Net
	number := make(map[topology.Kind]uint16)
	r.kind = make([]uint16, n.Channels())
	for s := range topology.SwitchID(n.Switches()) {
		first, end := n.Out(s)
		for c := first; c < end; c++ {
			k := n.Kind(s, c)
			i, ok := number[k]
			if !ok {
				i = uint16(len(r.Kinds))
				number[k] = i
				r.Kinds = append(r.Kinds, k)
			}
			r.kind[c] = i
		}
	}
}

// matches reports whether pattern p, which may hold Any, covers k.
func matches(p, k topology.Kind) bool {
	return (p.Link == topology.Any || p.Link == k.Link) &&
		(p.From == topology.Any || p.From == k.From) &&
		(p.To == topology.Any || p.To == k.To)
}

// compile fills the transition tables of every kind.
func (r *Router) compile() error {
	S := r.states
	r.next = make([]uint64, len(r.Kinds)*S)
	r.back = make([]uint64, len(r.Kinds)*S)
	r.vc = make([]uint8, len(r.Kinds)*S*S)
	for _, st := range r.Rule.Steps {
		from, to := int(st.From), int(st.To)
		if from >= S || to >= S {
			return fmt.Errorf("routing: rule %s: a step leads from state %d to %d of %d", r.Rule.Name, from, to, S)
		}
		for k, kind := range r.Kinds {
			if !matches(st.Kind, kind) {
				continue
			}
			at := (k*S+from)*S + to
			if r.next[k*S+from]&(1<<to) != 0 && r.vc[at] != st.VC {
				return fmt.Errorf("routing: rule %s: the step from state %d to %d on %s has VC %d and VC %d",
					r.Rule.Name, from, to, KindName(r.Net, kind), r.vc[at], st.VC)
			}
			r.next[k*S+from] |= 1 << to
			r.back[k*S+to] |= 1 << from
			r.vc[at] = st.VC
		}
	}
	r.findRest()
	r.free = S == 1
	for _, m := range r.next {
		r.free = r.free && m != 0
	}
	return nil
}

// noRest stands for no state in Router.rest; a word shifted by it is 0.
const noRest = 255

// findRest finds where a packet may take whichever of two VCs is free. State u is the rest of state t
// < u if some step leads to both on one channel, packets come to t on one VC alone and to u on the next,
// and u allows nothing that t does not. A hop that leads to both is then one Hop with two VCs and no
// choice of a route: what is legal after u is legal after t. Balanced datelines are made of that (package
// topology/family, dateline.go).
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

// eachStep calls yield for every compiled step: kind, state, next state, VC.
func (r *Router) eachStep(yield func(k, s, t, vc int)) {
	S := r.states
	for k := range r.Kinds {
		for s := range S {
			for t := range S {
				if r.next[k*S+s]&(1<<t) != 0 {
					yield(k, s, t, int(r.vc[(k*S+s)*S+t]))
				}
			}
		}
	}
}

// findIncoming lists the channels into each switch; where links are pairs these are the
// reverses of those that leave it.
func (r *Router) findIncoming() {
	n := r.Net
	start, to := n.Adjacency()
	if !n.Unidirectional {
		r.inStart, r.inFrom = start, to
		r.inKind = make([]uint16, len(to))
		for c := range r.inKind {
			r.inKind[c] = r.kind[n.Rev(topology.ChannelID(c))]
		}
		return
	}
	r.inStart = make([]int32, len(start))
	r.inFrom = make([]topology.SwitchID, len(to))
	r.inKind = make([]uint16, len(to))
	for _, v := range to {
		r.inStart[v+1]++
	}
	for v := 1; v < len(start); v++ {
		r.inStart[v] += r.inStart[v-1]
	}
	at := append([]int32(nil), r.inStart...)
	for s := range topology.SwitchID(n.Switches()) {
		first, end := n.Out(s)
		for c := first; c < end; c++ {
			v := to[c]
			r.inFrom[at[v]], r.inKind[at[v]] = s, r.kind[c]
			at[v]++
		}
	}
}

// States is the number of states of the rule.
func (r *Router) States() int { return r.states }

// KindOf is the index into Kinds of a channel's kind.
func (r *Router) KindOf(c topology.ChannelID) int { return int(r.kind[c]) }

// KindName is a kind in words: "local leaf>spine".
func KindName(n *topology.Network, k topology.Kind) string {
	link := func(i uint8) string {
		if i == topology.Any {
			return "any"
		}
		return n.LinkClasses[i].Name
	}
	sw := func(i uint8) string {
		if i == topology.Any {
			return "any"
		}
		return n.SwitchClasses[i].Name
	}
	return link(k.Link) + " " + sw(k.From) + ">" + sw(k.To)
}
