package simtest

import (
	"context"
	"slices"
	"testing"

	"toposearch/simcore"
	"toposearch/simcore/route"
	"toposearch/topology"
)

// Failing has parts of a network fail, and tables of a routing follow after a time (route.Never: they do not).
func Failing(t testing.TB, n *topology.Network, rule topology.Rule, routing string, vcs int, repair int64, list []route.Outage) simcore.FailurePlan {
	t.Helper()
	return FailingPlan(t, n, rule, routing, vcs, repair, list).Stages
}

// FailingPlan is Failing with the network to be simulated and what tables know.
func FailingPlan(t testing.TB, n *topology.Network, rule topology.Rule, routing string, vcs int, repair int64, list []route.Outage) *route.Plan {
	t.Helper()
	x := route.Outages{List: list, Repair: repair}
	const cycles = 1 << 40 // of a window, longer than any
	p, err := x.Plan(context.Background(), routing, n, cycles, func(*topology.Network) route.Options {
		return route.Options{Natural: rule, VCs: vcs, Workers: 2}
	}, nil)
	if err != nil {
		t.Fatalf("%s: %v", n.Design, err)
	}
	return p
}

// During has something fail and return.
func During(f topology.Failures, from, until int64) route.Outage {
	return route.Outage{Failures: f, From: from, Until: until}
}

// Down is a switch that fails.
func Down(sw topology.SwitchID) topology.Failures {
	return topology.Failures{Switches: []topology.SwitchID{sw}}
}

// Link is a link between two switches that fails.
func Link(n *topology.Network, a, b topology.SwitchID) topology.Failures {
	first, _ := n.Out(a)
	return topology.Failures{Links: []topology.ChannelID{first + topology.ChannelID(slices.Index(n.Neighbors(a), b))}}
}

// Port is the first port of an endpoint, which fails.
func Port(n *topology.Network, e topology.EndpointID) topology.Failures {
	_, _, ports := n.Group(n.GroupOf(e))
	return topology.Failures{Ports: []topology.PortFailure{{Endpoint: e, Switch: ports[0]}}}
}

// Stream is the traffic of one source to one destination.
type Stream struct{ Src, Dst topology.EndpointID }

// Name is of no use to --traffic.
func (Stream) Name() string { return "stream" }

// Dest is Dst for Src.
func (x Stream) Dest(src topology.EndpointID, _ *simcore.Rand) topology.EndpointID {
	if src == x.Src {
		return x.Dst
	}
	return -1
}
