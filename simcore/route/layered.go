package route

import (
	"cmp"
	"context"
	"slices"

	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// newLayered makes the routing for a plan with its tables. Each layer has the VCs that routing.Layered.Deal gives it.
func newLayered(ctx context.Context, name string, p plan, n *topology.Network, opt Options) (*Native, error) {
	tables := opt.Tables
	r := &Native{name: name, plan: p, need: tables.Layers, paths: tables}
	r.number(tables.Router)
	r.takeTurns()
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

// takeTurns numbers endpoints in an order of no meaning, by hash. With the destination's number added it says which of several nearest
// ports a flow takes: every endpoint spreads its flows evenly over its ports, and gets them evenly at theirs, as loads are
// computed, and permutations that keep distances in numbers do not all take the same.
func (r *Native) takeTurns() {
	order := make([]int32, len(r.setOf))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(mix(uint64(a)), mix(uint64(b))), cmp.Compare(a, b))
	})
	r.turn = make([]int32, len(order))
	for i, e := range order {
		r.turn[e] = int32(i)
	}
}

// enterLayer chooses, of the ports from which packets to the destination enter, one for the flow.
func (r *Native) enterLayer(p *simcore.Packet) simcore.Entry {
	row := r.paths.Row(p.Dst)
	_, _, ports := r.paths.Router.Net.Group(int(r.groupOf[p.Src]))
	least, near := uint8(routing.Far), 0
	for _, sw := range ports {
		switch _, hops := r.paths.Layer(row, sw); {
		case hops < least:
			least, near = hops, 1
		case hops == least:
			near++
		}
	}
	if least == routing.Far {
		return simcore.Entry{Port: simcore.NoPort, Lo: 0, Hi: r.top}
	}
	skip := (int(r.turn[p.Src]) + int(p.Dst)) % near
	for i, sw := range ports {
		layer, hops := r.paths.Layer(row, sw)
		if hops > least {
			continue
		}
		if skip == 0 {
			p.Aux = uint32(layer)
			return simcore.Entry{Port: i, Lo: 0, Hi: r.top}
		}
		skip--
	}
	panic("route: fewer nearest ports than counted")
}

// routeLayer gives the next hop.
func (r *Native) routeLayer(sw topology.SwitchID, p *simcore.Packet) simcore.Hop {
	c := r.paths.Next(r.paths.Row(p.Dst), sw)
	if c < 0 {
		return simcore.Hop{Channel: simcore.Eject, Lo: 0, Hi: r.top}
	}
	return simcore.Hop{Channel: c, Lo: r.lo[p.Aux], Hi: r.hi[p.Aux]}
}
