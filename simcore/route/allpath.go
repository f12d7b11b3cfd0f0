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
	// detourHops: a third NPU of a dimension costs one hop more, a dimension out and back two; third NPUs of two dimensions make
	// Valiant's two phases.
	detourHops = 2
	// detourDraws are the links of a switch that are looked at for one that begins a detour. In a full
	// mesh most do, in a rack of two dimensions all but the minimal ones; four miss them once in
	// sixteen times even where only half do.
	detourDraws = 4
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
	if left := r.all.slack - int(p.Aux); left > 0 && p.State < r.all.states {
		here := int(t.Dist(dst, node))
		h = earliest(t, dst, node, h, p)
		if v != nil {
			d, hops := r.sooner(sw, p, v, h, here, left)
			h, p.Aux = d, p.Aux+uint32(hops-here)
		}
	}
	p.State = h.State
	return simcore.Hop{Channel: h.Channel, Lo: r.lo[h.VC], Hi: r.hi[h.VC]}
}

// earliest draws one of the hops nearest to the destination whose state is lowest: rules number states along their routes,
// so that it keeps to the first lane and to the order of dimensions, and can still make detours in those to come.
func earliest(t *routing.Table, dst, node int, h routing.Hop, p *simcore.Packet) routing.Hop {
	n := 0
	for _, x := range t.Hops(dst, node) {
		if n > 0 && x.State > h.State {
			continue
		}
		if n == 0 || x.State < h.State {
			n = 0
		}
		if n++; p.Rand.IntN(n) == 0 {
			h = x
		}
	}
	return h
}

// sooner compares a hop with others from the switch that lead to the destination with at most `more` hops beyond those left, by
// UGAL's products of queue and hops (Singh, Stanford 2005); it gives the best, and the hops of its way.
//
// A switch sees the queues of its own channels alone. A detour by a third NPU of the dimension that is next crosses the
// channels that lead from there to where the packet would be anyway, on which there is no direct traffic of its own. One that begins in another dimension
// has yet to cross this one, over a channel that may be as full and that nobody sees: it is taken only if it wins by more than
// what a channel holds whose VCs are all full, a credit round trip each. Where the channels of its kind are as full as the direct one nothing is sooner by way of
// another (likePeers; without that uniform traffic on a pod of ubmesh of 128 NPUs is accepted to 0.159 of everything offered, with it to 0.174).
func (r *Native) sooner(sw topology.SwitchID, p *simcore.Packet, v *simcore.View, direct routing.Hop, here, more int) (routing.Hop, int) {
	t, dst := r.all.tables[p.Phase], int(r.setOf[p.Dst])
	line, class := v.Line(direct.Channel), t.Router.Net.LinkClass(direct.Channel)
	best, hops := direct, here
	queue := func(c topology.ChannelID) int { return v.Used(c) + v.Waiting(c) }
	near := queue(direct.Channel) - min(line.Packet, line.Buffer)
	if near > 0 && r.peersHold(v, direct.Channel, near, queue, nil) {
		return direct, here
	}
	cost := near * here
	first, end := t.Router.Net.Out(sw)
	for range detourDraws {
		if cost <= 0 {
			break // no queue but a packet that passes
		}
		c := first + topology.ChannelID(p.Rand.IntN(int(end-first)))
		h, left := t.Least(dst, c, p.State)
		all := int(left) + 1
		if left == routing.Far || all > here+more {
			continue
		}
		ahead := queue(c)
		if t.Router.Net.LinkClass(c) != class {
			ahead += line.Trip * (int(r.top) + 1)
		}
		if ahead*all < cost {
			best, hops, cost = h, all, ahead*all
		}
	}
	return best, hops
}

// EvenRoutes are the routes of all-path routing without detours, on their lanes: each hop nearer to the destination is as likely. nil: packets make detours, and
// keep to the first lane otherwise.
func (r *Native) EvenRoutes() *routing.Router {
	if r.all.slack > 0 || r.all.tables[0] != r.all.tables[1] {
		return nil
	}
	return r.t.Router
}

// BestSplit bounds the largest factor by which flows between sets can be scaled if they are split over the routing's
// paths in the best way; nil flows are uniform traffic. lost is the share of the traffic that need not arrive. See routing.BestWalks.
func (r *Native) BestSplit(ctx context.Context, flows []routing.Flow, lost float64) (routing.WalkBounds, error) {
	list, all := r.walkFlows(flows)
	b, err := routing.BestWalks(ctx, r.t.Router.Net, list, r.all.slack, routing.OwnCapacity(r.t.Router.Net), lost*all)
	if b.Shares != nil {
		for _, f := range list {
			all -= f.Rate
		}
		b.Shares.Pass(max(0, all)) // between endpoints of one switch
	}
	return b, err
}

// BoundSplit is BestSplit where the paths are too many to be listed, without shares. See routing.BoundWalks.
func (r *Native) BoundSplit(ctx context.Context, flows []routing.Flow, lost float64) (routing.WalkBounds, error) {
	list, all := r.walkFlows(flows)
	return routing.BoundWalks(ctx, r.t.Router.Net, list, r.all.slack, routing.OwnCapacity(r.t.Router.Net), lost*all)
}

// walkFlows are flows between sets, nil for uniform traffic, from the ports that are nearest, and the rate of all with those between endpoints of
// one switch.
func (r *Native) walkFlows(flows []routing.Flow) (list []routing.WalkFlow, all float64) {
	c := r.t.Router
	uniform := flows == nil
	if uniform {
		for i := range c.Sets {
			for j := range c.Sets {
				if pairs := c.Sets[i].Endpoints * c.Sets[j].Endpoints; i != j {
					flows = append(flows, routing.Flow{Src: i, Dst: j, Rate: float64(pairs) / float64(c.Net.Endpoints()-1)})
				}
			}
		}
	}
	if uniform {
		all = float64(c.Net.Endpoints())
	}
	for _, f := range flows {
		if !uniform {
			all += f.Rate
		}
		if f.Src == f.Dst {
			continue
		}
		for _, t := range r.all.tables {
			ports, least := c.Sets[f.Src].Ports, uint8(routing.Far)
			var near []topology.SwitchID
			for _, p := range ports {
				switch d := t.Dist(f.Dst, t.Node(p.Switch, 0)); {
				case d < least:
					least, near = d, []topology.SwitchID{p.Switch}
				case d == least && d != routing.Far:
					near = append(near, p.Switch)
				}
			}
			for _, s := range near {
				list = append(list, routing.WalkFlow{Table: t, From: s, Dst: f.Dst, Rate: f.Rate / float64(len(near))})
			}
			if near != nil {
				break
			}
		}
	}
	return list, all
}
