package evolve

import (
	"errors"
	"testing"

	"toposearch/internal/crew"
	"toposearch/objectives"
)

// TestPanicInGeneration: eaopt runs a generation on a goroutine of its own; a panic there is an error.
func TestPanicInGeneration(t *testing.T) {
	lo, hi := box01(2)
	n := 0
	r := realProblem{lo: lo, hi: hi, f: func(x []float64) (objectives.Vector, float64) {
		if n++; n > 250 { // in the second generation of children
			panic("a fault of the score")
		}
		return objectives.Vector{x[0], x[1]}, 0
	}}
	var p *crew.Panic
	if _, err := r.evolve(1, new(objectives.Front)); !errors.As(err, &p) || p.Value != "a fault of the score" {
		t.Errorf("%v", err)
	}
}
