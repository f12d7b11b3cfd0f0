package routing

import (
	"context"
	"fmt"
	"math/bits"

	"toposearch/topology"
)

// Escape is routing that chooses freely among all shortest paths on channels (VCs) of its own, and at every switch may
// go over to escape channels, which follow another rule (Duato, "A New Theory of Deadlock-Free Adaptive Routing in
// Wormhole Networks", IEEE TPDS 4(12), 1993). It is free of deadlock if from wherever a packet can be the escape
// channels lead on, and their extended dependency graph has no cycle: an escape channel waits for those that
// packets take next (direct dependencies), and for those that they take after adaptive channels in between (indirect
// ones). Escape channels are never taken adaptively, so there are no cross dependencies (Duato, IEEE TPDS 6(10), 1995).
//
// The theorem supposes that a buffer holds one packet at a time, or whole packets: a header behind the tail of another
// packet cannot ask for its escape channel.
type Escape struct {
	Adaptive *Router // all shortest paths
	Channels *Router // of the escape channels, started anew wherever a packet goes over to them
	// Back: packets may leave escape channels for adaptive ones. That takes escape routes that are shortest paths, so
	// that no packet goes on for ever, and a graph that stays without cycles. Otherwise a packet stays on escape
	// channels (Silla, Duato, "High-Performance Routing in Networks of Workstations with Irregular Topology", IEEE TPDS
	// 11(7), 2000), and there are no indirect dependencies.
	Back   bool
	Report *DeadlockReport // of the escape channels; ClassVCs are those and one adaptive VC
}

// mostEscapeVertices is the number of escape channels (channels times VCs) up to which the graph, a bit for each pair
// of them, is made: 200 MB.
const mostEscapeVertices = 40_000

// NewEscape makes the routing over a network with a natural rule, on whose routes packets escape if it names its VCs and
// leads on from everywhere; elsewhere they escape on up*/down* routes. An error says why neither is proven.
func NewEscape(ctx context.Context, n *topology.Network, natural topology.Rule) (*Escape, error) {
	adaptive, err := New(n, topology.Minimal())
	if err != nil {
		return nil, err
	}
	why := "its natural rule has a VC per hop"
	if natural.States > 0 && !natural.HopVCs {
		r, err := New(n, natural)
		if err != nil {
			return nil, err
		}
		var e *Escape
		if e, why, err = proveEscape(ctx, adaptive, r); e != nil || err != nil {
			return e, err
		}
	}
	r, err := UpDown(n)
	if err != nil {
		return nil, fmt.Errorf("routing: %s has no escape channels: %s, and %w", n.Design, why, err)
	}
	e, why, err := proveEscape(ctx, adaptive, r)
	if e == nil && err == nil {
		err = fmt.Errorf("routing: %s has no escape channels on up*/down* routes: %s", n.Design, why)
	}
	return e, err
}

// proveEscape tries to let packets come back, then without; nil: neither is proven, with the reason.
func proveEscape(ctx context.Context, adaptive, channels *Router) (*Escape, string, error) {
	why := ""
	for _, back := range []bool{true, false} {
		e := &Escape{Adaptive: adaptive, Channels: channels, Back: back}
		var err error
		if why, err = e.prove(ctx); err != nil || why == "" {
			return e, "", err
		}
	}
	return nil, why, nil
}

// VCs is the number of escape VCs; adaptive ones come on top.
func (e *Escape) VCs() int { return e.Channels.Rule.VCs() }

// prove builds the extended dependency graph; the answer is why the routing is not proven, "" if it is.
func (e *Escape) prove(ctx context.Context) (string, error) {
	n := e.Channels.Net
	vertices := n.Channels() * e.VCs()
	if vertices > mostEscapeVertices {
		return fmt.Sprintf("%d escape channels are more than the %d that are checked", vertices, mostEscapeVertices), nil
	}
	g := newEscapeGraph(e.Adaptive, e.Channels, e.Back)
	for set := range e.Channels.Sets {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		if why := g.collect(set); why != "" {
			return why, nil
		}
	}
	cycle := dependencies(n, g.vcs, findCycle(vertices, g.after))
	rep := &DeadlockReport{Acyclic: cycle == nil, Proven: true, VCs: g.vcs + 1, Cycle: cycle}
	rep.Method = fmt.Sprintf("Duato's condition: extended dependency graph of the escape channels (%s)", e.Channels.Rule.Name)
	if !e.Back {
		rep.Method += ", on which packets stay"
	}
	for v, used := range g.used {
		if used {
			k := n.LinkClass(topology.ChannelID(v / g.vcs))
			rep.ClassVCs[k] = max(rep.ClassVCs[k], v%g.vcs+2)
		}
	}
	for _, word := range g.rows {
		rep.Dependencies += int64(bits.OnesCount64(word))
	}
	e.Report = rep
	if cycle != nil {
		return rep.Words(n), nil
	}
	return "", nil
}
