package routing

import (
	"context"
	"math/bits"

	"toposearch/topology"
)

// CheckWalks is CheckDeadlock for packets that take any walk that the rule allows, as routings with detours do,
// not only the shortest: whatever leads to a switch in a state waits for all that may leave it. It
// knows no destinations, so it contains the dependencies of every set of routes under the rule; a graph without a
// cycle proves all of them, a cycle need not be one of theirs. Rules whose VCs follow hops have none to check.
func (r *Router) CheckWalks(ctx context.Context) (*DeadlockReport, error) {
	rep := &DeadlockReport{VCs: r.Rule.VCs(), Proven: true, Method: "channel-dependency graph of all walks under the rule"}
	if r.Rule.HopVCs {
		rep.Proven, rep.Method = false, "walks of any length have no VC per hop"
		return rep, nil
	}
	g := newDependencyGraph(r)
	g.layOut(rep.VCs, false)
	for i := range r.Sets {
		for _, p := range r.Sets[i].Ports {
			g.visit(int32(int(p.Switch) * r.states))
		}
	}
	for k := 0; k < len(g.list); k++ {
		if k%(1<<16) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		g.expandAll(int(g.list[k]))
	}
	g.depend()
	rep.ClassVCs = g.classVCs()
	rep.Dependencies = g.count()
	rep.Cycle = g.cycle()
	rep.Acyclic = rep.Cycle == nil
	return rep, nil
}

// expandAll notes all hops out of a node, wherever they lead.
func (g *dependencyGraph) expandAll(x int) {
	r, S := g.r, g.r.states
	sw, state := topology.SwitchID(x/S), x%S
	g.maskAt = append(g.maskAt, int32(len(g.masks)))
	mask := len(g.masks)
	g.masks = append(g.masks, make([]uint64, g.words[sw])...)
	first, end := r.Net.Out(sw)
	for c := first; c < end; c++ {
		at := int(r.kind[c])*S + state
		for m := r.next[at]; m != 0; m &= m - 1 {
			t := bits.TrailingZeros64(m)
			vc := int(r.vc[at*S+t])
			to := int32(int(r.Net.To(c))*S + t)
			g.visit(to)
			g.used[int(c)*g.vcs+vc] = true
			g.next = append(g.next, arc{c, int32(vc), to})
			bit := int(c-first)*g.vcs + vc
			g.masks[mask+bit>>6] |= 1 << (bit & 63)
		}
	}
}
