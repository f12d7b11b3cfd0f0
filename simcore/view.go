package simcore

import "toposearch/topology"

// Cycle is a point in simulated time.
type Cycle int64

// View is what a routing may see of the network's state while it decides.
type View struct {
	c     Congestion
	ports PortCongestion // nil: channels only
	n     *topology.Network
	state any                 // of a Stateful
	lines Lines               // nil without a state
	whole *topology.Numbering // Renumbered; nil: channels and ports have the model's numbers
}

// Congestion is the state of a network as a model keeps it, in the terms of View's methods of the
// same names; what it counts as a flit it says itself.
type Congestion interface {
	Used(c topology.ChannelID) int
	UsedVC(c topology.ChannelID, vc uint8) int
	Waiting(c topology.ChannelID) int
	Line(c topology.ChannelID) Line
	UsedEntry(e topology.EndpointID, port int) int
	Now() Cycle
}

// Line is what the queues of a channel are measured by, in flits.
type Line struct {
	Trip   int // on the line at full rate: sent within the time that a credit takes to come back
	Buffer int // of a VC
	Packet int // of the largest packet
	Hop    int // sent at full rate while a head goes from the start of the channel to the start of the next, where nothing waits
}

// Behind is what a model is asked besides whose Congestion counts apart what waits behind a channel.
type Behind interface {
	Own() Congestion // the same without that
}

// PortCongestion is the state of a network whose switches have numbered ports.
type PortCongestion interface{ UsedPort(sw, port int32) int }

// Note is what one switch tells another; only To means something to the model.
type Note struct {
	To      topology.SwitchID
	Channel topology.ChannelID
	Row     int32
	Value   int32
}

// Lines is what a model that keeps a State lets a routing know and do besides Congestion, in the terms of View's
// methods of the same names.
type Lines interface {
	Lag(c topology.ChannelID) Cycle
	EntryLag(e topology.EndpointID) Cycle
	Sent(c topology.ChannelID) int
	Tell(n Note, after Cycle)
}

// NewView is the view of a network that a model simulates. A model without a network (n is nil) has
// ports instead of channels; other models may leave ports nil.
func NewView(n *topology.Network, c Congestion, ports PortCongestion) View {
	return View{c: c, ports: ports, n: n}
}

// Renumbered is the same view for a routing that knows what is left of the network, n, whose channel c is
// whole.Channels[c] of the one that is simulated.
func (v *View) Renumbered(n *topology.Network, whole *topology.Numbering) View {
	return View{c: v.c, ports: v.ports, n: n, whole: whole}
}

// Own is the same view of what waits in a switch alone: where the model counts apart what waits in the buffers behind its channels, without that.
func (v *View) Own() View {
	own := *v
	if b, ok := v.c.(Behind); ok {
		own.c = b.Own()
	}
	return own
}

// channel is what the model calls a channel.
func (v *View) channel(c topology.ChannelID) topology.ChannelID {
	if v.whole != nil {
		return v.whole.Channels[c]
	}
	return c
}

// Used is the congestion of a channel: over all its VCs, the flits and credits in flight and the
// flits in the buffer at its far end, as the switch that sends on it knows from its credits.
func (v *View) Used(c topology.ChannelID) int { return v.c.Used(v.channel(c)) }

// UsedVC is the same for one VC.
func (v *View) UsedVC(c topology.ChannelID, vc uint8) int { return v.c.UsedVC(v.channel(c), vc) }

// Waiting is the flits of the packets that wait, at the switch that a channel leaves, for a VC of the
// channel, as far as Used does not count them.
func (v *View) Waiting(c topology.ChannelID) int { return v.c.Waiting(v.channel(c)) }

// Line is what the queues of a channel are measured by.
func (v *View) Line(c topology.ChannelID) Line { return v.c.Line(v.channel(c)) }

// UsedEntry is the congestion of a port of an endpoint, seen from the endpoint, in flits that
// wait at the port and those counted by Used.
func (v *View) UsedEntry(e topology.EndpointID, port int) int {
	if v.whole != nil {
		port = int(v.whole.Ports(v.n.GroupOf(e))[port])
	}
	return v.c.UsedEntry(e, port)
}

// UsedPort is Used of an output port of a switch.
func (v *View) UsedPort(sw, port int32) int { return v.ports.UsedPort(sw, port) }

// Now is the current cycle.
func (v *View) Now() Cycle { return v.c.Now() }

// Network is the network that is simulated; nil if there are only ports.
func (v *View) Network() *topology.Network { return v.n }

// WithState is the view for a routing with a state, State.Of.
func (v View) WithState(of any, l Lines) View {
	v.state, v.lines = of, l
	return v
}

// State is State.Of of the routing; nil if the model keeps none.
func (v *View) State() any { return v.state }

// Lag is the number of cycles from the departure of a flit on a channel until the switch behind it sees the flit.
// What switches tell one another over the channel takes as long.
func (v *View) Lag(c topology.ChannelID) Cycle { return v.lines.Lag(c) }

// EntryLag is the same of the lines of an endpoint.
func (v *View) EntryLag(e topology.EndpointID) Cycle { return v.lines.EntryLag(e) }

// Sent is the number of flits sent on a channel within the last credit round trip (Line.Trip). Where nothing waits
// behind the channel that is what Used counts, but for flits that follow a head, which pass through a switch some
// cycles faster.
func (v *View) Sent(c topology.ChannelID) int { return v.lines.Sent(c) }

// Tell sends a note, which arrives after a number of cycles: at least the sum of Lag over channels from the switch
// that tells to n.To.
func (v *View) Tell(n Note, after Cycle) { v.lines.Tell(n, after) }
