package placed

import (
	"context"
	"slices"

	"toposearch/routing"
	"toposearch/topology"
	"toposearch/workload/collective"
)

// used is a channel of a route, and the share of the route's traffic that takes it, over the rate of the channel in units
// of an endpoint's.
type used struct {
	channel int32
	share   float64
}

// route is what the routes between the switches of two ranks use; nil between ranks of one switch.
func (w *waiting) route(ctx context.Context, from, to int) ([]used, error) {
	k := w.pair(from, to)
	if r, ok := w.routes[k]; ok || k[0] == k[1] {
		return r, nil
	}
	net := w.n.Router.Net
	l, err := w.n.Router.FlowLoads(ctx, []routing.Flow{{Src: int(k[0]), Dst: int(k[1]), Rate: 1}}, routing.LoadOptions{Workers: w.n.Workers})
	if err != nil {
		return nil, err
	}
	var list []used
	for c, x := range l.Channel {
		if class := net.LinkClass(topology.ChannelID(c)); x > 0 && net.LinkClasses[class].Name != topology.ClassInternal {
			list = append(list, used{int32(c), x * float64(net.EndpointLanes) / float64(net.Lanes[class])})
		}
	}
	w.routes[k] = slices.Clip(list)
	return list, nil
}

func (w *waiting) pair(from, to int) [2]int32 {
	r, n := w.n.Router, w.n
	return [2]int32{r.SetOf[r.Net.GroupOf(n.Endpoint[from])], r.SetOf[r.Net.GroupOf(n.Endpoint[to])]}
}

// crowd is how long channels are busy with a step, in shares of S at the rate of an endpoint.
func (w *waiting) crowd(ctx context.Context, places int, st collective.Step) (map[int32]float64, error) {
	busy := make(map[int32]float64)
	var failed error
	for i := range st.Lanes {
		l := &st.Lanes[i]
		w.each(l, places, 0, func(from, to int) {
			list, err := w.route(ctx, from, to)
			if err != nil {
				failed = err
			}
			for _, u := range list {
				busy[u.channel] += u.share * l.Share
			}
		})
	}
	return busy, failed
}

// meets is the longest that a channel on the way between two ranks is busy in a step.
func (w *waiting) meets(busy map[int32]float64, from, to int) (most float64) {
	for _, u := range w.routes[w.pair(from, to)] {
		most = max(most, busy[u.channel])
	}
	return most
}
