package objectives

import (
	"math"
	"slices"
)

// Near names for each point the first of those shown that it cannot be told from: in each coordinate they differ by at most ratio of the
// larger of the two. What it names a point for itself is shown: points to keep, which are taken first, and whatever no point before it stands for, in the order given.
// Coordinates that are not finite are like none. Ratio is above 0 and below 1. Cost: a lookup and the points in nine cells for each point.
func Near(points [][]float64, keep []bool, ratio float64) []int {
	g := newNearGrid(points, ratio)
	by := make([]int, len(points))
	show := func(i int) {
		by[i] = i
		g.add(i)
	}
	for i := range points {
		if keep[i] {
			show(i)
		}
	}
	for i := range points {
		if keep[i] {
			continue
		}
		if by[i] = g.first(i); by[i] < 0 {
			show(i)
		}
	}
	return by
}

// nearGrid holds shown points in cells as wide as what cannot be told apart, in the two coordinates that divide them most.
type nearGrid struct {
	points [][]float64
	ratio  float64
	width  float64 // of a cell, in natural logarithms
	dims   [2]int
	cells  map[[2]nearCell][]nearShown
	shown  int
}

// nearCell is the sign of a coordinate and the cell of its logarithm.
type nearCell struct{ sign, at int }

// nearShown is a point and its place among those shown.
type nearShown struct{ i, rank int }

func newNearGrid(points [][]float64, ratio float64) *nearGrid {
	// Two values of which the smaller is 1 - ratio of the larger are a width apart; a little more, so that no rounding takes them two cells apart.
	g := &nearGrid{points: points, ratio: ratio, width: -math.Log1p(-ratio) * (1 + 1e-9), cells: map[[2]nearCell][]nearShown{}}
	if len(points) == 0 {
		return g
	}
	spread := make([]int, len(points[0]))
	for k := range spread {
		seen := map[nearCell]bool{}
		for i := range points {
			seen[g.cell(points[i][k])] = true
		}
		spread[k] = len(seen)
	}
	order := make([]int, len(spread))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return spread[b] - spread[a] })
	if len(order) > 0 {
		g.dims = [2]int{order[0], order[min(1, len(order)-1)]}
	}
	return g
}

func (g *nearGrid) cell(x float64) nearCell {
	switch {
	case x > 0:
		return nearCell{1, int(math.Floor(math.Log(x) / g.width))}
	case x < 0:
		return nearCell{-1, int(math.Floor(math.Log(-x) / g.width))}
	}
	return nearCell{}
}

func (g *nearGrid) of(i int) (c [2]nearCell) {
	if len(g.points[i]) > 0 {
		c[0], c[1] = g.cell(g.points[i][g.dims[0]]), g.cell(g.points[i][g.dims[1]])
	}
	return c
}

func (g *nearGrid) add(i int) {
	c := g.of(i)
	g.cells[c] = append(g.cells[c], nearShown{i, g.shown})
	g.shown++
}

// first is the first point shown that cannot be told from point i, -1 if there is none.
func (g *nearGrid) first(i int) int {
	c := g.of(i)
	best := nearShown{-1, g.shown}
	for a := -1; a <= 1; a++ {
		for b := -1; b <= 1; b++ {
			at := c
			at[0].at += a
			at[1].at += b
			for _, x := range g.cells[at] {
				if x.rank >= best.rank {
					break // later ones are further on
				}
				if near(g.points[i], g.points[x.i], g.ratio) {
					best = x
					break
				}
			}
		}
	}
	return best.i
}

func near(a, b []float64, ratio float64) bool {
	for k, x := range a {
		larger := max(math.Abs(x), math.Abs(b[k]))
		if !(math.Abs(x-b[k]) <= ratio*larger) || math.IsInf(larger, 0) {
			return false
		}
	}
	return true
}

// Extremes are the first points with the least and the most in coordinate k, -1 if it is known of none.
func Extremes(points [][]float64, k int) (least, most int) {
	least, most = -1, -1
	for i, p := range points {
		if math.IsNaN(p[k]) {
			continue
		}
		if least < 0 || p[k] < points[least][k] {
			least = i
		}
		if most < 0 || p[k] > points[most][k] {
			most = i
		}
	}
	return least, most
}
