package branch

import (
	"math"

	"toposearch/objectives"
)

// aim is a direction from a corner.
type aim struct {
	from  objectives.Vector
	along objectives.Vector // how much a unit of each objective counts where the worst of them does; 0: it is not looked at
	sum   objectives.Vector // and in the sum of all, which keeps designs apart that are as good in the worst
}

// key is how far from the corner, in the direction, a vector comes to lie on the ray.
func (a *aim) key(v objectives.Vector) float64 {
	most, sum := math.Inf(-1), 0.0
	for j, x := range v {
		d := x - a.from[j]
		if a.along[j] > 0 {
			most = max(most, d*a.along[j])
		}
		sum += d * a.sum[j]
	}
	return most + sum
}
