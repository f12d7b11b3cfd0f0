package collective

import (
	"math"
	"math/bits"
)

// DoubleTree is the all-reduce over two binary trees (Sanders, Speck, Träff, Parallel Computing 35(12),
// 2009; NCCL since 2.4): each carries half of the vector in Segments pieces, to its root and back, and a rank
// that has children in one tree is a leaf of the other, so that no rank sends or receives more than another.
// The ways of both trees are coloured such that ranks send and receive at most once in odd, and in
// even, steps.
type DoubleTree struct{ N, Segments int }

// BestSegments is the number that takes least time for s bytes.
func (a DoubleTree) BestSegments(link Link, s float64) int {
	// 4 (m + depth) steps of alpha + s/(2 m B) are least at m^2 = depth s / (2 B alpha).
	if link.Alpha <= 0 {
		return mostSegments
	}
	m := math.Sqrt(float64(a.depth()) * s / (2 * link.BytesPerS * link.Alpha))
	return int(min(max(math.Round(m), 1), mostSegments))
}

// mostSegments: with more, filling a pipeline of any depth here is less than a thousandth of its time.
const mostSegments = 1 << 14

// Name of the algorithm.
func (DoubleTree) Name() string { return "double binary tree" }

// Ports is one.
func (DoubleTree) Ports() int { return 1 }

func (a DoubleTree) valid(k Kind) error {
	if k != AllReduce {
		return cannot(a, k)
	}
	if err := atLeast(a, "ranks", a.N, 2); err != nil {
		return err
	}
	return atLeast(a, "segments", a.Segments, 1)
}

// depth is the longest way to a root: from rank 1, which climbs by all the powers of two below N.
func (a DoubleTree) depth() int { return bits.Len(uint(a.N - 1)) }

// Cost: a segment waits at most two steps at each level, and one passes every two steps: at most
// 2 (Segments + depth) - 1 steps up and as many down, of a half Segment-th of the vector each. It is an upper
// bound on what the colouring takes, at most 4 depth steps above it.
func (a DoubleTree) Cost(k Kind) (c Cost, err error) {
	if err := a.valid(k); err != nil {
		return c, err
	}
	c.Steps[0] = 2 * (2*(a.Segments+a.depth()) - 1)
	c.Share[0] = float64(c.Steps[0]) / float64(2*a.Segments)
	return c, nil
}

// binaryParent is the parent of a rank in the first tree, -1 of the root 0: odd ranks are leaves.
func binaryParent(r, n int) int {
	if r == 0 {
		return -1
	}
	bit := r & -r
	if up := r ^ bit | bit<<1; up < n {
		return up
	}
	return r ^ bit
}

// parents are those of all ranks in both trees; the second is the first mirrored, or with an odd number of
// ranks moved by one, so that leaves change places with others.
func (a DoubleTree) parents() (trees [2][]int) {
	for t := range trees {
		trees[t] = make([]int, a.N)
	}
	for r := range a.N {
		trees[0][r] = binaryParent(r, a.N)
		image := func(r int) int { return a.N - 1 - r }
		if a.N%2 == 1 {
			image = func(r int) int { return (r + 1) % a.N }
		}
		up := binaryParent(r, a.N)
		if up >= 0 {
			up = image(up)
		}
		trees[1][image(r)] = up
	}
	return trees
}

// Schedule sends each segment over each way as early as the colours allow.
func (a DoubleTree) Schedule(k Kind) (*Schedule, error) {
	if err := a.valid(k); err != nil {
		return nil, err
	}
	ways := a.ways()
	colour(ways, a.N)
	s := &Schedule{Kind: k, Ranks: a.N, unit: 2 * a.Segments}
	s.Steps = append(a.flow(ways, true), a.flow(ways, false)...)
	return s, nil
}

// way is an edge of a tree, with its colour.
type way struct{ child, parent, tree, colour int }

func (a DoubleTree) ways() []way {
	var out []way
	for t, parents := range a.parents() {
		for r, up := range parents {
			if up >= 0 {
				out = append(out, way{r, up, t, -1})
			}
		}
	}
	return out
}

// colour gives the ways two colours such that no two of one colour share a child or a parent. Every
// rank is child of at most two and parent of at most two, so the ways are paths and even circles.
func colour(ways []way, n int) {
	byChild, byParent := make([][]int, n), make([][]int, n)
	for i, w := range ways {
		byChild[w.child] = append(byChild[w.child], i)
		byParent[w.parent] = append(byParent[w.parent], i)
	}
	for first := range ways {
		todo := []int{first}
		if ways[first].colour >= 0 {
			continue
		}
		ways[first].colour = 0
		for len(todo) > 0 {
			w := ways[todo[0]]
			todo = todo[1:]
			for _, near := range [][]int{byChild[w.child], byParent[w.parent]} {
				for _, j := range near {
					if ways[j].colour < 0 {
						ways[j].colour = 1 - w.colour
						todo = append(todo, j)
					}
				}
			}
		}
	}
}

// flow is the way up, with sums, or down.
func (a DoubleTree) flow(ways []way, up bool) []Step {
	var passed [2][]int // by tree and child: segments that have passed the way to its parent
	var children [2][][]int
	parents := a.parents()
	for t := range passed {
		passed[t] = make([]int, a.N)
		children[t] = make([][]int, a.N)
	}
	for _, w := range ways {
		children[w.tree][w.parent] = append(children[w.tree][w.parent], w.child)
	}
	ready := func(w way) bool {
		seg := passed[w.tree][w.child]
		if up {
			for _, c := range children[w.tree][w.child] {
				if passed[w.tree][c] <= seg {
					return false
				}
			}
			return seg < a.Segments
		}
		return seg < a.Segments && (parents[w.tree][w.parent] < 0 || passed[w.tree][w.parent] > seg)
	}
	var steps []Step
	for left, turn := len(ways)*a.Segments, 0; left > 0; turn = 1 - turn {
		table, piece := make([]int32, a.N), make(map[int]int)
		for r := range table {
			table[r] = -1
		}
		var next []way
		for _, w := range ways {
			if w.colour == turn && ready(w) {
				next = append(next, w)
			}
		}
		for _, w := range next {
			from := w.child
			if up {
				table[w.child] = int32(w.parent)
			} else {
				from = w.parent
				table[w.parent] = int32(w.child)
			}
			piece[from] = w.tree*a.Segments + passed[w.tree][w.child]
			passed[w.tree][w.child]++
			left--
		}
		steps = append(steps, Step{Repeat: 1, Lanes: []Lane{{
			Perm: Perm{Table: table}, Share: 1 / float64(2*a.Segments), Reduce: up,
			pieces: func(from, _ int, to []int) []int { return append(to, piece[from]) },
		}}})
	}
	return steps
}
