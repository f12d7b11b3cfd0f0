package verify

import (
	"math"

	"toposearch/objectives"
	"toposearch/search"
)

// finalists chooses designs of a front to be simulated, by index, best reason first: the best in
// each objective, the knee, one of every family, then always the one farthest from those chosen,
// in objectives scaled to the front. At most n, but one of every family in any case.
func finalists(p *search.Problem, ms []search.Member, n int) []int {
	if n <= 0 || len(ms) == 0 {
		return nil
	}
	points := make([]*objectives.Point, len(ms))
	for i := range ms {
		points[i] = &objectives.Point{Name: ms[i].Name, V: ms[i].Vector}
	}
	var out []int
	taken := make([]bool, len(ms))
	take := func(i int) {
		if i >= 0 && !taken[i] {
			taken[i] = true
			out = append(out, i)
		}
	}
	families := make([]bool, len(p.Spaces))
	missing := 0 // families on the front without a finalist
	for _, m := range ms {
		if !families[m.Space] {
			families[m.Space] = true
			missing++
		}
	}
	wanted := append([]int{objectives.Knee(points)}, make([]int, len(ms[0].Vector))...)
	for j := range ms[0].Vector {
		wanted[1+j] = objectives.Best(points, j)
	}
	for _, i := range wanted {
		// Extremes give way to families where there is not room for both.
		news := 0
		if i >= 0 && families[ms[i].Space] {
			news = 1
		}
		if i >= 0 && !taken[i] && len(out)+1+missing-news <= max(n, missing) {
			take(i)
			if news == 1 {
				families[ms[i].Space] = false
				missing--
			}
		}
	}
	far := spread(points)
	for sp := range families {
		if families[sp] {
			take(farthest(ms, out, far, func(i int) bool { return ms[i].Space == sp }))
		}
	}
	for len(out) < min(n, len(ms)) {
		take(farthest(ms, out, far, func(i int) bool { return !taken[i] }))
	}
	return out
}

// spread gives the distance between two designs of a front, objectives scaled to its range.
func spread(points []*objectives.Point) func(i, j int) float64 {
	ideal, nadir := objectives.Corners(points)
	return func(i, j int) float64 {
		d := 0.0
		for k := range ideal {
			if w := nadir[k] - ideal[k]; w > 0 {
				x := (points[i].V[k] - points[j].V[k]) / w
				d += x * x
			}
		}
		return d
	}
}

// farthest is the allowed index with the largest distance to the nearest of those chosen; the
// first of equals, -1 if none is allowed.
func farthest(ms []search.Member, chosen []int, dist func(i, j int) float64, allowed func(int) bool) int {
	best, at := -1.0, -1
	for i := range ms {
		if !allowed(i) {
			continue
		}
		near := math.Inf(1)
		for _, j := range chosen {
			near = math.Min(near, dist(i, j))
		}
		if near > best {
			best, at = near, i
		}
	}
	return at
}
