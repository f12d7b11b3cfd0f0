package flit

import (
	"fmt"

	"toposearch/simcore"
	"toposearch/topology"
)

// FromNetwork numbers the ports of a network: the channels of a switch in their order, then its
// endpoint ports in the order of endpoints. The input of a channel has the number of the opposite
// channel; unidirectional networks number inputs in channel order.
//
// The unit of rate is the fastest class of links that are not internal. An internal link, which
// is no cable, carries all that its endpoint can send: as many parallel unit ports as that takes.
func FromNetwork(n *topology.Network, c *Config) (*Plant, error) {
	unit := simcore.UnitLanes(n)
	p := &Plant{Switches: n.Switches(), Endpoints: n.Endpoints(),
		RateNum: int64(n.EndpointLanes), RateDen: int64(unit)}
	ins := make([]int32, n.Switches()) // next free input port
	outs := make([]int32, n.Switches())
	p.Lines = make([]Line, 0, n.Channels())
	for s := range topology.SwitchID(n.Switches()) {
		first, end := n.Out(s)
		for ch := first; ch < end; ch++ {
			to := n.To(ch)
			in := ins[to]
			if r := n.Rev(ch); r >= 0 {
				f, _ := n.Out(to)
				in = int32(r - f)
			}
			ins[to]++
			l := int32(c.latency(n, ch))
			p.Lines = append(p.Lines, Line{From: int32(s), FromPort: int32(ch - first), To: int32(to),
				ToPort: in, Latency: l, Num: n.Lanes[n.LinkClass(ch)], Den: unit})
		}
		outs[s] = int32(end - first)
	}
	if n.Lanes[0] <= 0 || n.EndpointLanes <= 0 {
		return nil, fmt.Errorf("simcore: %s: endpoint ports have %d lanes, endpoints %d", n.Design, n.Lanes[0], n.EndpointLanes)
	}
	p.tieEndpoints(n, c, unit, ins, outs)
	return p, nil
}

func (p *Plant) tieEndpoints(n *topology.Network, c *Config, unit int32, ins, outs []int32) {
	l := int32(c.LinkLatency)
	if len(c.ClassLatency) > 0 && c.ClassLatency[0] > 0 {
		l = int32(c.ClassLatency[0])
	}
	copies, num := int32(1), min(n.Lanes[0], unit)
	if n.LinkClasses[0].Name == topology.ClassInternal {
		lanes := n.EndpointLanes + int32(n.MostScaleup(func(class int) float64 { return float64(n.Lanes[class]) }))
		copies, num, l = (lanes+unit-1)/unit, unit, 1
	}
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		for e := first; e < end; e++ {
			for i, s := range ports {
				for range copies {
					t := Tie{Endpoint: int32(e), Port: int32(i), Switch: int32(s), Latency: l, Num: num, Den: unit}
					t.SwitchPort = ins[s]
					p.Inject = append(p.Inject, t)
					t.SwitchPort = outs[s]
					p.Eject = append(p.Eject, t)
					ins[s]++
					outs[s]++
				}
			}
		}
	}
}

// latency of a channel between switches, at least 1.
func (c *Config) latency(n *topology.Network, ch topology.ChannelID) int {
	if c.ChannelLatency != nil {
		return max(1, c.ChannelLatency(ch))
	}
	if k := n.LinkClass(ch); k < len(c.ClassLatency) && c.ClassLatency[k] > 0 {
		return c.ClassLatency[k]
	}
	return c.LinkLatency
}

// nativeRouting turns channels into ports.
type nativeRouting struct {
	r     simcore.Routing
	first []int32 // first channel of each switch
	nic   uint64  // bits of the link classes that are nic; 0 unless switches are embedded
	s     *Sim
}

// noPort in PortHop.Port says that no route leads on (simcore.NoRoute).
const noPort = -1

func (a *nativeRouting) InjectPort(p *simcore.Packet, v *simcore.View) simcore.Entry {
	return a.r.Inject(p, v)
}

func (a *nativeRouting) RoutePort(sw int32, p *simcore.Packet, v *simcore.View) PortHop {
	return a.toPorts(sw, p, a.r.Route(topology.SwitchID(sw), p, v))
}

// toPorts turns a routing's answer into ports.
func (a *nativeRouting) toPorts(sw int32, p *simcore.Packet, h simcore.Hop) PortHop {
	if h.Channel == simcore.NoRoute {
		return PortHop{Port: noPort}
	}
	if a.nic != 0 && h.Channel != simcore.Eject && a.nic>>a.s.net.LinkClass(h.Channel)&1 != 0 {
		p.ViaNic = true
	}
	o := PortHop{Port: a.port(sw, h.Channel, p), Lo: h.Lo, Hi: h.Hi}
	if h.HasAlt {
		o.HasAlt, o.AltLo, o.AltHi = true, h.AltLo, h.AltHi
		o.AltPort = a.port(sw, h.Alt, p)
	}
	return o
}

// escapeOf is what a routing asks for; nil: nothing.
func escapeOf(a *nativeRouting) *escape {
	r, ok := a.r.(simcore.EscapeRouting)
	if !ok {
		return nil
	}
	vc, ok := r.Escape()
	if !ok {
		return nil
	}
	return &escape{int32(vc), func(sw int32, p *simcore.Packet, v *simcore.View) PortHop {
		return a.toPorts(sw, p, r.Again(topology.SwitchID(sw), p, v))
	}}
}

func (a *nativeRouting) port(sw int32, c topology.ChannelID, p *simcore.Packet) int32 {
	if c == topology.ChannelID(simcore.Eject) {
		return a.s.ejectPort(sw, p.Src, p.Dst)
	}
	if c < topology.ChannelID(a.first[sw]) || c >= topology.ChannelID(a.first[sw+1]) {
		panic(fmt.Sprintf("simcore: routing %s sends a packet from switch %d over channel %d, which does not leave it",
			a.s.routingName, sw, c))
	}
	return int32(c) - a.first[sw]
}

// ejectPort is the port of sw to an endpoint. Of several a source has one, as long as that flows, since in one cycle heads do not see each other, and would all
// crowd at the port with the least to do: fullmesh(d1=46,d2=1) carried 0.74 of uniform traffic so, and 0.92 where they are dealt
// out. Behind a port that holds up packets they take the one with the least to do, the first of equals.
func (s *Sim) ejectPort(sw int32, src, dst topology.EndpointID) int32 {
	a, b := s.sinkStart[dst], s.sinkStart[dst+1]
	other := int32(src) // its number among those that send to this one
	if src > dst {
		other--
	}
	if own := a + other%max(1, b-a); b-a > 1 && s.sinkSwitch[own] == sw && s.used(s.sinkOut[own]) <= s.trip(s.sinkOut[own])+s.cfg.largestPacket() {
		return s.sinkOut[own] - s.outStart[sw]
	}
	best, least := int32(-1), 1<<30
	for k := a; k < b; k++ {
		if s.sinkSwitch[k] != sw {
			continue
		}
		if u := s.used(s.sinkOut[k]); u < least {
			best, least = s.sinkOut[k], u
		}
	}
	if best < 0 {
		panic(fmt.Sprintf("simcore: routing %s ejects a packet for endpoint %d at switch %d, where it has no port",
			s.routingName, dst, sw))
	}
	return best - s.outStart[sw]
}

// trip is the credit round trip of an output port, cycles.
func (s *Sim) trip(op int32) int {
	o := &s.out[op]
	return int(o.lag.delay()+s.in[o.down].crLag.delay()) + s.stay
}

func (s *Sim) classOf(sw int32) int {
	if s.net == nil {
		return 0
	}
	return s.net.Class(topology.SwitchID(sw))
}

// switchClasses is the number of classes of switches; those of a plant are of one.
func (s *Sim) switchClasses() int {
	if s.net == nil {
		return 1
	}
	return len(s.net.SwitchClasses)
}
