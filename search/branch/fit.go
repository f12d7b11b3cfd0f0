package branch

import "toposearch/topology"

// Bounds on the work for one family: random dives to begin with, and boxes visited at last. With the moves of
// climb, a second at most.
const (
	fitDives = 2000
	fitBoxes = 100_000
)

// BestFit is FindFit with the share of uniform traffic lowered by halves until the family has a design.
func BestFit(f *topology.Family, want Wanted) Fit {
	least := want.Uniform / 8
	for {
		best := FindFit(f, want)
		if best.V != nil || want.Uniform == 0 {
			return best
		}
		if want.Uniform /= 2; want.Uniform < least {
			want.Uniform = 0
		}
	}
}

// FindFit searches a family by random dives into the box of all parameters, by moves from the best of these,
// and by branch and bound over the whole space as far as the work allows. Only sizes are asked for.
func FindFit(f *topology.Family, want Wanted) Fit {
	x := newFitter(f, want)
	if len(x.free) > 2 {
		for range fitDives {
			x.all()
			x.dive()
		}
		x.climb()
	}
	x.work = fitBoxes
	if len(x.free) == 0 { // one design
		x.all()
		x.keep()
		x.offer(x.lo)
	} else {
		x.walk(x.root())
	}
	x.best.Complete = x.work > 0
	return x.best
}
