package collective

import "slices"

// dim is a dimension of the grid of ranks, along which a ring runs. shift, coprime to size, is the
// ring's step; level and port are those of its links. mesh: ranks send to all others along it at once instead.
type dim struct {
	stride, size, shift, level, port int
	mesh                             bool
}

// along is the coordinate of a rank.
func (d dim) along(r int) int { return r / d.stride % d.size }

// rings are ring algorithms run one dimension after the other: a reduce-scatter along the first, then along
// the next with what is left, and an all-gather backwards. lanes is how many such sequences share
// the vector, lane which of them this is: it has pieces [lane n, lane n + n).
func rings(k Kind, n int, dims []dim, lane, lanes int) []Step {
	var out []Step
	left := 1 / float64(lanes)
	fixed := []dim(nil)
	for _, d := range dims {
		left /= float64(d.size)
		if k != AllGather && d.size > 1 {
			out = append(out, ring(n, d, fixed, lane, left, true))
		}
		if k != ReduceScatter && d.size > 1 {
			// What was scattered last is gathered first.
			out = append(out, ring(n, d, fixed, lane, left, false))
		}
		fixed = append(slices.Clone(fixed), d)
	}
	if k == ReduceScatter {
		return out
	}
	var scatter, gather []Step
	for _, s := range out {
		if s.Lanes[0].Reduce {
			scatter = append(scatter, s)
		} else {
			gather = append(gather, s)
		}
	}
	slices.Reverse(gather)
	return append(scatter, gather...)
}

// ring is size-1 repetitions in which every rank sends to the next along a dimension. A piece that is
// reduced ends its way at its owner; one that is gathered begins there. Owners have the sender's own
// coordinates in the dimensions that are fixed. In a mesh all go to their owner, or from there, at once.
func ring(n int, d dim, fixed []dim, lane int, share float64, reduce bool) Step {
	back := 0
	if reduce {
		back = 1 // the first piece sent is that of the rank before, which it reaches last
	}
	grow := 0
	if d.mesh {
		grow = 1
	}
	pieces := func(from, k int, to []int) []int {
		at := d.along(from) - d.shift*(k+back)
		switch {
		case d.mesh && reduce:
			at = d.along(from) + 1 + k
		case d.mesh:
			at = d.along(from)
		}
		at = (at%d.size + d.size) % d.size
		for p := range n {
			own := d.along(p) == at
			for _, f := range fixed {
				own = own && f.along(p) == f.along(from)
			}
			if own {
				to = append(to, lane*n+p)
			}
		}
		return to
	}
	return Step{Repeat: d.size - 1, AtOnce: d.mesh, Lanes: []Lane{{
		Perm: Perm{Stride: d.stride, Size: d.size, Shift: d.shift, Grow: grow}, Share: share,
		Level: d.level, Port: d.port, Chain: lane, Reduce: reduce, pieces: pieces,
	}}}
}

// halves reports whether a kind is an all-reduce or a half of one.
func halves(k Kind) bool { return k <= AllGather }

// twice is how often the cost of a half is paid.
func twice(k Kind) float64 {
	if k == AllReduce {
		return 2
	}
	return 1
}
