package run

import (
	"math"

	"toposearch/objectives"
	"toposearch/search"
)

// nearRatio is what people who choose a network tell apart: prices are negotiated by more than 2 %, and models and simulations
// agree no better.
const nearRatio = 0.02

// markNear names for each point of the front that is within nearRatio of one shown in every objective the first such: what people are shown
// is thinned by it. Finalists and what is best or worst in an objective are always shown; after them points are in the order of the front.
func markNear(f *search.Front) {
	var at []int // records that are points
	var points [][]float64
	var keep []bool
	for i := range f.Front {
		r := &f.Front[i]
		if r.ShownBy = ""; r.SameAs != "" {
			continue
		}
		v := make([]float64, len(f.Objectives))
		for k, name := range f.Objectives {
			if x, ok := r.Objectives[name]; ok {
				v[k] = x
			} else {
				v[k] = math.NaN()
			}
		}
		at, points, keep = append(at, i), append(points, v), append(keep, r.Finalist)
	}
	for k := range f.Objectives {
		if least, most := objectives.Extremes(points, k); least >= 0 {
			keep[least], keep[most] = true, true
		}
	}
	for i, by := range objectives.Near(points, keep, nearRatio) {
		if by != i {
			f.Front[at[i]].ShownBy = f.Front[at[by]].Design
		}
	}
}
