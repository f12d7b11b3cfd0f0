package route

import (
	"fmt"

	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// share gives the VC classes their shares of the VCs that there are (deal).
func (r *Native) share(design string, opt Options) error {
	have := opt.VCs
	if have == 0 {
		have = max(r.need, opt.Want)
	}
	if have < r.need || have > 256 {
		return fmt.Errorf("routing: %s on %s needs %d virtual channels (256 are possible), and there are %d", r.name, design, r.need, have)
	}
	r.deal(have)
	return nil
}

// deal deals the VCs out to the classes, in equal shares but for first hops (dealt), to layers by their traffic. On a channel that some classes never use the others have the VCs that
// these would leave idle. That is as free of deadlock: a class has VCs of its own on every channel, whichever they are, so that its
// dependencies stay what they are.
func (r *Native) deal(have int) {
	r.top = uint8(have - 1)
	if r.hopVC {
		r.lanes = lanesByHop(r.need, have)
		return
	}
	if r.paths != nil {
		r.lanes = lanesByLayer(r.paths.Deal(have))
		return
	}
	r.lanes = dealt(r.levels, have, false, r.legsApart())
	r.division = nil
	if r.oneVC == nil && r.levels[probing] == 0 {
		return
	}
	apart := r.divide()
	for how := range r.others {
		levels := r.levels
		if how&noFirsts != 0 {
			levels[probing] = 0
		}
		for phase := range levels {
			if how&ofOneVC != 0 {
				levels[phase] = min(1, levels[phase])
			}
		}
		l := dealt(levels, have, apart && levels[probing] > 0, r.legsApart())
		r.others[how] = &l
	}
}

// divide finds how each channel divides its VCs. apart: of those of first hops direct ways make no others on any, so that
// the VCs of first hops carry all that goes directly.
func (r *Native) divide() (apart bool) {
	c := r.t.Router
	first, later := c.FirstHops()
	apart = true
	for k := range first {
		apart = apart && !(first[k] && later[k])
	}
	r.division = make([]uint8, c.Net.Channels())
	for ch := range r.division {
		k := c.KindOf(topology.ChannelID(ch))
		if r.oneVC != nil && r.oneVC[k] {
			r.division[ch] |= ofOneVC
		}
		if !first[k] || !r.sends[c.Net.From(topology.ChannelID(ch))] {
			r.division[ch] |= noFirsts
		}
	}
	return apart
}

// vcs gives the VCs of a hop, at a node on its way to a destination, where the phase ends. On the direct way
// packets may take the VCs of all phases from that of the VC on which they come: dependencies lead from phase
// to phase and never back, as those of detours do. Where VCs follow hops they only have to rise, and to
// leave one for each hop to come. enters: it is the first hop of the packet, or of the second leg of a detour.
func (r *Native) vcs(p *simcore.Packet, v *simcore.View, h routing.Hop, toward, node int, enters bool) span {
	if r.hopVC {
		return r.vcsByHop(p, v, h, int(r.t.Dist(toward, node)))
	}
	l, vc := r.lanesOn(h)
	came := r.lanesOf(p)
	if r.division != nil {
		p.Lanes = r.division[h.Channel]
	}
	class := l.offset[p.Phase] + vc
	switch {
	case r.plan == direct || r.legsApart(): // elsewhere the classes of a leg do not stand side by side
		w := span{l.lo[class], l.hi[class+h.Top-h.VC]}
		if enters && r.rings() {
			w = r.entry(v, h, toward, w)
		}
		return w
	case p.Phase == outward && p.Hops == 0:
		// Nothing leads into VCs of first hops, whoever makes them. By those of its leg alone, one of four, packets of one flit do not fill a channel: par
		// carried 0.85 of Valiant's load on hyperx(s1=4,s2=4,t=4) under its worst permutation over links of 20 cycles.
		return span{l.ways[vc][probing].lo, l.hi[class]}
	case p.Mid >= 0 || p.Phase == probing && !r.contested(v, h, toward, node):
		w := span{l.lo[class], l.hi[class]}
		if r.rings() {
			w = emptier(v, h.Channel, w, span{l.lo[class+h.Top-h.VC], l.hi[class+h.Top-h.VC]})
		}
		return w
	}
	from := p.Phase
	if p.Phase == homeward {
		from = outward
		if p.Hops > 0 {
			from = max(from, came.at[p.VC])
		}
	}
	w := l.ways[vc][from]
	if r.rings() {
		if enters {
			// Of the lower class: what waits at its source tells UGAL when to make detours. With VCs of both, torus(k1=4,k2=4,k3=4) accepted 0.53 to 0.54 of load 1 under its worst permutation by ugal_l, and so 0.56.
			w = r.entry(v, h, toward, w)
		} else {
			w = emptier(v, h.Channel, w, l.ways[vc+h.Top-h.VC][from])
		}
	}
	if r.plan.adaptive() && v != nil {
		stall := r.tune.stall(v, h.Channel)
		if r.unseen(v, h, toward, node) {
			stall = 0
		}
		for w.hi > w.lo && l.at[w.lo] != l.at[w.hi] && (l.at[w.hi] == homeward || from == probing) && v.UsedVC(h.Channel, w.hi) > stall {
			w.hi--
		}
	}
	return w
}

// emptier is that of two ranges of a channel's VCs of which one holds less on average, the first of equals.
func emptier(v *simcore.View, c topology.ChannelID, a, b span) span {
	held := func(w span) (sum int) {
		for vc := w.lo; vc <= w.hi; vc++ {
			sum += v.UsedVC(c, vc)
		}
		return sum
	}
	if v != nil && a != b && held(b)*int(a.hi-a.lo+1) < held(a)*int(b.hi-b.lo+1) {
		return b
	}
	return a
}

// entry is what a packet that enters the network, or the second leg of a detour, may take of a range of VCs.
func (r *Native) entry(v *simcore.View, h routing.Hop, toward int, w span) span {
	if w.hi == w.lo {
		return w
	}
	most := entered(r.entering[r.t.Router.KindOf(h.Channel)], w)
	if most == 0 && v != nil && v.Line(h.Channel).Packet == 1 && 3*v.UsedVC(h.Channel, w.lo+1) <= v.Line(h.Channel).Trip && r.leaves(h, toward) {
		most = 1 // by one VC packets of one flit do not fill a channel, and these do not go on around the ring
	}
	w.hi = w.lo + most
	return w
}

// entered is how far above the lowest VC of its range a packet may go that enters the network, or the second leg of a detour, which has VCs of its own. Of what crosses the channel `part` has just
// left its source: such packets have VCs in that proportion, at least one.
// Around a ring what is under way has to find room beside it. Where sources may take every VC they do as soon as queues form, so that less leaves and leaves less room still: one that is too
// full delivered less than half of what it carries (of ring(n=16) 0.22 at load 1, 0.43 with this; a channel is full at 0.47).
func entered(part float64, w span) uint8 {
	const whole = 1e-9 // parts are sums
	return uint8(max(1, part*float64(w.hi-w.lo+1)+whole)) - 1
}

// leaves says whether a packet leaves a ring behind a hop: it has come where it leads, or goes on by a VC class below the upper one of the hop's, as in the
// next ring. Around the same one classes only rise: a packet that took the upper one (Rest) keeps to it.
func (r *Native) leaves(h routing.Hop, toward int) bool {
	rest, top, ok := r.t.Router.Rest(h.State)
	if !ok { // there was no choice of two
		rest = h.State
	}
	lower := true
	r.t.EachHop(toward, r.t.Node(r.t.Router.Net.To(h.Channel), rest), func(next routing.Hop) { lower = lower && ok && next.VC < top })
	return lower
}

// contested says whether packets wait for the VCs of first hops on a channel that is no more congested than its peers. Then packets may take
// those of later phases too, as where nothing is decided again, and have decided: there is one VC for the first
// hop, and packets of one flit do not fill a channel by one VC. Where packets wait for a channel that others should avoid they
// stay among themselves, and detours pass.
func (r *Native) contested(v *simcore.View, h routing.Hop, toward, node int) bool {
	if !r.plan.twice() || v == nil || v.Waiting(h.Channel) == 0 {
		return false
	}
	hops := int(r.t.Dist(toward, node))
	q, vcs := r.queue(v, h, hops)
	return r.likePeers(v, way{node, toward, h, hops}, q-r.tune.bias(v, h.Channel)*vcs)
}

// unseen says of a packet on the direct way by ugal_l that more channels follow than its source sees by credits, and that the one at hand is more congested than its peers. What fills may
// be any of those to come, and detours of others cross it and the channels before it, unless they avoid groups: such packets leave VCs of last legs
// alone on which anything stands. By cut-through, where nothing waits for a VC, it is never so. (Of hyperx(s1=5,s2=5,s3=5,t=5), worst, ugal_l accepts 0.352 of load 1, without it 0.330, by Valiant's routing 0.390; of uniform traffic 0.854 and 0.851.) Not on rings,
// whose VCs are dealt out otherwise, nor where VCs follow hops (vcsByHop), nor at endpoints that outpace a port, where messages queue in an idle network (fullmesh(d1=4,d2=4,d3=4), worst: 0.157 with it, 0.170 without).
func (r *Native) unseen(v *simcore.View, h routing.Hop, toward, node int) bool {
	if r.plan != ugalL || !r.anyMid || r.rings() || r.tune.Stall != nil || v.Waiting(h.Channel) == 0 {
		return false
	}
	hops, net := int(r.t.Dist(toward, node)), r.t.Router.Net
	if hops <= credits || net.Outpaced(net.From(h.Channel), h.Channel) {
		return false
	}
	q, vcs := r.queue(v, h, hops)
	return !r.likePeers(v, way{node, toward, h, hops}, q-r.tune.bias(v, h.Channel)*vcs)
}

// pastProbing says whether a packet has come on a VC of a later phase.
func (r *Native) pastProbing(p *simcore.Packet) bool {
	return !r.hopVC && r.lanesOf(p).at[p.VC] != probing
}

// vcsByHop is vcs where VCs follow hops.
func (r *Native) vcsByHop(p *simcore.Packet, v *simcore.View, h routing.Hop, d int) span {
	if r.plan == direct || p.Phase == probing {
		class := uint8(p.Hops)
		return span{r.lo[class], r.hi[class]}
	}
	lo, hi := 0, r.need-d
	if p.Hops > 0 {
		lo = int(r.at[p.VC]) + 1
	}
	first := hi - int(r.levels[homeward]) // the last class of first legs
	if p.Phase == outward {
		hi = first
	}
	w := span{r.lo[lo], r.hi[hi]}
	if p.Mid < 0 && v != nil && r.plan.adaptive() {
		// All hops of the direct way to a full channel fill up with what waits for it; on VCs of last legs it would hold up the detours that cross these.
		for least := r.hi[max(lo, first)]; w.hi > least && v.UsedVC(h.Channel, w.hi) > r.tune.stall(v, h.Channel); {
			w.hi--
		}
	}
	return w
}
