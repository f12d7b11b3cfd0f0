package simulate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"toposearch/internal/crew"
	"toposearch/routing"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
	"toposearch/topology"
)

// Choice is what is run on a network: a routing and a traffic by their names.
type Choice struct {
	Routing, Traffic string
	VCs              int // 0: as many as the routing needs, at least Want
	Want             int
	Workers          int    // that compile the routing; 0: one for each core
	Seed             uint64 // of random traffic
	Tuning           route.Tuning
}

// RouteOptions are what routings need to know of a design and its network.
func (c *Choice) RouteOptions(d topology.Design, n *topology.Network) route.Options {
	opt := route.Options{VCs: c.VCs, Want: c.Want, Workers: c.Workers, Tuning: c.Tuning}
	if d.Family.Natural != nil {
		opt.Natural = d.Family.Natural(d.V)
	}
	if d.Family.Place != nil {
		opt.Blocks = routing.BlocksOf(n, d.Family.Place(d.V))
	}
	return opt
}

// Build makes the routing and the traffic. The error joins what is wrong with either.
func (c *Choice) Build(ctx context.Context, d topology.Design, n *topology.Network) (*route.Native, *traffic.Pattern, error) {
	defer crew.Doing(func() string { return fmt.Sprintf("making routing %s and traffic %s for %s", c.Routing, c.Traffic, d) })
	t, trafficErr := c.MakeTraffic(ctx, d, n)
	r, routingErr := route.ByName(ctx, c.Routing, n, c.RouteOptions(d, n))
	return r, t, errors.Join(routingErr, trafficErr)
}

// MakeTraffic makes the traffic alone.
func (c *Choice) MakeTraffic(ctx context.Context, d topology.Design, n *topology.Network) (*traffic.Pattern, error) {
	o := traffic.For(d, n)
	o.Seed, o.Context = c.Seed, ctx
	if strings.Contains(c.Traffic, "worst") { // alone or among mixed ones
		tables, err := route.LayeredFor(ctx, c.Routing, n)
		if tables != nil {
			o.Router = tables
		} else if err == nil {
			o.Router, err = route.RoutesOf(c.Routing, n, c.RouteOptions(d, n).Natural)
		}
		if err != nil {
			return nil, err
		}
	}
	return traffic.ByName(c.Traffic, o)
}
