package report

import (
	"math"
	"testing"

	"toposearch/search/run"
)

// TestConvergenceText: moments by hand; of those that say nothing, and of fronts without a volume, nothing is said.
func TestConvergenceText(t *testing.T) {
	ms := []run.Moment{{Evaluated: 10, Size: 1, Hypervolume: 0.5, IGDPlus: 0.4, Epsilon: 0.3}, {Evaluated: 15, Size: 2, Hypervolume: 0.95, IGDPlus: 0.02, Epsilon: 0.03}, {Evaluated: 40, Size: 2, Hypervolume: 1}}
	const want = "against the complete front: 90 % of its hypervolume after 15 designs, 99.9 % of its hypervolume after 40 designs; " +
		"after 15 of 40 designs hypervolume 0.9500, IGD+ 0.02, additive epsilon 0.03, in objectives scaled to it"
	d := &Data{Convergence: ms}
	d.Complete = true
	if got := convergenceText(d); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for i := range ms {
		ms[i].Hypervolume = math.NaN()
	}
	if got := convergenceText(d); got != "" {
		t.Errorf("%q of fronts without a volume", got)
	}
	if got := convergenceText(&Data{Convergence: ms[:1]}); got != "" {
		t.Errorf("%q of one moment", got)
	}
}
