package run

import (
	"toposearch/objectives"
	"toposearch/topology"
)

// Moment says how near the front of a moment of a search came to that of its end.
type Moment struct {
	Evaluated   int64   `json:"evaluated"` // designs until then
	Size        int     `json:"front"`
	Hypervolume float64 `json:"hypervolume"` // a part of that of the last front
	IGDPlus     float64 `json:"igd_plus"`    // in objectives scaled to that front
	Epsilon     float64 `json:"epsilon"`     // additive, in the same
}

// comparedMost bounds the pairs of vectors that a moment takes: some ten milliseconds.
const comparedMost = 1 << 20

// Convergence sets the fronts of a run's moments, as its journal has them, beside the last, which is no other than the complete one where the run has
// found that. Nothing is evaluated. It is nil where the front is empty, or so large for so many objectives that comparing takes long. families are as in
// study.Load.
func Convergence(dir string, families ...*topology.Family) ([]Moment, error) {
	w, err := NewWatch(dir, families...)
	if err != nil {
		return nil, err
	}
	if _, err := w.Poll(); err != nil {
		return nil, err
	}
	return momentsOf(w.Growth, len(w.problem.Objectives)), nil
}

func momentsOf(all []Grown, dims int) []Moment {
	if len(all) == 0 {
		return nil
	}
	last := all[len(all)-1].vectors
	most := objectives.MostPoints(dims)
	if len(last) == 0 || len(last) > most || len(last)*len(last) > comparedMost {
		return nil // also of more than 1,024 designs, where the last moment itself could not be compared
	}
	var out []Moment
	for _, g := range all {
		if len(g.vectors) > most || len(g.vectors)*len(last) > comparedMost || len(g.vectors) == 0 {
			continue
		}
		x := objectives.Compared(g.vectors, last)
		out = append(out, Moment{g.Evaluated, g.Size, x.Hypervolume, x.IGDPlus, x.Epsilon})
	}
	return out
}
