package objectives

import "math"

// Indicators say how near a front comes to a reference front. All compare vectors whose objectives were scaled to [0, 1] over the
// reference (Scaled), so that they have no unit. Vectors with infinite coordinates are left out.
type Indicators struct {
	// Hypervolume is that of the front as a part of the reference's, measured from 0.1 behind its nadir: 1 is as good.
	Hypervolume float64
	// IGDPlus is the mean distance by which points of the reference are missed (Ishibuchi et al., "Modified distance calculation in
	// generational distance and inverted generational distance", EMO 2015): 0 is as good.
	IGDPlus float64
	// Epsilon is the least number by which the front would have to improve in each objective to cover the reference (Zitzler et al.,
	// "Performance assessment of multiobjective optimizers", IEEE Trans. Evol. Comput. 7(2), 2003): 0 is as good.
	Epsilon float64
	// Factor is the same as a factor, of objectives scaled to [1, 2]: 1 is as good.
	Factor float64
	// Recall is the part of the reference's vectors that the front has exactly.
	Recall float64
}

// Compared sets a front beside a reference, which is not empty. A front without points has an infinite distance and epsilon.
func Compared(front, reference []Vector) Indicators {
	s := Scaled(reference)
	ref, got := s(reference), s(front)
	x := Indicators{Epsilon: math.Inf(-1), Factor: 0}
	if len(ref) == 0 {
		return Indicators{Hypervolume: 1, Factor: 1, Recall: 1}
	}
	const behind = 1.1 // the usual reference point of scaled fronts
	corner := make(Vector, len(ref[0]))
	for i := range corner {
		corner[i] = behind
	}
	x.Hypervolume = Hypervolume(got, corner) / Hypervolume(ref, corner)
	for _, r := range ref {
		least, add, times := math.Inf(1), math.Inf(1), math.Inf(1)
		for _, g := range got {
			square, most, factor := 0.0, math.Inf(-1), 0.0
			for i := range r {
				d := g[i] - r[i]
				square += max(d, 0) * max(d, 0)
				most, factor = max(most, d), max(factor, (1+g[i])/(1+r[i]))
			}
			least, add, times = min(least, square), min(add, most), min(times, factor)
		}
		if add <= 0 {
			x.Recall++
		}
		x.IGDPlus += math.Sqrt(least)
		x.Epsilon, x.Factor = max(x.Epsilon, add), max(x.Factor, times)
	}
	x.IGDPlus /= float64(len(ref))
	x.Recall /= float64(len(ref))
	return x
}

// Scaled gives what scales vectors so that each objective goes from 0 to 1 over a reference; one that is the same all over it keeps its unit.
func Scaled(reference []Vector) func([]Vector) []Vector {
	points := make([]*Point, len(reference))
	for i, v := range reference {
		points[i] = &Point{V: v}
	}
	ideal, nadir := Corners(points)
	return func(vs []Vector) []Vector {
		out := make([]Vector, 0, len(vs))
		for _, v := range vs {
			w, finite := make(Vector, len(v)), true
			for i, x := range v {
				span := nadir[i] - ideal[i]
				if !(span > 0) {
					span = 1
				}
				w[i] = (x - ideal[i]) / span
				finite = finite && !math.IsInf(w[i], 0) && !math.IsNaN(w[i])
			}
			if finite {
				out = append(out, w)
			}
		}
		return out
	}
}
