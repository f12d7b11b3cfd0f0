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
	busy, err := n.channelLoads(ctx, t, list) // over what each carries, which is S's time at that rate
	for ch := range busy {
		busy[ch] *= c.Bytes / n.Link.BytesPerS
	}
	return busy, err
}

// channelLoads are those of what flows send, of which t has all, over what channels carry: on the paths that a hash gives them, on detours that all make, or on routes.
func (n *Network) channelLoads(ctx context.Context, t *pairs, list []collective.Flow) (load []float64, err error) {
	net := n.Router.Net
	switch {
	case n.Follow != nil:
		return n.followed(t.group, list)
	case n.Around != nil:
		_, load, err = n.Around.Loads(ctx, t.flows())
	default:
		var l *routing.Loads
		if l, err = n.loads(ctx, t.flows()); err == nil {
			load = l.Relative(net, routing.OwnCapacity(net))
		}
	}
	if err != nil {
		return nil, err
	}
	return load[:net.Channels()], nil // behind them are ports of endpoints
}

// followed are channelLoads on the paths of a hash.
func (n *Network) followed(g workload.Group, list []collective.Flow) ([]float64, error) {
	net := n.Router.Net
	load, carries := make([]float64, net.Channels()), routing.OwnCapacity(net)
	for first := range firsts(g, len(n.Endpoint)) {
		for _, f := range list {
			from, to := n.Endpoint[first+f.From*g.Stride], n.Endpoint[first+f.To*g.Stride]
			if _, _, ok := n.Follow(from, to, func(ch topology.ChannelID) {
				if class := net.LinkClass(ch); net.LinkClasses[class].Name != topology.ClassInternal {
					load[ch] += float64(f.Count) * f.Share / carries(class)
				}
			}); !ok {
				return nil, fmt.Errorf("placed: endpoint %d has no path to %d", from, to)
			}
		}
	}
	return load, nil
}
