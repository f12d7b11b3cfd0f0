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
	Src, Dst int // sets
	At       topology.SwitchID
	Rate     float64
	Hops     []Hop
}

// Paths are the ways of pairs by the tables, or all (EachPair); nil if endpoints have several ports, between which packets take turns.
func (t *Layered) Paths(pairs []Pair) []Path {
	net := t.Router.Net
	paths := make([]Path, 0, len(pairs))
	for p := range EachPair(net, pairs) {
		src, row := int(t.Router.SetOf[net.GroupOf(p.Src)]), t.Row(p.Dst)
		ports := t.Router.Sets[src].Ports
		if len(ports) > 1 {
			return nil
		}
		s := ports[0].Switch
		way := Path{Src: src, Dst: int(t.rows[row].set), At: s, Rate: p.Rate}
		for c := t.Next(row, s); c >= 0; c = t.Next(row, s) {
			way.Hops = append(way.Hops, Hop{Channel: c})
			s = net.To(c)
		}
		paths = append(paths, way)
	}
	return paths
}

// PathTurns are the turns of such flows.
func (r *Router) PathTurns(ctx context.Context, paths iter.Seq[Path]) (*Turns, error) {
	t := &Turns{Router: r, Codes: 2 * r.Rule.VCs()}
	if r.Rule.HopVCs {
		t.Codes = 2 * mostHopVCs
	}
	if err := t.layOut(); err != nil {
		return nil, err
	}
	for p := range paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		in, s := r.Net.Channels()+int(t.Local[p.At][t.exit(p.At, p.Src)]), p.At
		for i, h := range p.Hops {
			code := int(2*h.VC + h.Top - h.VC)
			if r.Rule.HopVCs {
				code = min(2*i, t.Codes-2)
			}
			first, _ := r.Net.Out(s)
			t.Rate[t.Row[in]+int64(h.Channel-first)] += p.Rate
			t.On[int(h.Channel)*t.Codes+code] += p.Rate
			in, s = int(h.Channel), r.Net.To(h.Channel)
		}
		first, end := r.Net.Out(s)
		t.Rate[t.Row[in]+int64(end-first)+int64(t.exit(s, p.Dst))] += p.Rate
	}
	return t, nil
}

// Full is the load, at most 1, at which the busiest channel is full.
func (t *Turns) Full(capacity func(link int) float64) float64 {
	most := 1.0
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
	return 1 / most
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
