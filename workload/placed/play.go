package placed

import (
	"context"
	"fmt"
	"math"

	"toposearch/routing"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// Estimate is the time of a collective, in seconds.
type Estimate struct {
	Total    float64
	Transfer float64 // of it, what the busiest link or endpoint carries
	Summed   bool    // there are too many messages, or ways of theirs, to follow each: what steps take is added up
}

// Lone is what a message of so many bytes has between two endpoints of an idle network: the time of its first byte, in seconds, and the
// rate at which the others follow, in bytes per second.
type Lone func(from, to topology.EndpointID, bytes float64) (latency, bytesPerS float64)

// mostPlayed bounds the messages that are followed one by one over all links: some seconds.
const mostPlayed = 1 << 18

// relays reports whether a rank has its switch in it: the last of its packets then leaves memory at the rate of the link that it takes.
func (n *Network) relays(rank int) bool {
	s := &n.Router.Sets[n.set(rank)]
	return len(s.Ports) == 1 && n.Router.Net.Embedded(s.Ports[0].Switch)
}

// slowest is the most that a channel is busy with the route's traffic.
func (r *route) slowest() (most float64) {
	for _, u := range r.channels() {
		most = max(most, u.share)
	}
	return most
}

// portDepth is how many packets wait at each port of an endpoint that has several, as in the simulators: so many may one port lag behind another.
const portDepth = 64

// patience is by how many times more messages are followed of algorithms over several ports, which meet there as sums of steps do not know: some minutes.
const patience = 16

// most is how many messages of each group of a size are followed, of so many times mostPlayed in all.
func (n *Network) most(times int, g workload.Group) int {
	return mostPlayed * times / (len(n.Endpoint) / g.Size)
}

// messagesOf counts the messages of a schedule.
func messagesOf(s *collective.Schedule) (all int) {
	for _, st := range s.Steps {
		for i := range st.Lanes {
			st.Lanes[i].Each(s.Ranks, 0, func(_, _ int) { all += st.Repeat })
		}
	}
	return all
}

// messages counts those of flows.
func messages(flows []collective.Flow) (all int) {
	for _, f := range flows {
		all += f.Count
	}
	return all
}

// inGroups are flows of one group in all groups, by ranks of the network.
func (n *Network) inGroups(g workload.Group, flows []collective.Flow) []collective.Flow {
	var all []collective.Flow
	for first := range firsts(g, len(n.Endpoint)) {
		all = collective.Append(all, flows, func(place int) int { return first + place*g.Stride })
	}
	return all
}

// playable tells whether the routes of flows are not too many.
func (n *Network) playable(flows []collective.Flow, times int) bool {
	seen := make(map[[2]int32]bool)
	for _, f := range flows {
		seen[[2]int32{n.set(f.From), n.set(f.To)}] = true
	}
	return len(seen) <= n.mostRoutes()*times
}

// score is what is to be played: flows that are under way together, by ranks of the network, and their ways.
type score struct {
	n       *Network
	routes  *routes
	flows   []collective.Flow
	ways    []way
	out, in int32 // the first server that is a port of a sender, and of a receiver
	servers int
	ports   int // the most that a rank has
}

// score finds the ways of flows; bytes are those of S, flow by flow.
func (n *Network) score(ctx context.Context, flows []collective.Flow, bytes func(flow int) float64, lone Lone) (*score, error) {
	first := make([]int32, len(n.Endpoint)+1) // port of each rank
	x := &score{n: n, routes: n.newRoutes(), flows: flows, out: int32(n.Router.Net.Channels()), ports: 1}
	for i := range n.Endpoint {
		s := &n.Router.Sets[n.set(i)]
		first[i+1] = first[i] + int32(len(s.Ports))
		x.ports = max(x.ports, n.towards(s))
	}
	x.in = x.out + first[len(n.Endpoint)]
	x.servers = int(x.in + first[len(n.Endpoint)])
	for i, f := range flows {
		r, err := x.routes.of(ctx, f.From, f.To)
		if err != nil {
			return nil, err
		}
		w := n.way(r, f, bytes(i), lone)
		w.out, w.in = x.out+first[f.From], x.in+first[f.To]
		x.ways = append(x.ways, w)
	}
	return x, nil
}

// way is that of messages of a flow between ranks, over a route; bytes are those of S.
func (n *Network) way(r *route, f collective.Flow, bytes float64, lone Lone) way {
	bytes *= f.Share
	latency, rate := lone(n.Endpoint[f.From], n.Endpoint[f.To], bytes)
	w := way{route: r, from: f.From, to: f.To, relays: n.relays(f.From), latency: n.Link.Alpha + latency, took: bytes / rate, seconds: bytes / n.Link.BytesPerS}
	w.packets = max(1, int(math.Ceil(bytes/max(n.PacketBytes, 1)-rounding)))
	if w.draws = n.PacketBytes > 0 && r.drawn; w.draws {
		if len(n.Router.Sets[n.set(f.From)].Ports) > 1 {
			w.ahead = portDepth / max(1, w.packets)
		}
		if w.relays {
			w.took = max(w.took*float64(w.packets-1)/float64(max(1, w.packets)), r.slowest()*w.seconds)
		}
	}
	return w
}

// mostVisits bounds how often messages are carried by servers in all: some seconds.
const mostVisits = 1 << 23

// visits is how often that is: by all that its ways use, or as many of them as packets draw.
func (x *score) visits() (sum float64) {
	for i := range x.flows {
		sum += float64(x.flows[i].Count) * x.ways[i].visits()
	}
	return sum
}

// mostBatches is how often packets of a message choose a way at most, where they may make detours: those of a message of 512 KiB one by one.
const mostBatches = 128

// batches is into how many batches, which each take a way of their own, packets of a message are divided, so that these take no more than mostVisits in all.
func (x *score) batches() int {
	for most := mostBatches; ; most /= 2 {
		sum := 0.0
		for i := range x.flows {
			w := &x.ways[i]
			sum += float64(x.flows[i].Count*min(w.packets, most)) * 2 * float64(len(w.list))
		}
		if sum <= mostVisits || most <= 1 {
			return most
		}
	}
}

// visits is by how many servers a message is carried at most.
func (w *way) visits() (sum float64) {
	if !w.draws {
		return float64(len(w.list))
	}
	for _, u := range w.list {
		sum += min(1, u.part*float64(w.packets))
	}
	return sum
}

// run plays what is to be played if a rank sends at most so many messages at the same time, and gives when the last of them has arrived.
func (x *score) run(ctx context.Context, ports int) (p *streaming, end float64, err error) {
	p = newStream(x.flows, x.ways, len(x.n.Endpoint), x.servers, min(max(1, ports), x.ports))
	p.out, p.in = x.out, x.in
	var d *detouring
	if x.n.Detours != nil && x.n.Detours.Named {
		d = x.routes.detouring(ctx, x.batches())
		p.detours = d
	}
	end = p.run()
	if d != nil && d.err != nil {
		return nil, 0, d.err
	}
	for i, f := range x.flows {
		if p.got[i] < f.Count {
			return nil, 0, fmt.Errorf("placed: %d of %d messages from rank %d to rank %d do not arrive", f.Count-p.got[i], f.Count, f.From, f.To)
		}
	}
	return p, end, nil
}

// play is the time of flows of all groups, which are under way together, of which a rank sends at most so many messages at the same time; false: there are too many.
func (n *Network) play(ctx context.Context, c workload.Communication, flows []collective.Flow, ports, times int, lone Lone) (e Estimate, ok bool, err error) {
	if messages(flows) > n.most(times, c.Group) {
		return e, false, nil
	}
	all := n.inGroups(c.Group, flows)
	if !n.playable(all, times) {
		return e, false, nil
	}
	x, err := n.score(ctx, all, func(int) float64 { return c.Bytes }, lone)
	if err != nil {
		return e, false, err
	}
	if x.visits() > mostVisits*float64(times) {
		return e, false, nil
	}
	p, end, err := x.run(ctx, ports)
	if err != nil {
		return e, false, err
	}
	// What leaves the memory of an endpoint that relays may be there before its port is free.
	return Estimate{Total: end, Transfer: min(p.busiest(), end)}, true, nil
}

// towards is how many ports endpoints of a set have towards others, their own or, where they relay, those of their embedded switch.
func (n *Network) towards(s *routing.Set) (ports int) {
	for _, p := range s.Ports {
		ports += int(p.Count)
	}
	if net := n.Router.Net; len(s.Ports) == 1 && net.Embedded(s.Ports[0].Switch) {
		from, to := net.Out(s.Ports[0].Switch)
		ports = max(ports, int(to-from))
	}
	return ports
}
