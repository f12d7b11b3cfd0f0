package topology

// Kind describes a channel to a routing rule: its link class and the classes of its ends.
type Kind struct {
	Link, From, To uint8 // indices into LinkClasses and SwitchClasses
}

// Any stands for every class in a Kind of a Step.
const Any = 255

// Step lets a packet in state From take a channel of kind Kind on virtual channel VC, which
// brings it to state To.
type Step struct {
	From uint8
	Kind Kind
	To   uint8
	VC   uint8
}

// Rule is a routing as a finite automaton over kinds of channels: a route is legal if its steps
// are, and a packet takes the shortest legal routes, split equally hop by hop. Packets start in
// state 0 at each switch that their source is attached to. Loads, dependency check and simulator
// all read the same rule.
type Rule struct {
	Name   string // "updown", "lgl", "dor", "zcube", "bcube", ...
	States int
	Steps  []Step
	// HopVCs takes the number of hops so far as the VC instead of Step.VC: deadlock-free on any
	// network, at one VC per hop of diameter (Günther, IEEE Trans. Commun. 29(4), 1981).
	HopVCs bool
}

// VCs is the number of virtual channels that the steps use.
func (r Rule) VCs() int {
	n := 1
	for _, s := range r.Steps {
		n = max(n, int(s.VC)+1)
	}
	return n
}

// Free tells whether the rule allows every path, so that its routes are all shortest ones.
func (r Rule) Free() bool {
	return r.States == 1 && len(r.Steps) == 1 && r.Steps[0].Kind == Kind{Any, Any, Any}
}

// Minimal is the rule of all shortest paths: no restriction, VC = hops so far.
func Minimal() Rule {
	return Rule{Name: "minimal", States: 1, HopVCs: true, Steps: []Step{{Kind: Kind{Any, Any, Any}}}}
}
