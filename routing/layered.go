package routing

import (
	"context"
	"fmt"
	"math"

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

// LASH makes tables with a destination for each set of endpoints, and puts each pair of a switch and a set into the
// first layer whose dependencies stay without a cycle (layered shortest path routing; Skeie, Lysne, Theiss, IPDPS
// 2002). The error wraps ErrLayers if more than MaxLayers would be needed.
func LASH(ctx context.Context, n *topology.Network) (*Layered, error) {
	t, err := newTables(ctx, n, false)
	if err != nil {
		return nil, err
	}
	return t, t.firstFit(ctx)
}

// DFSSSP makes tables with a destination for each endpoint, puts all paths into one layer and, as long as there is
// a cycle of dependencies, moves the paths that make the dependency of it with the fewest of them to the next layer
// (deadlock-free single-source shortest path; Domke, Hoefler, Nagel, "Deadlock-Free Oblivious Routing for
// Arbitrary Topologies", IPDPS 2011, with its heuristic of the weakest edge). The error wraps ErrLayers if more than
// MaxLayers would be needed.
func DFSSSP(ctx context.Context, n *topology.Network) (*Layered, error) {
	t, err := newTables(ctx, n, true)
	if err != nil {
		return nil, err
	}
	return t, t.breakCycles(ctx)
}

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

// Layer is the layer of packets that enter at a switch; ok is false where none does, since another port of the
// source is nearer, or there is no route.
func (t *Layered) Layer(row int, s topology.SwitchID) (layer uint8, ok bool) {
	i := t.srcAt[s]
	if i < 0 {
		return 0, false
	}
	layer = t.layer[row*len(t.srcs)+int(i)]
	return layer, layer != noLayer
}

// LayeredBytes predicts the memory of the tables and of what their layers take, of a network with so many
// destinations (endpoints, or sets of them under LASH), switches and switches with endpoints.
func LayeredBytes(destinations, switches, sources float64) float64 {
	return destinations * (2*switches + sources)
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
				_, ok := t.Layer(row, s)
				reached = reached || ok
			}
			if !reached {
				gap.count(size*d.endpoints, from, t.Router.Sets[d.set].First)
			}
		}
	}
	return gap
}

// tooMany is the error of a network whose tables would not fit.
func tooMany(what string, n, most float64) error {
	return fmt.Errorf("routing: tables with layers take %.3g %s; at most %.3g are allowed", n, what, most)
}
