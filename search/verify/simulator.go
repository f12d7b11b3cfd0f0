package verify

import (
	"context"

	"toposearch/simcore"
)

// Simulator is a simulated model: loads, and the search for saturation.
type Simulator interface {
	Run(ctx context.Context, load float64) (simcore.Point, error)
	Saturation(ctx context.Context) (simcore.Saturation, error)
	SetMaxMeasure(most int) // the longest window of loads that are simulated from then on
	Spent() int64           // flit-hops of all that was simulated; 0 of a model without flits
}
