package simulate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"toposearch/simcore"
	"toposearch/simcore/route"
	"toposearch/topology"
)

// Outages are parts of a network that fail and return while it is simulated, with the routings for what is left.
type Outages struct {
	route.Outages
	How  News // Repair is NewsNs of it; "": it is given
	net  *topology.Network
	plan *route.Plan
	gaps map[*route.Left]int64 // pairs to which tables have no route
	// shortest: after some failure the routing follows all shortest paths, as Failed.Shortest says
	shortest bool
}

// News says how sources learn of a failure.
type News string

// The two of UB-Mesh (arXiv:2503.20377, section 4.2): the switch that sees it tells the sources concerned, or every switch its neighbours.
const (
	DirectNews   News = "direct"
	HopByHopNews News = "hop_by_hop"
)

// Plan makes the routings of a choice for a window of some cycles, and gives that of the whole network, the plan, and the network
// to be simulated, where endpoints that move have a port to their spare. A
// failure that the routing cannot be repaired after is an UnfitError.
func (x *Outages) Plan(ctx context.Context, c *Choice, d topology.Design, n *topology.Network, cycles int64) (*route.Native, simcore.FailurePlan, *topology.Network, error) {
	x.net, x.gaps, x.shortest = n, map[*route.Left]int64{}, false
	var err error
	x.plan, err = x.Outages.Plan(ctx, c.Routing, n, cycles, func(left *topology.Network) route.Options { return c.RouteOptions(d, left) }, func(l *route.Left) error {
		var found Failed
		err := found.CheckRouting(ctx, l.Network, l.Routing.Native, l.Options)
		x.shortest = x.shortest || found.Shortest
		if found.Unreachable != nil {
			x.gaps[l] = found.Unreachable.Pairs
		}
		var unfit *UnfitError
		if names := namesOf(n, &l.Known); errors.As(err, &unfit) && len(names) > 0 {
			unfit.Why = fmt.Sprintf("after the failure of %s%s: %s", names[0], more(len(names)-1), unfit.Why)
		}
		return err
	})
	if err != nil {
		return nil, nil, nil, err
	}
	return x.plan.Left[0].Routing.Native, x.plan.Stages, x.plan.Network, nil
}

func more(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

// Describe fills the names and the pairs without a route into a report of a run of the plan.
func (x *Outages) Describe(r *simcore.FailureReport) {
	if x == nil || r == nil {
		return
	}
	for i := range r.Phases {
		p := &r.Phases[i]
		known := x.plan.Known[p.Stage]
		p.Down, p.Known, p.UnreachablePairs = namesOf(x.net, &x.plan.Stages[p.Stage].Down), namesOf(x.net, &known.Known), x.gaps[known]
		p.Moved = movedNames(x.net, known.Moved)
		p.Stale = !slices.Equal(p.Down, p.Known)
	}
}

// Config adds what the document's configuration says of outages.
func (x *Outages) Config(m map[string]any) {
	var list []map[string]any
	for _, o := range x.List {
		e := map[string]any{"what": namesOf(x.net, &o.Failures), "at": o.From}
		if o.Until < route.Never {
			e["until"] = o.Until
		}
		list = append(list, e)
	}
	m["outages"], m["tables_discard"], m["reroute_after"] = list, x.plan.Discards(), nil
	if x.Repair < route.Never {
		m["reroute_after"] = x.Repair
	}
	if x.shortest {
		m["reroute_by_shortest_paths"] = true
	}
	if x.How != "" {
		m["reroute_news"] = x.How
	}
}
