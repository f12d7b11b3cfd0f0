package placed

import (
	"context"

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
	l, err := n.loads(ctx, t.flows())
	if err != nil {
		return nil, err
	}
	net := n.Router.Net
	busy := make([]float64, net.Channels())
	for ch, x := range l.Channel {
		if class := net.LinkClass(topology.ChannelID(ch)); net.LinkClasses[class].Name != topology.ClassInternal {
			busy[ch] = x * c.Bytes / n.Link.BytesPerS * float64(net.EndpointLanes) / float64(net.Lanes[class])
		}
	}
	return busy, nil
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
