package route

import (
	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// DefaultBias favours the direct way, so that single flits of an idle network do not cause
// detours; 30 is what BookSim2's ugal_dragonflynew has (there in flits, not times hops).
const DefaultBias = 30

// drawMid draws an intermediate, as an index into mids; -1 if the packet had better not make a
// detour: there is nothing to go by, or it stays in its block. A detour by way of the source's or
// the destination's own switches or block would be none.
func (r *Native) drawMid(p *simcore.Packet) int32 {
	src, dst := r.setOf[p.Src], r.setOf[p.Dst]
	mids := int32(len(r.mids))
	if src == dst || mids < 3 {
		return -1
	}
	switch r.via {
	case viaBlock:
		from, to := r.blockOf[r.t.Router.Sets[src].Ports[0].Switch], r.blockOf[r.t.Router.Sets[dst].Ports[0].Switch]
		if from == to || from < 0 || to < 0 {
			return -1
		}
		src, dst = from, to
	case viaEndpoint:
		mid := r.setOf[p.Rand.IntN(len(r.setOf))]
		if mid == src || mid == dst {
			return -1
		}
		return r.usable(mid)
	}
	return r.usable(without(p, mids, src, dst))
}

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

// keepDirect compares the direct way with a detour by mid: direct if q*H <= q'*H' + bias (Singh,
// Stanford 2005: UGAL-L), q the congestion of the hop that would be taken, H the hops to go.
// ugalG puts the congestion of all channels of a sampled route for q*H, an ideal that no switch
// can know.
func (r *Native) keepDirect(sw topology.SwitchID, p *simcore.Packet, v *simcore.View, dst int, m *mid) bool {
	mid := int(m.dst)
	here, fresh := r.t.Node(sw, p.State), r.t.Node(sw, 0)
	if r.t.Dist(mid, fresh) == routing.Far {
		return true // a spine that par has come to, in a tree that is climbed once
	}
	if r.plan == ugalG {
		near, _ := r.congestion(here, dst, p, v)
		out, end := r.congestion(fresh, mid, p, v)
		back, _ := r.congestion(end, dst, p, v)
		return near <= out+back+r.bias
	}
	a, _ := choose(r.t, dst, here, r.pick, p, v)
	b, ok := choose(r.t, mid, fresh, r.pick, p, v)
	if !ok {
		return true // it stands there already
	}
	hops := int(r.t.Dist(mid, fresh)) + r.onward(m, dst)
	return usedOf(v, a.Channel)*int(r.t.Dist(dst, here)) <= usedOf(v, b.Channel)*hops+r.bias
}

// onward is the number of hops from an intermediate to a destination: the mean, rounded, over its
// switches, since which of them the packet comes to is not known.
func (r *Native) onward(m *mid, dst int) int {
	if m.onward != nil {
		return int(m.onward[dst])
	}
	return meanHops(r.t, m.ports, dst)
}

// congestion sums up a route drawn at random from a node to a destination, and gives the node,
// in state 0, where it ends.
func (r *Native) congestion(node, dst int, p *simcore.Packet, v *simcore.View) (sum, end int) {
	for {
		h, ok := choose(r.t, dst, node, random, p, v)
		if !ok {
			return sum, node - node%r.t.Router.States()
		}
		sum += usedOf(v, h.Channel)
		node = r.t.Node(r.t.Router.Net.To(h.Channel), h.State)
	}
}
