package evolve

import (
	"cmp"
	"math"
	"slices"

	"toposearch/objectives"
)

// sized gives a slice of n zeroes in the memory of an earlier one.
func sized[T any](s *[]T, n int) []T {
	if cap(*s) < n {
		*s = make([]T, n)
	}
	*s = (*s)[:n]
	clear(*s)
	return *s
}

// thinning is the memory of thin, kept for the next time.
type thinning struct {
	gone  []bool
	own   objectives.Vector
	vs    []objectives.Vector
	flock flock
	chain chain
}

// thin gives the places of those of a front that stay when so many do: one after the other leaves of which the others are nearest, and
// what its neighbours lose by that counts for the next. Cutting by crowding distances that are computed once empties whole stretches, since
// neighbours in a crowd all look crowded (Kukkonen, Deb, "Improved pruning of non-dominated solutions based on crowding distance for
// bi-objective optimization problems", CEC 2006; "A fast and effective method for pruning of non-dominated solutions in many-objective
// problems", PPSN IX, 2006). Of two objectives neighbours are those on both sides, of more the two nearest. The best of each
// objective stay.
func (m *thinning) thin(front []*objectives.Point, wanted int) []int {
	vs, ends := m.scaled(front)
	gone := sized(&m.gone, len(front))
	var t thinner = &m.flock
	if len(front[0].V) == 2 {
		t = &m.chain
	}
	room := t.start(vs)
	for _, i := range ends {
		room[i] = math.Inf(1)
	}
	for left := len(front); left > wanted; left-- {
		worst, least := -1, math.Inf(1)
		for i, x := range room {
			if x < least {
				worst, least = i, x
			}
		}
		if worst < 0 { // the best of each objective are left
			worst = slices.Index(gone, false)
		}
		gone[worst], room[worst] = true, math.Inf(1)
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
func (m *thinning) scaled(front []*objectives.Point) (vs []objectives.Vector, ends []int) {
	ideal, nadir := objectives.Corners(front)
	vs = sized(&m.vs, len(front))
	own := sized((*[]float64)(&m.own), len(front)*len(ideal))
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
	vs                []objectives.Vector
	prev, next, order []int
	rooms             []float64
}

func (c *chain) start(vs []objectives.Vector) []float64 {
	order := sized(&c.order, len(vs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return slices.Compare(vs[i], vs[j]) })
	c.vs, c.prev, c.next = vs, sized(&c.prev, len(vs)), sized(&c.next, len(vs))
	for k, i := range order {
		c.prev[i], c.next[i] = -1, -1
		if k > 0 {
			c.prev[i] = order[k-1]
		}
		if k+1 < len(order) {
			c.next[i] = order[k+1]
		}
	}
	room := sized(&c.rooms, len(vs))
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
	order []int     // the points by their first objective,
	place []int     // where each is in it,
	flat  []float64 // and their objectives in that order, one behind the other
	m     int
	near  []company
	two   [][2]int32 // those of which room is made
	rooms []float64
	none  []bool
}

// company are the nearest of a point among those that were left when they were looked for, the nearest first, with squares of distances: nobody
// else is nearer than the last. So a point is compared with others again only when all of its company but one have gone.
type company struct {
	at   [companions]int32
	far  [companions]float64
	size int
}

const companions = 4

func (f *flock) start(vs []objectives.Vector) []float64 {
	n, m := len(vs), len(vs[0])
	f.order, f.place, f.m, f.near, f.two = sized(&f.order, n), sized(&f.place, n), m, sized(&f.near, n), sized(&f.two, n)
	for i := range f.order {
		f.order[i] = i
	}
	slices.SortStableFunc(f.order, func(i, j int) int { return cmp.Compare(vs[i][0], vs[j][0]) })
	f.flat = sized(&f.flat, n*m)[:0]
	for k, i := range f.order {
		f.place[i], f.flat = k, append(f.flat, vs[i]...)
	}
	room, none := sized(&f.rooms, n), sized(&f.none, n)
	for i := range room {
		room[i] = f.room(i, none)
	}
	return room
}

// room takes those that have gone out of a company, and looks for a new one where fewer than two are left.
func (f *flock) room(i int, gone []bool) float64 {
	c := &f.near[i]
	left := 0
	for k, j := range c.at[:c.size] {
		if !gone[j] {
			c.at[left], c.far[left] = j, c.far[k]
			left++
		}
	}
	if c.size = left; left < 2 {
		f.gather(i, gone)
	}
	if c.size < 2 {
		return math.Inf(1)
	}
	f.two[i] = [2]int32{c.at[0], c.at[1]}
	return c.far[0] * c.far[1] // of squares: the same order
}

// gather looks for the company of a point to both sides along the first objective, as far as that alone does not make others too far.
func (f *flock) gather(i int, gone []bool) {
	c, m := &f.near[i], f.m
	c.size = 0
	most := math.Inf(1)
	at := f.place[i]
	v := f.flat[at*m : (at+1)*m]
	look := func(k int) (on bool) {
		w := f.flat[k*m : (k+1)*m]
		d := v[0] - w[0]
		square := d * d
		if square >= most {
			return false
		}
		if gone[f.order[k]] {
			return true
		}
		for j := 1; j < m; j++ {
			d := v[j] - w[j]
			square += d * d
		}
		if square < most {
			if c.take(int32(f.order[k]), square); c.size == companions {
				most = c.far[companions-1]
			}
		}
		return true
	}
	below, above := at-1, at+1
	for below >= 0 || above < len(f.order) {
		if below >= 0 {
			if below--; !look(below + 1) {
				below = -1
			}
		}
		if above < len(f.order) {
			if above++; !look(above - 1) {
				above = len(f.order)
			}
		}
	}
}

// take puts one in, in the place of the last if it is full.
func (c *company) take(j int32, square float64) {
	if c.size < companions {
		c.size++
	}
	at := c.size - 1
	for ; at > 0 && c.far[at-1] > square; at-- {
		c.at[at], c.far[at] = c.at[at-1], c.far[at-1]
	}
	c.at[at], c.far[at] = j, square
}

func (f *flock) drop(i int, room []float64, gone []bool) {
	for j, x := range f.two {
		if (x[0] == int32(i) || x[1] == int32(i)) && !math.IsInf(room[j], 1) {
			room[j] = f.room(j, gone)
		}
	}
}
