package topology

// Source names where a construction is published.
type Source struct {
	Authors, Title, Venue string
	Year                  int
	// Departures lists what differs from the publication, or what is ours where it is silent.
	Departures string
}

// Family is a published construction with its parameters: everything about it that a formula
// can say, and the wiring itself. Switch IDs are dense and class by class in the order of
// SwitchClasses; within a class, and for endpoints, block by block (see Placement).
//
// The fields declared here are what every family has. The embedded parts are optional, each field
// of them by itself; where it is declared, it says what is lost without it.
//
// All functions are pure and safe for concurrent use. Values v are complete: one per parameter.
type Family struct {
	Name   string
	Title  string // one line for people
	Source Source
	Params []Param

	// LinkClasses[0] is the class by which endpoints hang: "nic", or "internal" where they have
	// an embedded switch.
	LinkClasses   []LinkClass
	SwitchClasses []SwitchClass
	// Unidirectional families have channels without a partner; a "link" is then a channel.
	Unidirectional bool
	// Counted says in words where the counts come from. "": closed forms of a construction.
	Counted string

	// Check tells whether the values, each inside its own range, make a network, through s.Fail.
	// nil: always.
	Check func(v []int, s *Size) error
	// Count fills the closed-form counts. It is called for valid values only; it must not allocate.
	Count func(v []int, s *Size)

	// Wire streams every link between switches, in a fixed order. class indexes LinkClasses.
	// Parallel links are emitted one by one. In unidirectional families it emits channels a to b.
	// nil: there is no such link.
	Wire func(v []int, emit func(class int, a, b SwitchID))
	// Attach streams the endpoints in order: count endpoints that share the given ports. The
	// slice is only valid during the call.
	Attach func(v []int, emit func(count int, ports []SwitchID))
	// Place is the canonical placement.
	Place func(v []int) Placement

	// Natural is the rule of the natural routing. nil: "minimal", all shortest paths, VCs by hop.
	Natural func(v []int) Rule
	// VCReason says in a sentence why the natural routing is deadlock-free with the VCs that its
	// rule uses.
	VCReason string
	// Deployed names the routings with which such networks are run, the best first, natural last: it needs the fewest VCs.
	// nil: natural alone.
	Deployed []string

	// Scaleups are the scale-up domains of which the last parameter names one, see WithScaleup; none: designs do not say
	// what theirs are.
	Scaleups []Domain
	base     *Family // without them

	Documentation
	SearchSpace
	Routes
	Layout
	Figures
}

// SearchSpace is what a search over the parameters uses to discard many designs at once. Without it a
// search is as exact, but slower: it counts more designs one by one.
type SearchSpace struct {
	// Bounds encloses the counts of every valid design in the box lo..hi (inclusive, per
	// parameter): each count of the design lies between those of bl and bh. nil: every count is
	// non-decreasing in every parameter, and Bounds are the counts of the corners, valid or not
	// (Count must then give sensible numbers at corners that Check would reject).
	Bounds func(lo, hi []int, bl, bh *Size)
	// PerEndpoint bounds what designs have per endpoint, over every valid design in the box lo..hi
	// with least to most endpoints. Counts alone lose the proportion between links and endpoints as
	// soon as a parameter that scales both is free. nil: nothing is known. It must not allocate.
	PerEndpoint func(lo, hi []int, least, most int64, out *PerEndpoint)
	// Order is the order in which a search fixes the parameters, by index, where it is not that of Params: those
	// that say how many endpoints there are and where racks stand first, so that what is left only multiplies links.
	Order []int
	// Next is the least value of parameter i, at least x, with which there may be a valid design that has those of
	// the parameters before it in Order from v; above the parameter's maximum if there is none. nil: x.
	Next func(v []int, i, x int) int
	// Within encloses the values of parameter i with which there may be a valid design of least to most
	// endpoints, 1 <= least <= most, that has those of the parameters before it in Order from v; none if lo is above
	// hi. nil: any.
	Within func(v []int, i int, least, most int64) (lo, hi int64)
	// Idle reports that parameter i says nothing in designs that have the values of the parameters before it in Order from v: they are
	// the same whatever it is, and Canonical makes it x. nil: nothing is known of that.
	Idle func(v []int, i int) (x int, idle bool)
	// Draws is how a search moves among tuples where nearly none, or too many, are networks. nil: by values of single parameters.
	Draws *Draws
	// Derived is the parameter that a search derives from the endpoint count when the others are
	// fixed (endpoints must be non-decreasing in it), by index; -1 if there is none. It says nothing
	// of a family without parameters.
	Derived int
	// Canonical orders the values whose order does not matter, in place. nil: all matter, and designs
	// that are the same network under two names are both scored.
	Canonical func(v []int)
	// Hull replaces a box by one that holds the canonical form of every design in it. nil: counts and
	// bounds do not depend on the order of values that Canonical orders.
	Hull func(lo, hi []int)
	// Multiplies gives, by link class, the parameter by which its links are multiplied, 0 for none (the
	// first parameter of a family never does): designs that differ only in such parameters have the
	// same layout, but for the number of parallel cables. nil: there are none.
	Multiplies []int
	// Unplaced are the parameters (not the first) on which nothing depends but how many links there are between blocks that are
	// linked in pairs (Cables.Pairs): where racks and switches stand and all other links are the same. nil: there are none.
	Unplaced []int
}

// SwitchCount is how many switches a class has and what the fullest of them uses.
type SwitchCount struct {
	Count int64
	// Ports[c] is the number of ports that the fullest switch of the class has on links of
	// class c. The fullest switch is the one with the most bandwidth in use; it must be full in
	// every class at once, or at least at every rate (as in a torus, where switches differ in
	// which of their links wrap around), or Ports is the maximum over switches, class by class.
	Ports [MaxClasses]int32
	// Also is a set of link classes, 1<<c each, of which switches of this class have ports although Ports
	// says none: where switches differ, and no formula spreads them. Families with formulas leave it 0.
	Also uint32
	// Most is the ports in use on any one switch, where that is less than Ports add up to: where none is
	// full at every rate. 0: their sum.
	Most int32
	// Together divides the switches of a class that SharesBox, in order, into groups of which several may be
	// in one box. 0: none may.
	Together int64
}

// Has tells whether switches of the class have ports on links of class c.
func (k *SwitchCount) Has(c int) bool { return k.Ports[c] > 0 || k.Also>>c&1 != 0 }

// Size is what a closed form says of a design: exact counts per class. It is filled in place by
// Family.Size, costs no allocation, and is valid until the next call with the same pointer. The zero
// value counts nothing.
type Size struct {
	Family    *Family
	Endpoints int64
	// EndpointPorts counts the network ports of an endpoint, those of its embedded switch
	// included, scale-up and internal ones not (the largest number, if endpoints differ).
	EndpointPorts int32
	// EndpointLanes is the sum of the rates of those ports in lanes; the bandwidth that a study
	// asks for an endpoint, divided by it, is the rate of a lane.
	EndpointLanes int32
	Switch        [MaxClasses]SwitchCount // by index into Family.SwitchClasses, zero beyond them
	Link          [MaxClasses]int64       // links by index into Family.LinkClasses; channels in unidirectional families
	Lanes         [MaxClasses]int32       // rate of a link of the class, in lanes; 1 for most

	// Scaleup is the value of ParamScaleup; of a corner of a box the least or the largest. 0 where there is none.
	Scaleup int

	bad Infeasible
}

// PerEndpoint is what the designs of a box have per endpoint. The zero value says nothing.
type PerEndpoint struct {
	Known bool
	// Switch is the least number of switches of a class, Link the least and LinkMost the largest
	// number of links of a class.
	Switch, Link, LinkMost [MaxClasses]float64
	// Cross is the least mean number of links of a class that the shortest route between two
	// distinct endpoints crosses.
	Cross [MaxClasses]float64
	// Load is the least load of the busiest channel of a class under uniform traffic over natural
	// routes, in units of what an endpoint sends; 0 where a design may have none of the class. The
	// mean load of the channels is such a bound.
	Load [MaxClasses]float64
	// Hops is the least mean number of links of a shortest route but internal and nic ones, where it is
	// more than Cross says class by class.
	Hops float64
	// VCs is the least number of virtual channels that the natural rule uses; 0 says nothing.
	VCs int
	// Flow is the least mean number of links of a class that the natural route between two distinct
	// endpoints crosses; 0 says nothing.
	Flow [MaxClasses]float64
	// Uneven is how many times the mean of its class a link carries at most where uniform traffic is split well over as many links of each class as
	// natural routes cross: 1 where all links of a class serve alike. 0 says nothing.
	Uneven float64
	// Fan is how far the links of a class spread over the floor.
	Fan [MaxClasses]Fan
	// Shape is the design without parallel links that has the same layout as all designs of the box, if
	// OneShape says that there is one (see Multiplies).
	Shape    Values
	OneShape bool
	// Plan is values of which all that the floor plan depends on are those of all designs of the box, if OnePlan says that there
	// are such (see Unplaced).
	Plan    Values
	OnePlan bool
	// PlanBetween asks of the plan only how far blocks are apart, which is known much sooner than what their own cables take.
	PlanBetween bool
	// PlanRounds asks of the plan what whole rounds of links between blocks take from rack to rack (Fan.Spread), which takes
	// several times as long as all else that it says.
	PlanRounds bool
	// Widest is the upper corner of the box, if OneShape or OnePlan: endpoints of all its designs hang as its do, and no two switches, or blocks of
	// them, have more links with each other. Loads asks what collectives take on it at least.
	Widest Values
	Loads  bool
}

// Draws makes and changes tuples inside a box lo..hi (inclusive, per parameter), by rules of the family. intn(n) is a random number
// in [0, n). Most of what they make is a network; what a box makes impossible need not be.
type Draws struct {
	// Endpoints is the parameter that is the number of endpoints, by index; -1 if there is none.
	Endpoints int
	// Sample draws a tuple.
	Sample func(intn func(n int) int, lo, hi, v []int)
	// Vary changes a tuple a little, to another or now and then to itself.
	Vary func(intn func(n int) int, lo, hi, v []int)
	// Repair makes of any numbers the nearest tuple that is a network. What it makes of one of its own results is the same.
	Repair func(lo, hi, v []int)
}

// MaxParams bounds the parameters of a family, that of its scale-up domain included. layered_relay has 112.
const MaxParams = 113

// FewParams is the most that ordinary families have, with room: what is made for every design or box has place for as many, and a
// slice for more.
const FewParams = 16

// Values are the values of a design without more than FewParams parameters, as a key of a map.
type Values [FewParams]int32

// Param gives the index of a parameter, or -1.
func (f *Family) Param(name string) int {
	for i := range f.Params {
		if f.Params[i].Name == name {
			return i
		}
	}
	return -1
}
