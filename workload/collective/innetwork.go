package collective

import "math"

// InNetwork is the all-reduce by switches that add (SHARP: Graham et al., COMHPC 2016; NVLink's
// NVLS): a tree of switches with Radix children each takes the vector up in Segments pieces, one of
// which leaves each rank in each step, and copies the sum down.
type InNetwork struct{ N, Radix, Segments int }

// Name of the algorithm.
func (InNetwork) Name() string { return "in-network" }

// Ports is one: a rank sends and receives at the same time.
func (InNetwork) Ports() int { return 1 }

func (a InNetwork) valid(k Kind) error {
	if k != AllReduce {
		return cannot(a, k)
	}
	if err := atLeast(a, "ranks", a.N, 2); err != nil {
		return err
	}
	if err := atLeast(a, "radix", a.Radix, 2); err != nil {
		return err
	}
	return atLeast(a, "segments", a.Segments, 1)
}

// levels are the numbers of switches, from the lowest level to the root.
func (a InNetwork) levels() []int {
	var out []int
	for n := a.N; len(out) == 0 || n > 1; {
		n = (n + a.Radix - 1) / a.Radix
		out = append(out, n)
	}
	return out
}

// BestSegments is the number that takes least time for s bytes.
func (a InNetwork) BestSegments(link Link, s float64) int {
	if link.Alpha <= 0 {
		return mostSegments
	}
	m := math.Sqrt(float64(2*len(a.levels())-1) * s / (link.BytesPerS * link.Alpha))
	return int(min(max(math.Round(m), 1), mostSegments))
}

// Cost: with D links up and down the last of m segments arrives after m + D - 1 steps of an m-th each:
// with many segments the vector passes a port once, half of what any algorithm without switches that add needs.
func (a InNetwork) Cost(k Kind) (c Cost, err error) {
	if err := a.valid(k); err != nil {
		return c, err
	}
	c.Steps[0] = a.Segments + 2*len(a.levels()) - 1
	c.Share[0] = float64(c.Steps[0]) / float64(a.Segments)
	return c, nil
}

// Schedule has a lane for each link on the way to the root and back; switches follow the ranks level by level.
func (a InNetwork) Schedule(k Kind) (*Schedule, error) {
	if err := a.valid(k); err != nil {
		return nil, err
	}
	levels := a.levels()
	s := &Schedule{Kind: k, Ranks: a.N, unit: a.Segments}
	for _, n := range levels {
		s.Switches += n
	}
	up := a.tables(levels)
	// Lane i is passed by segment t - i in step t: first the links up, then down.
	for t := range a.Segments + 2*len(levels) - 1 {
		var lanes []Lane
		for i := range 2 * len(levels) {
			seg := t - i
			if seg < 0 || seg >= a.Segments {
				continue
			}
			l := Lane{Share: 1 / float64(a.Segments), Port: i, pieces: func(_, _ int, to []int) []int { return append(to, seg) }}
			if i < len(levels) {
				l.Perm, l.Reduce = Perm{Table: up[i]}, true
			} else {
				l.Perm = Perm{Table: up[2*len(levels)-1-i], From: true}
			}
			lanes = append(lanes, l)
		}
		s.Steps = append(s.Steps, Step{Repeat: 1, Lanes: lanes})
	}
	return s, nil
}

// tables are the parents of the nodes of each level, ranks first; -1 for all other nodes.
func (a InNetwork) tables(levels []int) [][]int32 {
	var out [][]int32
	first, n := 0, a.N // nodes of the level below
	for _, switches := range levels {
		table := make([]int32, first+n)
		for i := range table {
			table[i] = -1
			if i >= first {
				table[i] = int32(first + n + (i-first)/a.Radix)
			}
		}
		out = append(out, table)
		first, n = first+n, switches
	}
	return out
}
