package traffic

import (
	"context"
	"errors"

	"toposearch/routing"
	"toposearch/topology"
)

// maxMatched is the number of attachment sets up to which the longest matching is exact.
const maxMatched = routing.MaxMatched

// worst sends every endpoint to its partner in the permutation that is worst for the routes of the options; where these do not lead from everywhere to everywhere, since a rule cannot avoid what has failed,
// for shortest paths of what is left.
func worst(o Options, args []string) (*Pattern, error) {
	if o.Router == nil {
		return longest(o, args)
	}
	to, how, err := o.Router.WorstPermutation(o.context(), routing.OwnCapacity(o.Network))
	if none := (*routing.NoRouteError)(nil); errors.As(err, &none) {
		var r *routing.Router
		if r, err = routing.New(o.Network, topology.Minimal()); err == nil {
			to, how, err = r.WorstPermutation(o.context(), routing.OwnCapacity(o.Network))
			how += ", over shortest paths, since its own routes do not lead everywhere"
		}
	}
	return &Pattern{n: o.Network.Endpoints(), to: to, how: how}, err
}

// longest sends every endpoint to its partner in a matching with the most hops in all.
func longest(o Options, _ []string) (*Pattern, error) {
	m, err := routing.LongestMatching(o.context(), o.Network)
	if err != nil {
		return nil, err
	}
	return &Pattern{n: o.Network.Endpoints(), to: m.To, how: m.Method}, nil
}

func (o *Options) context() context.Context {
	if o.Context == nil {
		return context.Background()
	}
	return o.Context
}
