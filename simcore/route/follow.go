package route

import (
	"toposearch/simcore"
	"toposearch/topology"
)

// Follows says whether the routing keeps every flow on one path that follows from source and destination alone.
func (r *Native) Follows() bool { return r.plan == direct && r.pick.flow() || r.paths != nil }

// Follow gives the path of a flow of a routing that Follows: the port of the source, the channels in order, and the switch that
// delivers. ok is false if there is none.
func (r *Native) Follow(src, dst topology.EndpointID, cross func(topology.ChannelID)) (port int, last topology.SwitchID, ok bool) {
	if r.paths != nil {
		return r.paths.Follow(src, dst, cross)
	}
	p := simcore.Packet{Src: src, Dst: dst, Mid: -1}
	e := r.Inject(&p, nil)
	if e.Port == simcore.NoPort {
		return 0, 0, false
	}
	n := r.t.Router.Net
	_, _, ports := n.Group(n.GroupOf(src))
	last = ports[e.Port]
	for {
		h := r.Route(last, &p, nil)
		if h.Channel == simcore.Eject {
			return e.Port, last, true
		}
		cross(h.Channel)
		last = n.To(h.Channel)
		p.Hops++
	}
}
