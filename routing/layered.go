package routing

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// Layered is a routing by tables: one shortest path from every switch to each destination, and for each pair of
// a source and a destination the layer, a virtual channel, that its packets keep all the way (InfiniBand: a linear
// forwarding table in each switch, a service level for each path). It is immutable and safe for concurrent use.
//
// Of several shortest paths the tables take the one least used by destinations before it: links weigh as many
// paths as lead over them (Hoefler, Schneider, Lumsdaine, "Optimized Routing for Large-Scale InfiniBand
// Networks", HOTI 2009). That paper starts all links at a weight that keeps paths short; here hops are compared
// first, weights where they are equal.
type Layered struct {
	Router *Router // of all shortest paths: sets, kinds, and loads are counted by them
	Layers int

	rowOf []int32 // of each endpoint: its row in the tables, of a destination
	rows  []destination
	next  []uint16 // [row*switches+s]: the channel by its place among those that leave s; noChannel where s is one of the destination's or has no route
	// Packets enter at switches of srcs; those of a set at the ports with the fewest hops to go.
	srcs  []topology.SwitchID
	srcAt []int32 // of each switch: its place in srcs, -1: no endpoints
	layer []uint8 // [row*len(srcs)+i]; noLayer where no packet to that destination enters
	hops  []uint8 // [row*len(srcs)+i], Far where there is no route
	turn  []int32 // of each endpoint: see takeTurns
}

// destination is what a row of the tables leads to.
type destination struct {
	set       int32
	endpoints int64 // that share the row
}

const (
	noChannel = math.MaxUint16
	noLayer   = math.MaxUint8
)

// Row is the row of the tables for an endpoint.
func (t *Layered) Row(e topology.EndpointID) int { return int(t.rowOf[e]) }

// Next is the channel from a switch to the destination of a row, -1 at one of its switches and where there is no route.
func (t *Layered) Next(row int, s topology.SwitchID) topology.ChannelID {
	k := t.next[row*len(t.srcAt)+int(s)]
	if k == noChannel {
		return -1
	}
	first, _ := t.Router.Net.Out(s)
	return first + topology.ChannelID(k)
}

// Layer is the layer of packets that enter at a switch with endpoints, and the hops that they have to go, Far if there is
// no route. They enter at the ports of their endpoint with the fewest.
func (t *Layered) Layer(row int, s topology.SwitchID) (layer, hops uint8) {
	i := row*len(t.srcs) + int(t.srcAt[s])
	return t.layer[i], t.hops[i]
}

// takeTurns numbers endpoints in an order of no meaning, by hash. With the destination's number added it says which of several nearest
// ports a flow takes: every endpoint spreads its flows evenly over its ports, and gets them evenly at theirs, as loads are
// computed, and permutations that keep distances in numbers do not all take the same.
func (t *Layered) takeTurns() {
	order := make([]int32, len(t.rowOf))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(stream.Mix(uint64(a)), stream.Mix(uint64(b))), cmp.Compare(a, b))
	})
	t.turn = make([]int32, len(order))
	for i, e := range order {
		t.turn[e] = int32(i)
	}
}

// Enter is the port of src, of those from which packets to dst have the fewest hops to go, that its packets take; -1 if there is no route.
func (t *Layered) Enter(src, dst topology.EndpointID) int {
	_, _, ports := t.Router.Net.Group(t.Router.Net.GroupOf(src))
	row, least, near := t.Row(dst), uint8(Far), 0
	for _, s := range ports {
		switch _, hops := t.Layer(row, s); {
		case hops < least:
			least, near = hops, 1
		case hops == least:
			near++
		}
	}
	if least == Far {
		return -1
	}
	skip := (int(t.turn[src]) + int(dst)) % near
	for i, s := range ports {
		if _, hops := t.Layer(row, s); hops > least {
			continue
		}
		if skip == 0 {
			return i
		}
		skip--
	}
	panic("routing: fewer nearest ports than counted")
}

// entersAt is the switch of that port; false if there is no route.
func (t *Layered) entersAt(src, dst topology.EndpointID) (s topology.SwitchID, ok bool) {
	port := t.Enter(src, dst)
	if port < 0 {
		return 0, false
	}
	_, _, ports := t.Router.Net.Group(t.Router.Net.GroupOf(src))
	return ports[port], true
}

// LayeredBytes predicts the memory of the tables and of what their layers take, of a network with so many
// destinations (endpoints, or sets of them under LASH), switches and switches with endpoints.
func LayeredBytes(destinations, switches, sources float64) float64 {
	return destinations * (2*switches + 2*sources)
}

// LayeredPathHops is the number of hops of all paths together up to which layers are looked for: DFSSSP notes the
// paths of every dependency, four bytes each.
const LayeredPathHops = 1 << 28

// CheckDeadlock builds the channel-dependency graph of all paths, each in its layer, from the finished tables.
func (t *Layered) CheckDeadlock(ctx context.Context) (*DeadlockReport, error) {
	g := newDependencyGraph(t.Router)
	g.layOut(max(t.Layers, 1), false)
	for row := range t.rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i, s := range t.srcs {
			layer := t.layer[row*len(t.srcs)+i]
			if layer == noLayer {
				continue
			}
			last := topology.ChannelID(-1)
			for c := t.Next(row, s); c >= 0; c = t.Next(row, t.Router.Net.To(c)) {
				g.used[int(c)*g.vcs+int(layer)] = true
				if last >= 0 {
					g.join(last, c, int(layer))
				}
				last = c
			}
		}
	}
	rep := &DeadlockReport{VCs: g.vcs, Proven: true, ClassVCs: g.classVCs(), Method: "channel-dependency graph of the paths of all pairs, each in its layer"}
	rep.Dependencies = g.count()
	rep.Cycle = g.cycle()
	rep.Acyclic = rep.Cycle == nil
	return rep, nil
}

// Unreachable counts the pairs of endpoints between which the tables have no route.
func (t *Layered) Unreachable() Gap {
	n := t.Router.Net
	var gap Gap
	for g := range n.Groups() {
		from, to, ports := n.Group(g)
		size := int64(to - from)
		if len(ports) == 0 {
			gap.NoPort += size
		}
		for row, d := range t.rows {
			reached := t.Router.SetOf[g] == d.set && len(ports) > 0
			for _, s := range ports {
				_, hops := t.Layer(row, s)
				reached = reached || hops != Far
			}
			if !reached {
				gap.count(size*d.endpoints, from, t.Router.Sets[d.set].First)
			}
		}
	}
	gap.Pairs -= gap.NoPort // each of these and itself
	return gap
}

// tooMany is the error of a network whose tables would not fit.
func tooMany(what string, n, most float64) error {
	return fmt.Errorf("routing: tables with layers take %.3g %s; at most %.3g are allowed", n, what, most)
}
