package route

import (
	"context"

	"toposearch/simcore"
	"toposearch/topology"
)

// newLayered makes the routing for a plan with its tables. Each layer has the VCs that routing.Layered.Deal gives it.
func newLayered(ctx context.Context, name string, p plan, n *topology.Network, opt Options) (*Native, error) {
	tables := opt.Tables
	r := &Native{name: name, plan: p, need: tables.Layers, paths: tables}
	r.number(tables.Router)
	rep, err := tables.CheckDeadlock(ctx)
	if err != nil {
		return nil, err
	}
	r.class, r.levels[homeward] = rep.ClassVCs, uint8(r.need)
	if err := r.share(n.Design, opt); err != nil {
		return nil, err
	}
	return r, nil
}

// enterLayer takes the port of the flow.
func (r *Native) enterLayer(p *simcore.Packet) simcore.Entry {
	port := r.paths.Enter(p.Src, p.Dst)
	if port < 0 {
		return simcore.Entry{Port: simcore.NoPort, Lo: 0, Hi: r.top}
	}
	_, _, ports := r.paths.Router.Net.Group(int(r.groupOf[p.Src]))
	layer, _ := r.paths.Layer(r.paths.Row(p.Dst), ports[port])
	p.Aux = uint32(layer)
	return simcore.Entry{Port: port, Lo: 0, Hi: r.top}
}

// routeLayer gives the next hop.
func (r *Native) routeLayer(sw topology.SwitchID, p *simcore.Packet) simcore.Hop {
	c := r.paths.Next(r.paths.Row(p.Dst), sw)
	if c < 0 {
		return simcore.Hop{Channel: simcore.Eject, Lo: 0, Hi: r.top}
	}
	return simcore.Hop{Channel: c, Lo: r.lo[p.Aux], Hi: r.hi[p.Aux]}
}
