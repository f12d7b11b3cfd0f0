package traffic

import (
	"context"

	"toposearch/routing"
)

// maxMatched is the number of attachment sets up to which the longest matching is exact.
const maxMatched = routing.MaxMatched

// worst sends every endpoint to its partner in a matching with the most hops in all.
func worst(o Options, _ []string) (*Pattern, error) {
	ctx := o.Context
	if ctx == nil {
		ctx = context.Background()
	}
	m, err := routing.LongestMatching(ctx, o.Network)
	if err != nil {
		return nil, err
	}
	return &Pattern{n: o.Network.Endpoints(), to: m.To}, nil
}
