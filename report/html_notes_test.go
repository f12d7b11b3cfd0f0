package report

import (
	"slices"
	"testing"
)

// TestNotesOfTraffics: of a simulation of which one traffic does not agree, the notes of that one alone are marked so.
func TestNotesOfTraffics(t *testing.T) {
	pt := &Point{Sim: &Sim{Differs: []string{"worst"}, Notes: []string{"uniform: expected to saturate at load 0.25", "worst: saturates at load 0.3"}}}
	labels := func() (out []string) {
		for _, n := range detailNotes(&Detail{}, pt) {
			out = append(out, n.Class+" "+n.Label)
		}
		return out
	}
	if got := labels(); !slices.Equal(got, []string{" Simulation", "warn Differs"}) {
		t.Errorf("labels %q", got)
	}
	pt.Sim.Differs = nil // of a run that does not say which
	if got := labels(); !slices.Equal(got, []string{"warn Differs", "warn Differs"}) {
		t.Errorf("labels %q where it is not known which traffic differs", got)
	}
}
