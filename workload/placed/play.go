package placed

import (
	"context"
	"fmt"
	"math"
	"slices"

	"toposearch/routing"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// Estimate is the time of a collective, in seconds.
type Estimate struct {
	Total    float64
	Transfer float64 // of it, what the busiest link or endpoint carries
}

// Lone is what a message has between two endpoints of an idle network: the time of its first byte, in seconds, and the
// rate at which the others follow, in bytes per second.
type Lone func(from, to topology.EndpointID) (latency, bytesPerS float64)

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

// playable tells whether flows of groups of a size have no more messages, and routes, than that.
func (n *Network) playable(flows []collective.Flow, g workload.Group) bool {
	all := 0
	for _, f := range flows {
		all += f.Count
	}
	if all*(len(n.Endpoint)/g.Size) > mostPlayed {
		return false
	}
	seen := make(map[[2]int32]bool)
	for base := 0; base < len(n.Endpoint); base += g.Stride * g.Size {
		for low := range g.Stride {
			for _, f := range flows {
				seen[[2]int32{n.set(base + low + f.From*g.Stride), n.set(base + low + f.To*g.Stride)}] = true
			}
		}
	}
	return len(seen) <= mostRoutes
}

// play is the time of flows of all groups, which are under way together, of which a rank sends at most so many messages at the same time.
func (n *Network) play(ctx context.Context, c workload.Communication, flows []collective.Flow, ports int, lone Lone) (e Estimate, err error) {
	var all []collective.Flow
	var ways []way
	r := n.newRoutes()
	channels := n.Router.Net.Channels()
	first := make([]int32, len(n.Endpoint)+1) // port of each rank
	most := 1
	for i := range n.Endpoint {
		s := &n.Router.Sets[n.set(i)]
		first[i+1] = first[i] + int32(len(s.Ports))
		most = max(most, n.towards(s))
	}
	port := int32(channels)
	end := port + first[len(n.Endpoint)]
	seconds := c.Bytes / n.Link.BytesPerS
	for base := 0; base < len(n.Endpoint); base += c.Stride * c.Size {
		for low := range c.Stride {
			begin := len(all)
			for _, f := range flows {
				from, to := base+low+f.From*c.Stride, base+low+f.To*c.Stride
				x, err := r.of(ctx, from, to)
				if err != nil {
					return e, err
				}
				latency, rate := lone(n.Endpoint[from], n.Endpoint[to])
				w := way{route: x, from: from, to: to, relays: n.relays(from), latency: n.Link.Alpha + latency, took: f.Share * c.Bytes / rate, seconds: f.Share * seconds,
					out: port + first[from], in: end + first[to]}
				if n.PacketBytes > 0 && x.drawn {
					w.packets = int(math.Ceil(f.Share*c.Bytes/n.PacketBytes - rounding))
					if len(n.Router.Sets[n.set(from)].Ports) > 1 {
						w.ahead = portDepth / max(1, w.packets)
					}
					if w.relays {
						w.took = max(w.took*float64(w.packets-1)/float64(max(1, w.packets)), x.slowest()*w.seconds)
					}
				}
				f.From, f.To = from, to
				after := slices.Clone(f.After)
				for i := range after {
					after[i].Flow += begin
				}
				f.After = after
				all, ways = append(all, f), append(ways, w)
			}
		}
	}
	p := newStream(all, ways, len(n.Endpoint), int(end+first[len(n.Endpoint)]), min(max(1, ports), most))
	p.out, p.in = port, end
	var d *detouring
	if n.Detours != nil && n.Detours.Named {
		d = r.detouring(ctx)
		p.detours = d
	}
	e.Total = p.run()
	if d != nil && d.err != nil {
		return e, d.err
	}
	if e.Transfer = p.busiest(); len(all) > 0 && e.Total == 0 {
		return e, fmt.Errorf("placed: messages wait for each other in a circle")
	}
	return e, nil
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
