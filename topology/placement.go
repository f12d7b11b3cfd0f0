package topology

// Home says where the switches of a class stand.
type Home uint8

const (
	// Inside an endpoint: embedded switches but those of spares, which stand with the endpoints.
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
	// Boards are the indices of link classes that are traces of a board or wires inside a box, for
	// which no cable is bought.
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

// Cables is what is known of the links of a class: I and J are the classes of the switches at their
// two ends; -1 for I if that differs or is not known, and for J as well at endpoint links.
type Cables struct {
	I, J  int
	Scope Scope
	// Parts divides the switches of class J (of each block, if links stay in it) into that many equal
	// parts of consecutive switches. Every switch of class I, or every endpoint at endpoint links, is
	// linked to all switches of one part but itself, by equally many links. 0 says nothing.
	Parts int
	// Ranges divides the switches of class I into that many equal ranges of consecutive switches, and
	// those of class J into equal parts, one for each pair of ranges, in the order (0, 1), (0, 2), ...,
	// (1, 2), ...: each switch of class I is linked by equally many links to all parts of its range. 0
	// says nothing.
	Ranges int
	// InTurn: at endpoint links, as many consecutive endpoints hang on each of the switches that have any, in their order.
	InTurn bool
	// Pairs is how many links every two blocks have, of links between all of them. The zero value says nothing.
	Pairs BlockPairs
}

// BlockPairs is links between blocks as around a ring: every two blocks have Each, and every block has a further one to each of the
// Next blocks on either side, fewer than half, and with Opposite to the one halfway around.
type BlockPairs struct {
	Each, Next int
	Opposite   bool
}

// Scope says which blocks of the placement links join.
type Scope uint8

const (
	AnyBlocks   Scope = iota // or central switches
	OneBlock                 // both ends in the same block
	OtherBlocks              // both ends in blocks, and in different ones
)

// Bundle is links of a class between two ranges of switches: for each i below Count, switch A+i is
// linked Times times to each of the Each switches from B+(i mod Cycle)*Each on; and so for Blocks
// blocks, 0 being one, each of which has its switches behind those of the one before. Or, with Mesh,
// all pairs of the Count switches from A on are linked Times times. Or, with Ring, for each i below
// Count, switch A+i*Step is linked Times times to B+((i+Shift) mod Ring)*Step. Or, with Rounds, the switches of
// Ring blocks, those of block i from A+i*Step on, are linked by rounds of Ring-1 ports: of each i < j port j-1 of block i to port i of block j; or with
// Turn, which says how far around the ring the port of a rank leads and to which rank there, all ports of block i, those of two rounds once.
type Bundle struct {
	Class             int
	A, B              SwitchID
	Count             int
	Cycle, Each       int
	Times             int
	Blocks            int
	Mesh              bool
	Ring, Shift, Step int
	Rounds            Rounds
	Turn              func(rank int) (shift, to int)
}

// EachRound gives the first ports of rounds and of those that they are linked to; with Turn once of any two.
func (b *Bundle) EachRound(f func(from, back int)) {
	for r := range b.Rounds.Count {
		if to := b.Rounds.Across(r); r <= to || b.Turn == nil {
			f(r*(b.Ring-1), to*(b.Ring-1))
		}
	}
}

// Rounds are so many rounds of ports of every block, one for each other block, that follow one another from the first port of its first switch on, of which
// each has so many. Between any two blocks each round is a link.
type Rounds struct{ Ports, Count, Touch int }

// RoundsOf are those of so many ports of a block, so many of each of its switches, where rounds that touch one switch lead to others, and how blocks
// are linked: ports that fill no round lead to the nearest blocks on either side, the last to the one halfway around or nowhere.
func RoundsOf(blocks, ports, perSwitch int) (r Rounds, p BlockPairs) {
	around := blocks - 1
	r = Rounds{Ports: perSwitch, Count: ports / around}
	if perSwitch > around {
		r.Touch = (perSwitch + around - 1) / around
	}
	spare := ports % around
	return r, BlockPairs{Each: r.Count, Next: spare / 2, Opposite: spare%2 == 1 && blocks%2 == 0}
}

// Across gives the round that a round is linked to, and is its own inverse: itself without Touch; else round t of the s-th Touch rounds is linked to round t of
// the (t-s)-th, and what fills no Touch rounds to itself.
func (r *Rounds) Across(round int) int {
	if r.Touch == 0 {
		return round
	}
	blocks := r.Count / r.Touch
	s, t := round/r.Touch, round%r.Touch
	if s >= blocks {
		return round
	}
	return ((t-s)%blocks+blocks)%blocks*r.Touch + t
}
