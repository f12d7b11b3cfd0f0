package topology

// Orbit is a set of equivalent things with one member that stands for all.
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
	// Alike claims, if not nil, the same of groups of link classes: of each class it has the first of its group, and all channels of a group in one
	// direction are equivalent, by automorphisms that may move links to other classes of the group. In tori these are the links of a ring and the one that closes it.
	Alike []int
}
