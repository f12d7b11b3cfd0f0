package evolve

import (
	"math"
	"slices"

	"toposearch/objectives"
)

// thin gives the places of those of a front that stay when so many do: one after the other leaves of which the others are nearest, and
// what its neighbours lose by that counts for the next. Cutting by crowding distances that are computed once empties whole stretches, since
// neighbours in a crowd all look crowded (Kukkonen, Deb, "Improved pruning of non-dominated solutions based on crowding distance for
// bi-objective optimization problems", CEC 2006; "A fast and effective method for pruning of non-dominated solutions in many-objective
// problems", PPSN IX, 2006). Of two objectives neighbours are those on both sides, of more the two nearest. The best of each
// objective stay.
func thin(front []*objectives.Point, wanted int) []int {
	vs, ends := scaled(front)
	gone := make([]bool, len(front))
	var t thinner = &flock{}
	if len(front[0].V) == 2 {
		t = &chain{}
	}
	room := t.start(vs)
	for _, i := range ends {
		room[i] = math.Inf(1)
	}
	for left := len(front); left > wanted; left-- {
		worst := -1
		for i, x := range room {
			if !gone[i] && (worst < 0 || x < room[worst]) {
				worst = i
			}
		}
		gone[worst] = true
		t.drop(worst, room, gone)
	}
	out := make([]int, 0, wanted)
	for i, g := range gone {
		if !g {
			out = append(out, i)
		}
	}
	return out
}

// thinner knows how much room points of a front have.
type thinner interface {
	start(vs []objectives.Vector) (room []float64)
	drop(i int, room []float64, gone []bool) // brings up to date the finite room of those near i
}

// scaled divides objectives by their range over the finite values of a front, and gives a best point of each. What is infinite is 2, beyond all others.
func scaled(front []*objectives.Point) (vs []objectives.Vector, ends []int) {
	ideal, nadir := objectives.Corners(front)
	vs = make([]objectives.Vector, len(front))
	own := make(objectives.Vector, len(front)*len(ideal))
	for i, p := range front {
		vs[i] = own[i*len(ideal) : (i+1)*len(ideal)]
		for k, x := range p.V {
			switch span := nadir[k] - ideal[k]; {
			case math.IsInf(x, 0):
				vs[i][k] = 2
			case span > 0:
				vs[i][k] = (x - ideal[k]) / span
			}
		}
	}
	for k := range ideal {
		best := 0
		for i := range vs {
			if vs[i][k] < vs[best][k] {
				best = i
			}
		}
		ends = append(ends, best)
	}
	return vs, ends
}

// chain is a front of two objectives: neighbours stand on both sides, and the room of a point is the perimeter between them.
type chain struct {
	vs         []objectives.Vector
	prev, next []int
}

func (c *chain) start(vs []objectives.Vector) []float64 {
	order := make([]int, len(vs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return slices.Compare(vs[i], vs[j]) })
	c.vs, c.prev, c.next = vs, make([]int, len(vs)), make([]int, len(vs))
	for k, i := range order {
		c.prev[i], c.next[i] = -1, -1
		if k > 0 {
			c.prev[i] = order[k-1]
		}
		if k+1 < len(order) {
			c.next[i] = order[k+1]
		}
	}
	room := make([]float64, len(vs))
	for i := range room {
		room[i] = c.room(i)
	}
	return room
}

func (c *chain) room(i int) float64 {
	a, b := c.prev[i], c.next[i]
	if a < 0 || b < 0 {
		return math.Inf(1)
	}
	return math.Abs(c.vs[b][0]-c.vs[a][0]) + math.Abs(c.vs[b][1]-c.vs[a][1])
}

func (c *chain) drop(i int, room []float64, _ []bool) {
	a, b := c.prev[i], c.next[i]
	if a >= 0 {
		if c.next[a] = b; !math.IsInf(room[a], 1) {
			room[a] = c.room(a)
		}
	}
	if b >= 0 {
		if c.prev[b] = a; !math.IsInf(room[b], 1) {
			room[b] = c.room(b)
		}
	}
}

// flock is a front of more objectives: the room of a point is the product of the distances to the two nearest.
type flock struct {
	squares []float64 // of distances, by pair
	near    [][2]int  // the two nearest of each
}

func (f *flock) start(vs []objectives.Vector) []float64 {
	n := len(vs)
	f.squares, f.near = make([]float64, n*n), make([][2]int, n)
	for i, v := range vs {
		for j, w := range vs[:i] {
			sum := 0.0
			for k := range v {
				d := v[k] - w[k]
				sum += d * d
			}
			f.squares[i*n+j], f.squares[j*n+i] = sum, sum
		}
	}
	room, none := make([]float64, n), make([]bool, n)
	for i := range room {
		room[i] = f.room(i, none)
	}
	return room
}

// room finds the two nearest of those that are left.
func (f *flock) room(i int, gone []bool) float64 {
	n := len(f.near)
	row := f.squares[i*n : (i+1)*n]
	a, b, at, bt := math.Inf(1), math.Inf(1), -1, -1
	for j, x := range row {
		if x >= b || j == i || gone[j] {
			continue
		}
		if x < a {
			a, b, at, bt = x, a, j, at
		} else {
			b, bt = x, j
		}
	}
	f.near[i] = [2]int{at, bt}
	return a * b // of squares: the same order
}

func (f *flock) drop(i int, room []float64, gone []bool) {
	for j, near := range f.near {
		if !gone[j] && (near[0] == i || near[1] == i) && !math.IsInf(room[j], 1) {
			room[j] = f.room(j, gone)
		}
	}
}
