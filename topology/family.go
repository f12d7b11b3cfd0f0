package topology

import (
	"fmt"
	"slices"
)

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
// All functions are pure and safe for concurrent use. Values v are complete: one per parameter.
type Family struct {
	Name   string
	Title  string // one line for people
	Source Source
	Params []Param
	// Formulas are the counts in words of arithmetic, one assignment a line over the parameters and
	// the names before it: endpoints, switches, links (between switches), radix, and endpoint_ports
	// unless it is 1. Functions are if, min, max, floor, ceil, mod, divisor(u,x), the largest divisor
	// of u that is at most x, and square(x,q), 1 if x is a square modulo q. "where" limits a line to
	// some values, and a semicolon begins a remark. A test computes them.
	Formulas []string
	// Deployments names machines or companies that run it; Traps is what readers of its papers get
	// wrong. Either may be empty.
	Deployments, Traps string

	// LinkClasses[0] is the class by which endpoints hang: "nic", or "internal" where they have
	// an embedded switch.
	LinkClasses   []LinkClass
	SwitchClasses []SwitchClass
	// Unidirectional families have channels without a partner; a "link" is then a channel.
	Unidirectional bool

	// Check tells whether the values, each inside its own range, make a network, through s.Fail.
	// nil: always.
	Check func(v []int, s *Size) error
	// Count fills the closed-form counts. It is called for valid values only; it must not allocate.
	Count func(v []int, s *Size)
	// Bounds encloses the counts of every valid design in the box lo..hi (inclusive, per
	// parameter): each count of the design lies between those of bl and bh. nil: every count is
	// non-decreasing in every parameter, and Bounds are the counts of the corners, valid or not
	// (Count must then give sensible numbers at corners that Check would reject).
	Bounds func(lo, hi []int, bl, bh *Size)
	// PerEndpoint bounds what designs have per endpoint, over every valid design in the box lo..hi
	// with least to most endpoints. Counts alone lose the proportion between links and endpoints as
	// soon as a parameter that scales both is free. nil: nothing is known. It must not allocate.
	PerEndpoint func(lo, hi []int, least, most int64, out *PerEndpoint)
	// Next is the least value of parameter i, at least x, with which there may be a valid design that
	// begins with v[:i]; above the parameter's maximum if there is none. nil: x.
	Next func(v []int, i, x int) int
	// Within encloses the values of parameter i with which there may be a valid design of least to most
	// endpoints, 1 <= least <= most, that begins with v[:i]; none if lo is above hi. nil: any.
	Within func(v []int, i int, least, most int64) (lo, hi int64)
	// Derived is the parameter that a search derives from the endpoint count when the others are
	// fixed (endpoints must be non-decreasing in it), by index; -1 if there is none.
	Derived int
	// Canonical orders the values whose order does not matter, in place. nil: all matter.
	Canonical func(v []int)

	// Multiplies gives, by link class, the parameter by which its links are multiplied, 0 for none (the
	// first parameter of a family never does): designs that differ only in such parameters have the
	// same layout, but for the number of parallel cables. nil: there are none.
	Multiplies []int

	// Hull replaces a box by one that holds the canonical form of every design in it. nil: counts and
	// bounds do not depend on the order of values that Canonical orders.
	Hull func(lo, hi []int)

	// Wire streams every link between switches, in a fixed order. class indexes LinkClasses.
	// Parallel links are emitted one by one. In unidirectional families it emits channels a to b.
	Wire func(v []int, emit func(class int, a, b SwitchID))
	// Bundles streams the links of Wire in bulk, in any order: for counting them by where they
	// lead. nil: link by link.
	Bundles func(v []int, emit func(b Bundle))
	// Attach streams the endpoints in order: count endpoints that share the given ports. The
	// slice is only valid during the call.
	Attach func(v []int, emit func(count int, ports []SwitchID))

	// Paths gives the natural routes in closed form. nil, or false: no closed form, and the
	// evaluator computes on the built network.
	Paths func(v []int, p *Paths) bool
	// Brief fills Sums, Peak and Shortest of what Paths would list, and lists nothing: for families
	// whose types are a product over dimensions. It may know more designs than Paths. nil, or false:
	// Paths tells.
	Brief func(v []int, p *Paths) bool
	// SlowPaths tells that Paths walks ports rather than computes: a search asks PerEndpoint first,
	// for every single design.
	SlowPaths bool
	// Walks tells that Paths or Distances take far more than a microsecond for these values: until a
	// design has stood every other test, PerEndpoint stands for them. nil: never.
	Walks func(v []int) bool
	// Distances is the same for shortest paths where natural routes can be longer. nil: as Paths.
	Distances func(v []int, p *Paths) bool
	// Natural is the rule of the natural routing. nil: "minimal", all shortest paths, VCs by hop.
	Natural func(v []int) Rule
	// Cables says what is known of where the cables of a link class run; see Cables. nil: nothing.
	Cables func(v []int, class int) Cables
	// Media names link classes that are made of something else than cables, or of something beside
	// them. nil: cables, and what Placement.Boards says.
	Media []LinkMedium
	// Place is the canonical placement.
	Place func(v []int) Placement
	// Dims are the sizes of a grid of switches whose numbers have the first dimension fastest, with
	// endpoints in the order of switches, as many on each; ones included. nil: no such grid.
	Dims func(v []int) []int
	// Orbits claims symmetry. nil: none claimed.
	Orbits func(v []int) Symmetry
	// NonBlocking is the number of endpoints of the largest block of the construction that has
	// full bisection inside by the cut through its middle (metric nonblocking_region).
	NonBlocking func(v []int) int64
	// VCReason says in a sentence why the natural routing is deadlock-free with the VCs that its
	// rule uses.
	VCReason string
	// Middle is the survey's bisection by the cut through the middle of levels or dimensions, as a
	// fraction of (endpoints/2 x bandwidth), at most 1. nil: not defined.
	Middle func(v []int) float64
}

// Cables is what is known of the links of a class: I and J are the classes of the switches at their
// two ends; -1 for I if that differs or is not known, and for J as well at endpoint links.
type Cables struct {
	I, J  int
	Scope Scope
	// Parts is how the switches of class J, or those of a block if links stay in it, fall into equal
	// parts of consecutive ones, to all of one of which every switch of class I (at endpoint links:
	// to all of I every endpoint) is linked by equally many links, itself aside; 0 says nothing.
	Parts int
	// Ranges, if not 0, tells that the switches of class I fall into so many equal ranges of consecutive
	// ones, and those of class J into equal parts, one for each pair of ranges, in the order (0, 1), (0, 2), ...,
	// (1, 2), ...: each switch of class I is linked by equally many links to all of its range's parts.
	Ranges int
}

// Scope tells which blocks of the placement links join.
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
// Count, switch A+i*Step is linked Times times to B+((i+Shift) mod Ring)*Step.
type Bundle struct {
	Class             int
	A, B              SwitchID
	Count             int
	Cycle, Each       int
	Times             int
	Blocks            int
	Mesh              bool
	Ring, Shift, Step int
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
	// Fan is how far the links of a class spread over the floor.
	Fan [MaxClasses]Fan
	// Like is the design without parallel links that has the same layout as all designs of the box, if
	// Alike tells that there is one (see Family.Multiplies).
	Like  Values
	Alike bool
}

// MaxParams bounds the parameters of a family. ubmesh, the richest, has 11.
const MaxParams = 16

// Values are the values of a design, as a key of a map.
type Values [MaxParams]int32

// Tighten narrows the sizes of a box to what its designs have per endpoint; the endpoints of bl
// and bh must be those of the designs that count.
func (p *PerEndpoint) Tighten(bl, bh *Size) {
	if !p.Known {
		return
	}
	// Products round: a few parts in 10^16.
	const below, above = 1 - 1e-12, 1 + 1e-12
	n, m := float64(bl.Endpoints), float64(bh.Endpoints)
	for i := range bl.Family.SwitchClasses {
		bl.Switch[i].Count = max(bl.Switch[i].Count, int64(p.Switch[i]*n*below))
	}
	for c := range bl.Family.LinkClasses {
		bl.Link[c] = max(bl.Link[c], int64(p.Link[c]*n*below))
		if most := p.LinkMost[c] * m * above; most < float64(bh.Link[c]) {
			bh.Link[c] = max(bl.Link[c], int64(most)+1)
		}
	}
}

// BoundPerEndpoint fills p for a box and endpoints between least and most, at least 1.
func (f *Family) BoundPerEndpoint(lo, hi []int, least, most int64, p *PerEndpoint) {
	*p = PerEndpoint{}
	if f.PerEndpoint == nil || least < 2 {
		return
	}
	f.PerEndpoint(lo, hi, least, most, p)
	p.Alike = f.Multiplies != nil && f.alike(lo, hi, &p.Like)
}

// alike tells whether all parameters that shape the layout are fixed in a box, and gives the design
// of that shape without parallel links.
func (f *Family) alike(lo, hi []int, like *Values) bool {
	for i := range f.Params {
		switch {
		case i > 0 && slices.Contains(f.Multiplies, i):
			like[i] = 1
		case lo[i] != hi[i]:
			return false
		default:
			like[i] = int32(lo[i])
		}
	}
	return true
}

// counts tells whether links of class i are switch_links.
func (f *Family) counts(i int) bool {
	switch f.LinkClasses[i].Name {
	case ClassNic, ClassInternal, ClassScaleup:
		return false
	}
	return true
}

// Param gives the index of a parameter, or -1.
func (f *Family) Param(name string) int {
	for i := range f.Params {
		if f.Params[i].Name == name {
			return i
		}
	}
	return -1
}

// Size checks the values and counts. It costs under a microsecond and does not allocate; the
// error, if any, wraps ErrInfeasible and lives in s.
func (f *Family) Size(v []int, s *Size) error {
	s.Reset(f)
	if len(v) != len(f.Params) {
		panic(fmt.Sprintf("topology: %s takes %d values, got %d", f.Name, len(f.Params), len(v)))
	}
	for i := range f.Params {
		p := &f.Params[i]
		if v[i] < p.Min {
			return s.Fail(p.Name, v[i], belowMin, p.Min)
		}
		if v[i] > p.Max {
			return s.Fail(p.Name, v[i], aboveMax, p.Max)
		}
	}
	if f.Check != nil {
		if err := f.Check(v, s); err != nil {
			return err
		}
	}
	f.Count(v, s)
	if !s.numbered() {
		return f.tooLarge(v, s)
	}
	return nil
}

// SizeBounds encloses the size of every valid design in the box lo..hi, corners included.
func (f *Family) SizeBounds(lo, hi []int, bl, bh *Size) {
	bl.Reset(f)
	bh.Reset(f)
	if f.Bounds != nil {
		f.Bounds(lo, hi, bl, bh)
		return
	}
	f.Count(lo, bl)
	f.Count(hi, bh)
}
