package topology

// PathType is a set of ordered endpoint pairs whose routes cross equally many links of each class.
// A pair whose traffic is split over routes that cross different classes counts in several types,
// in proportion to its split.
type PathType struct {
	Weight int64 // ordered pairs of distinct endpoints, or any integers in that proportion
	Cross  [MaxClasses]int16
}

// Paths is a closed form of where a routing's routes go, for uniform traffic between distinct
// endpoints. Buffers are reused: call Reset, then Add.
type Paths struct {
	Types []PathType
	// Peak[c] is the load of the busiest channel of class c divided by the mean load of the
	// channels of that class; 1 where the load is even. Exact, never a guess.
	Peak [MaxClasses]float64
	// Shortest tells that every route is a shortest path between its endpoints.
	Shortest bool
	// Sums are those of the types, once Sum or a family's Brief has filled them.
	Sums Sums

	memo []memo
}

// memo is a result that a family has kept.
type memo struct {
	key uint64
	x   [3]float64
}

// memos is how many results a Paths keeps, a power of two: 256 KiB, for families that need them.
const memos = 1 << 13

// Memo gives what compute gives for a key, which is not 0 and tells family and arguments: many designs
// in a row share what is dear about them. Results stay over Reset.
func (p *Paths) Memo(key uint64, compute func() [3]float64) [3]float64 {
	if p.memo == nil {
		p.memo = make([]memo, memos)
	}
	// Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4): the upper bits of a product
	// with 2^64 over the golden ratio spread keys that differ little.
	m := &p.memo[key*0x9e3779b97f4a7c15>>(64-13)]
	if m.key != key {
		m.key, m.x = key, compute()
	}
	return m.x
}

// Reset empties p: no types, even loads, shortest.
func (p *Paths) Reset() {
	p.Types = p.Types[:0]
	p.Shortest = true
	for i := range p.Peak {
		p.Peak[i] = 1
	}
}

// Add appends a type and returns it to fill in Cross; types of no weight are dropped.
func (p *Paths) Add(weight int64, cross [MaxClasses]int16) {
	if weight != 0 {
		p.Types = append(p.Types, PathType{weight, cross})
	}
}

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

// Minimal is the rule of all shortest paths: no restriction, VC = hops so far.
func Minimal() Rule {
	return Rule{Name: "minimal", States: 1, HopVCs: true, Steps: []Step{{Kind: Kind{Any, Any, Any}}}}
}

// Home says where the switches of a class stand.
type Home uint8

const (
	// Inside an endpoint: embedded switches.
	Inside Home = iota
	// WithEndpoints stand in the rack of the endpoints they serve: the switches of a block are
	// spread evenly over the block's endpoint racks, in order.
	WithEndpoints
	// InBlock stand in network racks next to their block.
	InBlock
	// Central stand in network racks in the middle of the hall.
	Central
)

// Placement says which switches and endpoints belong together. Blocks are equal: block b of B
// holds the b-th B-th part of the endpoints and of every class that is not Central.
type Placement struct {
	Blocks int // pods, groups, sub-networks; at least 1
	Homes  []Home
	// BoardOf, if not nil, names link classes that are traces on a board or wires inside a box
	// (no cable is bought): their indices.
	Boards []int
}

// LinkMedium is what the links of some classes are made of: traces of a board ("pcb") or of a
// backplane ("backplane"), which Placement.Boards frees of cables, or cables over an optical circuit
// switch ("ocs"), of which every link takes two ports.
type LinkMedium struct {
	Classes []int // of links
	Medium  string
	// Groups divide the links of the classes evenly into those that may share a circuit switch.
	Groups int
}

// Orbit is a set of equivalent things with one member to look at.
type Orbit struct {
	Rep   int32 // a SwitchID or an EndpointID
	Count int64
}

// Symmetry is a claim that a test checks: each orbit's members can be mapped onto one another
// by automorphisms. The counts of Switches and of Endpoints add up to all of them.
type Symmetry struct {
	Switches  []Orbit
	Endpoints []Orbit
	// EvenLinks claims that all channels of a link class, taken in one direction (from the lower
	// to the higher switch class), are equivalent, and so are those in the other.
	EvenLinks bool
}
