package route

import (
	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// detour draws an intermediate and compares the way by it with the direct one (Singh, Stanford 2005: UGAL).
// It gives -1 if the packet had better go directly. A detour that begins on the channel of the direct way, or one parallel to it,
// says nothing about others, and would wait there behind packets that go directly: the next one drawn that begins elsewhere is
// compared and taken. If the direct way parts from it at a spine, the one drawn first is taken: where
// every third of the intermediates is passed over, channels to the others fill up (dragonflyplus(l=4,m=3,p=3,h=3), group_shift: 0.33 instead of 0.40).
func (r *Native) detour(sw topology.SwitchID, p *simcore.Packet, v *simcore.View, dst int) (mid int32, first routing.Hop) {
	here := r.t.Node(sw, p.State)
	hops := int(r.t.Dist(dst, here))
	direct, _ := choose(r.t, dst, here, r.pick, p, v)
	net := r.t.Router.Net
	alike, behind := int32(-1), routing.Hop{}
	for range r.draws {
		mid := r.drawFrom(sw, p)
		if mid < 0 {
			break
		}
		m := &r.mids[mid]
		start := r.startOf(sw, p, m)
		by, ok := choose(r.t, int(m.dst), start, r.pick, p, v)
		if !ok {
			continue // it stands there already, or cannot come there from a spine in a tree that is climbed once
		}
		switch {
		case net.To(by.Channel) == net.To(direct.Channel):
			if alike < 0 && r.partsLater(sw, int32(dst), direct.Channel) {
				alike, behind = mid, by
			}
		case r.keepDirect(p, v, way{here, dst, direct, hops}, way{start, int(m.dst), by, int(r.t.Dist(int(m.dst), start)) + r.onward(m, dst)}):
			return -1, direct
		case alike >= 0:
			return alike, behind
		default:
			return mid, by
		}
	}
	return -1, direct
}

// partsLater says that ways which begin like the direct one part from it inside the block of the source, at a switch that sends nothing of its own (a
// spine) and where nobody decides again: what leaves it elsewhere is reached by such detours alone, and every source in the block would pass it over.
// Behind a switch with endpoints it is used by those, and by sources whose direct way is another; a detour that waits on the direct channel
// holds up its source for nothing (dragonfly(p=2,a=8,h=4,g=9), group_shift, links of 20 cycles: 0.89 of Valiant's load, 0.97 without).
func (r *Native) partsLater(sw topology.SwitchID, dst int32, direct topology.ChannelID) bool {
	if r.blockOf == nil || r.plan.twice() || r.plan == ugalG { // which sees where they part
		return false
	}
	own, to := r.blockOf[sw], r.t.Router.Net.To(direct)
	return !r.sends[to] && own >= 0 && own == r.blockOf[to] && own != r.blockOfSet(dst)
}

// startOf is the node at which the way to an intermediate begins: a switch begins anew, but one from where that leads nowhere, a spine in a tree
// that is climbed once, goes on from the state in which the packet has come, if it is on a shortest way from the source to there. So no packet makes hops that no
// detour from a source makes.
func (r *Native) startOf(sw topology.SwitchID, p *simcore.Packet, m *mid) int {
	fresh := r.t.Node(sw, 0)
	if p.Hops == 0 || r.t.Dist(int(m.dst), fresh) != routing.Far {
		return fresh
	}
	on := r.t.Node(sw, p.State)
	if left := int(r.t.Dist(int(m.dst), on)); int(r.t.Dist(int(m.dst), r.t.Node(r.sourceSwitch(p), 0))) == left+int(p.Hops) {
		return on
	}
	return fresh
}

// drawFrom draws an intermediate for a packet at a switch: drawMid; but at a second switch from where not all can be reached one in the blocks to which its channels lead, each
// channel as likely. (Of all of them few are behind a spine.) Where channels lead to other blocks from a farther switch only, as from a level of a BCube or ZCube that stays inside one, it is drawMid's all the same:
// with none par sent on all that had come to such a switch (meshtree(k=4), worst, accepted of load 1: 0.20, with them 0.31, by Valiant's routing 0.24).
func (r *Native) drawFrom(sw topology.SwitchID, p *simcore.Packet) int32 {
	if p.Hops == 0 || r.midsOf == nil {
		return r.drawMid(p)
	}
	net := r.t.Router.Net
	own, to := r.blockOf[sw], r.blockOfSet(r.setOf[p.Dst])
	n, in := 0, int32(-1)
	for c, end := net.Out(sw); c < end; c++ {
		if b := r.blockOf[net.To(c)]; b >= 0 && b != own && b != to && len(r.midsOf[b]) > 0 {
			if n++; p.Rand.IntN(n) == 0 {
				in = b
			}
		}
	}
	if in < 0 {
		return r.drawMid(p)
	}
	for range farDraws {
		if mid := r.midsOf[in][p.Rand.IntN(len(r.midsOf[in]))]; r.goesOn(mid, int(r.setOf[p.Dst])) {
			return mid
		}
	}
	return -1
}

// keepDirect is the rule of UGAL: direct if q - bias <= q' (H + H') / 2H, or if q is like those of its peers; q is the queue of the
// first channel, per VC that packets on the direct way may take, H the hops to go. If all hops queue as the first does, a detour is
// worth while from q' H' / H on (Singh), if no other hop queues, from q' on; the rule stands half way. (With Singh's ugal_l carries 0.86 of
// Valiant's load on dragonfly(p=4,a=8,h=4) under group_shift, with this one 0.95.) The bias hides what a packet that
// passes leaves behind: of n parallel channels, of which the one with the shortest queue is taken, one in n such packets. (With the whole bias what 12 channels to
// one switch hold hides that a single one is full behind it.)
//
// ugal_g takes the way on which less waits before all of its channels together, which no switch can know: a longer way holds more as it is, so that hops do
// not count again, and the more queues are summed, the less one of them that is short by chance counts. (By the longest queue of each way
// deep buffers made detours of uniform traffic, 0.93 of natural on dragonfly(p=3,a=4,h=3) with buffers of 128 flits instead of 1.04.) Without what a round trip
// holds: the hops of a detour that flow are more than the direct ones, and idle groups would look as full as busy ones (0.653 of asymmetric load instead of 0.679). The bias keeps packets from detours that gain
// nothing (2.71 hops instead of 2.95 on dragonfly(p=4,a=8,h=4) under uniform traffic of load 0.4).
func (r *Native) keepDirect(p *simcore.Packet, v *simcore.View, direct, detour way) bool {
	if v == nil {
		return r.tune.Bias == nil || *r.tune.Bias >= 0 // an idle network
	}
	if r.plan == pb && r.congestedAhead(p, v, direct) && !r.congestedAhead(p, v, detour) {
		return false
	}
	if r.plan == ugalG {
		ahead := r.backlog(p, v, direct.first, direct.dst, direct.hops)
		by := r.backlog(p, v, detour.first, detour.dst, direct.hops)
		if h, ok := choose(r.t, direct.dst, by.end, random, p, v); ok {
			on := r.backlog(p, v, h, direct.dst, direct.hops)
			by.perVC, by.flits = by.perVC+on.perVC, by.flits+on.flits
		}
		return ahead.perVC-float64(r.tune.bias(v, direct.first.Channel)) <= by.perVC || r.tooSoon(v, direct, detour, ahead.flits-by.flits)
	}
	if r.plan != pb && r.tooSoon(v, direct, detour, backlog(v, direct.first.Channel)-backlog(v, detour.first.Channel)) {
		return true
	}
	near, nearVCs := r.queue(v, direct.first, direct.hops)
	far, farVCs := r.queue(v, detour.first, direct.hops)
	bias := r.tune.bias(v, direct.first.Channel) * nearVCs
	if r.tune.Bias == nil {
		bias /= r.parallel(direct.first.Channel)
	}
	near -= bias
	return near*2*direct.hops*farVCs <= far*(direct.hops+detour.hops)*nearVCs || r.likePeers(v, direct, near)
}

// tooSoon says whether a detour that begins or would be left at a port of an endpoint with several, which relays (Outpaced), takes longer than the direct way
// even if nothing queues on its later hops: what is ahead of the packet on the direct channel, beyond what is on the other, has left before the hops
// that the detour has more are done. Such an endpoint sends faster than one port, so that every message of more than a packet queues in an idle
// network, where among endpoints that share a switch several have to want one channel; and relays are slow. Each step of a ring waited for the longest detour
// (all-reduce of 1 MiB, cut-through: bcube(n=8,l=2) 415 us instead of 159, dcell(n=8,l=1) 840 instead of 253; with par 843 there, 350 if sources alone ask this, 211
// if the second switch does, too). Long messages still take several ports, and what congests for long calls for detours as before.
// pb goes by what switches tell instead (with this its saturation on dcell(n=8,l=1) under worst fell from 0.096 to 0.088).
// Hops to servers and to switches alternate: the mean of both directions of the first link stands for each.
func (r *Native) tooSoon(v *simcore.View, direct, detour way, more int) bool {
	net, c := r.t.Router.Net, direct.first.Channel
	if !net.Outpaced(r.t.SwitchOf(direct.node), c) {
		return false
	}
	hop := 2 * v.Line(c).Hop
	if back := net.Rev(c); back >= 0 {
		hop = hop/2 + v.Line(back).Hop
	}
	return 2*more <= (detour.hops-direct.hops)*hop
}

// onWay is what waits on a way.
type onWay struct {
	perVC float64 // flits per VC beyond those of a round trip, which a channel holds that flows
	flits int     // all
	end   int     // node, in state 0, where the way ends
}

// backlog is what waits on the channels of a route that begins with a hop and is drawn at random from there on to a destination.
func (r *Native) backlog(p *simcore.Packet, v *simcore.View, first routing.Hop, dst, hops int) (w onWay) {
	for h := first; ; {
		q, vcs := r.queue(v, h, hops)
		w.perVC += float64(max(0, q-v.Line(h.Channel).Trip)) / float64(vcs)
		w.flits += backlog(v, h.Channel)
		node := r.t.Node(r.t.Router.Net.To(h.Channel), h.State)
		var ok bool
		if h, ok = choose(r.t, dst, node, random, p, v); !ok {
			w.end = r.t.Node(r.t.SwitchOf(node), 0)
			return w
		}
	}
}

// drawMid draws an intermediate, as an index into mids; -1 if the packet had better not make a
// detour: there is nothing to go by, or it stays in its block. A detour by way of the source's or
// the destination's own switches would be none. Where detours are to relieve the direct way, those of a packet between
// blocks avoid both blocks where these are groups: by way of another switch of either the packet would cross the same few links
// between them.
func (r *Native) drawMid(p *simcore.Packet) int32 {
	src, dst := r.setOf[p.Src], r.setOf[p.Dst]
	mids := int32(len(r.mids))
	if mids < 3 || r.t.Router.Share(int(src), int(dst)) {
		return -1
	}
	from, to := r.blockOfSet(src), r.blockOfSet(dst)
	if r.via == viaBlock {
		if from == to || from < 0 || to < 0 {
			return -1
		}
		return r.drawBlock(p, src, dst)
	}
	for range farDraws {
		mid := r.drawSet(p, src, dst)
		if mid >= 0 && r.missed != nil && !r.joins(src, dst, mid) {
			continue // or those whom it parts would go directly
		}
		if mid < 0 || !r.plan.adaptive() && r.direct == nil || r.relieves(from, to, mid) {
			return mid
		}
	}
	return -1
}

// drawBlock draws a third block between those of two sets, of those that join these each as likely, unless they are few.
func (r *Native) drawBlock(p *simcore.Packet, src, dst int32) int32 {
	for range farDraws {
		mid := without(p, int32(len(r.mids)), r.blockOfSet(src), r.blockOfSet(dst))
		if r.missed == nil {
			return r.usable(mid)
		}
		if r.joins(src, dst, mid) {
			return mid
		}
	}
	return -1
}

// relieves says whether a detour by way of a set relieves the direct way from a block to another.
func (r *Native) relieves(from, to, mid int32) bool {
	if from == to || r.anyMid {
		return true
	}
	b := r.blockOfSet(mid)
	return b < 0 || b != from && b != to
}

// drawSet draws an intermediate among switches with endpoints. Valiant's is any, which for that makes the same load of every permutation; its own and its destination's let
// the packet go directly. Where detours are only made that relieve the direct way, these two are no choice.
func (r *Native) drawSet(p *simcore.Packet, src, dst int32) int32 {
	mid := int32(0)
	switch {
	case r.via == viaEndpoint:
		mid = r.setOf[p.Rand.IntN(len(r.setOf))]
	case r.anySet():
		mid = int32(p.Rand.IntN(len(r.mids)))
	default:
		mid = without(p, int32(len(r.mids)), src, dst)
	}
	if mid == src || mid == dst {
		return -1
	}
	return r.usable(mid)
}

// anySet says whether intermediates are drawn among all sets, the packet's own and its destination's included.
func (r *Native) anySet() bool { return r.plan == valiant && r.via == viaSwitch && r.direct == nil }

// usable is -1 for what cannot be an intermediate.
func (r *Native) usable(mid int32) int32 {
	if r.mids[mid].dst < 0 {
		return -1
	}
	return mid
}

// without draws from [0, n) without a and b, which differ.
func without(p *simcore.Packet, n, a, b int32) int32 {
	a, b = min(a, b), max(a, b)
	x := int32(p.Rand.IntN(int(n) - 2))
	if x >= a {
		x++
	}
	if x >= b {
		x++
	}
	return x
}

// onward is the number of hops from an intermediate to a destination: the mean, rounded, over its
// switches, since which of them the packet comes to is not known.
func (r *Native) onward(m *mid, dst int) int {
	if m.onward != nil {
		return int(m.onward[dst])
	}
	return meanHops(r.t, m.ports, dst)
}
