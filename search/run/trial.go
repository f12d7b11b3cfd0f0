package run

import (
	"context"

	"toposearch/search"
)

// Trial searches all families by one strategy, in memory: no run directory, no explanation, no simulation. The front is the driver's; its
// budget ends the search.
func Trial(ctx context.Context, d *search.Driver, strategy string) (stop string, err error) {
	which, complete := make([]bool, len(d.P.Spaces)), make([]bool, len(d.P.Spaces))
	for i := range which {
		which[i] = d.P.Spaces[i].Size.Sign() > 0
		complete[i] = !which[i]
	}
	d.Begin(search.PhaseSearch, strategy)
	return stage(ctx, d, phase{name: strategy, which: which}, complete, newTrees(d.P), nil)
}
