package placed

import (
	"slices"

	"toposearch/routing"
)

// linkLoad is what a link carries if no packet makes a detour, and what it does of legs: what each switch sends to all others, in all as much as it sends to each of
// them, and receives from all others. Of m switches each message has m-2 ways, so that of detours it carries (legs - 2 direct) / (m-2).
type linkLoad struct{ direct, legs float64 }

// busiest are those that may be the busiest for some share of detours: of links alike one, and none that carries less of both than another.
type busiest []linkLoad

func (w busiest) add(x linkLoad) busiest {
	if w.covers(x) {
		return w
	}
	w = slices.DeleteFunc(w, x.most)
	return append(w, x)
}

// covers tells whether one carries as much as x of both.
func (w busiest) covers(x linkLoad) bool {
	for _, o := range w {
		if o.most(x) {
			return true
		}
	}
	return false
}

// most tells whether o carries as much of both as x, or more.
func (o linkLoad) most(x linkLoad) bool {
	return o.direct >= x.direct && o.legs-2*o.direct >= x.legs-2*x.direct
}

// split is how many packets had best make the detours of BySwitches, by way of one of so many switches; carry is that of the links of each level.
func split(levels []busiest, carry []float64, switches int) routing.Split {
	var direct, detours []float64
	for d, list := range levels {
		for _, w := range list {
			x := w.direct / carry[d]
			direct, detours = append(direct, x), append(detours, (w.legs/carry[d]-2*x)/float64(switches-2))
		}
	}
	return routing.BestSplit(direct, detours)
}
