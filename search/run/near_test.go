package run

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"toposearch/search"
)

// TestNear: on drawn fronts what is left out is within 2 % of a design that is shown, in every objective, none of those shown but
// finalists and extremes is so near to one before it, and no extreme is left out.
func TestNear(t *testing.T) {
	rng, left := rand.New(rand.NewPCG(1, 2)), 0
	for range 50 {
		f := &search.Front{Objectives: []string{"cost", "latency", "tub"}}
		byName := map[string]*search.Record{}
		for i := range 60 {
			r := search.Record{Design: fmt.Sprint("d", i), Finalist: rng.IntN(20) == 0, Objectives: map[string]float64{}}
			for _, o := range f.Objectives {
				r.Objectives[o] = 1 + 0.01*float64(rng.IntN(12))
			}
			if i > 0 && rng.IntN(20) == 0 {
				r.SameAs = "d0"
			}
			f.Front = append(f.Front, r)
		}
		markNear(f)
		for i := range f.Front {
			byName[f.Front[i].Design] = &f.Front[i]
		}
		for i := range f.Front {
			r := &f.Front[i]
			if r.ShownBy == "" {
				continue
			}
			left++
			by := byName[r.ShownBy]
			if by.ShownBy != "" || by.SameAs != "" || r.Finalist || r.SameAs != "" {
				t.Fatalf("%+v is shown by %+v", r, by)
			}
			for _, o := range f.Objectives {
				x, y := r.Objectives[o], by.Objectives[o]
				if x > 1.0205*y || y > 1.0205*x {
					t.Fatalf("%s: %g is shown by %g", o, x, y)
				}
			}
		}
		for _, o := range f.Objectives {
			for _, sign := range []float64{1, -1} {
				best, shown := -10.0, -10.0
				for i := range f.Front {
					if r := &f.Front[i]; r.SameAs == "" {
						best = max(best, sign*r.Objectives[o])
						if r.ShownBy == "" {
							shown = max(shown, sign*r.Objectives[o])
						}
					}
				}
				if best != shown {
					t.Fatalf("the extreme %g of %s is left out, %g is shown", best, o, shown)
				}
			}
		}
	}
	if left < 500 {
		t.Errorf("%d designs left out", left)
	}
}
