package routing

import (
	"context"

	"toposearch/topology"
)

// Leg is part of a packet's way: by the shortest legal routes, from where it starts to one of the
// targets.
type Leg struct {
	// Starts are the switches at which it can start besides those ports of endpoints that are nearest
	// to the target.
	Starts  []topology.SwitchID
	Targets [][]Port
}

// LegVCs is the number of VCs that a leg uses on the links of each class.
func (r *Router) LegVCs(ctx context.Context, leg Leg) ([topology.MaxClasses]int, error) {
	g := r.legGraph(leg)
	g.ordered = true
	most := r.mostVCs()
	for k, target := range leg.Targets {
		if err := ctx.Err(); err != nil {
			return most, err
		}
		// Packets to more destinations can add no VC to those that the rule knows; counting is as
		// much work as collecting, so it is done ever less often.
		if k&(k-1) == 0 && g.classVCs() == most {
			break
		}
		g.collect(g.runTo(target))
	}
	return g.classVCs(), nil
}

// LegCycle gives a cycle of the dependencies between packets on a leg, nil if there is none. With
// Rule.HopVCs there is none, and dependencies are not collected.
func (r *Router) LegCycle(ctx context.Context, leg Leg) ([]Dependency, error) {
	if r.Rule.HopVCs {
		return nil, nil
	}
	g := r.legGraph(leg)
	for _, target := range leg.Targets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		g.collect(g.runTo(target))
	}
	return g.cycle(), nil
}

func (r *Router) legGraph(leg Leg) *dependencyGraph {
	g := newDependencyGraph(r)
	g.full = true
	g.layOut(r.Rule.VCs(), false)
	g.starts = leg.Starts
	return g
}

// mostVCs is the number of VCs that the rule has on the links of each class.
func (r *Router) mostVCs() (most [topology.MaxClasses]int) {
	r.eachStep(func(kind, _, _, vc int) {
		c := r.Kinds[kind].Link
		most[c] = max(most[c], vc+1)
	})
	return most
}

// FirstVCs is the number of VCs on which the rule lets a packet take its first hop.
func (r *Router) FirstVCs() int {
	n := 1
	r.eachStep(func(_, s, _, vc int) {
		if s == 0 {
			n = max(n, vc+1)
		}
	})
	return n
}
