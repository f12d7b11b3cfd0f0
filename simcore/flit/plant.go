package flit

import "toposearch/simcore"

// Plant is a network of numbered ports: what the engine really simulates. A topology.Network
// becomes one; a compatibility mode can make its own, with its own order of ports.
type Plant struct {
	Switches  int
	Endpoints int
	Lines     []Line
	Inject    []Tie // endpoint to switch, in any order; sorted by endpoint and port by the engine
	Eject     []Tie // switch to endpoint
	// EndpointRate is load 1 in flits per cycle per endpoint, as the fraction Num/Den.
	RateNum, RateDen int64
}

// Line is a channel between two switches, from an output port to an input port.
type Line struct {
	From, FromPort, To, ToPort int32
	Latency                    int32 // at least 1; a flit sent in cycle s is received in s + Latency + 1
	CreditLatency              int32 // of the way back; 0: Latency
	Num, Den                   int32 // rate in flits per cycle, at most 1; 0 is 1
}

// Tie joins an endpoint's port to a port of a switch.
type Tie struct {
	Endpoint, Port     int32
	Switch, SwitchPort int32
	Latency            int32
	CreditLatency      int32
	Num, Den           int32
}

// PortRouting is a Routing of a Plant: switches and their output ports by number.
type PortRouting interface {
	InjectPort(p *simcore.Packet, v *simcore.View) simcore.Entry
	RoutePort(sw int32, p *simcore.Packet, v *simcore.View) PortHop
}

// RouteFunc is RoutePort as a function. A PortRouting with a method Func that returns one is
// called by it directly.
type RouteFunc = func(sw int32, p *simcore.Packet, v *simcore.View) PortHop

// Reinjector is a PortRouting whose injection VCs are drawn again in each cycle in which the
// packet has not got one.
type Reinjector interface {
	PortRouting
	Reinject(p *simcore.Packet, v *simcore.View) (lo, hi uint8)
}

// PortHop is a Hop by output port.
type PortHop struct {
	Port   int32
	Lo, Hi uint8
	SecondPort
}

// SecondPort is a SecondHop by output port.
type SecondPort struct {
	HasAlt       bool
	AltLo, AltHi uint8
	AltPort      int32
}
