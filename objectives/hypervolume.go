package objectives

import (
	"cmp"
	"slices"
)

// Hypervolume is the exact volume of what the points dominate within the box below ref: larger is
// better. Points that do not dominate ref add nothing. 1 to 3 objectives take O(n log n), O(n log
// n) and O(n^2) by sweeping; more are sliced by the last objective into problems of one less.
func Hypervolume(points []Vector, ref Vector) float64 {
	in := make([]Vector, 0, len(points))
	for _, p := range points {
		if strictlyBelow(p, ref) {
			in = append(in, p)
		}
	}
	return volume(in, ref, len(ref))
}

func strictlyBelow(p, ref Vector) bool {
	for i, x := range p {
		if !(x < ref[i]) {
			return false
		}
	}
	return true
}

// volume is that of the first d objectives.
func volume(pts []Vector, ref Vector, d int) float64 {
	switch {
	case len(pts) == 0 || d == 0:
		return 0
	case d == 1:
		best := ref[0]
		for _, p := range pts {
			best = min(best, p[0])
		}
		return ref[0] - best
	case d == 2:
		s := slices.Clone(pts)
		slices.SortFunc(s, func(a, b Vector) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
		return area(s, ref)
	}
	return sweep(pts, ref, d)
}

// area sweeps points sorted by the first objective: each step down in the second adds a slab.
func area(s []Vector, ref Vector) float64 {
	sum, floor := 0.0, ref[1]
	for _, p := range s {
		if p[1] < floor {
			sum += (ref[0] - p[0]) * (floor - p[1])
			floor = p[1]
		}
	}
	return sum
}

// sweep sweeps along objective d-1: between two values of it, the cross-section is the volume
// of the points so far in one objective less. Those that others dominate in the cross-section
// are dropped as it grows.
func sweep(pts []Vector, ref Vector, d int) float64 {
	s := slices.Clone(pts)
	slices.SortFunc(s, func(a, b Vector) int {
		for i := d - 1; i >= 0; i-- {
			if c := cmp.Compare(a[i], b[i]); c != 0 {
				return c
			}
		}
		return 0
	})
	var section []Vector
	sum, height := 0.0, 0.0
	for i, p := range s {
		var grown bool
		section, grown = addToSection(section, p, d-1)
		top := ref[d-1]
		if i+1 < len(s) {
			top = s[i+1][d-1]
		}
		if grown {
			if d == 3 {
				height = area(section, ref)
			} else {
				height = volume(section, ref, d-1)
			}
		}
		sum += height * (top - p[d-1])
	}
	return sum
}

// addToSection keeps the points that are non-dominated in the first d objectives, ordered by the
// first two; it reports whether p changed anything.
func addToSection(section []Vector, p Vector, d int) ([]Vector, bool) {
	for _, q := range section {
		if noWorse(q[:d], p[:d]) {
			return section, false
		}
	}
	section = slices.DeleteFunc(section, func(q Vector) bool { return noWorse(p[:d], q[:d]) })
	at, _ := slices.BinarySearchFunc(section, p, func(a, b Vector) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
	return slices.Insert(section, at, p), true
}
