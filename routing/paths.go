package routing

import (
	"context"
	"iter"
	"slices"

	"toposearch/topology"
)

// Pair is what one endpoint sends to another, in units of an endpoint's bandwidth.
type Pair struct {
	Src, Dst topology.EndpointID
	Rate     float64
}

// EachPair gives pairs, or, if these are nil, all endpoints of a network with all others in equal shares.
func EachPair(net *topology.Network, pairs []Pair) iter.Seq[Pair] {
	if pairs != nil {
		return slices.Values(pairs)
	}
	return func(yield func(Pair) bool) {
		n := topology.EndpointID(net.Endpoints())
		for src := range n {
			for dst := range n {
				if dst != src && !yield(Pair{Src: src, Dst: dst, Rate: 1 / float64(n-1)}) {
					return
				}
			}
		}
	}
}

// Path is a flow that keeps to one way.
type Path struct {
	Pair
	From, To int // sets
	At       topology.SwitchID
	Hops     []Hop
}

// Paths are the ways of pairs by the tables, or all (EachPair). VCs of their hops are layers.
func (t *Layered) Paths(pairs []Pair) iter.Seq[Path] {
	return func(yield func(Path) bool) {
		net := t.Router.Net
		for p := range EachPair(net, pairs) {
			s, ok := t.entersAt(p.Src, p.Dst)
			if !ok {
				continue
			}
			row := t.Row(p.Dst)
			layer, _ := t.Layer(row, s)
			way := Path{Pair: p, From: int(t.Router.SetOf[net.GroupOf(p.Src)]), To: int(t.rows[row].set), At: s}
			for c := t.Next(row, s); c >= 0; c = t.Next(row, s) {
				way.Hops = append(way.Hops, Hop{Channel: c, VC: layer, Top: layer})
				s = net.To(c)
			}
			if !yield(way) {
				return
			}
		}
	}
}

// Follow gives the path of a pair: the port at which it enters, the channels in order, and the switch that delivers. ok is false if there is none.
func (t *Layered) Follow(src, dst topology.EndpointID, cross func(topology.ChannelID)) (port int, last topology.SwitchID, ok bool) {
	if port = t.Enter(src, dst); port < 0 {
		return 0, 0, false
	}
	net, row := t.Router.Net, t.Row(dst)
	_, _, ports := net.Group(net.GroupOf(src))
	last = ports[port]
	for c := t.Next(row, last); c >= 0; c = t.Next(row, last) {
		cross(c)
		last = net.To(c)
	}
	return port, last, true
}

// PathTurns are the turns of pairs, or all, over the paths of the tables.
func (t *Layered) PathTurns(ctx context.Context, pairs []Pair) (*Turns, error) {
	out := &Turns{Router: t.Router, Codes: 2 * max(t.Layers, 1), Layers: true, Deal: t.Deal}
	if err := out.layOut(); err != nil {
		return nil, err
	}
	return out, out.follow(ctx, t.Paths(pairs), false)
}

// PathTurns are the turns of such flows.
func (r *Router) PathTurns(ctx context.Context, paths iter.Seq[Path]) (*Turns, error) {
	t, err := r.newTurns()
	if err != nil {
		return nil, err
	}
	return t, t.follow(ctx, paths, r.Rule.HopVCs)
}

// follow adds the turns of flows; VCs are the hops before where they follow these.
func (t *Turns) follow(ctx context.Context, paths iter.Seq[Path], hopVCs bool) error {
	net := t.Router.Net
	type port struct {
		of  topology.EndpointID
		at  topology.SwitchID
		out bool
	}
	ports := map[port]float64{} // of endpoints that have several
	add := func(of topology.EndpointID, set int, at topology.SwitchID, out bool, rate float64) {
		if t.Router.Sets[set].ports() > 1 && !net.Embedded(at) {
			k := port{of, at, out}
			ports[k] += rate
			t.port = max(t.port, ports[k])
		}
	}
	for p := range paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		add(p.Src, p.From, p.At, true, p.Rate)
		in, s := net.Channels()+int(t.Local[p.At][t.exit(p.At, p.From)]), p.At
		for i, h := range p.Hops {
			code := int(2*h.VC + h.Top - h.VC)
			if hopVCs {
				code = min(2*i, t.Codes-2)
			}
			first, _ := net.Out(s)
			t.Rate[t.Row[in]+int64(h.Channel-first)] += p.Rate
			t.On[int(h.Channel)*t.Codes+code] += p.Rate
			in, s = int(h.Channel), net.To(h.Channel)
		}
		add(p.Dst, p.To, s, false, p.Rate)
		first, end := net.Out(s)
		t.Rate[t.Row[in]+int64(end-first)+int64(t.exit(s, p.To))] += p.Rate
	}
	return nil
}

// Full is the load, at most 1, at which the busiest channel is full, or port of an endpoint that has several, and that of such ports alone.
func (t *Turns) Full(capacity func(link int) float64) (all, ports float64) {
	own := max(1, t.port/capacity(nicClass(t.Router.Net)))
	most := own
	for c := range t.Router.Net.Channels() {
		k := t.Router.Net.LinkClass(topology.ChannelID(c))
		if t.Router.Net.LinkClasses[k].Name == topology.ClassInternal {
			continue
		}
		sum := 0.0
		for _, x := range t.On[c*t.Codes : (c+1)*t.Codes] {
			sum += x
		}
		most = max(most, sum/capacity(k))
	}
	return 1 / most, 1 / own
}

// Thinned is the largest load, at most 1, of which a part of what such flows send arrives: a channel that is asked for more than it carries passes the same part of
// all that comes, so that what lies behind it is asked for less, as of Sighted.
func (r *Router) Thinned(paths []Path, capacity func(link int) float64, part float64) float64 {
	scale := r.scales(capacity)
	load, pass := make([]float64, len(scale)), make([]float64, len(scale))
	offered := 0.0
	for i := range paths {
		offered += paths[i].Rate
	}
	most, _ := largestLoad(part, func(x float64) (got float64, err error) {
		for c := range pass {
			pass[c] = 1
		}
		for range sightedRounds {
			clear(load)
			got = 0
			for i := range paths {
				amount := x * paths[i].Rate
				for _, h := range paths[i].Hops {
					load[h.Channel] += amount * scale[h.Channel]
					amount *= pass[h.Channel]
				}
				got += amount
			}
			if thin(load, pass) < sightedSure {
				break
			}
		}
		return got / (x * offered), nil
	})
	return most // no load ends in an error
}
