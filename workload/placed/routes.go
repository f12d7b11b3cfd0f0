package placed

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"toposearch/routing"
	"toposearch/topology"
)

// used is a channel or port that a route takes.
type used struct {
	channel int32   // or port, by its place in the set
	share   float64 // of the route's traffic, over its rate in units of an endpoint's
	part    float64 // the share itself
	// Switches before and after it, by their order in the route: the sender is the first, the receiver the second. Of packets that come to
	// the one before, and that have taken none of those listed before, each takes it with a chance.
	at, to int
	chance float64
}

// route is what the routes between two sets of endpoints use: ports of who sends, channels, and ports of who receives, from where
// on the list has them.
type route struct {
	list     []used
	out, in  int
	switches int
	drawn    bool // at all switches the chances are known
}

// source and destination are before the first and behind the last switch of a route.
const source, destination = 0, 1

func (r *route) channels() []used { return r.list[r.out:r.in] }

// mostRoutes bounds the pairs of sets of endpoints whose routes are looked for, by channels of the network, all of which are looked at for each pair: some seconds.
func (n *Network) mostRoutes() int { return min(1<<16, 1<<27/max(1, n.Router.Net.Channels())) }

// routes are those of a network between sets of endpoints, found when they are asked for.
type routes struct {
	n     *Network
	known map[[2]int32]*route
}

// of is what a flow from rank to rank takes: the one way that a hash gives it, or what routes leave open.
func (r *routes) of(ctx context.Context, from, to int) (*route, error) {
	if r.n.Follow != nil {
		return r.followed(from, to)
	}
	return r.between(ctx, from, to)
}

func (n *Network) newRoutes() *routes { return &routes{n, make(map[[2]int32]*route)} }

// between is the route from rank to rank.
func (r *routes) between(ctx context.Context, from, to int) (*route, error) {
	return r.join(ctx, r.n.set(from), r.n.set(to))
}

// join is the route from a set of endpoints to another.
func (r *routes) join(ctx context.Context, from, to int32) (*route, error) {
	k := [2]int32{from, to}
	if x, ok := r.known[k]; ok {
		return x, nil
	}
	net := r.n.Router.Net
	l, err := r.n.loads(ctx, []routing.Flow{{Src: int(k[0]), Dst: int(k[1]), Rate: 1}})
	if err != nil {
		return nil, err
	}
	place := make(map[topology.SwitchID]int)
	at := func(sw topology.SwitchID) int {
		if _, ok := place[sw]; !ok {
			place[sw] = destination + 1 + len(place)
		}
		return place[sw]
	}
	x := new(route)
	r.ports(k[0], l.In, l, false, func(u used, sw topology.SwitchID) {
		u.at, u.to = source, at(sw)
		x.list = append(x.list, u)
	})
	x.out = len(x.list)
	for c, share := range l.Channel {
		if share <= 0 {
			continue
		}
		id := topology.ChannelID(c)
		u := r.channel(id, share)
		u.at, u.to = at(net.From(id)), at(net.To(id))
		x.list = append(x.list, u)
	}
	x.in = len(x.list)
	r.ports(k[1], l.Out, l, true, func(u used, sw topology.SwitchID) {
		u.at, u.to = at(sw), destination
		x.list = append(x.list, u)
	})
	x.switches = destination + 1 + len(place)
	x.drawn = x.sort()
	r.known[k] = x
	return x, nil
}

// followed is the one way of a flow from rank to rank.
func (r *routes) followed(from, to int) (*route, error) {
	n := r.n
	net, src, dst := n.Router.Net, n.Endpoint[from], n.Endpoint[to]
	x := &route{drawn: true, switches: destination + 1}
	at := source
	add := func(u used, to int) {
		u.at, u.to, u.chance = at, to, 1
		at, x.list = to, append(x.list, u)
		x.switches = max(x.switches, to+1)
	}
	var path []topology.ChannelID
	port, last, ok := n.Follow(src, dst, func(c topology.ChannelID) { path = append(path, c) })
	if !ok {
		return nil, fmt.Errorf("placed: no route from endpoint %d to endpoint %d", src, dst)
	}
	_, _, ports := net.Group(net.GroupOf(src))
	add(r.port(n.set(from), ports[port], false), x.switches)
	x.out = 1
	for _, c := range path {
		add(r.channel(c, 1), x.switches)
	}
	x.in = len(x.list)
	add(r.port(n.set(to), last, true), destination)
	return x, nil
}

// channel is a channel that a share of a route takes.
func (r *routes) channel(c topology.ChannelID, share float64) used {
	net := r.n.Router.Net
	u := used{channel: int32(c), part: min(share, 1)}
	if class := net.LinkClass(c); net.LinkClasses[class].Name != topology.ClassInternal {
		u.share = share * float64(net.EndpointLanes) / float64(net.Lanes[class])
	}
	return u
}

// port is that of a set to a switch, which all of a route takes.
func (r *routes) port(set int32, sw topology.SwitchID, receives bool) used {
	net, s := r.n.Router.Net, &r.n.Router.Sets[set]
	i := slices.IndexFunc(s.Ports, func(p routing.Port) bool { return p.Switch == sw })
	u := used{channel: int32(i), share: 1, part: 1}
	switch {
	case !net.Embedded(sw):
		u.share /= min(1, float64(s.Ports[i].Count)*float64(net.Lanes[nic(net)])/float64(net.EndpointLanes))
	case receives:
		u.share = 0 // an endpoint that relays has what arrives in memory
	default:
		all := float64(net.EndpointLanes)
		u.share = all / (all + net.ScaleupRate(sw, func(class int) float64 { return float64(net.Lanes[class]) }))
	}
	return u
}

// sort brings channels into an order in which those to a switch come before those from it, and fills in their chances. false: there is none, since
// routes pass a switch twice.
func (r *route) sort() bool {
	into, rest := make([]int, r.switches), make([]float64, r.switches)
	for _, u := range r.list {
		into[u.to]++
		rest[u.at] += u.part
	}
	pass := func(u *used) {
		into[u.to]--
		u.chance = 1
		if u.part < rest[u.at]*(1-rounding) {
			u.chance = u.part / rest[u.at]
		}
		rest[u.at] -= u.part
	}
	for i := range r.out {
		pass(&r.list[i])
	}
	left := r.channels()
	for len(left) > 0 {
		i := slices.IndexFunc(left, func(u used) bool { return into[u.at] == 0 })
		if i < 0 {
			return false
		}
		left[0], left[i] = left[i], left[0]
		pass(&left[0])
		left = left[1:]
	}
	for i := r.in; i < len(r.list); i++ {
		pass(&r.list[i])
	}
	return true
}

// ports are those of a set that loads pass. Ports to the same switch are one, of all their rate.
func (r *routes) ports(set int32, loads []float64, l *routing.Loads, receives bool, f func(u used, sw topology.SwitchID)) {
	s := &r.n.Router.Sets[set]
	for i, p := range s.Ports {
		part := loads[int(l.PortStart[set])+i] * float64(s.Endpoints) * float64(p.Count)
		if part <= 0 {
			continue
		}
		u := r.port(set, p.Switch, receives)
		u.share, u.part = u.share*part, min(part, 1)
		f(u, p.Switch)
	}
}

// nic is the class of links of endpoints.
func nic(net *topology.Network) int {
	return max(0, slices.IndexFunc(net.LinkClasses, func(c topology.LinkClass) bool { return c.Name == topology.ClassNic }))
}

// walk draws on what of a route so many packets go, switch by switch; packets is scratch, of those at each switch.
func (r *route) walk(count int, packets []float64, rng *rand.Rand, take func(i int, n float64)) {
	clear(packets)
	packets[source] = float64(count)
	for i, u := range r.list {
		n := binomial(packets[u.at], u.chance, rng)
		packets[u.at] -= n
		packets[u.to] += n
		take(i, n)
	}
}

// mostDrawn is how many draws are made one by one: of more the sum is normal to a part of its deviation.
const mostDrawn = 64

// binomial draws how many of n come true with a chance each.
func binomial(n, chance float64, rng *rand.Rand) (k float64) {
	switch {
	case chance >= 1:
		return n
	case n > mostDrawn:
		return min(max(math.Round(n*chance+rng.NormFloat64()*math.Sqrt(n*chance*(1-chance))), 0), n)
	}
	for range int(n) {
		if rng.Float64() < chance {
			k++
		}
	}
	return k
}
