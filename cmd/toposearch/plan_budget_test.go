package main

import (
	"strings"
	"testing"

	"toposearch/search/run"
)

// What a budget leaves of the simulations is not said to be all of them.
func TestPlanSimulationsBeyondBudget(t *testing.T) {
	for _, x := range []struct {
		all, left    float64
		want, wanted string
	}{
		{9.1, 2.79, "3 finalists, or one of each family on the front where these are more, will be simulated, for 9.1s in all", "of which the budget leaves time for 2.79s. The time"},
		{9.1, 9.1, "for 9.1s in all", "that is foreseen. The time"},
	} {
		text := simulationText(&run.Plan{Finalists: 3, Run: &run.Estimate{Simulation: x.left, Finalists: x.all}})
		if !strings.Contains(text, x.want) || !strings.Contains(text, x.wanted) {
			t.Errorf("%g of %g s: %q, want %q and %q", x.left, x.all, text, x.want, x.wanted)
		}
	}
}
