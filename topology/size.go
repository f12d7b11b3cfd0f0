package topology

import (
	"errors"
	"fmt"
)

// MaxClasses bounds the link classes and the switch classes of a family, so that a Size has a
// fixed layout and needs no allocation. A torus of six dimensions uses 13, endpoint links, and
// inner and wrap-around links of each dimension, and a scale-up domain adds three.
const MaxClasses = 16

// LinkClass is a kind of link that a family names.
type LinkClass struct {
	Name string // "nic", "internal", "local", "global", "scaleup", ...
	Doc  string
}

// Names of link classes with a meaning outside their family (DESIGN.md section 3).
const (
	ClassNic      = "nic"      // endpoint (or its embedded switch) to a switch that is not embedded
	ClassInternal = "internal" // endpoint to its embedded switch: no cable, no cost, no hop
	ClassScaleup  = "scaleup"  // inside a server, over which its endpoints relay
	ClassScaleup2 = "scaleup2" // between the two levels of switches of a scale-up domain
)

// SwitchClass is a kind of switch that a family names.
type SwitchClass struct {
	Name string // "leaf", "spine", "global", ...
	Doc  string
	// Embedded switches forward inside an endpoint; they are not bought and have no box.
	Embedded bool
	// Relay marks an embedded switch that only joins the endpoints of a server to its scale-up
	// mesh (railonly, per_server with scaleup); it does not count in embedded_switches.
	Relay bool
}

// SwitchCount is how many switches a class has and what the fullest of them uses.
type SwitchCount struct {
	Count int64
	// Ports[c] is the number of ports that the fullest switch of the class has on links of
	// class c. The fullest switch is the one with the most bandwidth in use; it must be full in
	// every class at once, or at least at every rate (as in a torus, where switches differ in
	// which of their links wrap around), or Ports is the maximum over switches, class by class.
	Ports [MaxClasses]int32
}

// Size is what a closed form says of a design: exact counts per class. It is filled in place by
// Family.Size, costs no allocation, and is valid until the next call with the same pointer.
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

	bad Infeasible
}

// oneLane is the rate of links before a family says another.
var oneLane = func() (l [MaxClasses]int32) {
	for i := range l {
		l[i] = 1
	}
	return l
}()

// Reset clears the size for a new count of f, with one lane per link. The counts of switches are
// most of a Size and most classes are not in use: only those of f and of the family that the size
// was of are cleared, so whoever counts may fill no others. A size without a family is cleared
// in full.
func (s *Size) Reset(f *Family) {
	if f == nil || s.Family == nil {
		*s = Size{Family: f, Lanes: oneLane}
		return
	}
	for i := range max(len(f.SwitchClasses), len(s.Family.SwitchClasses)) {
		s.Switch[i] = SwitchCount{}
	}
	s.Link, s.Lanes = [MaxClasses]int64{}, oneLane
	s.Endpoints, s.EndpointPorts, s.EndpointLanes = 0, 0, 0
	if s.bad.Rule != "" {
		s.bad = Infeasible{}
	}
	s.Family = f
}

// Switches is the number of switches that are not embedded.
func (s *Size) Switches() int64 {
	var n int64
	for i := range s.Family.SwitchClasses {
		if !s.Family.SwitchClasses[i].Embedded {
			n += s.Switch[i].Count
		}
	}
	return n
}

// EmbeddedSwitches is the number of embedded switches, server relays aside.
func (s *Size) EmbeddedSwitches() int64 {
	var n int64
	for i := range s.Family.SwitchClasses {
		if c := &s.Family.SwitchClasses[i]; c.Embedded && !c.Relay {
			n += s.Switch[i].Count
		}
	}
	return n
}

// AllSwitches is the number of switches of every kind: the switch IDs are [0, AllSwitches).
func (s *Size) AllSwitches() int64 {
	var n int64
	for i := range s.Family.SwitchClasses {
		n += s.Switch[i].Count
	}
	return n
}

// EndpointLinks is the number of nic links.
func (s *Size) EndpointLinks() int64 {
	var n int64
	for i := range s.Family.LinkClasses {
		if s.Family.LinkClasses[i].Name == ClassNic {
			n += s.Link[i]
		}
	}
	return n
}

// SwitchLinks is the number of links between switches of either kind, nic, internal and scale-up
// links aside.
func (s *Size) SwitchLinks() int64 {
	var n int64
	for i := range s.Family.LinkClasses {
		if s.Family.counts(i) {
			n += s.Link[i]
		}
	}
	return n
}

// Radix is the number of ports in use on the fullest switch, at link rate, embedded ones aside.
func (s *Size) Radix() int {
	var most int32
	for i := range s.Family.SwitchClasses {
		if s.Family.SwitchClasses[i].Embedded || s.Switch[i].Count == 0 {
			continue
		}
		var p int32
		for c := range s.Family.LinkClasses {
			p += s.Switch[i].Ports[c]
		}
		most = max(most, p)
	}
	return int(most)
}

// ErrInfeasible is wrapped by every error that says there is no such network.
var ErrInfeasible = errors.New("no such network")

// Infeasible says which rule a design breaks and by how much. Words are made when printed.
type Infeasible struct {
	Param string // the parameter to blame
	Got   int
	Rule  string // what must hold, as a constant text: "g <= a*h+1"
	Bound int    // the nearest allowed value of the parameter, the others fixed
	// Others tells that no value of the parameter is enough by itself; Bound is then the least.
	Others bool
}

// Rules of a single parameter's range.
const (
	belowMin = "at least its minimum"
	aboveMax = "at most its maximum"
)

func (e *Infeasible) Error() string {
	switch e.Rule {
	case belowMin:
		return fmt.Sprintf("%v: %s = %d is below its least value; the nearest %s is %d", ErrInfeasible, e.Param, e.Got, e.Param, e.Bound)
	case aboveMax:
		return fmt.Sprintf("%v: %s = %d is above its largest value; the nearest %s is %d", ErrInfeasible, e.Param, e.Got, e.Param, e.Bound)
	}
	if e.Others {
		return fmt.Sprintf("%v: %s = %d breaks the rule %s; so does even %s = %d, unless other parameters shrink too",
			ErrInfeasible, e.Param, e.Got, e.Rule, e.Param, e.Bound)
	}
	return fmt.Sprintf("%v: %s = %d breaks the rule %s; the nearest %s is %d",
		ErrInfeasible, e.Param, e.Got, e.Rule, e.Param, e.Bound)
}

// Unwrap makes errors.Is(err, ErrInfeasible) true.
func (e *Infeasible) Unwrap() error { return ErrInfeasible }

// Fail records a broken rule in the size and returns it as an error without allocating. The
// error is overwritten by the next Fail on the same Size.
func (s *Size) Fail(param string, got int, rule string, bound int) error {
	s.bad = Infeasible{Param: param, Got: got, Rule: rule, Bound: bound}
	return &s.bad
}
