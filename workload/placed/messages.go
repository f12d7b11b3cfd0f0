package placed

import (
	"context"
	"fmt"

	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// Message is what an endpoint sends to another over the network, inside no domain, in bytes.
type Message struct {
	From, To topology.EndpointID
	Bytes    float64
}

// mostMessages bounds the pairs of an all-to-all: all pairs of 4,000 endpoints.
const mostMessages = 16 << 20

// Busy is how long the links or ports of the network are busy with all collectives of c, by the algorithm that Collective takes,
// in seconds, without latencies: 0 if they stay inside domains.
func (n *Network) Busy(ctx context.Context, c workload.Communication) (seconds float64, err error) {
	_, stages, _, err := n.best(ctx, c)
	for _, s := range stages {
		seconds += s.far * c.Bytes / n.Link.BytesPerS * float64(c.Count)
	}
	return seconds, err
}

// Messages lists who sends how much to whom over the network in one of the collectives of c, all its groups and steps together, by the
// algorithm that Collective takes, in the order of its steps. The error says if there are too many pairs.
func (n *Network) Messages(ctx context.Context, c workload.Communication) (list []Message, algorithm string, err error) {
	best, _, _, err := n.best(ctx, c)
	if err != nil {
		return nil, "", err
	}
	if _, ok := best.(collective.InNetwork); ok {
		return nil, "", fmt.Errorf("placed: %s goes to switches that add, and not between endpoints", c)
	}
	s, err := best.Schedule(c.Kind)
	if err != nil {
		return nil, "", err
	}
	at := make(map[[2]int]int)
	send := func(a, b int, bytes float64) {
		if n.Domain > 1 && n.domain(a) == n.domain(b) {
			return
		}
		i, ok := at[[2]int{a, b}]
		if !ok {
			i = len(list)
			at[[2]int{a, b}] = i
			list = append(list, Message{From: n.Endpoint[a], To: n.Endpoint[b]})
		}
		list[i].Bytes += bytes
	}
	g, ranks := c.Group, len(n.Endpoint)
	for _, st := range s.Steps {
		for _, l := range st.Lanes {
			times, share := 1, l.Share*float64(st.Repeat)
			if l.Grow != 0 { // each repetition goes elsewhere
				times, share = st.Repeat, l.Share
			}
			for i := range times {
				l.Each(s.Ranks, i, func(from, to int) {
					for base := 0; base < ranks && len(list) <= mostMessages; base += g.Stride * g.Size {
						for low := range g.Stride {
							send(base+low+from*g.Stride, base+low+to*g.Stride, share*c.Bytes)
						}
					}
				})
			}
		}
	}
	if len(list) > mostMessages {
		return nil, "", fmt.Errorf("placed: %s sends between more than %d pairs of endpoints", c, mostMessages)
	}
	return list, best.Name(), nil
}
