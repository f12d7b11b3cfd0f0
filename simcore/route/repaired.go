package route

import (
	"context"
	"maps"
	"slices"

	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// Repaired is a routing for what is left of a network, in the numbers of the whole one, which is simulated
// (simcore.FailurePlan). It answers simcore.NoRoute for packets that came so far by other routes.
type Repaired struct {
	*Native
	net *topology.Network // what is left
	num *topology.Numbering
}

// Repair makes it of a routing of Network.Left.
func Repair(r *Native, left *topology.Network, num *topology.Numbering) *Repaired {
	return &Repaired{r, left, num}
}

// Inject asks the routing, and gives the port its place among all of the endpoint.
func (r *Repaired) Inject(p *simcore.Packet, v *simcore.View) simcore.Entry {
	view := v.Renumbered(r.net, r.num)
	e := r.Native.Inject(p, &view)
	if e.Port != simcore.NoPort {
		e.Port = int(r.num.Ports(int(r.groupOf[p.Src]))[e.Port])
	}
	return e
}

// Route asks the routing, if it has a route onward.
func (r *Repaired) Route(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) simcore.Hop {
	if r.plan == direct && !r.leads(sw, p) {
		return simcore.Hop{Channel: simcore.NoRoute, Hi: r.top}
	}
	view := v.Renumbered(r.net, r.num)
	port := p.Port
	p.Port = uint8(max(0, slices.Index(r.num.Ports(int(r.groupOf[p.Src])), int32(port)))) // of no use to a packet whose port is down
	h := r.Native.Route(sw, p, &view)
	p.Port = port
	if h.Channel != simcore.Eject {
		h.Channel = r.num.Channels[h.Channel]
	}
	if h.HasAlt {
		h.Alt = r.num.Channels[h.Alt]
	}
	return h
}

// leads reports whether there is a route from a switch in a packet's state and, where VCs follow hops, VCs for it.
func (r *Repaired) leads(sw topology.SwitchID, p *simcore.Packet) bool {
	state := r.stateOf(p)
	d := r.t.Dist(int(r.setOf[p.Dst]), r.t.Node(sw, state))
	return d != routing.Far && (!r.hopVC || int(p.Hops)+int(d) <= r.need)
}

// continues reports whether packets that came by the routes of o can go on by those of r: both mean the same by VCs and
// states. Detours do not continue: their intermediates may be gone.
func (r *Repaired) continues(o *Repaired) bool {
	a, b := r.Native, o.Native
	return a.plan == direct && b.plan == direct && a.need == b.need && a.hopVC == b.hopVC &&
		slices.Equal(a.lo, b.lo) && slices.Equal(a.hi, b.hi) && a.t.Router.SameStates(b.t.Router) && maps.Equal(a.singles(), b.singles())
}

// mixes reports whether no mixture of routes on whatever is left of a network can deadlock, r being the routing for the
// whole. VCs that follow hops rise on any way; of a rule, the dependencies of all walks that it allows there have to be
// free of cycles, as all routes are some of these.
func (r *Repaired) mixes(ctx context.Context) (bool, error) {
	if r.hopVC || r.plan != direct {
		return r.hopVC, nil
	}
	rep, err := r.t.Router.CheckWalks(ctx)
	return err == nil && rep.Acyclic, err
}

// singles tells of each kind of channel whether it has all VCs.
func (r *Native) singles() map[topology.Kind]bool {
	out := map[topology.Kind]bool{}
	for i, k := range r.t.Router.Kinds {
		out[k] = r.oneVC != nil && r.oneVC[i]
	}
	return out
}
