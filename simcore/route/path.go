package route

import (
	"toposearch/internal/stream"
	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// Inject chooses the port whose way is shortest, to the intermediate if there is one.
func (r *Native) Inject(p *simcore.Packet, v *simcore.View) simcore.Entry {
	via := p.Mid
	p.Mid = -1
	switch {
	case via >= 0 && r.Names():
		return r.enterBy(r.setOf[via], p, v)
	case r.all != nil:
		return r.enterAll(p)
	case r.ofar != nil:
		e := r.enter(int(r.setOf[p.Dst]), p, v)
		e.Hi = r.top - 1
		return e
	}
	if r.paths != nil {
		return r.enterLayer(p)
	}
	if r.around && r.missed.has(r.setOf[p.Src], r.setOf[p.Dst]) {
		return r.enterAround(p, v)
	}
	p.Phase = homeward
	switch r.plan {
	case valiant:
		if r.direct != nil && p.Rand.Float64() < r.direct(p.Src, p.Dst) {
			break
		}
		if mid := r.drawMid(p); mid >= 0 && len(r.t.Router.Sets[r.setOf[p.Dst]].Ports) > 0 {
			p.Mid, p.Phase = mid, outward
			if e := r.enter(int(r.mids[mid].dst), p, v); e.Port != simcore.NoPort {
				return e
			}
			p.Mid, p.Phase = -1, homeward
		}
	case qAdaptive: // one phase, with a VC per hop
	default:
		if r.plan.adaptive() {
			p.Phase = probing
		}
	}
	return r.enter(int(r.setOf[p.Dst]), p, v)
}

// Names says whether scripts can name the ways of their messages (simcore.Message.Via).
func (r *Native) Names() bool { return r.plan.detours() && r.via != viaBlock }

// enterBy lets a packet go by way of an attachment set; its own and its destination's make the way a direct one.
func (r *Native) enterBy(via int32, p *simcore.Packet, v *simcore.View) simcore.Entry {
	dst := r.setOf[p.Dst]
	if mid := r.usable(via); mid >= 0 && r.goesOn(mid, int(dst)) && via != r.setOf[p.Src] && via != dst {
		p.Mid, p.Phase = mid, outward
		if e := r.enter(int(r.mids[mid].dst), p, v); e.Port != simcore.NoPort {
			return e
		}
		p.Mid = -1
	}
	if r.around && r.missed.has(r.setOf[p.Src], dst) {
		return r.enterAround(p, v)
	}
	p.Phase = homeward
	return r.enter(int(dst), p, v)
}

// enterAround lets a packet of a pair that the rule misses enter.
func (r *Native) enterAround(p *simcore.Packet, v *simcore.View) simcore.Entry {
	mid := r.drawAround(p)
	if mid < 0 {
		return simcore.Entry{Port: simcore.NoPort, Hi: r.top} // nothing connects it
	}
	p.Mid, p.Phase = mid, outward
	return r.enter(int(r.mids[mid].dst), p, v)
}

// enter chooses among the ports that are nearest to a destination.
func (r *Native) enter(toward int, p *simcore.Packet, v *simcore.View) simcore.Entry {
	_, _, ports := r.t.Router.Net.Group(int(r.groupOf[p.Src]))
	best, kept, n, used := uint8(routing.Far), simcore.NoPort, 0, 0
	for i, sw := range ports {
		node := r.t.Node(sw, 0)
		d := r.t.Dist(toward, node)
		if d == routing.Far || d > best {
			continue
		}
		u := 0
		if r.pick == adaptive && v != nil {
			u = v.UsedEntry(p.Src, i)
		}
		switch {
		case d < best || u < used:
			best, kept, n, used = d, i, 1, u
		case u == used:
			n++
			if r.pick.flow() {
				// The port with the highest weight of the flow: rendezvous hashing.
				if stream.Mix(flowOf(p)+uint64(i)) > stream.Mix(flowOf(p)+uint64(kept)) {
					kept = i
				}
			} else if p.Rand.IntN(n) == 0 {
				kept = i
			}
		}
	}
	return simcore.Entry{Port: kept, Lo: 0, Hi: r.top}
}

// Route gives the next hop.
func (r *Native) Route(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) simcore.Hop {
	switch {
	case r.all != nil:
		return r.routeAll(sw, p, v)
	case r.ofar != nil:
		return r.routeOFAR(sw, p, v)
	case r.q != nil:
		return r.routeQ(sw, p, v)
	}
	if r.paths != nil {
		return r.routeLayer(sw, p)
	}
	if r.esc != nil {
		return r.routeEscape(sw, p, v)
	}
	dst := int(r.setOf[p.Dst])
	if r.plan == direct || r.rings() {
		p.State = r.stateOf(p)
	}
	var h routing.Hop
	decided := false
	if p.Phase == probing {
		h, decided = r.decide(sw, p, v, dst)
	}
	enters := p.Hops == 0 // a leg
	if p.Phase == outward && r.t.Dist(int(r.mids[p.Mid].dst), r.t.Node(sw, p.State)) == 0 {
		p.Phase, p.State = homeward, 0
		enters = true
	}
	toward := dst
	if p.Phase == outward {
		toward = int(r.mids[p.Mid].dst)
	}
	node := r.t.Node(sw, p.State)
	if !decided {
		if h, decided = choose(r.t, toward, node, r.pick, p, v); !decided {
			return simcore.Hop{Channel: simcore.Eject, Lo: 0, Hi: r.top}
		}
	}
	p.State = h.State
	switch {
	case r.plan == ectn:
		p.Aux = 0
		if to := r.t.Router.Net.To(h.Channel); r.blockOf[to] != r.blockOf[sw] {
			p.Aux = cameFromFar
		}
	case r.plan == dgb && v != nil && v.State() != nil:
		p.Aux = later(p.Aux, v.Lag(h.Channel))
	}
	w := r.vcs(p, v, h, toward, node, enters)
	return simcore.Hop{Channel: h.Channel, Lo: w.lo, Hi: w.hi}
}

// stateOf is the state of a packet on the direct way, or on a leg around rings: a hop that had two VC classes leads to another state by the second.
func (r *Native) stateOf(p *simcore.Packet) uint8 {
	if p.Hops > 0 {
		if rest, vc, ok := r.t.Router.Rest(p.State); ok {
			least := r.lo[r.offset[p.Phase]+vc]
			if r.rings() && !r.legsApart() {
				least = r.ways[vc][probing].lo
			}
			if p.VC >= least {
				return rest
			}
		}
	}
	return p.State
}

// decide takes a probing packet onto the direct way or a detour. par and par_ph leave it probing for one
// hop, as long as it is on the direct way, and decides again at the next switch if that is still
// in the block of the source, by its own queues: what waits behind their channels is for the last hops of the direct way, which detours have
// to make as well, and for those of other detours, which take what grows there for a reason to make more (by cut-through par carried 0.56 of
// dragonflyplus(l=4,m=5,p=6,h=6,g=3), worst, with it, 0.64 without). decided: first is the hop whose queue spoke for the way, which the packet has to take: where several
// begin a way, another would be one that the packet may have refused.
func (r *Native) decide(sw topology.SwitchID, p *simcore.Packet, v *simcore.View, dst int) (first routing.Hop, decided bool) {
	node := r.t.Node(sw, p.State)
	if r.t.Dist(dst, node) == 0 || p.Hops > 0 && (!r.sameBlock(r.sourceSwitch(p), sw) || r.pastProbing(p)) {
		p.Phase = homeward
		return first, false
	}
	if p.Hops > 0 && v != nil {
		own := v.Own()
		v = &own
	}
	mid, first := r.weigh(sw, p, v, dst)
	switch {
	case mid >= 0:
		if r.startOf(sw, p, &r.mids[mid]) == r.t.Node(sw, 0) {
			p.State = 0
		}
		p.Mid, p.Phase = mid, outward
	case !r.plan.twice() || p.Hops > 0:
		p.Phase = homeward
	}
	return first, true
}

// weigh gives an intermediate, or -1 if the packet had better go directly, and the first hop of the way.
func (r *Native) weigh(sw topology.SwitchID, p *simcore.Packet, v *simcore.View, dst int) (mid int32, first routing.Hop) {
	if v != nil && v.State() != nil {
		switch r.plan {
		case parPh:
			return r.byRealQueues(sw, p, v, dst)
		case ectn:
			return r.byContention(sw, p, v, dst)
		case dgb:
			return r.byBias(sw, p, v, dst)
		}
	}
	return r.detour(sw, p, v, dst)
}

func (r *Native) sameBlock(a, b topology.SwitchID) bool {
	return r.blockOf == nil || r.blockOf[a] == r.blockOf[b]
}
