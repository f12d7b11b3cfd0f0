package route

import (
	"context"
	"fmt"
	"math"
	"slices"

	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// On-the-Fly Adaptive Routing (M. Garcia, E. Vallejo, R. Beivide, M. Odriozola, C. Camarero, M. Valero,
// G. Rodriguez, J. Labarta, C. Minkenberg, ICPP 2012; J. Supercomputing 71, 2015, with its policy MM+L): a head asks for
// the minimal hop; while it asks in vain, the switch decides anew in each cycle whether to misroute it. Read from the abstracts, from
// what the later article says of it, and from how the authors' simulator FOGSim behaves.
//
//   - Between groups: over a global link of the switch where the packet was injected, once; where it has made a minimal local hop in
//     its source group, over another local link and then, whatever the queues, over a global one.
//   - Within a group: over another local link instead of the minimal one, once in a group, where no global misrouting can be.
//   - A hop is one to misroute by if no head asked for it when VCs were last allocated, it has room for the packet and its queue is at most
//     0.9 times the minimal one's.
//   - Else, if there is no room on the minimal way, over the escape ring (simcore.EscapeRouting), which a packet leaves
//     where its minimal way has room.
//
// FOGSim misroutes by links that can receive at once. Where hops for which others ask are taken, too, a crossbar without speedup carries less beyond
// saturation than below: on dragonfly(p=2,a=4,h=2) under uniform traffic of 0.6 heads ask in vain so often that a quarter of all hops are
// misroutes, and 0.39 is accepted instead of 0.55; with the speedup of two of eval and run 0.78 of 0.9 instead of 0.82. The authors call the
// scheme prone to congestion, of its ring, and restrict injection (OFAR-CM, HOTI 2013, and the later article), by thresholds that their abstracts do not
// give: that is not built.
//
// The longest way is local, local, global, local, local, global, local, local, besides the ring. Where something has failed minimal hops are those of all shortest paths of what is left, which have more,
// and the ring passes through all switches that work; a group that has lost links inside is walked where a way through all of it is left.
//
// Filled in: the queue of a channel is what its VCs other than the ring's hold by credits, and those are all that the switch
// has. Misrouting begins at a queue of a packet (J. Supercomputing: "a minimum occupancy might be also required"), and at one of more than
// a round trip and a packet at once: a channel that flows holds no more, so that long links do not look
// congested, and with several VCs heads seldom ask in vain. Which of several hops is taken is drawn. Packets come to the ring from
// links between switches only: those in the buffers of endpoints block nobody, and the ring is slow. After the ring
// a packet is not misrouted any more, and it leaves the ring ringExits times at most. The ring is embedded in the links of the network.

const (
	// misrouteTenths of the minimal queue are the relative threshold.
	misrouteTenths = 9
	// ringExits bounds a packet's way: after as many it stays on the ring up to its destination. Few packets need two.
	ringExits = 4
)

// Flags of a packet, in Phase.
const (
	wentGlobal = 1 << iota // misrouted between groups
	wentLocal              // misrouted within this group
	mustGlobal             // was misrouted to this switch to leave the group by one of its global links
	onRing                 // came to this switch on the ring
	wasOnRing              // is not misrouted any more
)

// What the hop is that a packet last asked for, in State. It counts when the packet arrives on a VC other than the ring's.
const (
	minimalHop = iota
	globalDetour
	localDetour
	localToGlobal
)

// newOFAR makes the routing for a network.
func newOFAR(ctx context.Context, name string, how pick, n *topology.Network, opt Options) (*Native, error) {
	if len(opt.Blocks) == 0 || slices.Min(opt.Blocks) < 0 {
		return nil, fmt.Errorf("routing: %s: %s is not made of groups with all switches in them, as a dragonfly is; par and ugal_l need none", name, n.Design)
	}
	r := &Native{name: name, plan: onTheFly, pick: how, need: 2, ofar: &ofar{block: opt.Blocks, global: make([]bool, n.Channels())}}
	for s := range topology.SwitchID(n.Switches()) {
		for c, end := n.Out(s); c < end; c++ {
			r.ofar.global[c] = opt.Blocks[s] != opt.Blocks[n.To(c)]
		}
	}
	var err error
	if r.ofar.ring, err = ringOfBlocks(n, opt.Blocks); err != nil {
		return nil, err
	}
	rule := opt.Natural
	if rule.States == 0 {
		rule = topology.Minimal()
	}
	c, err := routing.New(n, rule)
	if err != nil {
		return nil, err
	}
	r.number(c)
	if r.t, err = routing.NewTable(ctx, c, opt.Blocks, opt.Workers); err != nil {
		return nil, err
	}
	for k := range n.LinkClasses {
		if k > 0 {
			r.class[k] = r.need
		}
	}
	r.levels[homeward] = uint8(r.need)
	if err := r.share(n.Design, opt); err != nil {
		return nil, err
	}
	if err := r.t.MakeLists(ctx, opt.Workers); err != nil {
		return nil, err
	}
	return r, r.getsNearer()
}

// getsNearer checks that a packet that takes minimal hops arrives though every switch routes it as if it came from
// an endpoint there: each hop leaves fewer. All shortest paths do, to what is connected.
func (r *Native) getsNearer() error {
	n := r.t.Router.Net
	for dst := range r.t.Router.Sets {
		for sw := range topology.SwitchID(n.Switches()) {
			if r.t.Router.Rule.HopVCs || len(r.t.Router.Sets[dst].Ports) == 0 || failedSwitch(n, sw) {
				continue
			}
			here := r.t.Node(sw, 0)
			left, bad := r.t.Dist(dst, here), false
			if left == 0 {
				continue // it is there
			}
			r.t.EachHop(dst, here, func(h routing.Hop) { bad = bad || r.t.Dist(dst, r.t.Node(n.To(h.Channel), 0)) >= left })
			if bad || left == routing.Far {
				return fmt.Errorf("routing: %s: on %s %w", r.name, n.Design, errMisses)
			}
		}
	}
	return nil
}

// Escape gives the VC of the ring, the last.
func (r *Native) Escape() (vc uint8, ok bool) { return r.top, r.ofar != nil }

// routeOFAR notes by which hop a packet has come to a switch, and gives the first answer there.
func (r *Native) routeOFAR(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) simcore.Hop {
	b := r.ofar.block[sw]
	if p.Hops == 0 {
		p.Mid = b // the block of the switch before
		return r.fly(sw, p, v, true, false)
	}
	p.Phase &^= mustGlobal
	switch {
	case p.VC == r.top:
		p.Phase |= onRing | wasOnRing
	case p.Phase&onRing != 0:
		p.Phase &^= onRing
		p.Aux++ // times that it left the ring
	case p.State == globalDetour:
		p.Phase |= wentGlobal
	case p.State == localDetour:
		p.Phase |= wentLocal
	case p.State == localToGlobal:
		p.Phase |= wentLocal | mustGlobal
	}
	if b != p.Mid {
		p.Mid = b
		p.Phase &^= wentLocal
	}
	return r.fly(sw, p, v, false, false)
}

// Again decides anew, after a head has asked in vain.
func (r *Native) Again(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) simcore.Hop {
	return r.fly(sw, p, v, p.Hops == 1, true)
}

// fly chooses the next hop of a packet, at the switch where it was injected or another.
func (r *Native) fly(sw topology.SwitchID, p *simcore.Packet, v *simcore.View, injected, again bool) simcore.Hop {
	o, dst := r.ofar, int(r.setOf[p.Dst])
	h, ok := choose(r.t, dst, r.t.Node(sw, 0), r.pick, p, v)
	if !ok {
		return simcore.Hop{Channel: simcore.Eject, Lo: 0, Hi: r.top}
	}
	if p.Phase&onRing != 0 && p.Aux >= ringExits {
		return simcore.Hop{Channel: o.ring[sw], Lo: r.top, Hi: r.top}
	}
	out := h.Channel
	p.State = minimalHop
	if p.Phase&wasOnRing == 0 && v != nil {
		out, p.State = r.misroute(sw, p, v, h.Channel, dst, injected, again)
	}
	hop := simcore.Hop{Channel: out, Lo: 0, Hi: r.top - 1}
	if !injected && v != nil && !r.hasRoom(v, out) {
		hop.SecondHop = simcore.SecondHop{HasAlt: true, AltLo: r.top, AltHi: r.top, Alt: o.ring[sw]}
	}
	return hop
}

// misroute chooses a hop instead of the minimal one, which it gives where there is no better one, and says what it is.
func (r *Native) misroute(sw topology.SwitchID, p *simcore.Packet, v *simcore.View, minimal topology.ChannelID, dst int, injected, again bool) (topology.ChannelID, uint8) {
	o := r.ofar
	src, end := o.block[r.sourceSwitch(p)], o.block[r.t.Router.Sets[dst].Ports[0].Switch]
	atSource := o.block[sw] == src && src != end && p.Phase&wentGlobal == 0
	kind := uint8(localDetour)
	switch {
	case p.Phase&mustGlobal != 0 || atSource && injected:
		kind = globalDetour
	case p.Phase&wentLocal != 0 || !atSource && o.global[minimal]:
		return minimal, minimalHop
	case atSource:
		kind = localToGlobal
	}
	most := math.MaxInt
	if p.Phase&mustGlobal == 0 {
		queue, l := r.waiting(v, minimal), v.Line(minimal)
		if queue < l.Packet || !again && queue <= l.Trip+l.Packet {
			return minimal, minimalHop
		}
		most = queue * misrouteTenths / 10
	}
	best, seen := minimal, 0
	for c, last := r.t.Router.Net.Out(sw); c < last; c++ {
		if o.global[c] != (kind == globalDetour) || c == minimal {
			continue
		}
		if r.waiting(v, c) > most || v.Waiting(c) > 0 || !r.hasRoom(v, c) {
			continue
		}
		if seen++; p.Rand.IntN(seen) == 0 {
			best = c
		}
	}
	if seen == 0 {
		return minimal, minimalHop
	}
	return best, kind
}

// waiting is the flits on the VCs of a channel other than the ring's.
func (r *Native) waiting(v *simcore.View, c topology.ChannelID) int {
	return v.Used(c) - v.UsedVC(c, r.top)
}

// hasRoom reports whether one of those VCs has room for a packet.
func (r *Native) hasRoom(v *simcore.View, c topology.ChannelID) bool {
	l := v.Line(c)
	for vc := range r.top {
		if v.UsedVC(c, vc)+l.Packet <= l.Buffer {
			return true
		}
	}
	return false
}
