package placed

import (
	"context"
	"fmt"

	"toposearch/routing"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// Channels is how long each channel is busy with one of the collectives of c by an algorithm, in seconds, over the routes of
// the network; the slice is by number of the channel.
func (n *Network) Channels(ctx context.Context, c workload.Communication, a collective.Algorithm) ([]float64, error) {
	list, err := collective.FlowsOf(a, c.Kind)
	if err != nil {
		return nil, err
	}
	t := n.newPairs(c.Group)
	for _, f := range list {
		t.send(f.From, f.To, float64(f.Count)*f.Share)
	}
	load, err := n.channelLoads(ctx, t, list)
	if err != nil {
		return nil, err
	}
	net := n.Router.Net
	busy := make([]float64, net.Channels())
	for ch, x := range load {
		if class := net.LinkClass(topology.ChannelID(ch)); net.LinkClasses[class].Name != topology.ClassInternal {
			busy[ch] = x * c.Bytes / n.Link.BytesPerS * float64(net.EndpointLanes) / float64(net.Lanes[class])
		}
	}
	return busy, nil
}

// channelLoads are those of what flows send, of which t has all: on the paths that a hash gives them, on detours that all make, or on routes. Packets that may make detours do where
// bursts meet, which says little of what channels carry on the mean: they are counted on routes.
func (n *Network) channelLoads(ctx context.Context, t *pairs, list []collective.Flow) ([]float64, error) {
	if n.Follow != nil {
		load := make([]float64, n.Router.Net.Channels())
		for base := 0; base < len(n.Endpoint); base += t.group.Stride * t.group.Size {
			for low := range t.group.Stride {
				for _, f := range list {
					from, to := n.Endpoint[base+low+f.From*t.group.Stride], n.Endpoint[base+low+f.To*t.group.Stride]
					if _, _, ok := n.Follow(from, to, func(ch topology.ChannelID) { load[ch] += float64(f.Count) * f.Share }); !ok {
						return nil, fmt.Errorf("placed: endpoint %d has no path to %d", from, to)
					}
				}
			}
		}
		return load, nil
	}
	flows := t.flows()
	l, err := n.loads(ctx, flows)
	sets := len(n.Router.Sets)
	if err != nil {
		return nil, err
	}
	if n.Around == nil || sets < 3 {
		return l.Channel, nil
	}
	out, in := make([]float64, sets), make([]float64, sets) // legs, as valiant.loads has them
	for _, f := range flows {
		if f.Src != f.Dst {
			out[f.Src] += f.Rate
			in[f.Dst] += f.Rate
		}
	}
	var legs []routing.Flow
	for d, y := range in {
		for s, x := range out {
			if s != d && x+y > 0 {
				legs = append(legs, routing.Flow{Src: s, Dst: d, Rate: x + y})
			}
		}
	}
	all, err := n.loads(ctx, legs)
	if err != nil {
		return nil, err
	}
	load := make([]float64, len(l.Channel))
	for ch, x := range l.Channel {
		load[ch] = max(0, all.Channel[ch]-2*x) / float64(sets-2)
	}
	return load, nil
}

// Slowdowns are by how much jobs that repeat their collectives at the same time slow each other down: busy are their Channels,
// alone the time of each in seconds. A channel that all of them together would keep busy for more than all of the time slows those
// that use it by as much. It is what channels need at least: jobs whose bursts meet wait for each other although
// their channels are idle at other times.
func Slowdowns(busy [][]float64, alone []float64) []float64 {
	out := make([]float64, len(busy))
	for j := range out {
		out[j] = 1
		for ch, mine := range busy[j] {
			if mine == 0 {
				continue
			}
			all := 0.0
			for i := range busy {
				all += busy[i][ch] / alone[i]
			}
			out[j] = max(out[j], all)
		}
	}
	return out
}
