package route

import (
	"context"
	"fmt"

	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

const (
	// hrsClass is the class of switches whose links are borrowed.
	hrsClass = "hrs"
	// detourHops: a third NPU of a dimension costs one hop more, a dimension out and back two.
	detourHops = 2
	// detourDraws are the links of a switch that are looked at for one that begins a detour. In a full
	// mesh most do, in a rack of two dimensions all but the minimal ones; four miss them once in
	// sixteen times even where only half do.
	detourDraws = 4
	detoured    = 1 // in Packet.Aux
)

// newAllPath makes the routing for a plan.
func newAllPath(ctx context.Context, name string, p plan, how pick, n *topology.Network, opt Options) (*Native, error) {
	rule, err := routing.AllPath(n, opt.Natural)
	if err != nil {
		return nil, err
	}
	r := &Native{name: name, plan: p, pick: how, need: rule.VCs(), all: &allPath{states: uint8(opt.Natural.States)}}
	if p != aprShortest {
		r.all.slack = detourHops
	}
	hrs := hrsOf(n)
	if hrs < 0 && p == aprBorrow {
		return nil, fmt.Errorf("routing: %s: %s has no switches of class %s whose uplinks could be borrowed; apr_detour needs none", name, n.Design, hrsClass)
	}
	for i := range r.all.tables {
		if i == 1 && (hrs < 0 || p == aprBorrow) {
			r.all.tables[1] = r.all.tables[0]
			break
		}
		steps := rule
		if i == 0 && hrs >= 0 && p != aprBorrow {
			steps = routing.WithoutClass(rule, hrs)
		}
		c, err := routing.New(n, steps)
		if err != nil {
			return nil, err
		}
		if r.all.tables[i], err = routing.NewTable(ctx, c, nil, opt.Workers); err != nil {
			return nil, err
		}
		if err := r.all.tables[i].MakeLists(ctx, opt.Workers); err != nil {
			return nil, err
		}
	}
	r.t = r.all.tables[1]
	r.number(r.t.Router)
	rep, err := r.t.Router.CheckWalks(ctx)
	if err != nil {
		return nil, err
	}
	r.class, r.levels[homeward] = rep.ClassVCs, uint8(r.need)
	if err := r.share(n.Design, opt); err != nil {
		return nil, err
	}
	return r, nil
}

// hrsOf is the class of the HRSs of a network; -1: it has none.
func hrsOf(n *topology.Network) int {
	for s := range topology.SwitchID(n.Switches()) {
		if c := n.Class(s); n.SwitchClasses[c].Name == hrsClass {
			return c
		}
	}
	return -1
}

// enterAll chooses a port nearest to the destination, and the table of the packet's way.
func (r *Native) enterAll(p *simcore.Packet) simcore.Entry {
	dst := int(r.setOf[p.Dst])
	_, _, ports := r.t.Router.Net.Group(int(r.groupOf[p.Src]))
	for phase, t := range r.all.tables {
		best, kept, n := uint8(routing.Far), simcore.NoPort, 0
		for i, sw := range ports {
			d := t.Dist(dst, t.Node(sw, 0))
			if d == routing.Far || d > best {
				continue
			}
			if d < best {
				best, n = d, 0
			}
			if n++; p.Rand.IntN(n) == 0 {
				kept = i
			}
		}
		if kept != simcore.NoPort {
			p.Phase = uint8(phase)
			return simcore.Entry{Port: kept, Lo: 0, Hi: r.top}
		}
	}
	return simcore.Entry{Port: simcore.NoPort}
}

// routeAll gives the next hop.
func (r *Native) routeAll(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) simcore.Hop {
	t, dst := r.all.tables[p.Phase], int(r.setOf[p.Dst])
	node := t.Node(sw, p.State)
	h, ok := choose(t, dst, node, r.pick, p, v)
	if !ok {
		return simcore.Hop{Channel: simcore.Eject, Lo: 0, Hi: r.top}
	}
	if r.all.slack > 0 && p.State < r.all.states && p.Aux != detoured {
		// The first lane is kept as long as it leads there as soon, for a detour further on.
		h, _ = t.Least(dst, h.Channel, p.State)
		here := t.Dist(dst, node)
		if d, left := r.all.detour(t, sw, p, dst, int(here)); left > 0 && sooner(v, d.Channel, left, h.Channel, int(here)) {
			h, p.Aux = d, detoured
		}
	}
	p.State = h.State
	return simcore.Hop{Channel: h.Channel, Lo: r.lo[h.VC], Hi: r.hi[h.VC]}
}

// detour draws a hop that begins a detour, and gives the hops of the way that it begins; 0: none was found.
func (a *allPath) detour(t *routing.Table, sw topology.SwitchID, p *simcore.Packet, dst, here int) (routing.Hop, int) {
	first, end := t.Router.Net.Out(sw)
	for range detourDraws {
		c := first + topology.ChannelID(p.Rand.IntN(int(end-first)))
		h, left := t.Least(dst, c, p.State)
		if all := int(left) + 1; left != routing.Far && all > here && all <= here+a.slack {
			return h, all
		}
	}
	return routing.Hop{}, 0
}

// sooner compares UGAL's products of queue and hops (Singh, Stanford 2005); the packet itself counts as
// one flit of either queue, so that an idle network makes no detours.
func sooner(v *simcore.View, by topology.ChannelID, byHops int, direct topology.ChannelID, hops int) bool {
	return (usedOf(v, by)+1)*byHops < (usedOf(v, direct)+1)*hops
}
