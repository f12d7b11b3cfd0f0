package run

import (
	"math"

	"toposearch/search"
)

// nearRatio is what people who choose a network tell apart: prices are negotiated by more than 2 %, and models and simulations
// agree no better.
const nearRatio = 0.02

// markNear names for each point of the front that is within nearRatio of one shown in every objective the first such: what people are shown
// is thinned by it. Finalists and what is best or worst in an objective are always shown; after them points are in the order of the front.
func markNear(f *search.Front) {
	var shown []int
	keep := make([]bool, len(f.Front))
	point := func(i int) bool { return f.Front[i].SameAs == "" }
	for _, name := range f.Objectives {
		least, most := -1, -1
		for i := range f.Front {
			x, ok := f.Front[i].Objectives[name]
			if !ok || !point(i) {
				continue
			}
			if least < 0 || x < f.Front[least].Objectives[name] {
				least = i
			}
			if most < 0 || x > f.Front[most].Objectives[name] {
				most = i
			}
		}
		for _, i := range []int{least, most} {
			if i >= 0 {
				keep[i] = true
			}
		}
	}
	for i := range f.Front {
		f.Front[i].ShownBy = ""
		if keep[i] = (keep[i] || f.Front[i].Finalist) && point(i); keep[i] {
			shown = append(shown, i)
		}
	}
	for i := range f.Front {
		if keep[i] || !point(i) {
			continue
		}
		for _, j := range shown {
			if alike(f.Objectives, &f.Front[i], &f.Front[j]) {
				f.Front[i].ShownBy = f.Front[j].Design
				break
			}
		}
		if f.Front[i].ShownBy == "" {
			shown = append(shown, i)
		}
	}
}

// alike tells whether two designs cannot be told apart in any objective.
func alike(names []string, a, b *search.Record) bool {
	for _, name := range names {
		x, known := a.Objectives[name]
		y, ok := b.Objectives[name]
		if !known || !ok || !(math.Abs(x-y) <= nearRatio*max(math.Abs(x), math.Abs(y))) {
			return false
		}
	}
	return true
}
