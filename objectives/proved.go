package objectives

import (
	"math"
	"slices"

	"toposearch/evaluator/metric"
)

// beyondNadir is how far the reference point of Reference lies beyond the worst of the front, as a part of its range: the
// points that are worst in one objective count, too.
const beyondNadir = 0.1

// Reference is the point from which the hypervolume of a front is measured: the worst value of each objective, and a tenth of its
// range beyond, or of the value where all are the same. Where all are 0, it is a tenth. nil without points.
func Reference(front []Vector) Vector {
	points := make([]*Point, len(front))
	for i := range front {
		points[i] = &Point{V: front[i]}
	}
	ideal, ref := Corners(points)
	for i := range ref {
		span := ref[i] - ideal[i]
		if span == 0 {
			span = math.Abs(ref[i])
		}
		if span == 0 {
			span = 1 // any length: all values are 0
		}
		ref[i] += beyondNadir * span
	}
	return ref
}

// Proved is the least part of the hypervolume of the front that is to be found which a front has for certain, where what is not
// known is nowhere better than one of the corners: hypervolume(front) / hypervolume(front and corners), from ref, the
// Reference of both. 1: every corner is dominated or on the front. 0: one is without bound, or the front is empty.
func Proved(front, corners []Vector) (part float64, ref Vector) {
	if len(front) == 0 {
		return 0, nil
	}
	rest := beyond(front, corners)
	ref = Reference(append(slices.Clone(front), rest...))
	return provedOf(front, rest, ref), ref
}

// ProvedFrom is Proved by a reference point that front and corners do not exceed: what is proved of a part of the corners can
// be compared with what is proved of all.
func ProvedFrom(front, corners []Vector, ref Vector) float64 {
	if len(front) == 0 {
		return 0
	}
	return provedOf(front, beyond(front, corners), ref)
}

// beyond are the best of the corners that the front does not reach.
func beyond(front, corners []Vector) []Vector {
	var both Front
	for _, v := range front {
		both.Add(&Point{Name: "front", V: v})
	}
	for _, c := range corners {
		both.Add(&Point{V: c})
	}
	rest := make([]Vector, 0, both.Len())
	for _, p := range both.Points() {
		if p.Name == "" && !slices.ContainsFunc(front, func(v Vector) bool { return slices.Equal(v, p.V) }) {
			rest = append(rest, p.V)
		}
	}
	return rest
}

func provedOf(front, rest []Vector, ref Vector) float64 {
	for _, v := range rest {
		if slices.Contains(v, math.Inf(-1)) {
			return 0
		}
	}
	most := MostPoints(len(ref))
	front, rest = some(front, most), fewer(rest, most)
	return min(1, Hypervolume(front, ref)/Hypervolume(append(slices.Clone(front), rest...), ref))
}

// MostPoints is how many points a hypervolume of so many objectives takes in a tenth of a second, or less (BenchmarkHypervolume).
func MostPoints(objectives int) int {
	switch objectives {
	case 1, 2:
		return 1 << 18
	case 3:
		return 4096
	case 4:
		return 1024
	case 5:
		return 512
	case 6:
		return 256
	case 7, 8:
		return 96
	}
	return 32
}

// some are so many of a front at most, spread over its order by the first objective. What is known of a part of the front holds of the
// whole: the more points there are, the less does a corner add.
func some(front []Vector, most int) []Vector {
	if len(front) <= most {
		return front
	}
	all := slices.SortedFunc(slices.Values(front), slices.Compare)
	out := make([]Vector, most)
	for i := range out {
		out[i] = all[i*len(all)/most]
	}
	return out
}

// fewer replaces neighbours in order by the best of both until there are at most so many.
func fewer(corners []Vector, most int) []Vector {
	for len(corners) > most {
		half := corners[:0]
		for pair := range slices.Chunk(corners, 2) {
			best := slices.Clone(pair[0])
			for i := range best {
				best[i] = min(best[i], pair[len(pair)-1][i])
			}
			half = append(half, best)
		}
		corners = half
	}
	return corners
}

// Least is a value that the cost of an objective never undercuts: metrics of which less is better are not negative, and above
// Enough nothing counts; minus infinity where nothing bounds it.
func (o Objective) Least() float64 {
	switch {
	case o.Better == metric.Lower:
		return 0
	case o.Enough > 0:
		return -o.Enough
	}
	return math.Inf(-1)
}
