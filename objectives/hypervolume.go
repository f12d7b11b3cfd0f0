package objectives

import (
	"cmp"
	"slices"
)

// Hypervolume is the exact volume of what the points dominate within the box below ref: larger is
// better. Points that do not dominate ref add nothing. 1 to 3 objectives take O(n log n), O(n log
// n) and O(n^2) by sweeping; more are the sum of what each point adds to those after it (While,
// Bradstreet, Barone: A Fast Way of Calculating Exact Hypervolumes, IEEE Transactions on
// Evolutionary Computation 16(1), 2012), which grows exponentially with the objectives.
func Hypervolume(points []Vector, ref Vector) float64 {
	in := make([]Vector, 0, len(points))
	for _, p := range points {
		if strictlyBelow(p, ref) {
			in = append(in, p)
		}
	}
	return new(exclusive).volume(in, ref, len(ref), 0)
}

func strictlyBelow(p, ref Vector) bool {
	for i, x := range p {
		if !(x < ref[i]) {
			return false
		}
	}
	return true
}

// exclusive sums the volumes that points have for themselves; level by level, it keeps the room for the points of one.
type exclusive [][]Vector

// volume is that of the first d objectives.
func (x *exclusive) volume(pts []Vector, ref Vector, d, level int) float64 {
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
	case d == 3:
		return sweep(pts, ref)
	}
	s := slices.Clone(pts)
	slices.SortFunc(s, func(a, b Vector) int {
		for i := d - 1; i >= 0; i-- {
			if c := cmp.Compare(b[i], a[i]); c != 0 {
				return c
			}
		}
		return 0
	})
	// All that come after a point are no worse in the last objective: what is its own has one height over a part of one
	// objective less, the box of the point without what the others share with it.
	sum := 0.0
	for i, p := range s {
		box := 1.0
		for k := range d - 1 {
			box *= ref[k] - p[k]
		}
		shared := x.shared(p, s[i+1:], d-1, level)
		sum += (ref[d-1] - p[d-1]) * (box - x.volume(shared, ref, d-1, level+1))
	}
	return sum
}

// shared are the best corners of the boxes that p shares with others, in d objectives.
func (x *exclusive) shared(p Vector, others []Vector, d, level int) []Vector {
	if len(*x) == level {
		*x = append(*x, nil)
	}
	room, n := (*x)[level], 0
	for _, q := range others {
		if n == len(room) {
			room = append(room, make(Vector, d))
		}
		c := room[n]
		for k := range c {
			c[k] = max(p[k], q[k])
		}
		if slices.ContainsFunc(room[:n], func(o Vector) bool { return noWorse(o, c) }) {
			continue
		}
		kept := 0
		for i := range n {
			if !noWorse(c, room[i]) {
				room[kept], room[i] = room[i], room[kept]
				kept++
			}
		}
		room[kept], room[n] = c, room[kept]
		n = kept + 1
	}
	(*x)[level] = room
	return room[:n]
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

// sweep sweeps along the third of three objectives: between two values of it, the cross-section is the area of the points so far.
// Those that others dominate in the cross-section are dropped as it grows.
func sweep(pts []Vector, ref Vector) float64 {
	const d = 3
	s := slices.Clone(pts)
	slices.SortFunc(s, func(a, b Vector) int {
		return cmp.Or(cmp.Compare(a[2], b[2]), cmp.Compare(a[1], b[1]), cmp.Compare(a[0], b[0]))
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
			height = area(section, ref)
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
