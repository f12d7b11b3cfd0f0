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
	// Flows, of routings that keep each flow on one path by a hash or by tables: what flows get at full load if they share what they meet on max-min
	// fairly, as a part of what they offer; on the mean, and the one that gets least. Throughput is then of these paths.
	Flows *traffic.Shares `json:"flows,omitempty"`
}

// hashes tells whether a routing gives each flow one path, by a hash.
func hashes(routing string) bool { return strings.Contains(routing, "hash") }

// Carried computes what the network, with the rates that it is simulated with, carries of a traffic; nil for routings that make
// detours or choose by queues, whose loads these are not.
func (c *Choice) Carried(ctx context.Context, d topology.Design, n *topology.Network, t simcore.Traffic) (*Carried, error) {
	p, ok := t.(*traffic.Pattern)
	direct, err := route.IsDirect(c.Routing)
	if ok && err == nil && (direct && hashes(c.Routing) || route.HasTables(c.Routing)) {
		return c.hashed(ctx, d, n, p)
	}
	if !ok || err != nil || !direct || strings.Contains(c.Routing, "+") || route.Escapes(c.Routing) {
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

// hashed follows the flows of a traffic over the paths that a hash or tables give them.
func (c *Choice) hashed(ctx context.Context, d topology.Design, n *topology.Network, p *traffic.Pattern) (*Carried, error) {
	r, err := route.ByName(ctx, c.Routing, n, c.RouteOptions(d, n))
	if err != nil || !r.Follows() {
		return nil, err
	}
	h, err := p.Hashed(ctx, n, r.Follow)
	if err != nil {
		return nil, nil // too many to follow: nothing is said
	}
	h.Hash = r.KeepsFlows()
	return &Carried{h.First, h.By, &h.Shares}, nil
}
