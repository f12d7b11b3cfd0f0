package simulate

import (
	"fmt"

	"toposearch/internal/memory"
	"toposearch/simcore"
	"toposearch/topology"
)

// RequireMemory refuses, with a *memory.Error, a design whose simulation would take more memory than the
// process may use, before its network is built; bytes is Bytes of the model.
func RequireMemory(d topology.Design, bytes func(simcore.Counts) float64) error {
	var size topology.Size
	if err := d.Family.Size(d.V, &size); err != nil {
		return fmt.Errorf("%s: %w", d, err)
	}
	return memory.Require("a simulation of "+d.String(), bytes(simcore.CountsOfSize(&size)))
}
