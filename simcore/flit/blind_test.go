package flit

import (
	"reflect"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore"
)

// sighted is a grid of which the engine does not know that it never asks what waits.
type sighted struct{ *grid }

func (sighted) Blind() bool { return false }

// Whether the heads routed in a step are kept apart makes no difference to a routing that does not see them.
func TestBlind(t *testing.T) {
	racing.Figures(t)
	g := newGrid(t, 4, true)
	for _, speedup := range []float64{1, 1.5, 2} {
		var counts [2]Counts
		for i, r := range []simcore.Routing{g, sighted{g}} {
			cfg := DefaultConfig()
			cfg.InternalSpeedup = speedup
			s, err := New(g.n, r, uniform{16}, cfg)
			if err != nil {
				t.Fatal(err)
			}
			if !s.lean || s.blind != (i == 0) {
				t.Fatalf("speedup %g: lean %v, blind %v", speedup, s.lean, s.blind)
			}
			s.Reset(0.5, 1)
			s.Step(1000)
			counts[i] = s.Counts()
		}
		if !reflect.DeepEqual(counts[0], counts[1]) {
			t.Errorf("speedup %g: %+v, and %+v where the heads are kept apart", speedup, counts[0], counts[1])
		}
	}
}
