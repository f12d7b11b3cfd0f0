package traffic

import (
	"context"

	"toposearch/routing"
)

// maxMatched is the number of attachment sets up to which the longest matching is exact.
const maxMatched = routing.MaxMatched

// worst sends every endpoint to its partner in the permutation that is worst for the routes of the options.
func worst(o Options, args []string) (*Pattern, error) {
	if o.Router == nil {
		return longest(o, args)
	}
	to, how, err := o.Router.WorstPermutation(o.context(), routing.OwnCapacity(o.Network))
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
