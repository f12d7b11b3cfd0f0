package simcore

import (
	"math/bits"

	"toposearch/topology"
)

// Routing is a rule by which packets choose paths. It is immutable and shared by all Sims:
// everything that it remembers of a packet stands in the packet, what it remembers of a switch in a
// State (Stateful), and everything random is drawn from the packet's own stream. None of its methods may allocate.
type Routing interface {
	// Name is what --routing calls it.
	Name() string
	// VCs is the number of virtual channels that the routing needs on every link; New refuses a
	// Config with fewer.
	VCs() int
	// Inject is called once for a packet that has reached the head of its endpoint's queue. It
	// chooses the port of p.Src to leave by and the VCs allowed on it, and may set the free
	// fields of p (State, Phase, Mid, Aux). Entry.Port = NoPort means that p.Dst is not reachable:
	// the packet is dropped and counted.
	Inject(p *Packet, v *View) Entry
	// Route is called once per switch for a packet's head flit that has arrived at sw (with
	// look-ahead: that is about to leave for sw; p.VC is then the VC by which it will arrive).
	// p.Hops is 0 at the first switch. The answer is final: the flit then waits for a VC in the
	// range. State, Phase, Mid and Aux may be changed to what holds after the hop.
	Route(sw topology.SwitchID, p *Packet, v *View) Hop
}

// LocalRouting is a Routing or PortRouting that says what it reads of a View. If Local is true,
// Inject reads only the ports of the source and Route only channels that leave the switch it is
// asked about; the parts then meet once in many cycles instead of several times in each.
type LocalRouting interface{ Local() bool }

// ObliviousRouting is a Routing that says whether it never asks a View for the congestion of a channel, so that a model
// need not keep what tells nothing else.
type ObliviousRouting interface{ Oblivious() bool }

// BlindRouting is a Routing or PortRouting that says whether it never asks View.Waiting, so that a model need not keep apart what
// Waiting leaves out.
type BlindRouting interface{ Blind() bool }

// EscapeRouting is a Routing whose packets wait for each other in circles, and are kept from deadlock by an escape ring: one VC of
// the channels of a directed cycle through all switches. The flit engine then switches virtual cut-through (a VC
// is given only to a packet for all of which there is room), and admits to the ring by bubble flow control: a packet that
// comes from elsewhere needs room for two, one on the ring for one. Freedom from deadlock rests on two promises: a
// packet from another switch that finds no room on the way it prefers is offered the ring, as a second choice;
// one that came on the ring may stay on it to its destination's switch.
type EscapeRouting interface {
	Routing
	// Escape is the VC of the ring. ok is false if the routing needs none; the rest then does not matter.
	Escape() (vc uint8, ok bool)
	// Again is Route for a head that has asked for a VC in vain, in each cycle in which it has: the answer
	// takes the place of the last one. p.Hops counts the switch already.
	Again(sw topology.SwitchID, p *Packet, v *View) Hop
}

// EscapeChannelRouting is a Routing or PortRouting whose freedom from deadlock rests on second choices. If Escapes is true, a
// packet that waits must be able to take its second choice at any time: buffers hold one packet at a time, or whole ones.
type EscapeChannelRouting interface{ Escapes() bool }

// Traffic chooses destinations. It is immutable and shared.
type Traffic interface {
	// Name is what --traffic calls it.
	Name() string
	// Dest draws the destination of the next packet of src from the endpoint's own stream. -1:
	// this time (or ever) src sends nothing; what it would have sent is not offered.
	Dest(src topology.EndpointID, r *Rand) topology.EndpointID
}

// NoPort in Entry.Port says that the destination cannot be reached.
const NoPort = -1

// Entry is a way into the network: a port of the source endpoint, by its index in the ports of
// its group, and the inclusive range of VCs.
type Entry struct {
	Port   int
	Lo, Hi uint8
}

// Eject in Hop.Channel delivers: p.Dst has a port on this switch.
const Eject topology.ChannelID = -1

// NoRoute in Hop.Channel says that no route leads on from here: the packet is dropped and counted. Only a routing of a
// FailurePlan answers so, for packets that came by the routing before it.
const NoRoute topology.ChannelID = -2

// Hop is where a packet goes next: a channel that leaves the switch, or Eject, and the inclusive
// range of VCs of which it takes a free one.
type Hop struct {
	Channel topology.ChannelID
	Lo, Hi  uint8
	SecondHop
}

// SecondHop is a second choice that, with HasAlt, is requested with lower priority in the same
// cycle, an escape path (Duato, IEEE TPDS 4(12), 1993). Which one was granted shows in p.VC at the
// next switch, so the two must differ in VCs if the routing has to know. (It is a struct of its
// own because Go keeps structs of up to four fields in registers.)
type SecondHop struct {
	HasAlt       bool
	AltLo, AltHi uint8
	Alt          topology.ChannelID
}

// Packet is what a routing knows of a packet. The engine sets the fields of the first block; the
// routing owns the second.
type Packet struct {
	Src, Dst topology.EndpointID
	Hops     uint16 // switches passed so far
	VC       uint8  // on which the packet arrives at the switch that routes it
	Port     uint8  // of the source, as chosen at injection
	ViaNic   bool   // has taken a channel of NicClasses

	State uint8  // of a topology.Rule; 0 at injection
	Phase uint8  // 0 at injection
	Lanes uint8  // how the channel that it takes deals out its VCs, below 4; 0 at injection
	Mid   int32  // an intermediate switch or endpoint; at injection the endpoint that a script names (Message.Via), -1 if it names none
	Aux   uint32 // anything else; 0 at injection

	Rand Rand // the packet's own stream
}

// Rand is a stream of random numbers in eight bytes (splitmix64: Steele, Lea, Flood, OOPSLA
// 2014), so that each endpoint and each packet can have its own. It is not a math/rand/v2.Rand
// because a million of those, each behind an interface, cost memory and a call per draw.
type Rand struct{ s uint64 }

// Uint64 is the next number.
func (r *Rand) Uint64() uint64 {
	r.s += 0x9e3779b97f4a7c15
	x := r.s
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// IntN is uniform in [0, n), n > 0; the bias is below n / 2^64.
func (r *Rand) IntN(n int) int {
	hi, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(hi)
}

// Float64 is uniform in [0, 1).
func (r *Rand) Float64() float64 { return float64(r.Uint64()>>11) * (1.0 / (1 << 53)) }

// Coin is a fair bit.
func (r *Rand) Coin() bool { return r.Uint64()>>63 != 0 }

// RandAt is the stream whose numbers follow from a state, drawn from another stream.
func RandAt(state uint64) Rand { return Rand{state} }

// Derive is a stream of its own for an index, from the state of this one.
func (r Rand) Derive(index uint64) Rand { return NewRand(r.s, index) }

// NewRand is a stream of its own for a seed and an index; nearby seeds and indices give
// unrelated streams.
func NewRand(seed, index uint64) Rand {
	r := Rand{seed}
	a := r.Uint64()
	r.s = index ^ 0x6a09e667f3bcc909
	r.s = a ^ r.Uint64()
	return r
}
