package simulate

import (
	"context"
	"strings"

	"toposearch/simcore"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
	"toposearch/topology"
)

// Carried is what channels and endpoints carry of a traffic, beside its simulated saturation load.
type Carried struct {
	// Throughput is the load, of the bandwidth of an endpoint, at which a channel of the direct routes, split evenly, or an endpoint
	// is asked more than it carries.
	Throughput float64 `json:"throughput"`
	LimitedBy  string  `json:"limited_by"`
}

// Carried computes what the network, with the rates that it is simulated with, carries of a traffic; nil for routings that make
// detours, take one of several paths for each pair or choose by queues, whose loads these are not.
func (c *Choice) Carried(ctx context.Context, d topology.Design, n *topology.Network, t simcore.Traffic) (*Carried, error) {
	p, ok := t.(*traffic.Pattern)
	direct, err := route.IsDirect(c.Routing)
	if !ok || err != nil || !direct || strings.Contains(c.Routing, "+") || route.HasTables(c.Routing) || route.Escapes(c.Routing) {
		return nil, err
	}
	r, err := route.RouterFor(c.Routing, n, c.RouteOptions(d, n).Natural)
	if err != nil {
		return nil, err
	}
	l, err := p.Load(ctx, r, max(1, c.Workers))
	if err != nil {
		return nil, err
	}
	x := new(Carried)
	x.Throughput, x.LimitedBy = l.Throughput(n)
	return x, nil
}
