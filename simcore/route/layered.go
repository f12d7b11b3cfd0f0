package route

import (
	"context"

	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// newLayered makes the routing for a plan with its tables. Each layer has an equal share of the VCs.
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

// enterLayer chooses, of the ports from which packets to the destination enter, one for the flow.
func (r *Native) enterLayer(p *simcore.Packet) simcore.Entry {
	row := r.paths.Row(p.Dst)
	_, _, ports := r.paths.Router.Net.Group(int(r.groupOf[p.Src]))
	kept := simcore.NoPort
	least, most := uint8(routing.Far), uint64(0)
	for i, sw := range ports {
		layer, hops := r.paths.Layer(row, sw)
		// Of the nearest ports the one with the highest weight of the flow: rendezvous hashing.
		key := mix(flowOf(p) + uint64(i))
		if hops < least || hops == least && hops != routing.Far && key > most {
			kept, least, most, p.Aux = i, hops, key, uint32(layer)
		}
	}
	return simcore.Entry{Port: kept, Lo: 0, Hi: r.top}
}

// routeLayer gives the next hop.
func (r *Native) routeLayer(sw topology.SwitchID, p *simcore.Packet) simcore.Hop {
	c := r.paths.Next(r.paths.Row(p.Dst), sw)
	if c < 0 {
		return simcore.Hop{Channel: simcore.Eject, Lo: 0, Hi: r.top}
	}
	return simcore.Hop{Channel: c, Lo: r.lo[p.Aux], Hi: r.hi[p.Aux]}
}
