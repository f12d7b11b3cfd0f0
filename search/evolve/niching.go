package evolve

import (
	"math"
	"math/rand"
	"slices"

	"toposearch/objectives"
)

// niching is the survival of NSGA-III (Deb, Jain, "An evolutionary many-objective optimization algorithm using
// reference-point-based nondominated sorting approach, part I", IEEE Trans. Evol. Comput. 18(4), 2014): of the front that does not fit
// as a whole, those survive whose directions from the ideal point have fewest survivors. Distances in crowding mean little from four objectives
// on. The ideal point and the extreme points are those of all generations, as there.
type niching struct {
	directions []objectives.Vector
	ideal      objectives.Vector
	extreme    []objectives.Vector // by objective; nil before the first generation
}

// manyObjectives is the number of objectives from which on directions take the place of crowding.
const manyObjectives = 4

// newNiching has as many directions as a population can hold.
func newNiching(objs, population int) *niching {
	n := &niching{ideal: make(objectives.Vector, objs)}
	for i := range n.ideal {
		n.ideal[i] = math.Inf(1)
	}
	for parts := 1; ; parts++ {
		d := dasDennis(objs, parts)
		if parts < objs && parts > 1 { // only the edges have points: a second layer inside, as in the paper
			for _, v := range dasDennis(objs, parts-1) {
				for i := range v {
					v[i] = v[i]/2 + 0.5/float64(objs)
				}
				d = append(d, v)
			}
		}
		if len(d) > population && n.directions != nil {
			return n
		}
		n.directions = d
		if objs == 1 {
			return n
		}
	}
}

// dasDennis are the points of the unit simplex whose coordinates are whole multiples of 1/parts (Das, Dennis, "Normal-boundary
// intersection", SIAM J. Optim. 8(3), 1998).
func dasDennis(objs, parts int) []objectives.Vector {
	var out []objectives.Vector
	v := make(objectives.Vector, objs)
	var fill func(at, left int)
	fill = func(at, left int) {
		if at == objs-1 {
			v[at] = float64(left) / float64(parts)
			out = append(out, slices.Clone(v))
			return
		}
		for k := range left + 1 {
			v[at] = float64(k) / float64(parts)
			fill(at+1, left-k)
		}
	}
	fill(0, parts)
	return out
}

// choose gives the places of those of the last front that survive, so many of them, beside those that are kept already. Objectives that
// are not finite count as the worst.
func (n *niching) choose(kept, last []*objectives.Point, wanted int, rng *rand.Rand) []int {
	scale := n.normalise(append(slices.Clone(kept), last...))
	count := make([]int, len(n.directions))
	for _, p := range kept {
		at, _ := n.nearest(p.V, scale)
		count[at]++
	}
	of, far := make([]int, len(last)), make([]float64, len(last))
	for i, p := range last {
		of[i], far[i] = n.nearest(p.V, scale)
	}
	var out []int
	taken := make([]bool, len(last))
	for len(out) < wanted {
		// The directions with fewest survivors among those that the rest of the front is near to, one of them by lot.
		least, ties, dir := math.MaxInt, 0, -1
		seen := make([]bool, len(n.directions))
		for i, d := range of {
			if taken[i] || seen[d] || count[d] > least {
				continue
			}
			if seen[d] = true; count[d] < least {
				least, ties = count[d], 0
			}
			if ties++; rng.Intn(ties) == 0 {
				dir = d
			}
		}
		best, ties := -1, 0
		for i, d := range of {
			switch {
			case taken[i] || d != dir:
			case count[dir] == 0: // the nearest
				if best < 0 || far[i] < far[best] {
					best = i
				}
			default: // any
				if ties++; rng.Intn(ties) == 0 {
					best = i
				}
			}
		}
		taken[best] = true
		count[dir]++
		out = append(out, best)
	}
	return out
}

// normalise updates the ideal and the extreme points, and gives for each objective what a unit is: the intercept of the plane through
// the extreme points, or, where there is no such plane, the worst of the points.
func (n *niching) normalise(points []*objectives.Point) objectives.Vector {
	worst := make(objectives.Vector, len(n.ideal))
	for i := range worst {
		worst[i] = math.Inf(-1)
	}
	for _, p := range points {
		for i, x := range p.V {
			if !math.IsInf(x, 0) {
				n.ideal[i], worst[i] = min(n.ideal[i], x), max(worst[i], x)
			}
		}
	}
	candidates := slices.Clone(n.extreme)
	for _, p := range points {
		candidates = append(candidates, p.V)
	}
	extreme := make([]objectives.Vector, len(n.ideal))
	for axis := range extreme {
		best := math.Inf(1)
		for _, v := range candidates {
			if a := n.achievement(v, axis); a < best || extreme[axis] == nil {
				best, extreme[axis] = a, v
			}
		}
	}
	n.extreme = extreme
	scale := n.intercepts()
	for i := range worst {
		// A plane beyond the worst, or none, says nothing.
		if w := worst[i] - n.ideal[i]; scale == nil || !(scale[i] > 1e-6*w) || scale[i] > w {
			scale = nil
			break
		}
	}
	if scale == nil {
		scale = make(objectives.Vector, len(worst))
		for i := range scale {
			if scale[i] = worst[i] - n.ideal[i]; !(scale[i] > 0) {
				scale[i] = 1
			}
		}
	}
	return scale
}

// besides is the weight of the other objectives in achievement, as in the paper.
const besides = 1e6

// achievement is how little a point is worse than the ideal but in one objective.
func (n *niching) achievement(v objectives.Vector, axis int) float64 {
	most := 0.0
	for i, x := range v {
		d := x - n.ideal[i]
		if i != axis {
			d *= besides
		}
		most = max(most, d)
	}
	return most
}

// intercepts solves for the plane through the extreme points, by elimination with pivots; nil if there is none.
func (n *niching) intercepts() objectives.Vector {
	m := len(n.ideal)
	a := make([]objectives.Vector, m)
	for i, e := range n.extreme {
		a[i] = make(objectives.Vector, m+1)
		for j := range m {
			if a[i][j] = e[j] - n.ideal[j]; math.IsInf(a[i][j], 0) {
				return nil
			}
		}
		a[i][m] = 1
	}
	for c := range m {
		pivot := c
		for r := c + 1; r < m; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[pivot][c]) {
				pivot = r
			}
		}
		if a[pivot][c] == 0 {
			return nil
		}
		a[c], a[pivot] = a[pivot], a[c]
		for r := range m {
			if f := a[r][c] / a[c][c]; r != c && f != 0 {
				for j := c; j <= m; j++ {
					a[r][j] -= f * a[c][j]
				}
			}
		}
	}
	out := make(objectives.Vector, m)
	for i := range out {
		if out[i] = a[i][i] / a[i][m]; math.IsInf(out[i], 0) || math.IsNaN(out[i]) {
			return nil
		}
	}
	return out
}

// nearest is the direction with the least distance of a point from its line, and that distance.
func (n *niching) nearest(v, scale objectives.Vector) (at int, distance float64) {
	distance = math.Inf(1)
	x := make(objectives.Vector, len(v))
	square := 0.0
	for i := range v {
		x[i] = min((v[i]-n.ideal[i])/scale[i], farthest)
		square += x[i] * x[i]
	}
	for k, d := range n.directions {
		dot, norm := 0.0, 0.0
		for i := range d {
			dot += d[i] * x[i]
			norm += d[i] * d[i]
		}
		if y := square - dot*dot/norm; y < distance {
			at, distance = k, y
		}
	}
	return at, distance
}

// farthest bounds normalised objectives, of which infinite ones are no direction.
const farthest = 1e6
