package route

import (
	"context"
	"fmt"

	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// newEscape makes the routing, proven.
func newEscape(ctx context.Context, name string, n *topology.Network, opt Options) (*Native, error) {
	e, err := routing.NewEscape(ctx, n, opt.Natural)
	if err != nil {
		return nil, err
	}
	r := &Native{name: name, plan: escaping, pick: adaptive, need: e.VCs() + 1,
		esc: &escape{vcs: uint8(e.VCs()), back: e.Back, proof: e.Report}}
	r.number(e.Adaptive)
	for _, x := range []struct {
		to   **routing.Table
		rule *routing.Router
	}{{&r.t, e.Adaptive}, {&r.esc.t, e.Channels}} {
		if *x.to, err = routing.NewTable(ctx, x.rule, nil, opt.Workers); err != nil {
			return nil, err
		}
		if err := (*x.to).MakeLists(ctx, opt.Workers); err != nil {
			return nil, err
		}
	}
	r.class = e.Report.ClassVCs
	have := opt.VCs
	if have == 0 {
		have = max(r.need, opt.Want)
	}
	if have < r.need || have > 256 {
		return nil, fmt.Errorf("routing: %s on %s needs %d virtual channels (256 are possible), and there are %d", name, n.Design, r.need, have)
	}
	r.top = uint8(have - 1)
	return r, nil
}

// routeEscape gives the next hop, with the escape channel as the second choice. A packet's State is that of the escape
// rule behind the second choice; its VC shows which of both it has got.
func (r *Native) routeEscape(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) simcore.Hop {
	e, dst := r.esc, int(r.setOf[p.Dst])
	escaped := p.Hops > 0 && p.VC < e.vcs
	switch {
	case !escaped:
		p.State = 0
	default:
		if rest, vc, ok := e.t.Router.Rest(p.State); ok && p.VC >= vc {
			p.State = rest
		}
	}
	if r.t.Dist(dst, r.t.Node(sw, 0)) == 0 {
		return simcore.Hop{Channel: simcore.Eject, Lo: 0, Hi: r.top}
	}
	way, _ := choose(e.t, dst, e.t.Node(sw, p.State), adaptive, p, v)
	p.State = way.State
	if escaped && !e.back {
		return simcore.Hop{Channel: way.Channel, Lo: way.VC, Hi: way.Top}
	}
	h, _ := choose(r.t, dst, r.t.Node(sw, 0), adaptive, p, v)
	out := simcore.Hop{Channel: h.Channel, Lo: e.vcs, Hi: r.top}
	out.HasAlt, out.Alt, out.AltLo, out.AltHi = true, way.Channel, way.VC, way.Top
	return out
}
