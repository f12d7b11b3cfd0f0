package collective

import "slices"

// Hierarchical reduces and scatters inside groups of Inner ranks that are near each other (numbered one
// after the other), does the rest between ranks of equal place in the Outer groups, and gathers inside:
// only an Inner-th of the vector of each rank leaves its group (BlueConnect: Cho et al., MLSys
// 2019). All-to-alls go the same way: first to the rank of the group that has the place of the
// destination (as NCCL's PXN), then across. Each stage is a ring, or direct.
type Hierarchical struct {
	Inner, Outer int
	// Mesh: a link leads to each other rank of the group, and stages inside send over all of them at once, to each rank what is
	// for it: one step each, as direct algorithms do in the racks of UB-Mesh (Liao et al., arXiv:2503.20377). With one group that is
	// all, and does broadcasts, too: scattered by rank 0, then gathered (van de Geijn, J. Parallel Distrib. Comput. 22(2), 1994).
	Mesh bool
}

// Name of the algorithm.
func (a Hierarchical) Name() string {
	switch {
	case a.Mesh && a.Outer == 1:
		return "direct over all links"
	case a.Mesh:
		return "hierarchical, inside over all links"
	}
	return "hierarchical"
}

// Ports is one, since a rank is in one stage at a time; in a mesh one to each other rank.
func (a Hierarchical) Ports() int {
	if a.Mesh {
		return max(a.Inner-1, 1)
	}
	return 1
}

func (a Hierarchical) valid(k Kind) error {
	if !halves(k) && k != AllToAll && !(k == Broadcast && a.Mesh && a.Outer == 1) {
		return cannot(a, k)
	}
	if err := atLeast(a, "ranks of a group", a.Inner, 1); err != nil {
		return err
	}
	return atLeast(a, "groups", a.Outer, 1)
}

// Cost is that of a ring (or a direct all-to-all) inside on the whole vector, and between the groups on an
// Inner-th of it; of an all-to-all, which does not shrink, on the whole in both. In a mesh stages inside are one step with
// an Inner-th on each link.
func (a Hierarchical) Cost(k Kind) (c Cost, err error) {
	if err := a.valid(k); err != nil {
		return c, err
	}
	c.Steps = [Levels]int{int(twice(k)) * (a.Inner - 1), int(twice(k)) * (a.Outer - 1)}
	c.Share = [Levels]float64{k.WireShare(a.Inner), k.WireShare(a.Outer)}
	if k != AllToAll {
		c.Share[1] /= float64(a.Inner)
	}
	if a.Mesh && a.Inner > 1 {
		stages := int(twice(k))
		if k == Broadcast {
			stages, c.Steps[1], c.Share[1] = 2, 0, 0
		}
		c.Steps[0], c.Share[0] = stages, float64(stages)/float64(a.Inner)
	}
	return c, nil
}

// Schedule has the stages one after the other.
func (a Hierarchical) Schedule(k Kind) (*Schedule, error) {
	if err := a.valid(k); err != nil {
		return nil, err
	}
	n := a.Inner * a.Outer
	in, out := dim{stride: 1, size: a.Inner, shift: 1, mesh: a.Mesh}, dim{stride: a.Inner, size: a.Outer, shift: 1, level: 1}
	s := &Schedule{Kind: k, Ranks: n, unit: n}
	if k == AllToAll {
		s.Steps = append(direct(n, in, nil), direct(n, out, []dim{in})...)
		return s, nil
	}
	if k == Broadcast {
		s.Steps, k = a.scatter(), AllGather
	}
	s.Steps = append(s.Steps, rings(k, n, []dim{in, out}, 0, 1)...)
	return s, nil
}

// scatter is the step in which rank 0 of a mesh sends each other rank its part.
func (a Hierarchical) scatter() []Step {
	if a.Inner < 2 {
		return nil
	}
	one := Step{Repeat: 1}
	for to := 1; to < a.Inner; to++ {
		only := slices.Repeat([]int32{-1}, a.Inner)
		only[0] = int32(to)
		one.Lanes = append(one.Lanes, Lane{Perm: Perm{Table: only}, Share: 1 / float64(a.Inner), Port: to - 1,
			pieces: func(_, _ int, list []int) []int { return append(list, to) }})
	}
	return []Step{one}
}

// Torus is the all-reduce of a two-dimensional torus (Ying et al., arXiv:1811.06992, Kumar, Jouppi,
// arXiv:2011.03605): the vector in four parts, each scattered along rows and then columns or the other
// way round, in either direction, so that all four ports of a rank are busy. Rank r is in row r/Cols.
type Torus struct{ Rows, Cols int }

// Name of the algorithm.
func (Torus) Name() string { return "2D torus" }

// Ports is four: two directions of two dimensions.
func (Torus) Ports() int { return 4 }

func (a Torus) valid(k Kind) error {
	if !halves(k) {
		return cannot(a, k)
	}
	if err := atLeast(a, "rows", a.Rows, 2); err != nil {
		return err
	}
	return atLeast(a, "columns", a.Cols, 2)
}

// Cost: a half has two stages of long-1 steps, long the longer side: all parts wait for the slowest, since
// the ports that they go to next are in use until then. In the first stage the parts along the short side
// send pieces of a short-th for short-1 steps, then those along the long one of a long-th; in the second all
// send an n-th. On a square that is a quarter of (n-1)/n in all, as on a ring with four times the rate.
func (a Torus) Cost(k Kind) (c Cost, err error) {
	if err := a.valid(k); err != nil {
		return c, err
	}
	short, long := float64(min(a.Rows, a.Cols)), float64(max(a.Rows, a.Cols))
	c.Steps[0] = int(twice(k)) * 2 * (max(a.Rows, a.Cols) - 1)
	c.Share[0] = twice(k) / 4 * ((short-1)/short + (long-short)/long + (long-1)/(short*long))
	return c, nil
}

// Schedule has a lane for each of the four parts.
func (a Torus) Schedule(k Kind) (*Schedule, error) {
	if err := a.valid(k); err != nil {
		return nil, err
	}
	n := a.Rows * a.Cols
	var seqs [][]Step
	for i := range 4 {
		shift, back := 1, i%2 // odd parts run backwards, on ports of their own
		if back == 1 {
			shift = -1
		}
		row, col := dim{stride: 1, size: a.Cols, shift: shift, port: back}, dim{stride: a.Cols, size: a.Rows, shift: shift, port: 2 + back}
		if i >= 2 {
			row, col = col, row
		}
		seqs = append(seqs, rings(k, n, []dim{row, col}, i, 4))
	}
	s := &Schedule{Kind: k, Ranks: n, unit: 4 * n}
	for stage := range seqs[0] {
		s.Steps = append(s.Steps, merge(seqs[0][stage:stage+1], seqs[1][stage:stage+1], seqs[2][stage:stage+1], seqs[3][stage:stage+1])...)
	}
	return s, nil
}

// Direct is the all-to-all in N-1 steps in which each rank sends to the one that many after it, and the
// all-gather and reduce-scatter of the same messages.
type Direct struct{ N int }

// Name of the algorithm.
func (Direct) Name() string { return "direct" }

// Ports is one.
func (Direct) Ports() int { return 1 }

func (a Direct) valid(k Kind) error {
	if k != ReduceScatter && k != AllGather && k != AllToAll {
		return cannot(a, k)
	}
	return atLeast(a, "ranks", a.N, 2)
}

// Cost is N-1 steps and (N-1)/N of S.
func (a Direct) Cost(k Kind) (c Cost, err error) {
	if err := a.valid(k); err != nil {
		return c, err
	}
	c.Steps[0], c.Share[0] = a.N-1, k.WireShare(a.N)
	return c, nil
}

// Schedule is one step that repeats with growing shifts.
func (a Direct) Schedule(k Kind) (*Schedule, error) {
	if err := a.valid(k); err != nil {
		return nil, err
	}
	all := dim{stride: 1, size: a.N, shift: 1}
	s := &Schedule{Kind: k, Ranks: a.N, unit: a.N, Steps: direct(a.N, all, nil)}
	lane := &s.Steps[0].Lanes[0]
	switch k {
	case AllGather:
		lane.pieces = func(from, _ int, to []int) []int { return append(to, from) }
	case ReduceScatter:
		lane.Reduce = true
		lane.pieces = func(from, i int, to []int) []int { return append(to, (from+1+i)%a.N) }
	}
	return s, nil
}

// direct sends along a dimension what is for the ranks of each other coordinate; what was sent along
// the dimensions done before is on the ranks that have its coordinate there.
func direct(n int, d dim, done []dim) []Step {
	if d.size == 1 {
		return nil
	}
	pieces := func(from, k int, to []int) []int {
		at := (d.along(from) + 1 + k) % d.size
		for p := range n * n {
			here, dst := p/n, p%n // the piece began at p/n
			for _, e := range done {
				here += (e.along(dst) - e.along(here)) * e.stride
			}
			if here == from && d.along(dst) == at {
				to = append(to, p)
			}
		}
		return to
	}
	return []Step{{Repeat: d.size - 1, AtOnce: d.mesh, Lanes: []Lane{{
		Perm: Perm{Stride: d.stride, Size: d.size, Shift: 1, Grow: 1}, Share: 1 / float64(d.size), Level: d.level, Port: d.port, pieces: pieces,
	}}}}
}
